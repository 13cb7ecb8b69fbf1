import type { PackageArchitecture } from '@hlid/protocol/site-link/edge-upgrade';
import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
import { compactSiteId } from '../../platform/db/compact-columns.ts';
import type { RolloutOutcome, RolloutPause, RolloutState } from './rollout-words.ts';

/** Packages of the edge that sites can be upgraded to. */
export const edgePackageTable = sqliteTable(
  'edge_package',
  {
    id: text('id').primaryKey(),
    version: text('version').notNull(),
    architecture: text('architecture').$type<PackageArchitecture>().notNull(),
    bytes: integer('bytes').notNull(),
    /** Hexadecimal. */
    sha256: text('sha256').notNull(),
    /** The file `.minisig`. */
    signature: text('signature').notNull(),
    addedAt: text('added_at').notNull(),
    addedBy: text('added_by').notNull(),
  },
  (table) => [uniqueIndex('edge_package_by_version').on(table.version, table.architecture)],
);
export type EdgePackageRow = typeof edgePackageTable.$inferSelect;

/** The last report of each site about its edge; a row is written only when it changes. */
export const siteSoftwareTable = sqliteTable('site_software', {
  siteId: compactSiteId('site_id').primaryKey(),
  version: text('version').notNull(),
  architecture: text('architecture').$type<PackageArchitecture>(),
  acceptsOrders: integer('accepts_orders', { mode: 'boolean' }).notNull(),
});

/** Upgrades of many sites to one version, ring by ring. At most one is not over. */
export const rolloutTable = sqliteTable(
  'rollout',
  {
    id: text('id').primaryKey(),
    version: text('version').notNull(),
    soakHours: integer('soak_hours').notNull(),
    maxAtOnce: integer('max_at_once').notNull(),
    state: text('state').$type<RolloutState>().notNull(),
    /** Null: it is not paused. */
    pause: text('pause', { mode: 'json' }).$type<RolloutPause>(),
    /** Whether the operators have mail about the pause; null: it is not paused, or needs no mail. */
    pauseMailed: integer('pause_mailed', { mode: 'boolean' }),
    /** The ring that has its orders; null: none has begun. */
    ring: integer('ring'),
    /** When that ring was over and began to soak; null: it is not over. */
    ringOverAt: text('ring_over_at'),
    /** The ring that may be over without a site that runs the version, since a person resumed; null: none. */
    excusedRing: integer('excused_ring'),
    createdAt: text('created_at').notNull(),
    createdBy: text('created_by').notNull(),
    /** When it was done or ended. */
    overAt: text('over_at'),
  },
  (table) => [index('rollout_by_time').on(table.createdAt, table.id)],
);
export type RolloutRow = typeof rolloutTable.$inferSelect;

/** The sites of a rollout. */
export const rolloutSiteTable = sqliteTable(
  'rollout_site',
  {
    rolloutId: text('rollout_id').notNull(),
    siteId: compactSiteId('site_id').notNull(),
    /** The site's when the rollout began. */
    ring: integer('ring').notNull(),
    outcome: text('outcome').$type<RolloutOutcome>().notNull(),
    /**
     * The id is made with the row; the site gets it when it is `ordered`, and another one when a person tries
     * again.
     */
    orderId: text('order_id').notNull(),
    /** The time since which the site has the order; null: it does not have it, or it was withheld again. */
    handedAt: text('handed_at'),
    /** The version that ran when the site first asked for its order; null: it has not asked. */
    fromVersion: text('from_version'),
    reason: text('reason'),
    /** When the outcome last changed, by the cloud's clock. */
    at: text('at').notNull(),
    /** The time of the report that is stored, by the site's clock; null: there is none for this order. */
    reportedAt: text('reported_at'),
    /** A person has resumed the rollout since it was `went-back` or `stuck`. */
    isExcused: integer('is_excused', { mode: 'boolean' }).notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.rolloutId, table.siteId] }),
    uniqueIndex('rollout_site_by_order').on(table.orderId),
    index('rollout_site_by_outcome').on(table.rolloutId, table.outcome),
  ],
);
export type RolloutSiteRow = typeof rolloutSiteTable.$inferSelect;
