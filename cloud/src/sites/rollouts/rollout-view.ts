import { HOUR_MS } from '@hlid/protocol/base/durations';
import { millis, UtcTimeSchema, utcTime } from '@hlid/protocol/base/utc-time';
import {
  PackageArchitectureSchema,
  PackageVersionSchema,
  type UpgradeOrder,
} from '@hlid/protocol/site-link/edge-upgrade';
import { z } from '@hono/zod-openapi';
import { callerNames } from '../../people/auth/caller-names.ts';
import { actionsFor } from '../../people/auth/record-actions.ts';
import type { Queries } from '../../platform/db/db.ts';
import type { Caller } from '../../platform/http/caller.ts';
import { IdSchema } from '../../platform/http/input-fields.ts';
import type { RolloutRow } from '../../records/rollouts/rollout-table.ts';
import { ROLLOUT_OUTCOMES, ROLLOUT_STATES } from '../../records/rollouts/rollout-words.ts';
import { siteName } from '../../records/sites/find-sites.ts';
import { PACKAGE_ACTION_NAMES, PACKAGE_ACTIONS, PackageActionsSchema } from './package-actions.ts';
import {
  ROLLOUT_ACTION_NAMES,
  ROLLOUT_ACTIONS,
  ROLLOUT_SITE_ACTION_NAMES,
  ROLLOUT_SITE_ACTIONS,
  RolloutActionsSchema,
  RolloutSiteActionsSchema,
} from './rollout-actions.ts';
import { ringsOf } from './rollout-state.ts';
import {
  countSites,
  openRollout,
  type PackageRow,
  type RolloutSite,
  readRolloutSite,
  sitesOfRollout,
} from './rollout-store.ts';

const BY = '`account:<id>`, or `cloud:command-line`.';
const BY_NAME = 'What the account is called; null: it is gone, or it was the command line.';

/** A package of the edge as the API shows it. */
export const EdgePackageSchema = z
  .strictObject({
    id: z.string(),
    version: PackageVersionSchema,
    architecture: PackageArchitectureSchema,
    bytes: z.int(),
    sha256: z.string().describe('Hexadecimal.'),
    addedAt: UtcTimeSchema,
    by: z.string().describe(BY),
    byName: z.string().nullable().describe(BY_NAME),
    actions: PackageActionsSchema,
  })
  .meta({ id: 'EdgePackage' });
export type EdgePackageView = z.infer<typeof EdgePackageSchema>;

export const RolloutBodySchema = z
  .strictObject({
    version: PackageVersionSchema,
    soakHours: z
      .int()
      .min(0)
      .max(720)
      .default(24)
      .describe('How long a ring that is over has to work before the next one begins.'),
    maxAtOnce: z.int().min(1).max(1000).default(20).describe('How many sites upgrade at the same time.'),
    siteIds: z
      .array(IdSchema)
      .min(1)
      .max(5000)
      .optional()
      .describe('Absent: every site that is not revoked.'),
  })
  .meta({ id: 'RolloutBody', example: { version: '0.3.0', soakHours: 24, maxAtOnce: 20 } });
export type RolloutBody = z.infer<typeof RolloutBodySchema>;

export const RetryBodySchema = z
  .strictObject({ siteId: IdSchema })
  .meta({ id: 'RolloutRetry', example: { siteId: '0b9f6c7e-4a51-4b53-9d0e-3a1f0f3d2c11' } });

const RolloutStateSchema = z.enum(ROLLOUT_STATES).meta({ id: 'RolloutState' });
const RolloutOutcomeSchema = z
  .enum(ROLLOUT_OUTCOMES)
  .describe(
    '`waiting`: its ring has not begun. `ordered`: it has not begun. `downloading`, `working` (checked and tried, nothing has changed), ' +
      '`installing`. `up-to-date`: it had the version. `skipped`: it takes no order. `refused`: nothing was changed. `went-back`: the ' +
      'former version runs again. `stuck`: the former version does not work either. `withdrawn`: the rollout was ended.',
  )
  .meta({ id: 'RolloutOutcome' });

