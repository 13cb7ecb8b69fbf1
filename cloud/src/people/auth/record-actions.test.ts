import type { SiteCommand } from '@hlid/protocol/site-link/commands';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { ActionCall, ActionKind } from '../../../test/actions/action-kind.ts';
import { INVOICE_KIND } from '../../../test/actions/invoice-kind.ts';
import {
  ACCOUNT_KIND,
  CUSTODY_KIND,
  CUSTOMER_KIND,
  DEVICE_KIND,
  DISPUTE_KIND,
  MAIL_KIND,
  OVERRIDE_KIND,
  PACKAGE_KIND,
  PERMIT_KIND,
  PRODUCT_KIND,
  QUOTA_KIND,
  SITE_KIND,
  WEBHOOK_KIND,
  ZONE_KIND,
} from '../../../test/actions/other-kinds.ts';
import { PAYMENT_KIND } from '../../../test/actions/payment-kind.ts';
import { VISIT_KIND } from '../../../test/actions/visit-kind.ts';
import type { CallOptions, TestApi } from '../../../test/api.ts';
import { deviceAnswers } from '../../../test/devices.ts';
import { OTHER_CUSTOMER, OWN_CUSTOMER } from '../../../test/fuzz/people.ts';
import { createOnlineRig, type OnlineRig } from '../../../test/online-payments.ts';
import { sampleCustomer } from '../../../test/sample-quota.ts';
import { terminalAnswers } from '../../../test/terminal.ts';
import { OCCUPANCY_ACTIONS } from '../../sites/zones/zone-actions.ts';
import { ROUTE_ACCESS } from './route-access.ts';

/*
 * The actions that a record names are right. For records in random states and for accounts of every kind,
 * each action in the answer is accepted by its route. Each other one is refused, or changes nothing. More
 * states, and others: `HLID_FUZZ_SEED=7 HLID_FUZZ_RUNS=500`.
 */

const RUNS = Number(process.env['HLID_FUZZ_RUNS'] ?? 24);
const SEED = Number(process.env['HLID_FUZZ_SEED'] ?? 20261128);

const KINDS: Readonly<Record<string, ActionKind>> = {
  visit: VISIT_KIND,
  invoice: INVOICE_KIND,
  payment: PAYMENT_KIND,
  dispute: DISPUTE_KIND,
  quota: QUOTA_KIND,
  product: PRODUCT_KIND,
  zone: ZONE_KIND,
  customer: CUSTOMER_KIND,
  mail: MAIL_KIND,
  account: ACCOUNT_KIND,
  permit: PERMIT_KIND,
  'custody of a vehicle': CUSTODY_KIND,
  'vehicle’s overrides': OVERRIDE_KIND,
  package: PACKAGE_KIND,
  site: SITE_KIND,
  device: DEVICE_KIND,
  webhook: WEBHOOK_KIND,
};

