import { readFileSync } from 'node:fs';
import { inspect } from 'node:util';
import { type BorgunGateway, BorgunSchema } from '@hlid/cloud/platform/card-gateways/borgun/borgun-gateway';
import { Card } from '@hlid/cloud/platform/card-gateways/card';
import type {
  Authentication,
  Beginning,
  GatewayOrder,
  GatewayState,
  GatewayTransaction,
} from '@hlid/cloud/platform/card-gateways/gateway';
import { utcTime } from '@hlid/protocol/base/utc-time';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { cardNumber, type SimCardName } from './borgun-books.ts';
import { type BorgunRig, startBorgunRig } from './borgun-rig.ts';
import type { BorgunCall } from './borgun-service.ts';
import type { ProviderFault } from './provider-server.ts';
import { StoredStates } from './stored-states.ts';

const AMOUNT = 1500;
const RETURN_URL = 'https://parking.example/payments/return/abc';
const BROWSER = { ip: '203.0.113.7', userAgent: 'Mozilla/5.0', acceptHeader: 'text/html', language: 'is' };
const newOrder = (more: Partial<GatewayOrder> = {}): GatewayOrder => ({
  id: crypto.randomUUID(),
  amountMinor: AMOUNT,
  currency: 'ISK',
  language: 'is',
  email: null,
  createdAt: utcTime(Date.now()),
  ...more,
});

let rig: BorgunRig;
let gateway: BorgunGateway;
let states: StoredStates;
beforeEach(async () => {
  states = new StoredStates();
  rig = await startBorgunRig();
  gateway = rig.gateway;
});
afterEach(async () => {
  try {
    expect(rig.sim.complaints).toEqual([]);
  } finally {
    await rig.close();
  }
});

const begin = (card: SimCardName, order = newOrder(), by = gateway): Promise<Beginning> =>
  by.begin(order, { source: rig.card(card), returnUrl: RETURN_URL, browser: BROWSER, storeCard: false });

/** Answers every form, the bank's method step too. */
async function authenticate(card: SimCardName, order = newOrder(), by = gateway): Promise<Authentication> {
  let step = await begin(card, order, by);
  for (let forms = 0; step.kind === 'challenge' && forms < 3; forms++) {
    const answer = await rig.answerChallenge(step.challenge, 'accept');
    if (answer.kind !== 'form') throw new Error(answer.kind);
    step = await by.readReturn(order, { state: step.state, fields: answer.fields });
  }
  if (step.kind === 'tokens') throw new Error('tokens');
  return step;
}

const charge = (order: GatewayOrder, state: GatewayState, card: SimCardName = 'good', by = gateway) =>
  by.charge(order, {
    ...states.of(order.id, state),
    source: rig.card(card),
    storeCard: false,
    initiator: 'driver',
  });

async function pay(card: SimCardName, order = newOrder(), by = gateway) {
  const step = await authenticate(card, order, by);
  if (step.kind !== 'authenticated') throw new Error(inspect(step));
  return { order, state: step.state, outcome: await charge(order, step.state, card, by) };
}

async function paid(order = newOrder()) {
  const { outcome } = await pay('good', order);
  if (outcome.kind !== 'approved') throw new Error(inspect(outcome));
  return { order, transaction: outcome.transaction };
}

async function storedToken(): Promise<string> {
  const order = newOrder();
  const step = await authenticate('good', order);
  if (step.kind !== 'authenticated') throw new Error(inspect(step));
  const source = rig.card('good');
  const outcome = await gateway.charge(order, {
    ...states.of(order.id, step.state),
    source,
    storeCard: true,
    initiator: 'driver',
  });
  if (outcome.kind !== 'approved' || !outcome.token) throw new Error(inspect(outcome));
  return outcome.token.token;
}

const chargeToken = (order: GatewayOrder, token: string, by = gateway) =>
  by.charge(order, {
    ...states.of(order.id),
    source: { kind: 'token', token },
    storeCard: false,
    initiator: 'merchant',
  });
