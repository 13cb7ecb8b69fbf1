import { randomUUID } from 'node:crypto';
import { eq } from 'drizzle-orm';
import fc from 'fast-check';
import { z } from 'zod';
import { rolloutSiteTable, rolloutTable } from '../../src/records/rollouts/rollout-table.ts';
import {
  ROLLOUT_STATES,
  type RolloutOutcome,
  type RolloutState,
} from '../../src/records/rollouts/rollout-words.ts';
import { LANE_ACTIONS } from '../../src/sites/gates/lane-actions.ts';
import { ROLLOUT_ACTIONS, ROLLOUT_SITE_ACTIONS } from '../../src/sites/rollouts/rollout-actions.ts';
import { OCCUPANCY_ACTIONS } from '../../src/sites/zones/zone-actions.ts';
import type { TestApi } from '../api.ts';
import { startedRollout } from '../packages.ts';
import { actionKind } from './action-kind.ts';

const GATE_CALL = { reasonCode: 'guest', note: 'A bicycle' };

/** A lane of a site. Its site answers every command. */
export const LANE_KIND = actionKind({
  rules: LANE_ACTIONS,
  states: fc.constantFrom('in-1', 'out-1'),
  make: async (_, laneId) => laneId,
  pathOf: (id) => `/sites/:id/lanes/${id === ':id' ? ':lane' : id}`,
  async read(api, id, options) {
    const { status, body } = await api.call('GET', `/sites/${api.site.id}/lanes`, options);
    return { status, body: { ...body, id } };
  },
  calls: {
    open: (api, { id }) => ({ path: lanePath(api, id, 'open'), body: GATE_CALL }),
    async settle(api) {
      const { id } = await api.visit({});
      return { path: `/visit/${id}`, body: { paymentStatus: 'kiosk', reason: 'Paid at the office' } };
    },
    hold: (api, { id }) => ({ path: lanePath(api, id, 'hold'), body: GATE_CALL }),
    close: (api, { id }) => ({ path: lanePath(api, id, 'close'), body: GATE_CALL }),
    release: (api, { id }) => ({ path: lanePath(api, id, 'release'), body: GATE_CALL }),
    picture: (api, { id }) => ({ path: lanePath(api, id, 'snapshot') }),
  },
});

function lanePath(api: TestApi, id: unknown, verb: string): string {
  return `/sites/${api.site.id}/lanes/${z.string().parse(id)}/${verb}`;
}

/** The number of cars in a zone. */
export const OCCUPANCY_KIND = actionKind({
  rules: OCCUPANCY_ACTIONS,
  states: fc.boolean(),
  async make({ api }, hasLanes) {
    const settings = { capacity: 9, lanes: hasLanes ? [randomUUID()] : [] };
    return (await api.made('/zones', { siteId: api.site.id, name: randomUUID(), settings })).id;
  },
  pathOf: (id) => `/zones/${id}/occupancy`,
  calls: { correct: () => ({ body: { inside: 3, reason: 'Counted' } }) },
});

const RETRIED: readonly RolloutOutcome[] = ['refused', 'went-back', 'skipped', 'done', 'installing'];

async function madeRollout(api: TestApi, state: RolloutState, outcome: RolloutOutcome): Promise<string> {
  const { id } = await startedRollout(api);
  const isOver = state === 'done' || state === 'ended';
  const pause =
    state === 'paused' ? { reason: 'person' as const, at: api.now(), by: 'account:the-operator' } : null;
  await api.db.write(async ({ q }) => {
    const set = { state, pause, overAt: isOver ? api.now() : null };
    await q.update(rolloutTable).set(set).where(eq(rolloutTable.id, id));
    await q.update(rolloutSiteTable).set({ outcome }).where(eq(rolloutSiteTable.rolloutId, id));
  });
  return id;
}

export const ROLLOUT_KIND = actionKind({
  rules: ROLLOUT_ACTIONS,
  states: fc.constantFrom(...ROLLOUT_STATES),
  make: ({ api }, state) => madeRollout(api, state, 'installing'),
  pathOf: (id) => `/rollouts/${id}`,
  calls: { pause: () => ({}), resume: () => ({}), end: () => ({}) },
});

/** A site of a rollout. */
export const ROLLOUT_SITE_KIND = actionKind({
  rules: ROLLOUT_SITE_ACTIONS,
  states: fc.record({ state: fc.constantFrom(...ROLLOUT_STATES), outcome: fc.constantFrom(...RETRIED) }),
  make: ({ api }, { state, outcome }) => madeRollout(api, state, outcome),
  pathOf: (id) => `/rollouts/${id}`,
  async read(api, id, options) {
    const { status, body } = await api.call('GET', `/rollouts/${id}`, options);
    const sites = z.array(z.looseObject({})).optional().parse(body['sites']);
    return { status, body: sites?.[0] ?? {} };
  },
  calls: { retry: (_, { siteId }) => ({ body: { siteId } }) },
});
