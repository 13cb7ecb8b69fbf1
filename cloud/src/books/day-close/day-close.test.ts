import { nowUtc } from '@hlid/node/clock';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { type CallOptions, createTestApi, type Json, type TestApi } from '../../../test/api.ts';
import { TEYA_MAPPING } from '../../../test/books.ts';
import { reportPayment, samplePayment } from '../../../test/payments.ts';
import { eq } from '../../platform/db/sql.ts';
import { dayCloseTable } from '../../records/books/day-close-table.ts';
import { terminalDayTable } from '../../records/payments/payment-table.ts';
import { siteTable } from '../../records/sites/site-table.ts';
import { visitTable } from '../../records/visits/visit-table.ts';
import { closeDaysRun } from './close-days-run.ts';

const DAY = '2026-11-19';
const REASON = 'Seen with the bank';
let api: TestApi;
let plates = 0;

beforeEach(async () => {
  // 21 November 2026, noon.
  api = await createTestApi();
});
afterEach(() => api.close());

const at = (time: string, day = DAY) => `${day}T${time}:00.000Z`;

/** A stay that ended at a time of the day and cost so much, which is due. */
async function stay(cost: number, { day = DAY, ...fields }: { day?: string; paid?: boolean } = {}) {
  const plate = `DAY${String(++plates).padStart(4, '0')}`;
  const { id } = await api.visit({
    plate,
    startedAt: at('08:00', day),
    endedAt: at('10:00', day),
    status: 'completed',
  });
  const isPaid = fields.paid ?? false;
  const price = {
    amountMinor: isPaid ? 0 : cost,
    currency: 'ISK',
    lines: [
      { rule: 'unit' as const, units: 1, amountMinor: cost },
      ...(isPaid ? [{ rule: 'paid' as const, units: 1, amountMinor: 0 - cost }] : []),
    ],
    product: { id: 'none', version: 1, vatRate: 24 },
    pricedAt: at('10:00', day),
  };
  const set = {
    price,
    amountMinor: price.amountMinor,
    currency: 'ISK',
    paymentStatus: isPaid ? ('kiosk' as const) : null,
  };
  await api.db.write(({ q }) => q.update(visitTable).set(set).where(eq(visitTable.id, id)));
  return id;
}

/** The same, paid at the terminal. @returns the payment's id */
async function paidStay(cost: number, { day = DAY, authorisation = '100001' } = {}) {
  const visitId = await stay(cost, { day, paid: true });
  const payment = samplePayment({
    visitId,
    amountMinor: cost,
    transaction: { reference: '1', authorisation, card: { type: 'visa', lastFour: '4242' } },
    lines: [{ rule: 'unit', units: 1, amountMinor: cost }],
    createdAt: at('09:50', day),
    changedAt: at('09:51', day),
  });
  expect(await reportPayment(api, payment)).toBeNull();
  return payment.id;
}

async function endOfDay(terminalMinor: number, booksMinor: number, day = DAY) {
  const sum = (amountMinor: number) => [{ type: 'visa' as const, count: null, amountMinor }];
  const row = {
    id: `${day}-1`,
    siteId: api.site.id,
    terminalId: 'kiosk-1',
    currency: 'ISK',
    cards: sum(terminalMinor),
    booked: sum(booksMinor),
    agrees: terminalMinor === booksMinor,
    at: at('23:50', day),
  };
  await api.db.write(({ q }) => q.insert(terminalDayTable).values(row));
}

/** The account of the terminals with their provider, and a file of its sales. */
async function providerAccount(fields: Json = {}) {
  const account = { kind: 'settlement', reference: 'M1', name: 'Teya', siteId: api.site.id };
  return (await api.made('/money-accounts', { ...account, mapping: TEYA_MAPPING, ...fields })).id;
}