const findOut = ({ id, ...order }: GatewayOrder, state: GatewayState, by = gateway) =>
  by.findOut({ id, ...order }, { state: states.of(id, state).state });
const refund = (
  order: GatewayOrder,
  transaction: GatewayTransaction,
  { id, amountMinor }: { id: string; amountMinor: number },
  by = gateway,
) => by.refund(order, transaction, { ...states.of(id), amountMinor, givenMinor: 0 });

describe('3-D Secure', () => {
  it.each([
    ['good', 1],
    ['challenged', 1],
    ['challenged-old', 1],
    ['method', 2],
    ['method-challenged', 2],
    ['two-decimals', 2],
    ['no-participant', 1],
    ['attempt', 1],
  ] as const)(
    'authenticates a card that is %s with %i enrollments, and the payment follows',
    async (card, times) => {
      const { outcome } = await pay(card);
      expect(outcome).toMatchObject({ kind: 'approved', transaction: { amountMinor: AMOUNT } });
      expect(rig.sim.calls.filter((call) => call === 'enrollment')).toHaveLength(times);
    },
  );

  it.each([
    ['bank-away', { kind: 'unavailable' }],
    ['network-away', { kind: 'unavailable' }],
    ['bad-message', { kind: 'declined', reason: 'not-authenticated', code: '6' }],
    ['blocked', { kind: 'declined', reason: 'not-authenticated', code: '8' }],
    ['not-authenticated', { kind: 'declined', reason: 'not-authenticated', code: '0' }],
  ] as const)('stops a card that is %s', async (card, result) => {
    expect(await authenticate(card)).toMatchObject(result);
    expect(rig.sim.books.transactions).toEqual([]);
  });

  it('lets settings decide about cards and banks that do not take part', async () => {
    const strict = rig.again({ payIfNotParticipating: false });
    expect(await authenticate('no-participant', newOrder(), strict)).toMatchObject({ kind: 'declined' });
    const lenient = rig.again({ payIfUnavailable: true });
    expect((await pay('bank-away', newOrder(), lenient)).outcome.kind).toBe('approved');
  });

  it('charges no driver who is not authenticated', async () => {
    const order = newOrder();
    const step = await begin('challenged', order);
    if (step.kind !== 'challenge') throw new Error(step.kind);
    for (const state of [step.state, {}, { ...step.state, stage: 'authenticated', mpiToken: null }]) {
      expect(await charge(order, state, 'challenged')).toEqual({
        kind: 'authenticate-again',
        code: 'no-3ds',
      });
    }
    expect(rig.sim.books.transactions).toEqual([]);
  });

  type Fields = Record<string, string>;
  it.each<[string, string, (own: Fields, other: Fields) => Fields]>([
    ['without a result', 'other-md', () => ({})],
    ['with no result but its own MD', 'no-result', ({ MD = '' }) => ({ MD })],
    ['with the result of another payment', 'other-md', (_own, other) => other],
    [
      'with the result of another payment, its own MD',
      'other-xid',
      ({ MD = '' }, other) => ({ ...other, MD }),
    ],
    ['with the MD of another payment', 'other-md', (own, { MD = '' }) => ({ ...own, MD })],
    ['of the old kind without MD', 'other-md', ({ MD: _, ...own }) => own],
    ['that no bank has made', '97', (own) => ({ ...own, PaRes: 'Zm9yZ2Vk' })],
  ])('refuses a return %s', async (_what, code, forge) => {
    const [order, other] = [newOrder(), newOrder()];
    const [mine, theirs] = [await begin('challenged-old', order), await begin('challenged-old', other)];
    if (mine.kind !== 'challenge' || theirs.kind !== 'challenge') throw new Error('no challenge');
    const own = await rig.answerChallenge(mine.challenge, 'accept');
    const good = await rig.answerChallenge(theirs.challenge, 'accept');
    if (own.kind !== 'form' || good.kind !== 'form') throw new Error('no form');
    const step = await gateway.readReturn(order, {
      state: mine.state,
      fields: forge(own.fields, good.fields),
    });
    expect(step).toEqual({ kind: 'declined', reason: 'not-authenticated', code });
  });

  it('refuses an authentication without a token for the payment', async () => {
    rig.sim.fail(['enrollment'], { kind: 'says', body: { MPIToken: null } });
    const step = await authenticate('good');
    expect(step).toEqual({ kind: 'declined', reason: 'not-authenticated', code: 'no-mpi-token' });
  });

  it('asks the bank only about the amount that was ordered', async () => {
    const order = newOrder();
    const step = await authenticate('good', order);
    if (step.kind !== 'authenticated') throw new Error(step.kind);
    expect(await charge({ ...order, amountMinor: 1 }, step.state)).toMatchObject({ kind: 'declined' });
    expect(rig.books()).toEqual({ takenMinor: 0, charges: 0 });
  });

  it('knows no such currency', async () => {
    const step = await begin('good', newOrder({ currency: 'XAU' }));
    expect(step).toEqual({ kind: 'declined', reason: 'merchant', code: 'currency' });
  });
});

