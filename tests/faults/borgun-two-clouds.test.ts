import { refundsOf } from '@hlid/cloud/money/payments/refunds';
import { OnlineJournal } from '@hlid/cloud/paying/online-payments/online-journal';
import { findOnlinePayment } from '@hlid/cloud/paying/online-payments/online-payment-store';
import { OnlinePayments } from '@hlid/cloud/paying/online-payments/online-payments';
import { PaymentResolver } from '@hlid/cloud/paying/online-payments/payment-resolver';
import { OnlineRefunds } from '@hlid/cloud/paying/online-payments/refund-online';
import { cloudActor } from '@hlid/cloud/people/audit/audit';
import { BorgunSchema } from '@hlid/cloud/platform/card-gateways/borgun/borgun-gateway';
import { CardGateways } from '@hlid/cloud/platform/card-gateways/card-gateways';
import type { Db } from '@hlid/cloud/platform/db/db';
import { openDb } from '@hlid/cloud/platform/db/libsql-db';
import { createTestApi } from '@hlid/cloud/test/api';
import { MINUTE_MS } from '@hlid/protocol/base/durations';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { waitFor } from '../harness/wait.ts';
import { startBorgunRig } from '../sim/borgun-rig.ts';
import type { BorgunCall } from '../sim/borgun-service.ts';
import type { ProviderFault } from '../sim/provider-server.ts';

const PRICE = 500;
const PART = 300;
/** A cloud waits longer for an answer than a test lasts. */
const TIMEOUT_MS = 100_000;
/** Longer than the lease of a payment or a refund. */
const LEASE_IS_OVER_MS = 3 * MINUTE_MS;
const DRIVER = { kind: 'driver', id: 'link-1' } as const;
const BROWSER = { ip: '192.0.2.7', userAgent: 'Firefox', acceptHeader: '*/*', language: 'is' };

let rig: Awaited<ReturnType<typeof startClouds>>;
beforeEach(async () => {
  rig = await startClouds();
});
afterEach(() => rig.close());

/** Two clouds on one database, and nothing else in common, with one merchant at Borgun. */
async function startClouds() {
  const api = await createTestApi();
  const { log, clock } = api.context;
  const { sim, settings, card } = await startBorgunRig();
  const config = BorgunSchema.parse({ ...settings, timeoutMs: TIMEOUT_MS });
  const product = { type: 'default', price: PRICE, vehicleCategory: 'light', productCode: 'P' };
  await api.made('/products', product);
  const cloud = (db: Db) => {
    const parts = { clock, log, dataDir: '/nonexistent' };
    const cardGateways = new CardGateways([{ id: 'borgun', config }], 'borgun', parts);
    const context = { ...api.context, db, cardGateways };
    return {
      cardGateways,
      payments: new OnlinePayments(context),
      refunds: new OnlineRefunds(context),
      resolver: new PaymentResolver(context, new OnlineJournal(context)),
    };
  };
  const other = await openDb(api.dbPath);
  return {
    api,
    sim,
    card,
    first: cloud(api.db),
    second: cloud(other),
    sent: (call: BorgunCall) => sim.calls.filter((one) => one === call).length,
    async close() {
      await sim.stop();
      await other.close();
      await api.close();
      expect(sim.complaints).toEqual([]);
    },
  };
}

/** A visit that its driver has paid. @returns the payment's id */
async function paid(plate: string, storeCard = false): Promise<string> {
  const visit = await rig.api.visit({ plate });
  const stepped = await rig.first.payments.purchase(DRIVER, {
    vehicle: { visitId: visit.id },
    source: rig.card('good'),
    browser: BROWSER,
    language: 'is',
    storeCard,
  });
  if (!stepped.ok || stepped.payment.state !== 'settled') throw new Error(JSON.stringify(stepped));
  return stepped.payment.id;
}