async function importSales(account: string, lines: readonly string[], name = 'teya.csv') {
  const body = ['date,payout_date,type,reference,gross,commission', ...lines, ''].join('\n');
  const answer = await api.call('POST', `/settlement-files?name=${name}&account=${account}`, {
    body,
    headers: { 'content-type': 'application/octet-stream' },
  });
  expect(answer.status).toBe(200);
  return answer.body;
}

const DifferencesSchema = z.array(
  z.looseObject({
    n: z.int(),
    kind: z.string(),
    cause: z.string().nullable(),
    amount: z.int(),
    decision: z.string(),
    rows: z.array(z.looseObject({ thing: z.string(), id: z.string() })),
  }),
);
const CloseSchema = z.looseObject({
  id: z.string(),
  day: z.string(),
  state: z.string(),
  revision: z.int(),
  open: z.int(),
  differences: DifferencesSchema,
  expected: z.array(z.looseObject({ kind: z.string(), dueOn: z.string(), amount: z.int(), count: z.int() })),
  arrived: z.array(z.looseObject({ count: z.int(), amount: z.int() })),
  columns: z.array(z.looseObject({ side: z.string(), amount: z.int() })),
  approvalId: z.string().nullable(),
  actions: z.array(z.string()),
});

async function close(day = DAY, options: CallOptions = {}) {
  const { status, body } = await api.call('POST', '/day-closes', {
    ...options,
    body: { siteId: api.site.id, day },
  });
  expect(status, JSON.stringify(body)).toBe(303);
  return CloseSchema.parse(body);
}
const show = async (id: string) => CloseSchema.parse((await api.call('GET', `/day-closes/${id}`)).body);
const decide = (id: string, body: Json, options: CallOptions = {}) =>
  api.call('POST', `/day-closes/${id}/decisions`, { ...options, body });
const sign = (id: string, revision: number, options: CallOptions = {}) =>
  api.call('POST', `/day-closes/${id}/sign`, { ...options, body: { revision } });
const briefly = ({ differences }: z.infer<typeof CloseSchema>) =>
  differences.map(({ kind, cause, amount }) => [kind, ...(cause === null ? [] : [cause]), amount].join(' '));

/** Signs a day with whatever it has. */
async function signed(day = DAY) {
  const made = await close(day);
  if (made.differences.length > 0) {
    const differences = made.differences.map(({ n }) => n);
    expect((await decide(made.id, { decision: 'accepted', differences, reason: REASON })).status).toBe(303);
  }
  const { revision } = await show(made.id);
  expect((await sign(made.id, revision)).status).toBe(303);
  return await show(made.id);
}