describe('a typed card', () => {
  it('is reserved with its security code, and then charged', async () => {
    await paid();
    expect(rig.sim.books.transactions).toMatchObject([{ type: 'PreAuthorization', securityCode: '012' }]);
    expect(rig.sim.calls.slice(-2)).toEqual(['reservation', 'capture']);
  });

  it('outside of 3-D Secure pays with its security code only', async () => {
    const order = newOrder();
    const step = await authenticate('no-participant', order);
    if (step.kind !== 'authenticated') throw new Error(step.kind);
    const bare = Card.read({ number: cardNumber('no-participant'), expire: '12/35' });
    if (!(bare instanceof Card)) throw new Error('no card');
    const outcome = await gateway.charge(order, {
      ...states.of(order.id, step.state),
      source: { kind: 'card', card: bare },
      storeCard: false,
      initiator: 'driver',
    });
    expect(outcome).toEqual({ kind: 'declined', reason: 'card-data', code: 'no-security-code' });
    expect(rig.sim.books.transactions).toEqual([]);
    expect(await charge(order, step.state, 'no-participant')).toMatchObject({ kind: 'approved' });
  });

  it.each<[BorgunCall, ProviderFault, string]>([
    ['reservation', { kind: 'reset', acts: true }, 'not-booked'],
    ['reservation', { kind: 'cut', acts: false }, 'not-booked'],
    ['capture', { kind: 'cut', acts: true }, 'booked'],
    ['capture', { kind: 'reset', acts: false }, 'not-booked'],
  ])('whose %s is lost by %j is unknown, and then %s after a restart', async (call, fault, found) => {
    rig.sim.fail([call], fault);
    const { order, state, outcome } = await pay('challenged');
    expect(outcome).toMatchObject({ kind: 'unknown' });
    expect(await findOut(order, state, rig.again())).toMatchObject({ kind: found });
    expect(rig.books().takenMinor).toBe(found === 'booked' ? AMOUNT : 0);
  });

  it('cannot be charged any more once it is found not to be', async () => {
    rig.sim.fail(['capture'], { kind: 'held' });
    const { order, state } = await pay('good');
    expect(await findOut(order, state)).toEqual({ kind: 'not-booked' });
    // The request arrives late.
    rig.sim.release();
    expect(rig.books()).toEqual({ takenMinor: 0, charges: 0 });
  });

  it('was not sent where it has no reservation yet', async () => {
    const order = newOrder();
    const step = await authenticate('good', order);
    if (step.kind !== 'authenticated') throw new Error(step.kind);
    expect(await findOut(order, step.state)).toEqual({ kind: 'not-booked' });
  });

  it.each([
    ['Unknown', 'unavailable'],
    ['Error', 'needs-person'],
    ['Refunded', 'reversed'],
  ] as const)('whose capture is lost is, with the status %s, %s', async (status, kind) => {
    rig.sim.fail(['capture'], { kind: 'error', acts: true });
    const { order, state } = await pay('good');
    for (const each of rig.sim.books.transactions) each.status = status;
    expect(await findOut(order, state)).toMatchObject({ kind });
  });

  it('is not charged if the answer is about another order', async () => {
    rig.sim.fail(['reservation'], { kind: 'says', body: { OrderId: 'ORDER1230001' } });
    const { order, state, outcome } = await pay('good');
    expect(outcome).toMatchObject({ kind: 'unknown' });
    expect(await findOut(order, state)).toEqual({ kind: 'not-booked' });
    expect(rig.books().takenMinor).toBe(0);
  });

  it.each([
    { TransactionStatus: 'Error' },
    { TransactionStatus: 'Unknown' },
    { Amount: 150_050 },
    { Amount: '150000 kr.' },
    { TransactionId: undefined },
  ])('is unknown, and not charged, for an answer with %j', async (lie) => {
    rig.sim.fail(['reservation'], { kind: 'says', body: { ...lie } });
    expect((await pay('good')).outcome).toMatchObject({ kind: 'unknown' });
    expect(rig.books().takenMinor).toBe(0);
  });

  it('is a fault of the merchant’s set-up where the key is refused, and takes nothing', async () => {
    rig.sim.fail(['reservation'], { kind: 'unauthorized', acts: false });
    expect((await pay('good')).outcome).toEqual({ kind: 'declined', reason: 'merchant', code: '401' });
  });
});