describe('a part of a payment goes back once', () => {
  const refundPart = (cloud: typeof rig.first, id: string) =>
    cloud.refunds.refund(cloudActor('test', rig.api.now()), id, {
      amountMinor: PART,
      reason: 'The gate',
      by: 'refund',
    });
  const states = async (id: string) =>
    (await rig.api.db.read((q) => refundsOf(q, id))).map(({ state }) => state);

  it('if the cloud that has sent it does not live to hear the answer', async () => {
    const { api, sim, first, second } = rig;
    const id = await paid('ABX12');
    sim.fail(['refund'], { kind: 'held' });
    const refund = refundPart(first, id);
    await waitFor(() => rig.sent('refund') === 1, { what: 'the refund at Borgun' });
    api.wait(LEASE_IS_OVER_MS);
    await second.resolver.run();
    // It counts as given back, and no second one is sent.
    expect(await states(id)).toEqual(['unclear']);
    // It lives after all.
    sim.release();
    expect(await refund).toMatchObject({ ok: true, outcome: 'refunded' });
    expect(rig.sent('refund')).toBe(1);
    expect(sim.books.takenMinor()).toBe(PRICE - PART);
  });

  it('if both want to send it', async () => {
    const { api, sim, first, second } = rig;
    const id = await paid('ABX12');
    await sim.stop();
    expect(await refundPart(first, id)).toMatchObject({ ok: true, outcome: 'pending' });
    await sim.start();
    api.wait(MINUTE_MS);
    await Promise.all([first.resolver.run(), second.resolver.run()]);
    expect(await states(id)).toEqual(['refunded']);
    expect(rig.sent('refund')).toBe(1);
    expect(sim.books.takenMinor()).toBe(PRICE - PART);
  });

  it('if one stands still until the other has sent it', async () => {
    const { api, sim, first, second } = rig;
    const id = await paid('ABX12');
    const gateway = first.cardGateways.get('borgun');
    if (gateway === null) throw new Error('no gateway');
    const send = gateway.refund.bind(gateway);
    gateway.refund = async (...given) => {
      api.wait(LEASE_IS_OVER_MS);
      await second.resolver.run();
      return await send(...given);
    };
    expect(await refundPart(first, id)).toMatchObject({ ok: true, outcome: 'refunded' });
    expect(await states(id)).toEqual(['refunded']);
    expect(rig.sent('refund')).toBe(1);
    expect(sim.books.takenMinor()).toBe(PRICE - PART);
  });
});

describe('a stored card', () => {
  /** Begins to charge it, and loses its cloud at that call. @returns the end of the charge, should the cloud live after all */
  async function chargeUntil(call: BorgunCall, fault: ProviderFault) {
    const { api, sim, first } = rig;
    const stored = await api.db.read((q) => findOnlinePayment(q, storedBy));
    const visit = await api.visit({ plate: 'MKJ45' });
    const sentBefore = rig.sent(call);
    sim.fail([call], fault);
    const charge = first.payments.chargeStored(DRIVER, {
      vehicle: { visitId: visit.id },
      language: 'is',
      gatewayId: 'borgun',
      token: stored?.online.storedToken?.token ?? '',
      card: { type: 'visa', lastFour: '1111' },
    });
    await waitFor(() => rig.sent(call) > sentBefore, { what: `the ${call} at Borgun` });
    api.wait(LEASE_IS_OVER_MS);
    return { charge };
  }
  let storedBy: string;
  beforeEach(async () => {
    storedBy = await paid('ABX12', true);
  });

  it.each([
    ['capture', { kind: 'silent', acts: true }, 'settled'],
    ['capture', { kind: 'silent', acts: false }, 'cancelled'],
    ['reservation', { kind: 'silent', acts: true }, 'cancelled'],
  ] as const)(
    'whose cloud is lost at the %s (%j) is found to be %s by another',
    async (call, fault, state) => {
      const { sim, second } = rig;
      const { charge } = await chargeUntil(call, fault);
      await second.resolver.run();
      await sim.stop();
      expect(await charge).toMatchObject({ ok: true, payment: { state } });
      expect(sim.books.takenMinor()).toBe(state === 'settled' ? 2 * PRICE : PRICE);
    },
  );

  it('is not charged by a cloud that stood still until another one found it not to be', async () => {
    const { sim, second } = rig;
    const capturesBefore = rig.sent('capture');
    const { charge } = await chargeUntil('reservation', { kind: 'held' });
    await second.resolver.run();
    sim.release();
    expect(await charge).toMatchObject({ ok: true, payment: { state: 'cancelled' } });
    expect(rig.sent('capture')).toBe(capturesBefore);
    expect(sim.books.takenMinor()).toBe(PRICE);
  });
});