describe('the close of a day', () => {
  it('has its sides beside each other, and no difference where they agree', async () => {
    await paidStay(1500);
    await endOfDay(1500, 1500);
    const made = await close();
    expect(briefly(made)).toEqual([]);
    expect(made.columns).toMatchObject([
      { side: 'visits', rows: 1, amount: 1500 },
      { side: 'invoices', rows: 1, amount: 1500 },
      { side: 'payments', rows: 1, amount: 1500 },
      { side: 'terminals', rows: 1, amount: 1500 },
    ]);
    expect(made.actions).toEqual(['compute', 'sign']);
  });

  it('names each difference with the rows that make it', async () => {
    const visitId = await stay(700);
    const lost = samplePayment({ amountMinor: 400, createdAt: at('11:00'), changedAt: at('11:01') });
    await reportPayment(api, lost);
    await endOfDay(900, 400);
    const made = await close();
    expect(briefly(made)).toEqual([
      'visit-without-payment -700',
      'payment-without-visit 400',
      'terminal-only 500',
    ]);
    const [unpaid, unknown] = made.differences;
    expect(unpaid?.rows).toMatchObject([{ thing: 'visit', id: visitId }]);
    expect(unknown?.rows).toMatchObject([{ thing: 'payment', id: lost.id }]);
  });

  it('expects what the provider has not settled yet, and finds it late, wrong or unknown', async () => {
    const account = await providerAccount({ feeContract: { basisPoints: 100, fixed: 0 } });
    const paid = await paidStay(1500);
    await paidStay(2000, { authorisation: '100002' });
    const made = await close();
    expect(briefly(made)).toEqual([]);
    // Thursday, and four days of banks.
    expect(made.expected).toMatchObject([{ kind: 'late', dueOn: '2026-11-25', count: 2, amount: -3500 }]);
    await importSales(account, [
      `${DAY},2026-11-20,PURCHASE,${paid},1450,90`,
      `${DAY},2026-11-20,PURCHASE,unknown,300,3`,
    ]);
    const again = await close();
    expect(briefly(again)).toEqual(['terminal-only 300', 'amount-differs -50', 'fee-differs -75']);
    expect(again.expected).toMatchObject([{ count: 1, amount: -2000 }]);
    expect(again.revision).toBe(made.revision + 1);
    api.clock.now = () => new Date('2026-11-26T10:00:00.000Z');
    expect(briefly(await close())).toEqual([
      'terminal-only 300',
      'amount-differs -50',
      'fee-differs -75',
      'late -2000',
    ]);
  });

  it('is one for a day, also when two make it at once', async () => {
    await stay(700);
    const made = await Promise.all([close(), close(), close()]);
    expect(new Set(made.map(({ id }) => id)).size).toBe(1);
    expect((await api.call('GET', `/day-closes?siteId=${api.site.id}`)).body).toMatchObject({ total: 1 });
    expect(await show(made[0]?.id ?? '')).toMatchObject({ revision: 1, differences: [{ n: 1 }] });
  });

  it('keeps what was decided about a difference while it is the same', async () => {
    await stay(700);
    const { id } = await close();
    await decide(id, { decision: 'written-off', differences: [1], reason: REASON });
    await stay(90);
    const again = await close();
    expect(again.differences).toMatchObject([
      { n: 1, amount: -700, decision: 'written-off', reason: REASON },
      { n: 2, amount: -90, decision: 'open' },
    ]);
    expect(again.open).toBe(1);
  });

  it('is not made of a day to come, and not signed before the day is over', async () => {
    const future = await api.call('POST', '/day-closes', {
      body: { siteId: api.site.id, day: '2026-11-22' },
    });
    expect(future.body['messages']).toEqual(['day: The day has not begun where the site is.']);
    const today = await close('2026-11-21');
    expect(today.actions).toEqual(['compute']);
    expect((await sign(today.id, today.revision)).body['messages']).toEqual([
      'The day is not over where the site is.',
    ]);
  });
});