describe('a stored card', () => {
  it.each<[BorgunCall, ProviderFault, string, string]>([
    ['reservation', { kind: 'reset', acts: true }, 'unknown', 'not-booked'],
    ['reservation', { kind: 'reset', acts: false }, 'unknown', 'not-booked'],
    ['reservation', { kind: 'garbage', acts: true }, 'unknown', 'not-booked'],
    ['capture', { kind: 'reset', acts: true }, 'unknown', 'booked'],
    ['capture', { kind: 'silent', acts: true }, 'unknown', 'booked'],
    ['capture', { kind: 'error', acts: false }, 'unknown', 'not-booked'],
    ['capture', { kind: 'garbage', acts: false }, 'unknown', 'not-booked'],
  ])('whose %s fails by %j is %s, and then %s after a restart', async (call, fault, kind, found) => {
    const token = await storedToken();
    const before = rig.books().takenMinor;
    const order = newOrder();
    rig.sim.fail([call], fault);
    expect(await chargeToken(order, token)).toMatchObject({ kind });
    const next = rig.again();
    expect(await findOut(order, {}, next)).toMatchObject({ kind: found });
    expect(await findOut(order, {}, next)).toMatchObject({ kind: found });
    expect(rig.books().takenMinor - before).toBe(found === 'booked' ? AMOUNT : 0);
  });

  it('gets its reservation back at once where the capture is refused', async () => {
    const token = await storedToken();
    const order = newOrder();
    rig.sim.fail(['capture'], { kind: 'unauthorized', acts: false });
    expect(await chargeToken(order, token)).toMatchObject({ kind: 'declined', reason: 'merchant' });
    expect(rig.sim.books.transactions.at(-1)?.status).toBe('Cancelled');
  });

  it('needs a person where nothing is stored about it', async () => {
    const token = await storedToken();
    const order = newOrder();
    rig.sim.fail(['capture'], { kind: 'reset', acts: true });
    await chargeToken(order, token);
    states = new StoredStates();
    expect(await findOut(order, {})).toMatchObject({ kind: 'needs-person' });
  });

  it.each([
    ['before its reservation', 0, []],
    ['before its capture', 1, ['reservation']],
  ] as const)('whose time is over %s is not charged', async (_when, stored, calls) => {
    const token = await storedToken();
    const order = newOrder();
    const before = rig.sim.calls.length;
    let left: number = stored;
    const storeState = async () => left-- > 0;
    const outcome = await gateway.charge(order, {
      state: {},
      storeState,
      source: { kind: 'token', token },
      storeCard: false,
      initiator: 'merchant',
    });
    expect(outcome).toEqual({ kind: 'unavailable', problem: 'its time is over' });
    expect(rig.sim.calls.slice(before)).toEqual(calls);
    expect(rig.books()).toEqual({ takenMinor: AMOUNT, charges: 1 });
  });

  it('is authenticated while the driver is there', async () => {
    const token = await storedToken();
    const order = newOrder();
    const source = { kind: 'token', token } as const;
    const start = { source, returnUrl: RETURN_URL, browser: BROWSER, storeCard: false };
    const step = await gateway.begin(order, start);
    if (step.kind !== 'authenticated') throw new Error(step.kind);
    const outcome = await gateway.charge(order, {
      ...states.of(order.id, step.state),
      source,
      storeCard: false,
      initiator: 'driver',
    });
    expect(outcome).toMatchObject({ kind: 'approved', transaction: { amountMinor: AMOUNT } });
    expect(rig.sim.books.authentications.at(-1)?.isUsed).toBe(true);
  });

  it('is charged no more once it is forgotten', async () => {
    const token = await storedToken();
    await gateway.forget(token);
    expect(await chargeToken(newOrder(), token)).toMatchObject({ kind: 'declined' });
    expect(rig.books().charges).toBe(1);
  });

  it.each([{ kind: 'error' }, { kind: 'reset' }, { kind: 'unauthorized' }] as const)(
    'is not forgotten where Borgun does not confirm it: %j',
    async ({ kind }) => {
      const token = await storedToken();
      rig.sim.fail(['disable-token'], { kind, acts: false });
      await expect(gateway.forget(token)).rejects.toThrow('did not disable a stored card');
      await gateway.forget(token);
      await gateway.forget('a-token-that-nobody-knows');
      expect(await chargeToken(newOrder(), token)).toMatchObject({ kind: 'declined' });
    },
  );

  it('is not stored where Borgun fails to, and the payment is approved all the same', async () => {
    rig.sim.fail(['multi-token'], { kind: 'error', acts: false });
    await expect(storedToken()).rejects.toThrow('approved');
    expect(rig.books()).toEqual({ takenMinor: AMOUNT, charges: 1 });
  });
});

