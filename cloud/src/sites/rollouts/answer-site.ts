import type { UtcTime } from '@hlid/protocol/base/utc-time';
import type { EdgeUpgradeAnswer, EdgeUpgradeReport } from '@hlid/protocol/site-link/edge-upgrade';
import type { Db, Queries } from '../../platform/db/db.ts';
import type { RolloutRow, RolloutSiteRow } from '../../records/rollouts/rollout-table.ts';
import { advanceRollout, rolloutChanged } from './advance-rollout.ts';
import { afterReport, isOver, isUnderWay, mayHaveOrder, skipReason } from './rollout-state.ts';
import {
  factsOf,
  newestRollout,
  type PackageRow,
  packagesOfVersion,
  putSoftware,
  readRollout,
  readRolloutSite,
  readSoftware,
  siteOfOrder,
  sitesUnderWay,
  updateRolloutSite,
} from './rollout-store.ts';
import { orderOf } from './rollout-view.ts';

interface Asking {
  siteId: string;
  report: EdgeUpgradeReport;
  now: UtcTime;
}

interface RowChange {
  before: RolloutSiteRow;
  after: RolloutSiteRow;
}

/** Records what a site reports of its upgrade. @returns its order, or that it stays as it is */
export async function answerSite(db: Db, asking: Asking): Promise<EdgeUpgradeAnswer> {
  // Sites ask again and again, and mostly nothing has changed.
  const planned = await db.read((q) => planAnswer(q, asking));
  if (!planned.isSoftwareNew && planned.changes.length === 0) return planned.answer;
  return await db.write(async (tx) => {
    const { siteId, report, now } = asking;
    const { isSoftwareNew, changes, answer } = await planAnswer(tx.q, asking);
    const { version, architecture, acceptsOrders } = report;
    if (isSoftwareNew) await putSoftware(tx.q, { siteId, version, architecture, acceptsOrders });
    for (const { before, after } of changes) {
      await updateRolloutSite(tx.q, after);
      if (after.outcome === before.outcome) continue;
      await rolloutChanged(tx, after.rolloutId, now);
      await advanceRollout(tx, after.rolloutId, now);
    }
    return answer;
  });
}

async function planAnswer(
  q: Queries,
  asking: Asking,
): Promise<{ isSoftwareNew: boolean; changes: RowChange[]; answer: EdgeUpgradeAnswer }> {
  const { siteId, report } = asking;
  const known = await readSoftware(q, siteId);
  const isSoftwareNew =
    known?.version !== report.version ||
    known.architecture !== report.architecture ||
    known.acceptsOrders !== report.acceptsOrders;
  const rollout = await newestRollout(q);
  const before = rollout && (await readRolloutSite(q, rollout.id, siteId));
  const former = await reportOfFormerOrder(q, asking, before);
  if (rollout === null || before === null) return { isSoftwareNew, changes: former, answer: { order: null } };
  const { after, answer } = await afterAsking(q, asking, rollout, before);
  return { isSoftwareNew, changes: [...former, ...changeOf(before, after)], answer };
}

/** A report about the order of a rollout that is over. */
async function reportOfFormerOrder(
  q: Queries,
  { siteId, report }: Asking,
  newest: RolloutSiteRow | null,
): Promise<RowChange[]> {
  const { upgrade } = report;
  if (upgrade === null || upgrade.orderId === newest?.orderId) return [];
  const before = await siteOfOrder(q, upgrade.orderId, siteId);
  const rollout = before && (await readRollout(q, before.rolloutId));
  return before && rollout ? changeOf(before, afterReport(before, rollout.version, report)) : [];
}

function changeOf(before: RolloutSiteRow, after: RolloutSiteRow): RowChange[] {
  const isChanged = (Object.keys(before) as (keyof RolloutSiteRow)[]).some(
    (key) => before[key] !== after[key],
  );
  return isChanged ? [{ before, after }] : [];
}

async function afterAsking(
  q: Queries,
  { siteId, report, now }: Asking,
  rollout: RolloutRow,
  before: RolloutSiteRow,
): Promise<{ after: RolloutSiteRow; answer: EdgeUpgradeAnswer }> {
  const dated = (after: RolloutSiteRow) => (after.outcome === before.outcome ? after : { ...after, at: now });
  const reported = afterReport(before, rollout.version, report);
  if (!isUnderWay(reported.outcome)) return { after: dated(reported), answer: { order: null } };
  const asked = { ...reported, fromVersion: reported.fromVersion ?? report.version };
  const packages = await packagesOfVersion(q, rollout.version);
  const skipped = skipReason(report, new Set(packages.map(({ architecture }) => architecture)));
  if (asked.outcome === 'ordered' && skipped !== null && !isOver(rollout.state)) {
    const after = dated({ ...asked, outcome: 'skipped', handedAt: null, reason: skipped });
    return { after, answer: { order: null } };
  }
  const others = (await sitesUnderWay(q, rollout.id)).map((site) =>
    site.row.siteId === siteId ? { ...site, row: asked } : site,
  );
  const own = packages.find(({ architecture }) => architecture === report.architecture);
  const order = mayHaveOrder(rollout, factsOf(others), siteId, now) ? (own ?? null) : null;
  const after = dated({ ...asked, handedAt: order && (asked.handedAt ?? now) });
  return { after, answer: { order: order && orderOf(asked.orderId, order) } };
}

/** The package of an order that a site has; null: it is withdrawn, or not its own. */
export async function packageOfOrder(
  q: Queries,
  siteId: string,
  orderId: string,
): Promise<PackageRow | null> {
  const site = await siteOfOrder(q, orderId, siteId);
  if (site === null || !isUnderWay(site.outcome)) return null;
  const rollout = await readRollout(q, site.rolloutId);
  const software = await readSoftware(q, siteId);
  const packages = rollout === null ? [] : await packagesOfVersion(q, rollout.version);
  return packages.find(({ architecture }) => architecture === software?.architecture) ?? null;
}