/** Actions of a part of a record, which has a separate answer, and commands for lanes and devices of a site. */
const OF_PARTS: readonly string[] = [
  ...Object.values(OCCUPANCY_ACTIONS).map(({ route }) => route),
  // Second factors are of logins; what their holder does with them needs no answer.
  ...Object.keys(ROUTE_ACCESS).filter((route) =>
    /\/accounts\/:id\/(passkeys|totp|recovery-codes)/.test(route),
  ),
  ...Object.keys(ROUTE_ACCESS).filter((route) => /^POST \/sites\/:id\/(lanes|gates|devices)\//.test(route)),
  // The state of a version says whether it is planned; who may edit the product may withdraw it.
  'DELETE /products/:id/versions/:version',
  // The steps of opening a site say which answers they accept.
  'POST /sites/:id/opening/:step',
  'DELETE /sites/:id/opening/:step',
];

let rig: OnlineRig;
let api: TestApi;
let callers: Readonly<Record<string, CallOptions>>;

beforeAll(async () => {
  rig = await createOnlineRig();
  api = rig.api;
  const [ofDevices, ofTerminals] = [deviceAnswers(api), terminalAnswers()];
  const isOfDevices = ({ action }: SiteCommand) => action === 'try-again' || action === 'take-picture';
  api.bus.play(api.site.id, (command) => (isOfDevices(command) ? ofDevices(command) : ofTerminals(command)));
  await sampleCustomer(api, OWN_CUSTOMER);
  await sampleCustomer(api, OTHER_CUSTOMER);
  const elsewhere = await api.addSite('Airport');
  const customerId = OWN_CUSTOMER;
  callers = {
    operator: {},
    'operator in a browser': { token: null, headers: await api.session('the-operator') },
    'operator for visits': { token: await api.account('operator', { permissions: ['visits'] }) },
    'operator for money': { token: await api.account('operator', { permissions: ['money'] }) },
    'operator for lanes and devices': {
      token: await api.account('operator', { permissions: ['lanes', 'devices'] }),
    },
    'operator of this site': { token: await api.account('operator', { siteIds: [api.site.id] }) },
    'operator of another site': { token: await api.account('operator', { siteIds: [elsewhere.id] }) },
    customer: { token: await api.account('customer', { customerId }) },
    'customer without permits': {
      token: await api.account('customer', { customerId, options: { maxPermits: 0 } }),
    },
    'another customer': { token: await api.account('customer', { customerId: OTHER_CUSTOMER }) },
    partner: { token: await api.account('partner', { customerId }) },
    'giver of permits': { token: await api.account('whitelist', { customerId }) },
    webhook: { token: await api.roleToken('webhook') },
  };
});
afterAll(() => rig.close());

const ActionsSchema = z.looseObject({ actions: z.array(z.string()) });

describe.each(Object.entries(KINDS))('the actions of a %s', (_, kind) => {
  it('are what its routes accept, and nothing else', async () => {
    const names = Object.keys(callers);
    for (const [n, make] of kind.makers(SEED, RUNS).entries()) {
      const who = names[n % names.length] ?? '';
      await checkRecord(kind, who, make);
    }
  });

  it('are routes of the access table, and every route that changes it', () => {
    const routes = Object.values(kind.routes);
    expect(routes.filter((route) => ROUTE_ACCESS[route] === undefined)).toEqual([]);
    const path = kind.pathOf(':id');
    const changing = Object.keys(ROUTE_ACCESS).filter((route) =>
      ['POST', 'PUT', 'DELETE'].some(
        (method) => route === `${method} ${path}` || route.startsWith(`${method} ${path}/`),
      ),
    );
    expect(changing.filter((route) => !routes.includes(route) && !OF_PARTS.includes(route))).toEqual([]);
  });
});

async function checkRecord(kind: ActionKind, who: string, make: (on: OnlineRig) => Promise<string>) {
  for (const [action, route] of Object.entries(kind.routes)) {
    const id = await make(rig);
    const options = callers[who] ?? {};
    const shown = await kind.read(api, id, options);
    const listed = shown.status === 200 ? ActionsSchema.parse(shown.body).actions : [];
    const before = await kind.read(api, id);
    const call = await kind.call(action, api, before.body);
    // A call about another record, of a caller who does not see this one.
    if (call === null || (shown.status !== 200 && call.path !== undefined)) continue;
    const answer = await send(route, id, call, options);
    const detail = `${action} by ${who}: ${answer.status} ${JSON.stringify(answer.body['codes'])} of ${JSON.stringify(before.body)}`;
    if (listed.includes(action)) {
      expect(answer.status, detail).toBeLessThan(400);
    } else if (answer.status < 400) {
      expect((await kind.read(api, id)).body, detail).toEqual(before.body);
    } else {
      expect(answer.status, detail).toBeLessThan(500);
    }
  }
}

async function send(route: string, id: string, { path, body }: ActionCall, options: CallOptions) {
  const [method = '', pattern = ''] = route.split(' ');
  const sent = body === undefined ? options : { ...options, body };
  return await api.call(method, path ?? pattern.replace(/:\w+/, id), sent);
}
