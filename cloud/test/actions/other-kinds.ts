import { randomInt, randomUUID } from 'node:crypto';
import { DAY_MS } from '@hlid/protocol/base/durations';
import { utcTime } from '@hlid/protocol/base/utc-time';
import { eq } from 'drizzle-orm';
import fc from 'fast-check';
import { z } from 'zod';
import { CLAIM_ACTIONS } from '../../src/books/claims/claim-actions.ts';
import { CLOSE_ACTIONS } from '../../src/books/day-close/close-actions.ts';
import { WEBHOOK_ACTIONS } from '../../src/integration/webhooks/webhook-actions.ts';
import { PRODUCT_ACTIONS } from '../../src/money/products/product-actions.ts';
import { QUOTA_ACTIONS } from '../../src/money/quotas/quota-actions.ts';
import { APPROVAL_ACTIONS } from '../../src/paying/approvals/approval-actions.ts';
import { DISPUTE_ACTIONS } from '../../src/paying/disputes/dispute-actions.ts';
import { ACCOUNT_ACTIONS } from '../../src/people/accounts/account-actions.ts';
import { issueToken } from '../../src/people/auth/tokens.ts';
import { CUSTOMER_ACTIONS } from '../../src/people/customers/customer-actions.ts';
import { MAIL_ACTIONS } from '../../src/people/mail/mail-actions.ts';
import { queueMail } from '../../src/people/mail/queue-mail.ts';
import { APPROVAL_STATES } from '../../src/records/approvals/approval-table.ts';
import { CLAIM_STATES, claimTable, ORDER_STEPS } from '../../src/records/books/claim-table.ts';
import { dayCloseTable, dayDifferenceTable } from '../../src/records/books/day-close-table.ts';
import { writeDevice } from '../../src/records/devices/device-store.ts';
import { disputeTable } from '../../src/records/disputes/dispute-table.ts';
import { PROPOSAL_STATES } from '../../src/records/matching/match-table.ts';
import { quotaTable } from '../../src/records/quotas/quota-table.ts';
import { visitTable } from '../../src/records/visits/visit-table.ts';
import { whitelistTable } from '../../src/records/whitelist/whitelist-table.ts';
import { DEVICE_ACTIONS } from '../../src/sites/devices/device-actions.ts';
import { PACKAGE_ACTIONS } from '../../src/sites/rollouts/package-actions.ts';
import { SITE_ACTIONS } from '../../src/sites/sites/site-actions.ts';
import { ZONE_ACTIONS } from '../../src/sites/zones/zone-actions.ts';
import { PROPOSAL_ACTIONS } from '../../src/stays/matching/proposal-actions.ts';
import { CUSTODIAN_ACTIONS } from '../../src/vehicles/vehicles/custody/custodian-actions.ts';
import { OVERRIDE_ACTIONS } from '../../src/vehicles/vehicles/override-actions.ts';
import { ENTRY_ACTIONS } from '../../src/vehicles/whitelist/entry-actions.ts';
import type { TestApi } from '../api.ts';
import { sampleApproval } from '../approvals.ts';
import { OTHER_CUSTOMER, OWN_CUSTOMER } from '../fuzz/people.ts';
import { addPackages, startedRollout } from '../packages.ts';
import { matchProposal, claim as sampleClaim } from '../rows-of-sites.ts';
import { sampleQuotaProduct } from '../sample-quota.ts';
import { actionKind } from './action-kind.ts';

const TEXT = 'As it was';
const OVER = '2026-11-20T10:00:00.000Z';

export const DISPUTE_KIND = actionKind({
  rules: DISPUTE_ACTIONS,
  states: fc.record({
    state: fc.constantFrom('open', 'open', 'upheld', 'rejected', 'withdrawn'),
    visitStatus: fc.constantFrom('new', 'need-payment', 'completed'),
    isOwn: fc.boolean(),
  } as const),
  async make({ api }, { state, visitStatus, isOwn }) {
    const { id: visitId } = await api.visit({ plate: `DIS${randomInt(10_000)}` });
    const set = { status: visitStatus, customerId: isOwn ? OWN_CUSTOMER : null };
    await api.db.write(({ q }) => q.update(visitTable).set(set).where(eq(visitTable.id, visitId)));
    const { id } = await api.made(`/visit/${visitId}/dispute`, { text: TEXT });
    await api.db.write(({ q }) => q.update(disputeTable).set({ state }).where(eq(disputeTable.id, id)));
    return id;
  },
  pathOf: (id) => `/dispute/${id}`,
  calls: {
    answer: () => ({ body: { outcome: 'rejected', answer: TEXT } }),
    void: () => ({ body: { outcome: 'upheld', answer: TEXT, void: true } }),
    edit: () => ({ body: { email: 'jon@example.is' } }),
    message: () => ({ body: { text: TEXT } }),
    withdraw: () => ({}),
  },
});

