import { z } from 'zod';
import { addPackages, askForOrder, endRollouts, startedRollout } from '../packages.ts';
import type { MakeRow } from './people.ts';

const OrderSchema = z.looseObject({ order: z.looseObject({ id: z.string() }) });

let versions = 0;
function nextVersion(): string {
  versions++;
  return `2.0.${versions}`;
}

const rollout: MakeRow = async (api) => ({ path: { id: (await startedRollout(api)).id } });

const pausedRollout: MakeRow = async (api) => {
  const { id } = await startedRollout(api);
  await api.call('POST', `/rollouts/${id}/pause`);
  return { path: { id } };
};

/** Its site was skipped. */
const skippedSite: MakeRow = async (api) => {
  const { id } = await startedRollout(api);
  await askForOrder(api, api.site, { acceptsOrders: false });
  return { path: { id }, body: { siteId: api.site.id } };
};

const newRollout: MakeRow = async (api) => {
  await endRollouts(api);
  const version = nextVersion();
  await addPackages(api, version);
  return { body: { version, siteIds: [api.site.id] } };
};

/** The rows of calls about packages and rollouts. */
export const ROLLOUT_ROWS: Readonly<Record<string, MakeRow>> = {
  '* /edge-packages/{id}': async (api) => ({ path: { id: await addPackages(api, nextVersion()) } }),
  'POST /rollouts': newRollout,
  '* /rollouts/{id}': rollout,
  'POST /rollouts/{id}/resume': pausedRollout,
  'POST /rollouts/{id}/retry': skippedSite,
  'POST /edge/upgrade': async (api) => {
    await startedRollout(api);
    return {};
  },
  'GET /edge/upgrade/{orderId}/package': async (api) => {
    await startedRollout(api);
    const { body } = await askForOrder(api, api.site);
    return { path: { orderId: OrderSchema.parse(body).order.id } };
  },
};