const PauseSchema = z
  .strictObject({
    reason: z
      .enum(['person', 'site-failed', 'ring-failed'])
      .describe(
        '`site-failed`: `siteId` has the outcome `outcome`. `ring-failed`: no site of `ring` runs the version.',
      ),
    at: UtcTimeSchema,
    by: z.string().nullable().describe('The author, with the reason `person`.'),
    byName: z.string().nullable(),
    siteId: z.string().nullable(),
    siteName: z.string().nullable(),
    outcome: RolloutOutcomeSchema.nullable(),
    ring: z.int().nullable(),
  })
  .meta({ id: 'RolloutPause' });

const rolloutShape = {
  id: z.string(),
  version: PackageVersionSchema,
  state: RolloutStateSchema,
  pause: PauseSchema.nullable().describe('Null: it is not paused.'),
  soakHours: z.int(),
  maxAtOnce: z.int(),
  rings: z.array(z.int()).describe('The rings of its sites, ascending.'),
  ring: z.int().nullable().describe('The ring that has its orders; null: none has begun.'),
  ringOverAt: UtcTimeSchema.nullable().describe('When that ring was over; null: it is not.'),
  nextRingAt: UtcTimeSchema.nullable().describe(
    'When the next ring begins at the earliest; null: not known, or there is none.',
  ),
  createdAt: UtcTimeSchema,
  by: z.string().describe(BY),
  byName: z.string().nullable().describe(BY_NAME),
  overAt: UtcTimeSchema.nullable().describe('When it was done or ended.'),
  counts: z
    .array(z.strictObject({ outcome: RolloutOutcomeSchema, sites: z.int() }))
    .describe('How many sites have each outcome; none is left out that a site has.'),
};

/** A rollout as the API lists it. */
export const RolloutSchema = z.strictObject(rolloutShape).meta({ id: 'Rollout' });
export type RolloutView = z.infer<typeof RolloutSchema>;

const RolloutSiteSchema = z
  .strictObject({
    siteId: z.string(),
    name: z.string(),
    ring: z.int(),
    outcome: RolloutOutcomeSchema,
    from: PackageVersionSchema.nullable().describe(
      'The version that ran when its turn came; null: not known yet.',
    ),
    reason: z
      .string()
      .nullable()
      .describe(
        'Of `refused`, `went-back` and `stuck`, in the words of the site; of `skipped`: `accepts-no-orders` or `no-package`.',
      ),
    at: UtcTimeSchema.describe('When the outcome last changed.'),
    connected: z.boolean(),
    version: PackageVersionSchema.nullable().describe(
      'What the site last reported to run; null: it has not reported it.',
    ),
  })
  .meta({ id: 'RolloutSite' });

/** A rollout with its sites, by ring and name. */
const RolloutDetailSchema = z
  .strictObject({ ...rolloutShape, sites: z.array(RolloutSiteSchema) })
  .meta({ id: 'RolloutDetail' });
export type RolloutDetail = z.infer<typeof RolloutDetailSchema>;

/** A rollout with its sites, and what their reader can do with them. */
export const ShownRolloutSchema = z
  .strictObject({
    ...rolloutShape,
    sites: z.array(z.strictObject({ ...RolloutSiteSchema.shape, actions: RolloutSiteActionsSchema })),
    actions: RolloutActionsSchema,
  })
  .meta({ id: 'RolloutWithActions' });

export function rolloutFor(
  caller: Caller,
  { sites, ...rollout }: RolloutDetail,
): z.infer<typeof ShownRolloutSchema> {
  const { state } = rollout;
  return {
    ...rollout,
    sites: sites.map((site) => ({
      ...site,
      actions: actionsFor(
        ROLLOUT_SITE_ACTION_NAMES,
        ROLLOUT_SITE_ACTIONS,
        caller,
        {},
        { state, outcome: site.outcome },
      ),
    })),
    actions: actionsFor(ROLLOUT_ACTION_NAMES, ROLLOUT_ACTIONS, caller, {}, { state }),
  };
}

