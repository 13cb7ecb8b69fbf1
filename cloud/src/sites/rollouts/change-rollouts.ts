import { newId } from '@hlid/node/new-id';
import { type Mistake, mistake } from '@hlid/protocol/base/mistakes/mistake';
import type { Db, Queries, Tx } from '../../platform/db/db.ts';
import { type Actor, callerName } from '../../platform/http/caller.ts';
import {
  NOT_FOUND,
  type Refused,
  type RefusedConflict,
  refusedConflict,
  refusedInput,
} from '../../platform/refused.ts';
import type { RolloutRow, RolloutSiteRow } from '../../records/rollouts/rollout-table.ts';
import { advanceRollout, auditRollout, rolloutChanged } from './advance-rollout.ts';
import { ROLLOUT_SITE_ACTIONS, refuseOver } from './rollout-actions.ts';
import { ringFailed } from './rollout-state.ts';
import {
  addRolloutSites,
  excuseFailures,
  factsOf,
  openRollout,
  packagesOfVersion,
  putRollout,
  readRollout,
  readRolloutSite,
  sitesOfRollout,
  sitesToUpgrade,
  updateRolloutSite,
  withdrawOrders,
} from './rollout-store.ts';
import { type RolloutBody, type RolloutDetail, rolloutDetail } from './rollout-view.ts';

type Changed = { ok: true; rollout: RolloutDetail } | Refused | RefusedConflict;

/** Begins a rollout: the sites of the first ring get their orders. */
export async function startRollout(db: Db, actor: Actor, body: RolloutBody): Promise<Changed> {
  return await db.write(async (tx) => {
    const { version, soakHours, maxAtOnce, siteIds } = body;
    const open = await openRollout(tx.q);
    if (open !== null) return refusedConflict(mistake('rollout-not-over', [], { version: open.version }));
    if ((await packagesOfVersion(tx.q, version)).length === 0) {
      return refusedConflict(mistake('no-package', 'version', { version }));
    }
    const chosen = chooseSites(await sitesToUpgrade(tx.q), siteIds);
    if (!chosen.ok) return refusedInput(...chosen.mistakes);
    const rollout: RolloutRow = {
      id: newId(),
      version,
      soakHours,
      maxAtOnce,
      state: 'running',
      pause: null,
      pauseMailed: null,
      ring: null,
      ringOverAt: null,
      excusedRing: null,
      createdAt: actor.at,
      createdBy: callerName(actor.caller),
      overAt: null,
    };
    await putRollout(tx.q, rollout);
    const row = { rolloutId: rollout.id, outcome: 'waiting', at: actor.at, ...NOT_ASKED } as const;
    await addRolloutSites(
      tx.q,
      chosen.sites.map((site) => ({ ...row, ...site, orderId: newId() })),
    );
    await auditRollout(tx, actor, 'rollout.start', null, rollout);
    await rolloutChanged(tx, rollout.id, actor.at);
    await advanceRollout(tx, rollout.id, actor.at);
    return await shown(tx.q, rollout.id);
  });
}

/** A site that has not asked for its order. */
const NOT_ASKED = { handedAt: null, fromVersion: null, reason: null, reportedAt: null, isExcused: false };

type Candidate = Pick<RolloutSiteRow, 'siteId' | 'ring'>;

function chooseSites(
  all: readonly Candidate[],
  siteIds: readonly string[] | undefined,
): { ok: true; sites: Candidate[] } | { ok: false; mistakes: Mistake[] } {
  if (siteIds === undefined) {
    return all.length === 0 ? { ok: false, mistakes: [mistake('no-sites')] } : { ok: true, sites: [...all] };
  }
  const byId = new Map(all.map((site) => [site.siteId, site]));
  const unknown = siteIds.flatMap((id, n) =>
    byId.has(id) ? [] : [mistake('no-site-of-id', ['siteIds', n], { id })],
  );
  if (unknown.length > 0) return { ok: false, mistakes: unknown };
  return { ok: true, sites: [...new Set(siteIds)].flatMap((id) => byId.get(id) ?? []) };
}

/** Gives no more orders, and withholds those with which no site has begun to install. */
export async function pauseRollout(db: Db, actor: Actor, id: string): Promise<Changed> {
  return await change(db, actor, id, 'rollout.pause', async (_tx, rollout) => {
    if (rollout.state === 'paused') return rollout;
    const by = callerName(actor.caller);
    return { ...rollout, state: 'paused', pause: { reason: 'person', at: actor.at, by }, pauseMailed: null };
  });
}

/** Goes on without the sites that failed so far. */
export async function resumeRollout(db: Db, actor: Actor, id: string): Promise<Changed> {
  return await change(db, actor, id, 'rollout.resume', async (tx, rollout) => {
    if (rollout.state === 'running') return rollout;
    await excuseFailures(tx.q, id);
    const sites = factsOf(await sitesOfRollout(tx.q, id));
    const excusedRing = ringFailed(rollout, sites, actor.at) ? rollout.ring : rollout.excusedRing;
    return { ...rollout, state: 'running', pause: null, pauseMailed: null, excusedRing };
  });
}

/** Ends a rollout. Sites that install go on. */
export async function endRollout(db: Db, actor: Actor, id: string): Promise<Changed> {
  return await change(db, actor, id, 'rollout.end', async (tx, rollout) => {
    await withdrawOrders(tx.q, id, actor.at);
    return { ...rollout, state: 'ended', pause: null, pauseMailed: null, overAt: actor.at };
  });
}

/** Gives a site that did not get the version another order. */
export async function retrySite(db: Db, actor: Actor, id: string, siteId: string): Promise<Changed> {
  return await db.write(async (tx) => {
    const rollout = await readRollout(tx.q, id);
    if (rollout === null) return NOT_FOUND;
    const over = refuseOver(rollout);
    if (over !== null) return refusedConflict(over);
    const site = await readRolloutSite(tx.q, id, siteId);
    if (site === null) return refusedInput(mistake('no-site-of-id', 'siteId', { id: siteId }));
    const why = ROLLOUT_SITE_ACTIONS.retry.refuse({ state: rollout.state, outcome: site.outcome });
    if (why !== null) return refusedConflict(why);
    const again = { ...site, ...NOT_ASKED, orderId: newId(), outcome: 'ordered', at: actor.at } as const;
    await updateRolloutSite(tx.q, again);
    await auditRollout(tx, actor, 'rollout.retry', rollout, rollout, siteId);
    await rolloutChanged(tx, id, actor.at);
    return await shown(tx.q, id);
  });
}

async function change(
  db: Db,
  actor: Actor,
  id: string,
  action: string,
  changed: (tx: Tx, rollout: RolloutRow) => Promise<RolloutRow>,
): Promise<Changed> {
  return await db.write(async (tx) => {
    const rollout = await readRollout(tx.q, id);
    if (rollout === null) return NOT_FOUND;
    const why = refuseOver(rollout);
    if (why !== null) return refusedConflict(why);
    const after = await changed(tx, rollout);
    if (after !== rollout) {
      await putRollout(tx.q, after);
      await auditRollout(tx, actor, action, rollout, after);
      await rolloutChanged(tx, id, actor.at);
      await advanceRollout(tx, id, actor.at);
    }
    return await shown(tx.q, id);
  });
}

async function shown(q: Queries, id: string): Promise<Changed> {
  const rollout = await readRollout(q, id);
  return rollout === null ? NOT_FOUND : { ok: true, rollout: await rolloutDetail(q, rollout) };
}
