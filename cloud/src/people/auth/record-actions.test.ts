import type { SiteCommand } from '@hlid/protocol/site-link/commands';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { ActionCall, ActionKind } from '../../../test/actions/action-kind.ts';
import { FACTOR_KIND, factorHolder, PASSKEY_KIND } from '../../../test/actions/factor-kinds.ts';
import { INVOICE_KIND } from '../../../test/actions/invoice-kind.ts';
import {
  ACCOUNT_KIND,
  APPROVAL_KIND,
  CLAIM_KIND,
  CLOSE_KIND,
  CUSTODY_KIND,
  CUSTOMER_KIND,
  DEVICE_KIND,
  DISPUTE_KIND,
  MAIL_KIND,
  OVERRIDE_KIND,
  PACKAGE_KIND,
  PERMIT_KIND,
  PRODUCT_KIND,
  PROPOSAL_KIND,
  QUOTA_KIND,
  SITE_KIND,
  WEBHOOK_KIND,
  ZONE_KIND,
} from '../../../test/actions/other-kinds.ts';
import { PAYMENT_KIND } from '../../../test/actions/payment-kind.ts';
import {
  LANE_KIND,
  OCCUPANCY_KIND,
  ROLLOUT_KIND,
  ROLLOUT_SITE_KIND,
} from '../../../test/actions/site-kinds.ts';
import { VISIT_KIND } from '../../../test/actions/visit-kind.ts';
import type { CallOptions, Json, TestApi } from '../../../test/api.ts';
import { deviceAnswers } from '../../../test/devices.ts';
import { OTHER_CUSTOMER, OWN_CUSTOMER } from '../../../test/fuzz/people.ts';
import { createOnlineRig, type OnlineRig } from '../../../test/online-payments.ts';
import { sampleCustomer } from '../../../test/sample-quota.ts';
import { terminalAnswers } from '../../../test/terminal.ts';
import { SESSION_ACTIONS } from '../sessions/session-actions.ts';
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
  'request for approval': APPROVAL_KIND,
  claim: CLAIM_KIND,
  'match-proposal': PROPOSAL_KIND,
  'close of a day': CLOSE_KIND,
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
  lane: LANE_KIND,
  'zone’s occupancy': OCCUPANCY_KIND,
  rollout: ROLLOUT_KIND,
  'site of a rollout': ROLLOUT_SITE_KIND,
  passkey: PASSKEY_KIND,
  'login’s second factors': FACTOR_KIND,
};

const OF_KINDS = new Set(Object.values(KINDS).flatMap(({ routes }) => Object.values(routes)));

/** Routes that change a record and are no action of it. */
const NO_ACTIONS: readonly string[] = [
  // Second steps of `add-passkey` and `add-totp`.
  'POST /accounts/:id/passkeys',
  'POST /accounts/:id/totp/confirm',
  // All gates of a site: no record shows them as one.
  'POST /sites/:id/gates/hold',
  'POST /sites/:id/gates/release',
  // The state of a version shows whether it is planned; an editor of the product may withdraw it.
  'DELETE /products/:id/versions/:version',
  // How days are closed is a setting of its own, which whoever reads it may change.
  'POST /sites/:id/closing',
  'POST /sites/:id/reminders',
  // So are the accounts of its bookkeeping.
  'PUT /sites/:id/bookkeeping-accounts',
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
    'manager of a partner’s people': {
      token: await api.account('partner', { customerId, options: { managesStaff: true } }),
    },
    'manager of a customer’s people': {
      token: await api.account('customer', { customerId, options: { managesStaff: true } }),
    },
    'giver of permits': { token: await api.account('whitelist', { customerId }) },
    webhook: { token: await api.roleToken('webhook') },
    'holder of second factors': (await factorHolder(api)).options,
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
    expect(changing.filter((route) => !OF_KINDS.has(route) && !NO_ACTIONS.includes(route))).toEqual([]);
  });
});

describe('the actions of a session', () => {
  it('are what the access table lets its holder call', async () => {
    for (const [role, fields] of Object.entries(SESSION_HOLDERS)) {
      const accountId = await holderOf(role, fields);
      const options = { token: null, headers: await api.session(accountId) };
      const { body } = await api.call('GET', '/session', options);
      const { actions } = ActionsSchema.parse(body);
      for (const [action, { route }] of Object.entries(SESSION_ACTIONS)) {
        const [method = '', pattern = ''] = route.split(' ');
        const path = pattern.replace('/sites/:id', `/sites/${api.site.id}`).replace(':id', NO_ID);
        // A call without content is refused for that, if not for its caller.
        const answer = await api.call(method, path, method === 'GET' ? options : { ...options, body: {} });
        const isRefused = answer.status === 401 || answer.status === 403;
        const detail = `${action} by ${role}: ${answer.status} ${JSON.stringify(answer.body['codes'])}`;
        expect(isRefused, detail).toBe(!actions.includes(action));
      }
    }
  });
});

const NO_ID = '00000000-0000-4000-8000-000000000000';

/** The accounts of the walk over sessions, by a name. */
const SESSION_HOLDERS: Readonly<Record<string, Json>> = {
  operator: { role: 'operator' },
  'operator for visits': { role: 'operator', permissions: ['visits'] },
  'operator for devices': { role: 'operator', permissions: ['devices'] },
  customer: { role: 'customer', customerId: OWN_CUSTOMER },
  partner: { role: 'partner', customerId: OWN_CUSTOMER },
  'manager of a partner’s people': {
    role: 'partner',
    customerId: OWN_CUSTOMER,
    options: { managesStaff: true },
  },
  'giver of permits': { role: 'whitelist', customerId: OWN_CUSTOMER },
};

async function holderOf(name: string, fields: Json): Promise<string> {
  const account = { status: 'active', name, ...fields };
  return (await api.made('/accounts', { account })).id;
}

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
