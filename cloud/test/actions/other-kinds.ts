import { randomInt, randomUUID } from 'node:crypto';
import { eq } from 'drizzle-orm';
import fc from 'fast-check';
import { PRODUCT_ACTIONS } from '../../src/money/products/product-actions.ts';
import { QUOTA_ACTIONS } from '../../src/money/quotas/quota-actions.ts';
import { DISPUTE_ACTIONS } from '../../src/paying/disputes/dispute-actions.ts';
import { CUSTOMER_ACTIONS } from '../../src/people/customers/customer-actions.ts';
import { MAIL_ACTIONS } from '../../src/people/mail/mail-actions.ts';
import { queueMail } from '../../src/people/mail/queue-mail.ts';
import { disputeTable } from '../../src/records/disputes/dispute-table.ts';
import { quotaTable } from '../../src/records/quotas/quota-table.ts';
import { visitTable } from '../../src/records/visits/visit-table.ts';
import { ZONE_ACTIONS } from '../../src/sites/zones/zone-actions.ts';
import { OWN_CUSTOMER } from '../fuzz/people.ts';
import { sampleQuotaProduct } from '../sample-quota.ts';
import { actionKind } from './action-kind.ts';

const TEXT = 'As it was';

export const DISPUTE_KIND = actionKind({
  rules: DISPUTE_ACTIONS,
  states: fc.record({
    state: fc.constantFrom('open', 'open', 'upheld', 'rejected'),
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
    const mail = { to: 'anna@example.is', subject: 'Kvittun', text: 'Takk', html: '<p>Takk</p>', kind };
    return api.db.write((tx) => queueMail(tx, mail, api.now()));
  },
  pathOf: (id) => `/mail/${id}`,
  calls: { send: () => ({}) },
});
