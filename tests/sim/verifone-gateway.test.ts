import { readFileSync } from 'node:fs';
import { Card } from '@hlid/cloud/platform/card-gateways/card';
import type { GatewayOrder } from '@hlid/cloud/platform/card-gateways/gateway';
import { namedGatewaySchema } from '@hlid/cloud/platform/card-gateways/gateway-kinds';
import { MINUTE_MS } from '@hlid/protocol/base/durations';
import { utcTime } from '@hlid/protocol/base/utc-time';
import { beforeEach, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { StoredStates } from './stored-states.ts';
import { AMOUNT, newOrder, useVerifone } from './verifone-gateway-driver.ts';

const driver = useVerifone();

describe('a charge', () => {
  it('is made only with the card, the order, the amount and the currency that were authenticated', async () => {
    const order = newOrder();
    const { state, source } = await driver.authenticated(order);
    for (const other of [
      { ...order, id: crypto.randomUUID() },
      { ...order, amountMinor: 15 },
      { ...order, currency: 'EUR' },
    ]) {
      expect(await driver.charge(other, { state, source })).toEqual({
        kind: 'authenticate-again',
        code: 'state',
      });
    }
    for (const another of [await driver.rig.encrypt('mastercard'), await driver.rig.encrypt('good')]) {
      const outcome = await driver.charge(order, { state, source: another });
      expect(outcome).toEqual({ kind: 'authenticate-again', code: 'another-card' });
    }
    expect(driver.sentPayments()).toBe(0);
    expect(await driver.charge(order, { state, source })).toMatchObject({ kind: 'approved' });
  });

  it('is not made with a card that was encrypted 15 minutes ago', async () => {
    const order = newOrder();
    const paying = await driver.authenticated(order);
    driver.now += 15 * MINUTE_MS;
    expect(await driver.charge(order, paying)).toEqual({ kind: 'authenticate-again', code: 'card-too-old' });
    expect(driver.sentPayments()).toBe(0);
    driver.now -= MINUTE_MS;
    driver.rig.sim.service.cards.skewMs = 16 * MINUTE_MS;
    expect(await driver.charge(order, paying)).toMatchObject({
      kind: 'declined',
      reason: 'card-data',
      code: '400',
    });
    expect((await driver.authenticate(newOrder(), paying.source)).step).toMatchObject({
      reason: 'card-data',
    });
  });

  it('never sends a card that is not encrypted', async () => {
    const card = Card.read({
      number: '4111111111111111',
      ccv: '123',
      expire: `12/${new Date().getFullYear() + 1}`,
    });
    if (!(card instanceof Card)) throw new Error('Not a card');
    const { step } = await driver.authenticate(newOrder(), { kind: 'card', card });
    expect(step).toMatchObject({ kind: 'declined', reason: 'merchant' });
    expect(driver.rig.sim.calls).toEqual(['jwt']);
  });

  it('reports the amount that was booked', async () => {
    driver.rig.misstateNextCharge({ amountMinor: 15 });
    expect((await driver.paid()).transaction.amountMinor).toBe(15);
  });

  it('waits for an answer that is slow', async () => {
    driver.rig.sim.fail(['pay'], { kind: 'slow', answersAfterMs: 100 });
    await driver.paid();
    expect(driver.rig.books()).toEqual({ takenMinor: AMOUNT, charges: 1 });
  });

  it.each([
    ['COMPLETED', 'unavailable'],
    ['REQUIRED', 'unknown'],
    ['NONE', 'unknown'],
  ])('that fails with the reversal %s is %s', async (reversal_status, kind) => {
    const order = newOrder();
    const paying = await driver.authenticated(order);
    const body = { code: 504, message: 'x', reversal_status };
    driver.rig.sim.fail(['pay'], { kind: 'status', acts: false, status: 504, body });
    expect(await driver.charge(order, paying)).toMatchObject({ kind });
  });

  it('is declined for the operator to look at where the credentials are wrong', async () => {
    await driver.start({ apiKey: 'another' });
    expect(await driver.rig.gateway.begin(newOrder())).toEqual({
      kind: 'declined',
      reason: 'merchant',
      code: '401',
    });
    const { problem, lines } = await driver.rig.gateway.diagnose();
    expect(problem).toMatch(/API key/);
    expect(lines.join()).not.toContain('another');
  });
});

describe('an unknown outcome', () => {
  let states: StoredStates;
  beforeEach(() => {
    states = new StoredStates();
  });
  /** Each time by another process. */
  const findOut = (order: GatewayOrder) =>
    driver.rig.again().findOut(order, {
      ...states.of(order.id),
      refundId: crypto.randomUUID(),
      sentBefore: utcTime(Date.now()),
    });

  it('is found out for a charge that arrives when no call waits for it any more', async () => {
    const order = newOrder();
    const paying = await driver.authenticated(order);
    driver.rig.sim.fail(['pay'], { kind: 'held' });
    expect(await driver.charge(order, paying)).toMatchObject({ kind: 'unknown' });
    expect(await findOut(order)).toEqual({
      kind: 'unavailable',
      problem: 'it may still arrive',
    });
    expect(driver.rig.sim.calls).toContain('reverse');
    driver.rig.sim.release();
    expect(await findOut(order)).toMatchObject({
      kind: 'booked',
      transaction: { amountMinor: AMOUNT },
    });
    expect(driver.rig.books()).toEqual({ takenMinor: AMOUNT, charges: 1 });
  });

  it('is not booked after Verifone has denied it twice, some time apart', async () => {
    const order = newOrder();
    const paying = await driver.authenticated(order);
    driver.rig.failNextCharge('reset-before-booking');
    await driver.charge(order, paying);
    for (let n = 0; n < 3; n++) {
      expect(await findOut(order)).toMatchObject({ kind: 'unavailable' });
    }
    driver.now += MINUTE_MS;
    expect(await findOut(order)).toEqual({ kind: 'not-booked' });
  });

  it('reads amounts of the list, which are in major units', async () => {
    const order = newOrder({ amountMinor: 1550, currency: 'EUR' });
    const paying = await driver.authenticated(order);
    driver.rig.failNextCharge('garbage-after-booking');
    expect(await driver.charge(order, paying)).toMatchObject({ kind: 'unknown' });
    expect(await findOut(order)).toMatchObject({
      kind: 'booked',
      transaction: { amountMinor: 1550, currency: 'EUR', card: { lastFour: '1000' } },
    });
  });

  it.each(['TIMED_OUT', 'EXCEPTION'])('is reversed where the payment is %s', async (status) => {
    const order = newOrder();
    const paying = await driver.authenticated(order);
    driver.rig.failNextCharge('reset-after-booking');
    await driver.charge(order, paying);
    for (const payment of driver.rig.sim.service.books.payments()) payment.status = status;
    expect(await findOut(order)).toEqual({ kind: 'reversed' });
    expect(await findOut(order)).toEqual({ kind: 'reversed' });
    expect(driver.rig.books().takenMinor).toBe(0);
  });

  it('waits while Verifone is at work on it', async () => {
    const order = newOrder();
    const paying = await driver.authenticated(order);
    driver.rig.failNextCharge('reset-after-booking');
    await driver.charge(order, paying);
    const [payment] = driver.rig.sim.service.books.payments();
    if (payment) payment.status = 'ROUTING';
    expect(await findOut(order)).toMatchObject({ kind: 'unavailable' });
    expect(driver.rig.sim.calls).not.toContain('reverse');
  });

  it('is for a person where Verifone has booked it twice', async () => {
    const order = newOrder();
    const paying = await driver.authenticated(order);
    driver.rig.sim.service.booksTwice = true;
    driver.rig.failNextCharge('garbage-after-booking');
    expect(await driver.charge(order, paying)).toMatchObject({ kind: 'unknown' });
    expect(await findOut(order)).toMatchObject({ kind: 'needs-person' });
  });
});

describe('a refund', () => {
  it('voids the capture as a whole before settlement, and cannot refund a part', async () => {
    driver.rig.sim.service.books.isSettled = false;
    const order = newOrder();
    const { transaction } = await driver.paid(order);
    const part = { id: crypto.randomUUID(), amountMinor: 500 };
    expect(await driver.rig.gateway.refund(order, transaction, part)).toEqual({
      kind: 'not-possible',
      code: '400',
    });
    const whole = { id: crypto.randomUUID(), amountMinor: AMOUNT };
    expect(await driver.rig.gateway.refund(order, transaction, whole)).toEqual({ kind: 'refunded' });
    expect(await driver.rig.gateway.refund(order, transaction, whole)).toEqual({ kind: 'already-refunded' });
    expect(driver.rig.books().takenMinor).toBe(0);
  });

  it('counts as made if it was made by hand', async () => {
    const order = newOrder();
    const { transaction } = await driver.paid(order);
    const byHand = { id: crypto.randomUUID(), amountMinor: AMOUNT };
    expect(await driver.rig.gateway.refund(order, transaction, byHand)).toEqual({ kind: 'refunded' });
    const again = { id: crypto.randomUUID(), amountMinor: AMOUNT };
    expect(await driver.rig.gateway.refund(order, transaction, again)).toEqual({ kind: 'already-refunded' });
    expect(driver.rig.books().takenMinor).toBe(0);
  });
});

describe('a stored card', () => {
  it('is charged no more when it is forgotten', async () => {
    const { token } = await driver.paid(newOrder(), true);
    if (!token) throw new Error('No token');
    const source = { kind: 'token', token: token.token } as const;
    const step = { state: {}, source, storeCard: false, initiator: 'merchant' } as const;
    expect(await driver.rig.gateway.charge(newOrder(), step)).toMatchObject({ kind: 'approved' });
    await driver.rig.gateway.forget(token.token);
    await driver.rig.gateway.forget(token.token);
    expect(await driver.rig.gateway.charge(newOrder(), step)).toMatchObject({
      kind: 'declined',
      reason: 'card-data',
    });
  });

  it('is authenticated like any other where the driver pays with it', async () => {
    const { token } = await driver.paid(newOrder(), true);
    if (!token) throw new Error('No token');
    const source = { kind: 'token', token: token.token } as const;
    const order = newOrder();
    expect(await driver.charge(order, { state: {}, source })).toMatchObject({ kind: 'authenticate-again' });
    const { step } = await driver.authenticate(order, source);
    if (step.kind !== 'authenticated') throw new Error(JSON.stringify(step));
    expect(await driver.charge(order, { state: step.state, source })).toMatchObject({ kind: 'approved' });
  });
});

it('is configured with its secrets from the environment', () => {
  const { userId, apiKey, ...entry } = driver.rig.sim.settings();
  const secrets = { HLID_VERIFONE_USER_ID: String(userId), HLID_VERIFONE_API_KEY: String(apiKey) };
  const read = (fields: object, environment = {}) =>
    namedGatewaySchema(environment).safeParse({ ...entry, ...fields });
  expect(read({}, secrets).data).toMatchObject({ id: 'verifone', config: { userId, apiKey } });
  expect(read({}).success).toBe(false);
  expect(read({ unknown: 1 }, secrets).success).toBe(false);
  const script = 'https://verifone.example/verifone.js';
  const hosts = { api: 'http://verifone.example', encryptionScript: script, authenticationScript: script };
  expect(read({ hosts }, secrets).success).toBe(false);
});

it('is configured as the manual shows', () => {
  const manual = readFileSync(new URL('../../deploy/OPERATING.md', import.meta.url), 'utf8');
  const [, sample = ''] = /```yaml\n(cardGateways:\n {2}- kind: verifone\b.*?)```/s.exec(manual) ?? [];
  const { cardGateways } = z.object({ cardGateways: z.array(z.unknown()) }).parse(parse(sample));
  const secrets = { HLID_VERIFONE_USER_ID: 'user', HLID_VERIFONE_API_KEY: 'key' };
  for (const entry of cardGateways) expect(namedGatewaySchema(secrets).parse(entry).id).toBe('verifone');
});