describe('signing', () => {
  it('waits for every difference, and for tasks of others', async () => {
    await stay(700);
    const { id, revision } = await close();
    expect((await sign(id, revision)).body['messages']).toEqual(['1 differences are not decided yet.']);
    await api.account('operator', { id: 'the-clerk' });
    const clerk = { token: null, headers: await api.session('the-clerk') };
    const task = { decision: 'task', differences: [1], reason: 'Call the driver', assigneeId: 'the-clerk' };
    expect((await decide(id, { ...task, assigneeId: 'nobody' })).status).toBe(400);
    expect(await decide(id, task)).toMatchObject({
      status: 303,
      body: { open: 1, actions: ['compute', 'decide'] },
    });
    const answer = { decision: 'done', differences: [1], answer: 'Will be paid tomorrow' };
    expect((await decide(id, answer)).body['messages']).toEqual([
      'Only the person who was asked can answer.',
    ]);
    expect(await decide(id, answer, clerk)).toMatchObject({
      status: 303,
      body: { open: 0, differences: [{ decision: 'done', answer: 'Will be paid tomorrow' }] },
    });
    const now = await show(id);
    expect(await sign(id, now.revision)).toMatchObject({ status: 303, body: { state: 'signed' } });
  });

  it('is of what was seen: a change since is refused, and shown', async () => {
    await stay(700);
    const { id } = await close();
    await decide(id, { decision: 'accepted', differences: [1], reason: REASON });
    const { revision } = await show(id);
    await stay(90);
    const refused = await sign(id, revision);
    expect([refused.status, refused.body['messages']]).toEqual([400, ['1 differences are not decided yet.']]);
    expect(await show(id)).toMatchObject({ state: 'open', differences: [{ n: 1 }, { n: 2 }] });
    await decide(id, { decision: 'accepted', differences: [2], reason: REASON });
    expect((await sign(id, revision)).status).toBe(409);
  });

  it('happens once, also when two sign at once', async () => {
    const { id, revision } = await close();
    const answers = await Promise.all([sign(id, revision), sign(id, revision)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([303, 400]);
    const log = await api.call('GET', '/audit?action=day-close.sign');
    expect(log.body).toMatchObject({ total: 1 });
  });

  it('needs a second person above the limit of the site', async () => {
    const limits = { refund: null, waiver: null, credit: null, close: 500 };
    await api.db.write(({ q }) => q.update(siteTable).set({ approvalLimits: limits }));
    await api.account('operator', { id: 'the-manager' });
    const manager = { token: null, headers: await api.session('the-manager') };
    await stay(700);
    const { id } = await close();
    await decide(id, { decision: 'written-off', differences: [1], reason: REASON });
    const { revision } = await show(id);
    const asked = await sign(id, revision);
    expect(asked.status).toBe(202);
    const { approvalId, state } = await show(id);
    expect([state, asked.body]).toEqual(['open', { approvalId }]);
    const own = await api.call('POST', `/approval/${approvalId}/approve`, {
      token: null,
      headers: await api.session('the-operator'),
      body: { amount: 700 },
    });
    expect(own.status).toBe(400);
    const approved = await api.call('POST', `/approval/${approvalId}/approve`, {
      ...manager,
      body: { amount: 700 },
    });
    expect(approved).toMatchObject({
      status: 303,
      body: { kind: 'day-close', state: 'done', requested: { closeId: id } },
    });
    expect(await show(id)).toMatchObject({ state: 'signed', approvalId: null });
  });

  it('fails as approved once the close is another one', async () => {
    const limits = { refund: null, waiver: null, credit: null, close: 0 };
    await api.db.write(({ q }) => q.update(siteTable).set({ approvalLimits: limits }));
    await api.account('operator', { id: 'the-manager' });
    const manager = { token: null, headers: await api.session('the-manager') };
    await stay(700);
    const { id } = await close();
    await decide(id, { decision: 'accepted', differences: [1], reason: REASON });
    const asked = await sign(id, (await show(id)).revision);
    await decide(id, { decision: 'written-off', differences: [1], reason: REASON });
    const approved = await api.call('POST', `/approval/${asked.body['approvalId']}/approve`, {
      ...manager,
      body: { amount: 700 },
    });
    expect(approved.status).toBe(409);
    expect(await show(id)).toMatchObject({ state: 'open' });
  });
});

describe('after signing', () => {
  it('nothing changes: what changes in the day is a line of the next close, once', async () => {
    await paidStay(1500);
    const first = await signed();
    const late = await paidStay(400, { authorisation: '100009' });
    await stay(90);
    const refused = await api.call('POST', '/day-closes', { body: { siteId: api.site.id, day: DAY } });
    expect(refused.body['messages']).toEqual(['The close is signed, and does not change any more.']);
    expect((await decide(first.id, { decision: 'open', differences: [1] })).status).toBe(400);
    expect(await show(first.id)).toEqual(first);
    const next = await close('2026-11-20');
    expect(briefly(next)).toEqual([
      'correction-of-earlier-day 400',
      'correction-of-earlier-day visit-without-payment 90',
    ]);
    expect(next.differences).toMatchObject([
      {
        ofClose: { id: first.id, day: DAY },
        rows: expect.arrayContaining([expect.objectContaining({ thing: 'payment', id: late, amount: 400 })]),
      },
      { ofClose: { id: first.id, day: DAY } },
    ]);
    await signed('2026-11-20');
    api.clock.now = () => new Date('2026-11-22T10:00:00.000Z');
    expect(briefly(await close('2026-11-21'))).toEqual([]);
  });

  it('lets arrive what was expected, keeps the file, and misses the rest', async () => {
    const account = await providerAccount();
    const paid = await paidStay(1500);
    await paidStay(2000, { authorisation: '100002' });
    const first = await signed();
    const { id: file } = await importSales(account, [`${DAY},2026-11-20,PURCHASE,${paid},1500,15`]);
    const next = await close('2026-11-20');
    expect(briefly(next)).toEqual([]);
    expect(next.arrived).toMatchObject([{ ofClose: { id: first.id }, count: 1, amount: 1500 }]);
    expect(next.expected).toMatchObject([{ ofClose: first.id, count: 1, amount: -2000 }]);
    api.clock.now = () => new Date('2026-11-26T10:00:00.000Z');
    expect(briefly(await signed('2026-11-20'))).toEqual(['late -2000']);
    // The batch was paid out on that day.
    expect((await api.call('DELETE', `/settlement-files/${file}`)).body['messages']).toEqual([
      'The file is part of a closed day, and cannot be deleted.',
    ]);
  });
});

describe('a day that closes itself', () => {
  const run = () =>
    closeDaysRun(api.db).work({ now: nowUtc(api.clock), signal: new AbortController().signal });
  const closing = (closesItself: boolean) =>
    api.call('POST', `/sites/${api.site.id}/closing`, { body: { closesItself } });
  const closes = async () =>
    z
      .array(z.looseObject({ day: z.string(), state: z.string() }))
      .parse((await api.call('GET', '/day-closes')).body['data'])
      .map(({ day, state }) => `${day} ${state}`);

  it('does so once it is over and without a difference, and else waits for a person', async () => {
    expect((await api.call('GET', `/sites/${api.site.id}/closing`)).body).toEqual({ closesItself: false });
    expect((await closing(true)).status).toBe(303);
    await paidStay(1500, { day: '2026-11-21' });
    await stay(700, { day: '2026-11-22' });
    await run();
    expect(await closes()).toEqual([]);
    api.clock.now = () => new Date('2026-11-23T00:01:00.000Z');
    await Promise.all([run(), run()]);
    expect(await closes()).toEqual(['2026-11-22 open', '2026-11-21 signed']);
    const [row] = await api.db.read((q) =>
      q.select().from(dayCloseTable).where(eq(dayCloseTable.day, '2026-11-21')),
    );
    expect(row?.signedBy).toBe('cloud:day-close');
    await closing(false);
    api.clock.now = () => new Date('2026-11-24T00:01:00.000Z');
    await run();
    expect(await closes()).toEqual(['2026-11-22 open', '2026-11-21 signed']);
  });

  it('goes by the clock of the site, also on the day on which that changes', async () => {
    await api.db.write(({ q }) => q.update(siteTable).set({ timeZone: 'America/New_York' }));
    api.clock.now = () => new Date('2026-11-01T03:00:00.000Z');
    await closing(true);
    // Sunday, 1 November has 25 hours there: it ends at 05:00 UTC on the 2nd, and 31 October at 04:00 on the 1st.
    api.clock.now = () => new Date('2026-11-01T04:00:00.000Z');
    await run();
    expect(await closes()).toEqual(['2026-10-31 signed']);
    api.clock.now = () => new Date('2026-11-02T04:59:00.000Z');
    await run();
    expect(await closes()).toEqual(['2026-10-31 signed']);
    api.clock.now = () => new Date('2026-11-02T05:00:00.000Z');
    await run();
    expect(await closes()).toEqual(['2026-11-01 signed', '2026-10-31 signed']);
  });
});
