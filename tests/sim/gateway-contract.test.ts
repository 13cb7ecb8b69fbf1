import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { ClientRequest } from 'node:http';
import { inspect } from 'node:util';
import type {
  Authentication,
  Beginning,
  CardGateway,
  ChargeOutcome,
  Finding,
  GatewayOrder,
  GatewayTransaction,
  RefundOutcome,
} from '@hlid/cloud/platform/card-gateways/gateway';
import { GATEWAY_KINDS } from '@hlid/cloud/platform/card-gateways/gateway-kinds';
import { DAY_MS } from '@hlid/protocol/base/durations';
import { utcTime } from '@hlid/protocol/base/utc-time';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { waitFor } from '../harness/wait.ts';
import { CHARGE_FAULTS, GATEWAY_RIGS, type GatewayRig, type TestCard } from './gateway-rigs.ts';
import { seededRandom } from './seeded-random.ts';
import { StoredStates } from './stored-states.ts';
import { UNREACHABLE } from './unreachable-peers.ts';

const AMOUNT = 1500;
/** The message of Node.js about a request that is sent. */
const SentSchema = z.object({ request: z.instanceof(ClientRequest) });
const RUNS = 12;
const RETURN_URL = 'https://parking.example/payments/return/c2lnbmVkLXJlZmVyZW5jZQ';
const BROWSER = {
  ip: '203.0.113.7',
  userAgent: 'Mozilla/5.0',
  acceptHeader: 'text/html',
  language: 'is',
  screenWidth: 390,
  screenHeight: 844,
  colorDepth: 24,
  timeZoneOffset: 0,
};

const newOrder = (): GatewayOrder => ({
  id: crypto.randomUUID(),
  amountMinor: AMOUNT,
  currency: 'ISK',
  language: 'is',
  email: 'driver@example.is',
  createdAt: utcTime(Date.now()),
});

it('has a rig for every gateway that moves money', () => {
  const kinds = Object.entries(GATEWAY_KINDS).flatMap(([kind, { isTest }]) => (isTest ? [] : [kind]));
  expect(GATEWAY_RIGS.map(({ kind }) => kind).sort()).toEqual(kinds.sort());
});