export const APPROVAL_KIND = actionKind({
  rules: APPROVAL_ACTIONS,
  states: fc.record({
    state: fc.constantFrom(...APPROVAL_STATES, 'waiting', 'waiting', 'waiting'),
    isOwn: fc.boolean(),
    isOver: fc.constantFrom(false, false, false, true),
  } as const),
  make: ({ api }, { state, isOwn, isOver }) =>
    sampleApproval(api, {
      state,
      // The price of a day here.
      amountMinor: 500,
      ...(isOwn && { requestedBy: 'account:the-operator' }),
      ...(isOver && { expiresAt: api.now() }),
    }),
  pathOf: (id) => `/approval/${id}`,
  calls: {
    approve: () => ({ body: { amount: 500 } }),
    refuse: () => ({ body: { reason: TEXT } }),
    withdraw: () => ({}),
  },
});

export const CLAIM_KIND = actionKind({
  rules: CLAIM_ACTIONS,
  states: fc.record({
    state: fc.constantFrom(...CLAIM_STATES, 'unpaid', 'unpaid'),
    order: fc.constantFrom(null, null, 'create', 'change', 'cancel'),
    step: fc.constantFrom(...ORDER_STEPS),
    attempts: fc.constantFrom(0, 1),
  } as const),
  async make({ api }, { state, order, step, attempts }) {
    const id = await sampleClaim(api, api.site.id);
    const set = { state, order, step: order === null ? null : step, attempts };
    await api.db.write(({ q }) => q.update(claimTable).set(set).where(eq(claimTable.id, id)));
    return id;
  },
  pathOf: (id) => `/claim/${id}`,
  calls: {
    change: () => ({ body: { finalDueOn: '2026-12-10' } }),
    cancel: () => ({ body: { reason: TEXT } }),
    follow: () => ({}),
  },
});

export const PROPOSAL_KIND = actionKind({
  rules: PROPOSAL_ACTIONS,
  states: fc.record({ state: fc.constantFrom(...PROPOSAL_STATES, 'open') } as const),
  make: ({ api }, { state }) => matchProposal(api, api.site.id, { state }),
  pathOf: (id) => `/matching/proposals/${id}`,
  calls: { accept: () => ({}), reject: () => ({}), undo: () => ({}) },
});

let closedDays = 0;

/** A stay of that day that is not paid. */
async function unpaidVisit(api: TestApi, siteId: string, day: string): Promise<void> {
  const plate = `CLO${String(closedDays).padStart(4, '0')}`;
  const times = { startedAt: `${day}T06:00:00.000Z`, endedAt: `${day}T06:30:00.000Z` };
  const { id } = await api.visit({ plate, ...times, status: 'completed' }, { siteId });
  const due = { paymentStatus: 'failed' as const, amountMinor: 500, currency: 'ISK' };
  await api.db.write(({ q }) => q.update(visitTable).set(due).where(eq(visitTable.id, id)));
}

export const CLOSE_KIND = actionKind({
  rules: CLOSE_ACTIONS,
  states: fc.record({
    state: fc.constantFrom('open', 'open', 'signed'),
    isToday: fc.constantFrom(false, false, true),
    hasDifference: fc.boolean(),
    isDecided: fc.boolean(),
  } as const),
  async make({ api }, { state, isToday, hasDifference, isDecided }) {
    const siteId = isToday ? (await api.addSite(randomUUID())).id : api.site.id;
    const today = api.now().slice(0, 'YYYY-MM-DD'.length);
    const before = utcTime(Date.parse(today) - (100 + 40 * ++closedDays) * DAY_MS);
    const day = isToday ? today : before.slice(0, today.length);
    if (hasDifference) await unpaidVisit(api, siteId, day);
    const { id } = await api.made('/day-closes', { siteId, day });
    await api.db.write(async ({ q }) => {
      const decision = isDecided ? 'accepted' : 'open';
      await q.update(dayDifferenceTable).set({ decision }).where(eq(dayDifferenceTable.closeId, id));
      await q.update(dayCloseTable).set({ state }).where(eq(dayCloseTable.id, id));
    });
    return id;
  },
  pathOf: (id) => `/day-closes/${id}`,
  calls: {
    compute: (_, { siteId, day }) => ({ body: { siteId: siteId ?? null, day: String(day) } }),
    decide: () => ({ body: { decision: 'accepted', differences: [1], reason: TEXT } }),
    sign: (_, { revision }) => ({ body: { revision: Number(revision) } }),
  },
});

