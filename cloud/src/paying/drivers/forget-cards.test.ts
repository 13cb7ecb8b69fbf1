import { HOUR_MS, MINUTE_MS } from '@hlid/protocol/base/durations';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createOnlineRig, type Death, DRIVER, type OnlineRig } from '../../../test/online-payments.ts';
import { eraseOnlinePayers } from '../../privacy/retention/erase-online-payers.ts';
import { forgottenCardTable } from '../../records/drivers/driver-table.ts';
import { onlinePaymentTable } from '../../records/online-payments/online-payment-table.ts';
import { ForgottenCards, orderToForget } from './forget-cards.ts';

let rig: OnlineRig;
beforeEach(async () => {
  rig = await createOnlineRig();
});
afterEach(() => rig.close());

/** A cloud on the same database and provider. */
const cloud = (more: object = {}) => new ForgottenCards({ ...rig.contextOfRun(), ...more });
const atProvider = () => rig.book().tokens();
const orders = () => rig.api.db.read(async (q) => await q.select().from(forgottenCardTable));
const tokenRows = () =>
  rig.api.db.read(async (q) => (await q.select().from(onlinePaymentTable)).map((row) => row.storedToken));

/** A driver pays, agrees that the card is stored, and never comes back. @returns the id of the payment */
async function paysAndLeaves(): Promise<string> {
  const visit = await rig.api.visit({ plate: 'ABX12' });
  const paid = await rig.payments.purchase(DRIVER, rig.order(visit, 'approve', { storeCard: true }));
  if (!paid.ok) throw new Error(paid.reason);
  return paid.payment.id;
}

/** The process dies there; what it was doing never comes to an end. */
async function dies(at: Death, work: () => Promise<unknown>): Promise<void> {
  rig.deaths.at = at;
  const dead = new Promise<void>((resolve) => {
    const check = () => (rig.deaths.at === null ? resolve() : setImmediate(check));
    check();
  });
  await Promise.race([work(), dead]);
  expect(rig.deaths.at).toBeNull();
}

describe('a card that the provider has stored and no driver has taken', () => {
  it('is deleted there after the day in which the driver can take it', async () => {
    await paysAndLeaves();
    await cloud().run();
    expect(atProvider()).toHaveLength(1);
    rig.api.wait(26 * HOUR_MS);
    expect(await cloud().isDue(rig.api.now())).toBe(true);
    await cloud().run();
    expect([atProvider(), await orders(), await tokenRows()]).toEqual([[], [], [null]]);
  });

  it('is deleted there when its payer is erased', async () => {
    await paysAndLeaves();
    const now = rig.api.now();
    rig.api.wait(MINUTE_MS);
    expect(await eraseOnlinePayers(rig.api.db, { before: rig.api.now(), now }, 10)).toBe(1);
    expect([await tokenRows(), (await orders()).length]).toEqual([[null], 1]);
    await cloud().run();
    expect(atProvider()).toEqual([]);
  });

  it.each(['before charge', 'after charge'] as const)(
    'is deleted there where the cloud dies %s, before it has heard of the card',
    async (death) => {
      await dies(death, paysAndLeaves);
      rig.restart();
      rig.api.wait(10 * MINUTE_MS);
      await rig.resolver.run();
      expect(atProvider()).toHaveLength(death === 'after charge' ? 1 : 0);
      expect((await tokenRows()).filter((row) => row !== null)).toHaveLength(atProvider().length);
      rig.api.wait(26 * HOUR_MS);
      await cloud().run();
      expect([atProvider(), await orders(), await tokenRows()]).toEqual([[], [], [null]]);
    },
  );

  it.each(['before forget', 'after forget'] as const)(
    'is deleted there once by the next cloud, where one dies %s',
    async (death) => {
      await paysAndLeaves();
      rig.api.wait(26 * HOUR_MS);
      await dies(death, () => cloud().run());
      // The order to delete it was stored before the provider was called.
      expect(await orders()).toHaveLength(1);
      expect(atProvider()).toHaveLength(death === 'before forget' ? 1 : 0);
      await cloud().run();
      expect(await orders()).toHaveLength(1);
      rig.api.wait(4 * MINUTE_MS);
      await cloud().run();
      expect([atProvider(), await orders()]).toEqual([[], []]);
    },
  );
});

describe('a provider that', () => {
  const order = async () =>
    await rig.api.db.write(
      async ({ q }) => await orderToForget(q, { gatewayId: 'testing2', token: 'token' }, rig.api.now()),
    );

  it('cannot be reached is called again and again, however long it is away', async () => {
    await order();
    const context = rig.contextOfRun();
    const gateway = context.cardGateways.get('testing2');
    let isAway = true;
    let calls = 0;
    if (gateway === null) throw new Error('no gateway');
    gateway.forget = async () => {
      calls += 1;
      if (isAway) throw new Error('no connection');
    };
    const cards = new ForgottenCards(context);
    for (let tries = 0; tries < 30; tries++) {
      await cards.run();
      rig.api.wait(7 * HOUR_MS);
    }
    expect([calls, await orders()]).toMatchObject([30, [{ attempts: 30 }]]);
    isAway = false;
    await cards.run();
    expect(await orders()).toEqual([]);
  });

  it('is not configured for a while is called when it is again', async () => {
    await order();
    const { cardGateways } = rig.contextOfRun();
    await cloud({ cardGateways: { get: () => null, ids: () => cardGateways.ids() } }).run();
    expect(await orders()).toMatchObject([{ attempts: 1 }]);
    rig.api.wait(MINUTE_MS);
    await cloud().run();
    expect(await orders()).toEqual([]);
  });
});