describe('a refund', () => {
  it('is not sent again for a part after a lost answer, even after a restart', async () => {
    const { order, transaction } = await paid();
    const part = { id: crypto.randomUUID(), amountMinor: 500 };
    rig.sim.fail(['refund'], { kind: 'reset', acts: true });
    expect(await refund(order, transaction, part)).toMatchObject({ kind: 'unclear' });
    expect(await refund(order, transaction, part, rig.again())).toMatchObject({ kind: 'unclear' });
    expect(rig.books().takenMinor).toBe(1000);
  });

  it('is done once for a part, even after a restart', async () => {
    const { order, transaction } = await paid();
    const part = { id: crypto.randomUUID(), amountMinor: 500 };
    expect(await refund(order, transaction, part)).toEqual({ kind: 'refunded' });
    expect(await refund(order, transaction, part, rig.again())).toEqual({ kind: 'already-refunded' });
    expect(rig.books().takenMinor).toBe(1000);
  });

  it('is the whole if Borgun refunded the whole in place of a part', async () => {
    for (const fault of [null, { kind: 'reset', acts: true }] as const) {
      const { order, transaction } = await paid();
      const part = { id: crypto.randomUUID(), amountMinor: 500 };
      rig.sim.books.knowsParts = false;
      if (fault !== null) rig.sim.fail(['refund'], fault);
      expect(await refund(order, transaction, part)).toEqual({ kind: 'refunded', isAll: true });
      expect(rig.books().takenMinor).toBe(0);
    }
  });

  it('is known for a part when what Borgun holds after it can be read', async () => {
    const { order, transaction } = await paid();
    const part = { id: crypto.randomUUID(), amountMinor: 500 };
    rig.sim.books.knowsParts = false;
    rig.sim.fail(['look-at-payment'], { kind: 'error', acts: false }, 1);
    expect(await refund(order, transaction, part)).toMatchObject({ kind: 'unknown' });
    expect(await refund(order, transaction, part, rig.again())).toEqual({ kind: 'refunded', isAll: true });
    expect(rig.sim.calls.filter((call) => call === 'refund')).toHaveLength(1);
  });

  it('can be sent again for a part that Borgun refuses', async () => {
    const { order, transaction } = await paid();
    const part = { id: crypto.randomUUID(), amountMinor: 500 };
    rig.sim.fail(['refund'], { kind: 'unauthorized', acts: false });
    expect(await refund(order, transaction, part)).toMatchObject({ kind: 'not-possible' });
    expect(await refund(order, transaction, part)).toEqual({ kind: 'refunded' });
  });

  it('is stored before it is sent for a part', async () => {
    const { order, transaction } = await paid();
    const before = rig.sim.calls.length;
    const stored: unknown[] = [];
    const storeState = async (state: GatewayState) => {
      stored.push(state, ...rig.sim.calls.slice(before).filter((call) => call === 'refund'));
      return true;
    };
    await gateway.refund(order, transaction, { state: {}, storeState, amountMinor: 500 });
    expect(stored).toEqual([{ part: 'sent' }, { part: 'given' }, 'refund', { part: 'refunded' }, 'refund']);
  });

  it('is not sent for a part after its time is over', async () => {
    const { order, transaction } = await paid();
    const part = { state: {}, storeState: async () => false, amountMinor: 500 };
    expect(await gateway.refund(order, transaction, part)).toMatchObject({ kind: 'unknown' });
    expect(rig.books().takenMinor).toBe(AMOUNT);
  });

  it('is not made to the payment of another order', async () => {
    const { transaction } = await paid();
    const whole = { id: crypto.randomUUID(), amountMinor: AMOUNT };
    expect(await refund(newOrder(), transaction, whole)).toEqual({
      kind: 'not-possible',
      code: 'other-order',
    });
    expect(rig.books().takenMinor).toBe(AMOUNT);
  });
});