export const QUOTA_KIND = actionKind({
  rules: QUOTA_ACTIONS,
  states: fc.record({ used: fc.constantFrom(0, 2, 5), isOfSite: fc.boolean() }),
  async make({ api }, { used, isOfSite }) {
    const of = isOfSite ? { siteId: api.site.id } : {};
    const product = await sampleQuotaProduct(api, { productCode: randomUUID(), ...of });
    const body = { customer: OWN_CUSTOMER, product, quantity: 5, name: randomUUID() };
    const { id } = await api.made('/quotas', body);
    await api.db.write(({ q }) => q.update(quotaTable).set({ used }).where(eq(quotaTable.id, id)));
    return id;
  },
  pathOf: (id) => `/quotas/${id}`,
  calls: {
    edit: () => ({ body: { quantity: 40 } }),
    delete: () => ({}),
    reset: () => ({}),
  },
});

export const PRODUCT_KIND = actionKind({
  rules: PRODUCT_ACTIONS,
  states: fc.boolean(),
  make: ({ api }, isOfSite) =>
    sampleQuotaProduct(api, { productCode: randomUUID(), ...(isOfSite && { siteId: api.site.id }) }),
  pathOf: (id) => `/products/${id}`,
  calls: { edit: () => ({ body: { name: { is: randomUUID() } } }), delete: () => ({}) },
});

export const ZONE_KIND = actionKind({
  rules: ZONE_ACTIONS,
  states: fc.integer({ min: 1, max: 9 }),
  async make({ api }, capacity) {
    const settings = { capacity, lanes: [randomUUID()] };
    return (await api.made('/zones', { siteId: api.site.id, name: randomUUID(), settings })).id;
  },
  pathOf: (id) => `/zones/${id}`,
  calls: { edit: () => ({ body: { name: randomUUID() } }), delete: () => ({}) },
});

export const CUSTOMER_KIND = actionKind({
  rules: CUSTOMER_ACTIONS,
  states: fc.constant(OWN_CUSTOMER),
  make: async (_, id) => id,
  pathOf: (id) => `/customer/${id}`,
  calls: { edit: () => ({ body: { phone: `555${randomInt(1000, 9999)}` } }) },
});

export const MAIL_KIND = actionKind({
  rules: MAIL_ACTIONS,
  states: fc.constantFrom('receipt' as const, 'recover-password' as const),
  make: ({ api }, kind) => {
    const mail = {
      to: 'anna@example.is',
      language: 'is' as const,
      subject: 'Kvittun',
      text: 'Takk',
      html: '<p>Takk</p>',
      kind,
    };
    return api.db.write((tx) => queueMail(tx, mail, api.now()));
  },
  pathOf: (id) => `/mail/${id}`,
  calls: { send: () => ({}) },
});

export const PERMIT_KIND = actionKind({
  rules: ENTRY_ACTIONS,
  states: fc.record({
    status: fc.constantFrom('active', 'paused', 'deleted'),
    effect: fc.constantFrom('allow', 'allow', 'block'),
    type: fc.constantFrom('permanent', 'time', 'visit'),
    isOver: fc.boolean(),
    isEndless: fc.boolean(),
    isOfSite: fc.boolean(),
    isOwn: fc.boolean(),
  } as const),
  async make({ api }, { status, effect, type, isOver, isEndless, isOfSite, isOwn }) {
    const plate = `PER${randomInt(100_000)}`;
    const visit = type === 'visit' ? await api.visit({ plate }) : null;
    const body = { plate, reason: TEXT, ...(visit && { visitId: visit.id }) };
    const { id } = await api.made('/visit/whitelist', body);
    const mine = isOwn ? { customerId: OWN_CUSTOMER } : {};
    if (visit !== null && isOwn) await api.giveVisit(visit.id, OWN_CUSTOMER);
    const end = isOver ? OVER : '2026-11-21T20:00:00.000Z';
    const expireAt = isEndless && type !== 'time' ? null : end;
    const siteId = isOfSite || visit !== null ? api.site.id : null;
    const set = {
      ...mine,
      status,
      type,
      siteId,
      expireAt,
      effect: visit === null ? effect : 'allow',
    } as const;
    await api.db.write(({ q }) => q.update(whitelistTable).set(set).where(eq(whitelistTable.id, id)));
    return id;
  },
  pathOf: (id) => `/visit/whitelist/${id}`,
  calls: {
    edit: () => ({ body: { reason: randomUUID() } }),
    // In another state the same body is the call of another action.
    pause: (_, { status }) => (status === 'deleted' ? null : { body: { status: 'paused' } }),
    resume: (_, { status }) => (status === 'deleted' ? null : { body: { status: 'active' } }),
    delete: () => ({}),
    restore: (_, { status }) => (status === 'paused' ? null : { body: { status: 'active' } }),
  },
});

