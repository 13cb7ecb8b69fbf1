import { IdViewSchema } from '../harness/cloud-views.ts';
import { fourLanes } from '../harness/edge-document.ts';
import { newSecret } from '../harness/new-secret.ts';
import type { Operator } from '../harness/operator.ts';
import {
  addCustomer,
  addDefaultProducts,
  addPermits,
  addQuota,
  addZone,
  createSite,
  giveVehicles,
  registerCameras,
} from '../harness/provision.ts';

/** Something in every room, as a small car park has it. @returns the site's id */
export async function fillConsole(operator: Operator): Promise<string> {
  const { siteId } = await createSite(operator, {
    name: 'Hafnartorg',
    timeZone: 'Atlantic/Reykjavik',
    currency: 'ISK',
    settings: {},
  });
  await addZone(operator, siteId, 'Neðri hæð');
  await registerCameras(operator, siteId, fourLanes(newSecret));
  await addDefaultProducts(operator);
  await addPermits(operator, ['ABC12', 'XYZ99']);
  const customer = await addCustomer(operator, { name: 'Bílaleigan ehf.', language: 'is' });
  await giveVehicles(operator, customer, ['KLM34']);
  await addQuota(operator, customer, 20);
  const hours = (back: number) => new Date(Date.now() - back * 3_600_000).toISOString();
  for (const [plate, back] of [
    ['ÞÓR55', 30],
    ['JÓN01', 3],
    ['ABC12', 2],
  ] as const) {
    await operator.call(IdViewSchema, 'POST', '/visits', { plate, siteId, startedOn: hours(back) });
  }
  await operator.call(IdViewSchema, 'POST', '/webhooks', {
    name: 'Bókhald',
    url: 'https://example.is/hlid',
    types: ['visit.ended'],
  });
  return siteId;
}
