import type { SiteSettings } from '@hlid/protocol/records/lane';
import { integer, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
import { compactSiteId } from '../../platform/db/compact-columns.ts';
import { type ApprovalLimits, NO_LIMITS } from './limited-acts.ts';

/** Ring 1 is for the few sites that get a new version first. */
export const DEFAULT_UPGRADE_RING = 2;

/** One car park with one edge daemon. */
export const siteTable = sqliteTable('site', {
  id: compactSiteId('id').primaryKey(),
  /**
   * The code that signs, screens and addresses have in place of the id (site-code.ts). It never changes:
   * signs are printed.
   */
  code: text('code').notNull().unique('site_by_code'),
  name: text('name').notNull(),
  timeZone: text('time_zone').notNull(),
  currency: text('currency').notNull(),
  settings: text('settings', { mode: 'json' }).$type<SiteSettings>().notNull(),
  /** The limits above which a second person is needed here. Its gateway does not need to know. */
  approvalLimits: text('approval_limits', { mode: 'json' })
    .$type<ApprovalLimits>()
    .notNull()
    .default(NO_LIMITS),
  /** The ring of a rollout in which it is upgraded: 1 is first, 9 last. */
  upgradeRing: integer('upgrade_ring').notNull().default(DEFAULT_UPGRADE_RING),
  /** SHA-256 of the secret, hexadecimal; null: revoked. */
  secretHash: text('secret_hash'),
  /** The hash of the same secret for an external broker (broker-logins.ts); null: revoked. */
  brokerHash: text('broker_hash'),
  /** The time since which it is only kept: its secret is revoked, and lists and alarms leave it out. */
  archivedAt: text('archived_at'),
  createdAt: text('created_at').notNull(),
  modifiedAt: text('modified_at').notNull(),
});

/** A site's last report about itself. */
export const sitePresenceTable = sqliteTable('site_presence', {
  siteId: compactSiteId('site_id').primaryKey(),
  connected: integer('connected', { mode: 'boolean' }).notNull(),
  /** The time since which it has been connected, or not. */
  since: text('since').notNull(),
  epoch: text('epoch'),
  /** Newest event that the site had written. */
  seq: integer('seq').notNull().default(0),
  /** The change that the site holds durably, and the hash of its lists there: its own word. */
  feedAt: integer('feed_at').notNull().default(0),
  feedHash: text('feed_hash'),
  software: text('software'),
  /** How far the site's clock was ahead of the cloud's when it connected; negative: behind. */
  clockAheadMs: integer('clock_ahead_ms').notNull().default(0),
});

/** The newest one-time code of a site; a new one takes its place. */
export const siteEnrolmentTable = sqliteTable(
  'site_enrolment',
  {
    siteId: compactSiteId('site_id').primaryKey(),
    /** The hash of a code of enrol-code.ts. */
    codeHash: text('code_hash').notNull(),
    expiresAt: text('expires_at').notNull(),
    usedAt: text('used_at'),
    /** The digest of the site's secret: a site with that secret may repeat the request. */
    secretHash: text('secret_hash'),
    createdAt: text('created_at').notNull(),
  },
  (table) => [uniqueIndex('site_enrolment_by_code').on(table.codeHash)],
);
