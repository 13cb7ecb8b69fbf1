import type { Queries } from '../../platform/db/db.ts';
import type { Caller } from '../../platform/http/caller.ts';
import { listPackages, listRollouts, newestRollout, readRollout } from './rollout-store.ts';
import {
  type EdgePackageView,
  packageViews,
  type RolloutDetail,
  type RolloutView,
  rolloutDetail,
  rolloutView,
} from './rollout-view.ts';

/** The packages of the edge, the newest first. */
export async function findPackages(q: Queries, caller: Caller): Promise<EdgePackageView[]> {
  return await packageViews(q, caller, await listPackages(q));
}

/** The rollouts, the newest first. */
export async function findRollouts(q: Queries): Promise<RolloutView[]> {
  const views: RolloutView[] = [];
  for (const row of await listRollouts(q)) views.push(await rolloutView(q, row));
  return views;
}

/** A rollout with its sites; null: there is none. */
export async function findRollout(q: Queries, id: string): Promise<RolloutDetail | null> {
  const row = await readRollout(q, id);
  return row && (await rolloutDetail(q, row));
}

/** The one that is under way, or the last one. */
export async function findNewestRollout(q: Queries): Promise<RolloutDetail | null> {
  const row = await newestRollout(q);
  return row && (await rolloutDetail(q, row));
}

/** The rollout as integrators get it. */
export async function rolloutOfEvent(q: Queries, id: string): Promise<RolloutView | null> {
  const row = await readRollout(q, id);
  return row && (await rolloutView(q, row));
}