export const CUSTODY_KIND = actionKind({
  rules: CUSTODIAN_ACTIONS,
  states: fc.record({ isReleased: fc.boolean(), isOwn: fc.boolean() }),
  async make({ api }, { isReleased, isOwn }) {
    const customerId = isOwn ? OWN_CUSTOMER : OTHER_CUSTOMER;
    const { id } = await api.made('/custodians', { plate: `CUS${randomInt(100_000)}`, customerId });
    if (isReleased) await api.call('DELETE', `/custodians/${id}`);
    return id;
  },
  pathOf: (id) => `/custodians/${id}`,
  calls: { release: () => ({}) },
});

export const OVERRIDE_KIND = actionKind({
  rules: OVERRIDE_ACTIONS,
  states: fc.constantFrom('red', null),
  async make({ api }, color) {
    const plate = `OVR${randomInt(100_000)}`;
    await api.call('POST', `/vehicle/${plate}/override`, { body: { values: { color, make: 'Saab' } } });
    return plate;
  },
  pathOf: (plate) => `/vehicle/${plate}/override`,
  calls: { correct: () => ({ body: { values: { color: randomUUID() } } }) },
});

export const WEBHOOK_KIND = actionKind({
  rules: WEBHOOK_ACTIONS,
  states: fc.record({
    status: fc.constantFrom('active', 'paused'),
    types: fc.constantFrom(null, ['invoice.issued'], ['visit.ended']),
    isOfSite: fc.boolean(),
  } as const),
  async make({ api }, { status, types, isOfSite }) {
    const of = { types: types && [...types], siteId: isOfSite ? api.site.id : null };
    const { body } = await api.call('POST', '/webhooks', {
      body: { name: randomUUID(), url: 'https://books.example/hlid', ...of },
    });
    const id = z.string().parse(body['id']);
    if (status === 'paused') await api.call('PUT', `/webhooks/${id}`, { body: { status } });
    return id;
  },
  pathOf: (id) => `/webhooks/${id}`,
  calls: {
    edit: () => ({ body: { name: randomUUID() } }),
    pause: () => ({ body: { status: 'paused' } }),
    resume: () => ({ body: { status: 'active' } }),
    replay: () => ({ body: { after: 0 } }),
    delete: () => ({}),
  },
});

export const SITE_KIND = actionKind({
  rules: SITE_ACTIONS,
  states: fc.record({ isArchived: fc.boolean(), isUsed: fc.boolean() }),
  async make({ api }, { isArchived, isUsed }) {
    const site = await api.addSite(randomUUID());
    if (isUsed) await api.made('/zones', { siteId: site.id, name: randomUUID(), settings: {} });
    if (isArchived) await api.call('POST', `/sites/${site.id}/archive`);
    return site.id;
  },
  pathOf: (id) => `/sites/${id}`,
  calls: {
    edit: () => ({ body: { name: randomUUID() } }),
    'set-limits': () => ({ body: { refund: randomInt(1, 9), waiver: null, credit: null, close: null } }),
    archive: () => ({}),
    restore: () => ({}),
    delete: () => ({}),
    enrol: () => ({}),
    'renew-secret': () => ({}),
    'revoke-secret': () => ({}),
  },
});

let versions = 0;
const PackagesSchema = z.array(z.looseObject({ id: z.string(), version: z.string() }));

export const PACKAGE_KIND = actionKind({
  rules: PACKAGE_ACTIONS,
  states: fc.boolean(),
  async make({ api }, isInUse) {
    if (!isInUse) return await addPackages(api, `0.9.${++versions}`);
    const { version } = await startedRollout(api);
    const { body } = await api.call('GET', '/edge-packages');
    const found = PackagesSchema.parse(body['data']).find((one) => one.version === version);
    return found?.id ?? '';
  },
  pathOf: (id) => `/edge-packages/${id}`,
  listOf: () => '/edge-packages',
  calls: { delete: () => ({}) },
});