it('diagnoses a wrong key without moving money', async () => {
  const { problem, lines } = await rig.again({ privateKey: 'wrong' }).diagnose();
  expect(problem).toContain('private key');
  expect(lines.join()).not.toContain('wrong');
  expect(rig.sim.books.transactions).toEqual([]);
});

it('sends its key over https only, but for this machine', () => {
  const check = (address: string) =>
    BorgunSchema.safeParse({ kind: 'borgun', address, privateKey: 'k' }).success;
  expect(['https://test.borgun.is/rpg', 'http://127.0.0.1:8080/rpg'].map(check)).toEqual([true, true]);
  expect(['http://test.borgun.is/rpg', 'ftp://test.borgun.is', 'borgun'].map(check)).toEqual([
    false,
    false,
    false,
  ]);
});

it('is configured as the documentation shows', () => {
  const text = readFileSync(new URL('../../deploy/OPERATING.md', import.meta.url), 'utf8');
  const sample = /## Borgun\n.*?```yaml\n(.*?)```/s.exec(text)?.[1] ?? '';
  const entry = z.object({ cardGateways: z.tuple([z.object({}).loose()]) }).parse(parse(sample))
    .cardGateways[0];
  const { privateKey: _, timeoutMs, ...rest } = BorgunSchema.parse({ ...entry, privateKey: 'k' });
  expect(rest).toEqual(entry);
  expect(timeoutMs).toBe(70_000);
});

it('keeps the card out of all that it returns', async () => {
  const order = newOrder();
  const seen: unknown[] = [await begin('challenged', order), await pay('refused'), await pay('good')];
  rig.sim.fail(['enrollment'], { kind: 'garbage', acts: false });
  seen.push(await begin('good'));
  rig.sim.fail(['reservation'], { kind: 'garbage', acts: true });
  seen.push(await pay('good'));
  const text = inspect(seen, { depth: 20, showHidden: true }) + JSON.stringify(seen);
  for (const card of ['challenged', 'refused', 'good'] as const) expect(text).not.toContain(cardNumber(card));
});