/** The guarantees of every gateway, so that its users need not check its kind. */
describe.each(GATEWAY_RIGS)('a gateway of kind $kind', (kind) => {
  let rig: GatewayRig;
  let gateway: CardGateway;
  /** All that the gateway has returned. */
  let seen: unknown[];
  let states: StoredStates;

  beforeEach(async () => {
    rig = await kind.start();
    gateway = rig.gateway;
    seen = [];
    states = new StoredStates();
  });

  afterEach(async () => {
    try {
      const shown = [
        inspect(seen, { depth: 20, showHidden: true }),
        JSON.stringify(seen),
        rig.log?.(),
      ].join();
      for (const secret of rig.secrets) expect(shown).not.toContain(secret);
      expect(rig.complaints()).toEqual([]);
    } finally {
      await rig.close();
    }
  });

  async function see<T>(result: Promise<T>): Promise<T> {
    const value = await result;
    seen.push(value);
    return value;
  }

  /** Up to where a charge may follow, or not. */
  async function authenticate(
    order: GatewayOrder,
    card: TestCard,
    { act = 'accept', storeCard = false }: { act?: 'accept' | 'refuse'; storeCard?: boolean } = {},
  ): Promise<Authentication> {
    const source = gateway.cardInput === 'card' ? await rig.source(card) : null;
    let step: Beginning = await see(
      gateway.begin(order, { source, returnUrl: RETURN_URL, browser: BROWSER, storeCard }),
    );
    if (step.kind === 'tokens') {
      if (!gateway.authenticate) throw new Error('It gives tokens, and accepts no encrypted card');
      const encrypted = { source: await rig.source(card), sessionId: rig.sessionId(), browser: BROWSER };
      step = await see(gateway.authenticate(order, { state: step.state, ...encrypted }));
    }
    if (step.kind !== 'challenge') return step;
    const answer = await rig.answerChallenge(step.challenge, act);
    const { state } = step;
    const { readReturn, verify } = gateway;
    if (answer.kind === 'form') {
      if (!readReturn) throw new Error('Its challenge is a form, and it reads none');
      return see(readReturn.call(gateway, order, { state, fields: answer.fields }));
    }
    if (!verify) throw new Error('Its challenge is a script, and it verifies no token');
    return see(verify.call(gateway, order, { state, threedsToken: answer.threedsToken }));
  }

  async function authenticated(order: GatewayOrder, card: TestCard) {
    const step = await authenticate(order, card);
    if (step.kind !== 'authenticated') throw new Error(`Not authenticated: ${inspect(step)}`);
    return step.state;
  }

  /** A provider may ask the bank before the charge already, and decline there. */
  async function pay(card: TestCard, { order = newOrder(), storeCard = false } = {}) {
    const step = await authenticate(order, card, { storeCard });
    if (step.kind === 'declined') return { order, state: {}, outcome: step };
    if (step.kind !== 'authenticated') throw new Error(`Not authenticated: ${inspect(step)}`);
    const { state } = step;
    const source = await rig.source(card);
    const outcome = await charge(order, { state, source, storeCard, initiator: 'driver' });
    return { order, state, outcome };
  }

  async function paid(options: { order?: GatewayOrder; storeCard?: boolean } = {}) {
    const { order, outcome } = await pay('good', options);
    if (outcome.kind !== 'approved') throw new Error(`Not approved: ${inspect(outcome)}`);
    return { order, outcome, transaction: outcome.transaction };
  }

  const charge = (
    order: GatewayOrder,
    step: Omit<Parameters<CardGateway['charge']>[1], 'storeState'>,
  ): Promise<ChargeOutcome> => see(gateway.charge(order, { ...step, ...states.of(order.id, step.state) }));

  const refund = (
    order: GatewayOrder,
    transaction: GatewayTransaction,
    ordered: { id: string; amountMinor: number },
  ): Promise<RefundOutcome> =>
    see(gateway.refund(order, transaction, { ...ordered, ...states.of(ordered.id) }));

  const findOut = (order: GatewayOrder, first: GatewayTransaction['state'], refundId: string) => {
    const step = { ...states.of(order.id, first), refundId, sentBefore: utcTime(Date.now()) };
    return see(gateway.findOut(order, step));
  };

  /** Repeats until there is a finding: a provider may need some time to be sure. */
  const foundOut = (order: GatewayOrder, state: GatewayTransaction['state'], refundId: string) =>
    waitFor<Finding>(
      async () => {
        const finding = await findOut(order, state, refundId);
        if (finding.kind === 'unavailable') throw new Error(finding.problem);
        return finding;
      },
      { what: 'a finding' },
    );

  it.each(['good', 'challenged'] as const)('approves a payment with a card that is %s', async (card) => {
    const { outcome } = await pay(card);
    expect(outcome).toMatchObject({
      kind: 'approved',
      transaction: {
        transactionId: expect.stringMatching(/./),
        authorizationId: expect.stringMatching(/./),
        amountMinor: AMOUNT,
        currency: 'ISK',
        card: { type: expect.stringMatching(/./), lastFour: expect.stringMatching(/^\d{4}$/) },
      },
    });
    expect(rig.books()).toEqual({ takenMinor: AMOUNT, charges: 1 });
  });

  it.each([
    ['refused', 'refused'],
    ['no-funds', 'insufficient-funds'],
    ['expired', 'card-expired'],
    ['stolen', 'security'],
  ] as const)('takes nothing from a card that is %s, and then approves another', async (card, reason) => {
    const { outcome } = await pay(card);
    expect(outcome).toMatchObject({ kind: 'declined', reason, code: expect.stringMatching(/./) });
    expect(rig.books()).toEqual({ takenMinor: 0, charges: 0 });
    await paid();
    expect(rig.books()).toEqual({ takenMinor: AMOUNT, charges: 1 });
  });

  it('declines when the driver fails the challenge', async () => {
    const step = await authenticate(newOrder(), 'challenged', { act: 'refuse' });
    expect(step).toMatchObject({ kind: 'declined', reason: 'not-authenticated' });
    expect(rig.books()).toEqual({ takenMinor: 0, charges: 0 });
  });

  it('finds nothing booked for a challenge that the driver abandoned', async () => {
    const order = newOrder();
    const source = gateway.cardInput === 'card' ? await rig.source('challenged') : null;
    const start = { source, returnUrl: RETURN_URL, browser: BROWSER, storeCard: false };
    const begun = await see(gateway.begin(order, start));
    if (begun.kind === 'declined' || begun.kind === 'unavailable') throw new Error(inspect(begun));
    const finding = await foundOut(order, begun.state, crypto.randomUUID());
    expect(finding).toEqual({ kind: 'not-booked' });
    expect(rig.books()).toEqual({ takenMinor: 0, charges: 0 });
  });

  if (kind.asksToAuthenticateAgain)
    it('reports that the bank wants to authenticate the driver again', async () => {
      const { outcome } = await pay('authenticate-again');
      expect(outcome).toMatchObject({ kind: 'authenticate-again', code: expect.stringMatching(/./) });
      expect(rig.books()).toEqual({ takenMinor: 0, charges: 0 });
    });

  it.each(CHARGE_FAULTS)(
    'has an unknown outcome after $fault, and finds it out',
    async ({ fault, books }) => {
      rig.failNextCharge(fault);
      const { order, state, outcome } = await pay('good');
      expect(outcome).toMatchObject({ kind: 'unknown', problem: expect.stringMatching(/./) });
      expect(rig.books().charges).toBe(books ? 1 : 0);
      const refundId = crypto.randomUUID();
      const finding = await foundOut(order, state, refundId);
      if (!books) expect(finding).toEqual({ kind: 'not-booked' });
      else if (finding.kind === 'booked') {
        expect(finding.transaction).toMatchObject({ amountMinor: AMOUNT, currency: 'ISK' });
      } else expect(finding).toEqual({ kind: 'reversed' });
      const takenMinor = finding.kind === 'booked' ? AMOUNT : 0;
      expect(rig.books().takenMinor).toBe(takenMinor);
      expect((await foundOut(order, state, refundId)).kind).toBe(finding.kind);
      expect(rig.books().takenMinor).toBe(takenMinor);
    },
  );

  it.each([302, 307, 408, 409, 425, 500, 502, 503, 504])(
    'has an unknown outcome after HTTP %d, whether it has booked or not',
    async (status) => {
      for (const acts of [true, false]) {
        const before = rig.books();
        rig.failNextCharge({ kind: 'status', status, acts });
        const { order, state, outcome } = await pay('good');
        expect(outcome).toMatchObject({ kind: 'unknown', problem: expect.stringContaining(String(status)) });
        const finding = await foundOut(order, state, crypto.randomUUID());
        const taken = rig.books().takenMinor - before.takenMinor;
        expect(taken).toBe(finding.kind === 'booked' ? AMOUNT : 0);
      }
    },
  );

  it('is unavailable after HTTP 429, and has booked nothing', async () => {
    rig.failNextCharge({ kind: 'status', status: 429, acts: false });
    expect((await pay('good')).outcome).toMatchObject({ kind: 'unavailable' });
    expect(rig.books()).toEqual({ takenMinor: 0, charges: 0 });
  });

  it('books once if its answer comes twice', async () => {
    rig.failNextCharge({ kind: 'twice' });
    expect((await pay('good')).outcome).toMatchObject({ kind: 'approved' });
    expect(rig.books()).toEqual({ takenMinor: AMOUNT, charges: 1 });
  });

  it.each(UNREACHABLE)('is unavailable where its address has %s, and sends nothing', async (_, open) => {
    const order = newOrder();
    const state = await authenticated(order, 'good');
    const source = await rig.source('good');
    const peer = await open();
    try {
      const away = rig.at(peer.origin);
      const step = { state, source, storeCard: false, initiator: 'driver' } as const;
      const outcome = await see(away.charge(order, { ...step, ...states.of(order.id, state) }));
      expect(outcome).toMatchObject({ kind: 'unavailable', problem: expect.stringMatching(/./) });
      expect(peer.heard()).not.toContain('HTTP/1.1');
    } finally {
      await peer.close();
    }
    expect(rig.books()).toEqual({ takenMinor: 0, charges: 0 });
  });

  it('sends nothing once its time is over', async () => {
    const { order: earlier, transaction } = await paid();
    const order = newOrder();
    const state = await authenticated(order, 'good');
    const source = await rig.source('good');
    const sent: unknown[] = [];
    const listen = (message: unknown) => sent.push(message);
    const signal = AbortSignal.abort();
    subscribe('http.client.request.start', listen);
    try {
      const step = { state, source, storeCard: false, initiator: 'driver', signal } as const;
      expect(await charge(order, step)).toMatchObject({ kind: 'unavailable' });
      const question = { ...states.of(order.id, state), refundId: crypto.randomUUID(), signal };
      const sentBefore = utcTime(Date.now());
      const finding = await see(gateway.findOut(order, { ...question, sentBefore }));
      expect(finding).toMatchObject({ kind: 'unavailable' });
      const whole = { id: crypto.randomUUID(), amountMinor: AMOUNT, signal };
      const back = await see(gateway.refund(earlier, transaction, { ...whole, ...states.of(whole.id) }));
      expect(back).toMatchObject({ kind: 'unknown' });
    } finally {
      unsubscribe('http.client.request.start', listen);
    }
    expect(sent).toEqual([]);
    expect(rig.books()).toEqual({ takenMinor: AMOUNT, charges: 1 });
  });

  it('finds it out even if the answer to that is lost', async () => {
    rig.failNextCharge('reset-after-booking');
    const { order, state } = await pay('good');
    rig.loseNextRefund();
    const refundId = crypto.randomUUID();
    await findOut(order, state, refundId);
    const finding = await foundOut(order, state, refundId);
    expect(['booked', 'reversed']).toContain(finding.kind);
    expect(rig.books()).toEqual({ takenMinor: finding.kind === 'booked' ? AMOUNT : 0, charges: 1 });
  });

  it('is unavailable at every step when it is away, and moves nothing', async () => {
    const { order: earlier, transaction } = await paid();
    const order = newOrder();
    const state = await authenticated(order, 'good');
    const source = await rig.source('good');
    await rig.setAway(true);
    expect(await authenticate(newOrder(), 'good')).toMatchObject({ kind: 'unavailable' });
    const step = { state, source, storeCard: false, initiator: 'driver' } as const;
    expect(await charge(order, step)).toMatchObject({ kind: 'unavailable' });
    expect(await findOut(order, state, crypto.randomUUID())).toMatchObject({ kind: 'unavailable' });
    const whole = { id: crypto.randomUUID(), amountMinor: AMOUNT };
    expect(await refund(earlier, transaction, whole)).toMatchObject({ kind: 'unknown' });
    expect((await see(gateway.diagnose())).problem).toMatch(/./);
    expect(rig.books()).toEqual({ takenMinor: AMOUNT, charges: 1 });
    await rig.setAway(false);
    expect(await charge(order, step)).toMatchObject({ kind: 'approved' });
    expect(await refund(earlier, transaction, whole)).toEqual({ kind: 'refunded' });
    expect(rig.books()).toEqual({ takenMinor: AMOUNT, charges: 2 });
  });

  it('refunds the whole once by one id', async () => {
    const { order, transaction } = await paid();
    const whole = { id: crypto.randomUUID(), amountMinor: AMOUNT };
    expect(await refund(order, transaction, whole)).toEqual({ kind: 'refunded' });
    expect(await refund(order, transaction, whole)).toEqual({ kind: 'already-refunded' });
    expect(rig.books()).toEqual({ takenMinor: 0, charges: 1 });
  });

  it('refunds once if the answer to a refund is lost', async () => {
    const { order, transaction } = await paid();
    const whole = { id: crypto.randomUUID(), amountMinor: AMOUNT };
    rig.loseNextRefund();
    expect(await refund(order, transaction, whole)).toMatchObject({ kind: 'unknown' });
    expect(await refund(order, transaction, whole)).toEqual({ kind: 'already-refunded' });
    expect(rig.books().takenMinor).toBe(0);
  });

  it('refunds a part, or says that it cannot', async () => {
    const { order, transaction } = await paid();
    const first = { id: crypto.randomUUID(), amountMinor: 500 };
    const outcome = await refund(order, transaction, first);
    if (!kind.refundsParts) {
      expect(outcome).toMatchObject({ kind: 'not-possible' });
      expect(rig.books().takenMinor).toBe(AMOUNT);
      return;
    }
    expect(outcome).toEqual({ kind: 'refunded' });
    expect(await refund(order, transaction, first)).toEqual({ kind: 'already-refunded' });
    expect(rig.books().takenMinor).toBe(1000);
    const second = { id: crypto.randomUUID(), amountMinor: 1000 };
    expect(await refund(order, transaction, second)).toEqual({ kind: 'refunded' });
    expect(rig.books().takenMinor).toBe(0);
    const third = { id: crypto.randomUUID(), amountMinor: 1 };
    expect((await refund(order, transaction, third)).kind).not.toBe('refunded');
    expect(rig.books().takenMinor).toBe(0);
  });

  it('refunds a part at most once if its answer is lost, and never says that it was not given', async () => {
    if (!kind.refundsParts) return;
    const { order, transaction } = await paid();
    const part = { id: crypto.randomUUID(), amountMinor: 500 };
    rig.loseNextRefund();
    const lost = await refund(order, transaction, part);
    expect(['unknown', 'unclear']).toContain(lost.kind);
    const again = await refund(order, transaction, part);
    expect(again.kind).toBe(lost.kind === 'unclear' ? 'unclear' : 'already-refunded');
    expect(rig.books().takenMinor).toBe(1000);
  });

  it('gives the whole back on the next day, and after midnight', async () => {
    const { order, transaction } = await paid();
    const dayBefore = { ...order, createdAt: utcTime(Date.parse(order.createdAt) - DAY_MS) };
    const { sentAt } = transaction.state;
    // The sale left us before midnight, and was booked after it.
    const state = { ...transaction.state, ...(sentAt !== undefined && { sentAt: dayBefore.createdAt }) };
    const whole = { id: crypto.randomUUID(), amountMinor: AMOUNT };
    expect(await refund(dayBefore, { ...transaction, state }, whole)).toEqual({ kind: 'refunded' });
    expect(rig.books()).toEqual({ takenMinor: 0, charges: 1 });
  });

  it('sends each request on a connection of its own, so that none is lost on one that was closed', async () => {
    const sockets: unknown[] = [];
    const listen = (message: unknown) => {
      const { request } = SentSchema.parse(message);
      expect(request.getHeader('connection')).toBe('close');
      sockets.push(request.socket);
    };
    subscribe('http.client.request.start', listen);
    try {
      const { order, transaction } = await paid();
      await refund(order, transaction, { id: crypto.randomUUID(), amountMinor: AMOUNT });
      await gateway.diagnose();
    } finally {
      unsubscribe('http.client.request.start', listen);
    }
    expect(sockets.length).toBeGreaterThan(2);
    expect(new Set(sockets).size).toBe(sockets.length);
  });

  it('finds an outcome out although each question is asked by another process', async () => {
    rig.failNextCharge('reset-before-booking');
    const { order, state } = await pay('good');
    const refundId = crypto.randomUUID();
    const finding = await waitFor<Finding>(
      async () => {
        const step = { ...states.of(order.id, state), refundId, sentBefore: utcTime(Date.now()) };
        const asked = await see(rig.again().findOut(order, step));
        if (asked.kind === 'unavailable') throw new Error(asked.problem);
        return asked;
      },
      { what: 'a finding' },
    );
    expect(finding).toEqual({ kind: 'not-booked' });
    expect(rig.books()).toEqual({ takenMinor: 0, charges: 0 });
  });

  it('never says that a card is forgotten that the provider may still have', async () => {
    if (gateway.forget === undefined) return;
    const { outcome } = await paid({ storeCard: true });
    if (outcome.token === undefined) throw new Error('It has stored no card');
    const { token } = outcome.token;
    await rig.setAway(true);
    await expect(gateway.forget(token)).rejects.toThrow();
    await rig.setAway(false);
    await gateway.forget(token);
    const step = { state: {}, source: { kind: 'token', token }, storeCard: false } as const;
    const charged = await charge(newOrder(), { ...step, initiator: 'merchant' });
    expect(charged.kind).not.toBe('approved');
  });

  it('never refunds more than was paid', async () => {
    const { order, transaction } = await paid();
    const tooMuch = { id: crypto.randomUUID(), amountMinor: AMOUNT + 1 };
    expect(await refund(order, transaction, tooMuch)).toMatchObject({ kind: 'not-possible' });
    expect(rig.books().takenMinor).toBe(AMOUNT);
  });

  if (kind.statesAmounts)
    it.each([{ amountMinor: 15 }, { currency: 'EUR' }])(
      'reports what was booked, where it is not what was ordered (%j)',
      async (lie) => {
        rig.misstateNextCharge(lie);
        const { outcome } = await pay('good');
        expect(outcome).toMatchObject({ kind: 'approved', transaction: lie });
      },
    );

  it('stores a card only where the driver wants that, and charges it without the driver', async () => {
    expect((await paid()).outcome).not.toHaveProperty('token');
    const { outcome } = await paid({ storeCard: true });
    expect(gateway.storesCards).toBe(kind.storesCards);
    if (!kind.storesCards) return expect(outcome).not.toHaveProperty('token');
    if (outcome.token === undefined) throw new Error('It has stored no card');
    const { token, card } = outcome.token;
    expect(card).toEqual(outcome.transaction.card);
    const order = newOrder();
    const step = { state: {}, source: { kind: 'token', token }, storeCard: false } as const;
    const charged = await charge(order, { ...step, initiator: 'merchant' });
    expect(charged).toMatchObject({ kind: 'approved', transaction: { amountMinor: AMOUNT, card } });
    expect(rig.books()).toEqual({ takenMinor: 3 * AMOUNT, charges: 3 });
    if (charged.kind !== 'approved') return;
    const whole = { id: crypto.randomUUID(), amountMinor: AMOUNT };
    expect(await refund(order, charged.transaction, whole)).toEqual({ kind: 'refunded' });
    rig.failNextCharge('reset-after-booking');
    const lost = newOrder();
    const unknown = await charge(lost, { ...step, initiator: 'merchant' });
    expect(unknown).toMatchObject({ kind: 'unknown' });
    const finding = await foundOut(lost, {}, crypto.randomUUID());
    const kept = finding.kind === 'booked' ? AMOUNT : 0;
    expect(rig.books()).toEqual({ takenMinor: 2 * AMOUNT + kept, charges: 4 });
  });

  it('charges nothing by a token that it does not know', async () => {
    if (!kind.storesCards) return;
    const source = { kind: 'token', token: crypto.randomUUID() } as const;
    const step = { state: {}, source, storeCard: false, initiator: 'merchant' } as const;
    expect(await charge(newOrder(), step)).toMatchObject({ kind: 'declined' });
    expect(rig.books()).toEqual({ takenMinor: 0, charges: 0 });
  });

  it('diagnoses without moving money', async () => {
    const { problem, lines } = await see(gateway.diagnose());
    expect(problem).toBeNull();
    expect(lines.length).toBeGreaterThan(0);
    expect(rig.books()).toEqual({ takenMinor: 0, charges: 0 });
  });

  it('never reports a wrong outcome, whatever breaks', async () => {
    const seed = Math.floor(Math.random() * 2 ** 31);
    const random = seededRandom(seed);
    const quick = CHARGE_FAULTS.filter(({ fault }) => !fault.startsWith('silent'));
    for (let run = 0; run < RUNS; run++) {
      const before = rig.books();
      const { fault } = random.pick([quick[0] ?? CHARGE_FAULTS[2], ...quick]);
      if (random.chance(0.7)) rig.failNextCharge(fault);
      const { order, state, outcome } = await pay(random.pick(['good', 'challenged'] as const));
      if (random.chance(0.3)) rig.loseNextRefund();
      const finding = outcome.kind === 'unknown' ? await foundOut(order, state, crypto.randomUUID()) : null;
      const isPaid = outcome.kind === 'approved' || finding?.kind === 'booked';
      const what = `seed ${seed}, run ${run}: ${inspect({ fault, outcome, finding }, { depth: 5 })}`;
      expect(finding?.kind, what).not.toBe('needs-person');
      expect(rig.books().takenMinor - before.takenMinor, what).toBe(isPaid ? AMOUNT : 0);
    }
  });
});