export const ACCOUNT_KIND = actionKind({
  rules: ACCOUNT_ACTIONS,
  states: fc.record({
    role: fc.constantFrom('operator', 'customer', 'partner', 'whitelist'),
    status: fc.constantFrom('active', 'inactive'),
    permissions: fc.constantFrom(null, ['visits'], ['people', 'visits']),
    isOfSite: fc.boolean(),
    isOwn: fc.boolean(),
  } as const),
  async make({ api }, { role, status, permissions, isOfSite, isOwn }) {
    const rights = { permissions: permissions && [...permissions], siteIds: isOfSite ? [api.site.id] : null };
    const customerId = isOwn ? OWN_CUSTOMER : OTHER_CUSTOMER;
    const of = role === 'operator' ? rights : { customerId };
    const authentication = { email: `${randomUUID()}@example.is`, password: PASSWORD };
    const account = { role, status, name: TEXT, ...of };
    return (await api.made('/accounts', { account, authentication })).id;
  },
  pathOf: (id) => `/accounts/${id}`,
  calls: {
    rename: () => ({ body: { name: randomUUID() } }),
    edit: () => ({ body: { comment: randomUUID() } }),
    activate: () => ({ body: { status: 'active' } }),
    deactivate: () => ({ body: { status: 'inactive' } }),
    leave: () => ({ body: {} }),
    invite: () => ({ body: { email: `${randomUUID()}@example.is`, language: 'is' } }),
    delete: () => ({}),
    'add-login': () => ({ body: { email: `${randomUUID()}@example.is`, password: PASSWORD } }),
    async 'move-login'(api, { id }) {
      const [login] = await loginsOf(api, id);
      const other = await api.made('/accounts', { account: { role: 'partner', status: 'active' } });
      return { body: { email: login?.email, newAccountId: other.id } };
    },
    async 'delete-login'(api, { id }) {
      const [login] = await loginsOf(api, id);
      return { path: `/accounts/${z.string().parse(id)}/logins?email=${login?.email}` };
    },
    async 'set-password'(api, { id }) {
      const [login] = await loginsOf(api, id);
      return { body: { tokenId: login?.tokenId, password: `${PASSWORD} ${randomInt(1000)}` } };
    },
    async 'end-session'(api, { id }) {
      const accountId = z.string().parse(id);
      const holder = { accountId, deviceUuid: randomUUID() };
      const life = { from: api.now(), until: null };
      const { id: tokenId } = await api.db.write(({ q }) => issueToken(q, holder, life));
      return { path: `/accounts/${accountId}/tokens/${tokenId}` };
    },
  },
});

const PASSWORD = 'þrjár gular kýr';
const LoginsSchema = z.array(z.looseObject({ email: z.string(), tokenId: z.string() }));

async function loginsOf(api: TestApi, accountId: unknown) {
  const { body } = await api.call('GET', `/accounts/${z.string().parse(accountId)}/logins`);
  return LoginsSchema.parse(body['data']);
}

export const DEVICE_KIND = actionKind({
  rules: DEVICE_ACTIONS,
  states: fc.constantFrom(
    ['camera', 'cam-in-1'] as const,
    ['camera', 'cloud:cam-2'] as const,
    ['gate', 'in-1'] as const,
    ['terminal', 'kiosk-1'] as const,
    ['kiosk', 'site'] as const,
    ['link', 'cloud'] as const,
  ),
  async make({ api }, [kind, deviceId]) {
    const at = api.now();
    const works = { state: 'ok', since: at, mailedState: null, downSince: null } as const;
    const state = { name: null, detail: '', at, ...works };
    await api.db.write(({ q }) => writeDevice(q, { siteId: api.site.id, kind, deviceId, ...state }));
    return deviceId;
  },
  pathOf: (id) => `/devices/${id}`,
  listOf: (api) => `/sites/${api.site.id}/devices`,
  calls: {
    'try-again': (api, { kind, id }) => ({ path: `/sites/${api.site.id}/devices/${kind}/${id}/try-again` }),
    // The paths name the kind: for another one they would be about another device.
    picture: (api, { kind, id }) =>
      kind === 'camera' ? { path: `/sites/${api.site.id}/devices/camera/${id}/snapshot` } : null,
    screen: (api, { kind }) =>
      kind === 'kiosk' ? { path: `/sites/${api.site.id}/devices/kiosk/site/snapshot` } : null,
  },
});