/** Packages as the API shows them. */
export async function packageViews(
  q: Queries,
  caller: Caller,
  rows: readonly PackageRow[],
): Promise<EdgePackageView[]> {
  const openVersion = (await openRollout(q))?.version ?? null;
  const names = await callerNames(q, new Set(rows.map(({ addedBy }) => addedBy)));
  return rows.map(({ id, version, architecture, bytes, sha256, addedAt, addedBy: by }) => ({
    id,
    version,
    architecture,
    bytes,
    sha256,
    addedAt,
    by,
    byName: names.get(by) ?? null,
    actions: actionsFor(PACKAGE_ACTION_NAMES, PACKAGE_ACTIONS, caller, {}, { version, openVersion }),
  }));
}

/** A rollout without its sites. */
export async function rolloutView(q: Queries, row: RolloutRow): Promise<RolloutView> {
  const { pause, createdBy: by, ring, ringOverAt } = row;
  const counted = await countSites(q, row.id);
  const names = await callerNames(q, new Set([by, ...(pause?.reason === 'person' ? [pause.by] : [])]));
  const rings = ringsOf(counted);
  const hasNext = ring !== null && rings.some((one) => one > ring);
  return {
    id: row.id,
    version: row.version,
    state: row.state,
    pause: pause && (await pauseView(q, row.id, pause, names)),
    soakHours: row.soakHours,
    maxAtOnce: row.maxAtOnce,
    rings,
    ring,
    ringOverAt,
    nextRingAt:
      ringOverAt !== null && hasNext && row.overAt === null
        ? utcTime(millis(ringOverAt) + row.soakHours * HOUR_MS)
        : null,
    createdAt: row.createdAt,
    by,
    byName: names.get(by) ?? null,
    overAt: row.overAt,
    counts: sumsOf(counted),
  };
}

/** A rollout with its sites. */
export async function rolloutDetail(q: Queries, row: RolloutRow): Promise<RolloutDetail> {
  return { ...(await rolloutView(q, row)), sites: (await sitesOfRollout(q, row.id)).map(siteView) };
}

function siteView({ row, name, connected, version }: RolloutSite): RolloutDetail['sites'][number] {
  const { siteId, ring, outcome, fromVersion: from, reason, at } = row;
  return { siteId, name, ring, outcome, from, reason, at, connected, version };
}

function sumsOf(counted: Awaited<ReturnType<typeof countSites>>): RolloutView['counts'] {
  return ROLLOUT_OUTCOMES.flatMap((outcome) => {
    const sites = counted.reduce((sum, one) => sum + (one.outcome === outcome ? one.sites : 0), 0);
    return sites === 0 ? [] : [{ outcome, sites }];
  });
}

async function pauseView(
  q: Queries,
  rolloutId: string,
  pause: NonNullable<RolloutRow['pause']>,
  names: ReadonlyMap<string, string>,
): Promise<RolloutView['pause']> {
  const nobody = { by: null, byName: null, siteId: null, siteName: null, outcome: null, ring: null };
  if (pause.reason === 'person') return { ...nobody, ...pause, byName: names.get(pause.by) ?? null };
  if (pause.reason === 'ring-failed') return { ...nobody, ...pause };
  const site = await readRolloutSite(q, rolloutId, pause.siteId);
  return { ...nobody, ...pause, siteName: await siteName(q, pause.siteId), ring: site?.ring ?? null };
}

/** The order of a site, as it gets it. */
export function orderOf(orderId: string, { version, bytes, sha256, signature }: PackageRow): UpgradeOrder {
  return { id: orderId, version, bytes, sha256, signature };
}
