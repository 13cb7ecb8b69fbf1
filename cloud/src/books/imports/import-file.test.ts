import { randomUUID } from 'node:crypto';
import { utcTime } from '@hlid/protocol/base/utc-time';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createTestApi, type Json, type TestApi } from '../../../test/api.ts';
import { BANK_MAPPING, booksFile, RAPYD_MAPPING, TEYA_MAPPING } from '../../../test/books.ts';
import { reportPayment, samplePayment } from '../../../test/payments.ts';
import { eq } from '../../platform/db/sql.ts';
import { moneyFileTable } from '../../records/books/money-file-table.ts';
import { matchLater } from './match-later.ts';

const A_WEEK_LATER = utcTime(Date.UTC(2026, 10, 25));

let api: TestApi;
beforeEach(async () => {
  api = await createTestApi();
});
afterEach(() => api.close());

type Sending = { account?: string; dryRun?: boolean; name?: string; token?: string };

async function send(
  path: string,
  file: string | Uint8Array,
  { account, dryRun, name = 'file', token }: Sending = {},
) {
  const query = new URLSearchParams({ name });
  if (account !== undefined) query.set('account', account);
  if (dryRun === true) query.set('dryRun', 'true');
  const response = await api.app.request(`/${path}?${query}`, {
    method: 'POST',
    body: file,
    headers: {
      authorization: `Bearer ${token ?? api.operator}`,
      'content-type': 'application/octet-stream',
    },
  });
  const body: unknown = await response.json();
  return { status: response.status, body: body as Json };
}

const settlement = (file: string | Uint8Array, sending?: Sending) => send('settlement-files', file, sending);
const bank = (file: string | Uint8Array, sending?: Sending) => send('bank-statements', file, sending);
const account = async (fields: Json) =>
  (await api.made('/money-accounts', { name: 'Account', ...fields })).id;
const adyenAccounts = async () => [
  await account({ kind: 'settlement', reference: 'HlidReykjavik' }),
  await account({ kind: 'settlement', reference: 'HlidAkureyri' }),
];
const bankAccount = () =>
  account({ kind: 'bank', reference: 'IS14 0159 2600 7654 5510 7303 39', name: 'Bank' });
const files = async (path: string) => (await api.call('GET', `/${path}`)).body;

describe('a settlement file', () => {
  it('is shown by a dry run, with the accounts that are missing, and stores nothing', async () => {
    const { status, body } = await settlement(booksFile('adyen-settlement-detail.csv'), { dryRun: true });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      dryRun: true,
      id: null,
      format: 'adyen',
      rows: 9,
      unknownAccounts: ['HlidReykjavik', 'HlidAkureyri'],
      refused: [
        { message: expect.stringContaining('No account is known as HlidReykjavik') },
        { message: expect.stringContaining('No account is known as HlidAkureyri') },
      ],
    });
    expect(await files('settlement-files')).toMatchObject({ total: 0 });
    const refused = await settlement(booksFile('adyen-settlement-detail.csv'));
    expect(refused.status).toBe(400);
    expect(await files('settlement-files')).toMatchObject({ total: 0 });
  });

  it('is stored with its batches and rows, in the order of the file', async () => {
    await adyenAccounts();
    const { body } = await settlement(booksFile('adyen-settlement-detail.csv'), { name: 'adyen.csv' });
    expect(body).toMatchObject({ dryRun: false, isRepeated: false, refused: [], unknownAccounts: [] });
    const file = await api.call('GET', `/settlement-files/${body['id']}`);
    expect(file.body).toMatchObject({
      name: 'adyen.csv',
      rows: 9,
      isUsed: false,
      siteId: null,
      batches: expect.arrayContaining([
        expect.objectContaining({
          reference: '41',
          gross: 3300,
          fees: 669,
          payout: 2631,
          paidOn: '2026-11-19',
        }),
      ]),
    });
    const rows = await api.call('GET', `/settlement-files/${body['id']}/rows`);
    expect(rows.body).toMatchObject({ total: 9 });
    expect((rows.body['data'] as Json[]).map(({ n, line }) => [n, line])).toEqual([
      [1, 2],
      [2, 3],
      [3, 4],
      [4, 5],
      [5, 6],
      [6, 8],
      [7, 10],
      [8, 11],
      [9, 14],
    ]);
  });

  it('is stored once, also when it comes twice at once, and answers the first', async () => {
    await adyenAccounts();
    const file = booksFile('adyen-settlement-detail.csv');
    const answers = await Promise.all([settlement(file), settlement(file), settlement(file)]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(new Set(answers.map(({ body }) => body['id'])).size).toBe(1);
    expect(answers.filter(({ body }) => body['isRepeated'] === false)).toHaveLength(1);
    expect(await files('settlement-files')).toMatchObject({ total: 1 });
    const again = await settlement(file, { dryRun: true });
    expect(again.body).toMatchObject({ isRepeated: true, id: answers[0]?.body['id'], rows: 9 });
  });

  it('with a batch that is stored already is refused, and stores nothing', async () => {
    await adyenAccounts();
    const file = booksFile('adyen-settlement-detail.csv').toString();
    await settlement(file, { name: 'first.csv' });
    const changed = await settlement(`${file}\n`);
    expect(changed.status).toBe(400);
    expect(String(changed.body['messages'])).toContain(
      'Batch 41 of account Account is stored already, from the file first.csv.',
    );
    expect(await files('settlement-files')).toMatchObject({ total: 1 });
  });

  const rapydAccount = () =>
    account({ kind: 'settlement', reference: 'rapyd', siteId: api.site.id, mapping: RAPYD_MAPPING });
  const paidAtTerminal = async () => {
    const { id: visitId } = await api.visit({ plate: 'ABX12' });
    const card = { type: 'visa', lastFour: '4242' } as const;
    return samplePayment({
      visitId,
      amountMinor: 1500,
      createdAt: '2026-11-18T12:29:00.000Z',
      changedAt: '2026-11-18T12:30:00.000Z',
      transaction: { reference: '17', authorisation: 'A11111', card },
    });
  };

  it('is matched to payments at terminals by authorisation, and to each once', async () => {
    const [id, paid] = [await rapydAccount(), await paidAtTerminal()];
    expect(await reportPayment(api, paid)).toBeNull();
    const { body } = await settlement(booksFile('rapyd-like.csv'), { account: id });
    expect(body).toMatchObject({
      matches: { matched: 1, none: 3 },
      firstRows: expect.arrayContaining([
        expect.objectContaining({ authorisation: 'A11111', paymentId: paid.id, match: 'matched' }),
      ]),
    });
    const again = booksFile('rapyd-like.csv').toString('latin1').replaceAll('S-100', 'S-101');
    const second = await settlement(Buffer.from(again, 'latin1'), { account: id, dryRun: true });
    expect(second.body).toMatchObject({ matches: { matched: 0, ambiguous: 0, none: 4 } });
  });

  it('is matched to a payment that arrives after it, once', async () => {
    const paid = await paidAtTerminal();
    const { body } = await settlement(booksFile('rapyd-like.csv'), { account: await rapydAccount() });
    expect(body).toMatchObject({ matches: { matched: 0, none: 4 } });
    expect(await matchLater(api.db, A_WEEK_LATER)).toBe(0);
    expect(await reportPayment(api, paid)).toBeNull();
    expect(await matchLater(api.db, A_WEEK_LATER)).toBe(1);
    const rows = (await api.call('GET', `/settlement-files/${String(body['id'])}/rows`)).body;
    expect(rows['data']).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ authorisation: 'A11111', paymentId: paid.id, match: 'matched' }),
      ]),
    );
    expect(await matchLater(api.db, A_WEEK_LATER)).toBe(0);
  });

  it('is matched to payments by our own reference, and a refund that we have not booked is shown', async () => {
    const { id: visitId } = await api.visit({ plate: 'ABX12' });
    const paid = samplePayment({ visitId, amountMinor: 500 });
    expect(await reportPayment(api, paid)).toBeNull();
    const mapping = {
      ...TEYA_MAPPING,
      columns: { ...TEYA_MAPPING.columns, reference: 'reference', merchantReference: 'ours' },
    };
    const id = await account({ kind: 'settlement', reference: 'teya', mapping });
    const file = [
      'date,payout_date,type,reference,gross,commission,ours',
      `2026-11-18,2026-11-20,PURCHASE,x1,500,4,${paid.id}`,
      `2026-11-18,2026-11-20,PURCHASE,x2,500,4,${paid.id}`,
      `2026-11-19,2026-11-20,REFUND,x3,500,0,${paid.id}`,
      `2026-11-19,2026-11-20,PURCHASE,x4,500,0,${randomUUID()}`,
    ].join('\n');
    const { body } = await settlement(file, { account: id, dryRun: true });
    expect(body['matches']).toMatchObject({ matched: 1, duplicate: 1, 'not-booked': 1, none: 1 });
  });

  it('needs its account where it does not name it, and says what does not fit the mapping', async () => {
    const unnamed = await settlement(booksFile('stripe-payout-reconciliation.csv'), { dryRun: true });
    expect(unnamed.body).toMatchObject({
      refused: [{ message: expect.stringContaining('The file does not name its account') }],
    });
    const id = await account({ kind: 'settlement', reference: 'teya', mapping: TEYA_MAPPING });
    const wrong = await settlement('date,payout_date\n2026-11-18,2026-11-20\n', { account: id });
    expect([wrong.status, String(wrong.body['messages'])]).toEqual([
      400,
      'The file lacks the columns: type, reference, gross, commission.',
    ]);
    const other = await settlement('x', { account: await bankAccount() });
    expect(other.status).toBe(400);
  });

  it('is deleted with its rows after a fresh proof, and not once a closed day counts with it', async () => {
    const id = await account({ kind: 'settlement', reference: 'teya', mapping: TEYA_MAPPING });
    const { body } = await settlement(booksFile('teya-like.csv'), { account: id });
    const path = `/settlement-files/${body['id']}`;
    await api.db.write(({ q }) => q.update(moneyFileTable).set({ usedBy: 'close-1' }));
    const refused = await api.call('DELETE', path);
    expect([refused.status, String(refused.body['messages'])]).toEqual([
      400,
      'The file is part of a closed day, and cannot be deleted.',
    ]);
    await api.db.write(({ q }) =>
      q
        .update(moneyFileTable)
        .set({ usedBy: null })
        .where(eq(moneyFileTable.id, String(body['id']))),
    );
    expect((await api.call('DELETE', path)).status).toBe(204);
    expect((await api.call('GET', path)).status).toBe(404);
    expect((await settlement(booksFile('teya-like.csv'), { account: id })).body).toMatchObject({
      isRepeated: false,
    });
  });
});

describe('a bank statement', () => {
  it('is stored, and what the provider paid out is matched, in either order of the files', async () => {
    const bankId = await bankAccount();
    const fields = { kind: 'settlement', reference: 'rapyd', mapping: RAPYD_MAPPING, paysIntoId: bankId };
    const id = await account(fields);
    const statement = booksFile('bank.csv');
    await api.call('PUT', `/money-accounts/${bankId}`, { body: { mapping: BANK_MAPPING } });
    const early = await bank(statement, { account: bankId });
    expect(early.body).toMatchObject({ rows: 3, matches: { none: 3 } });
    await settlement(booksFile('rapyd-like.csv'), { account: id });
    const entries = await api.call('GET', `/bank-statements/${early.body['id']}/entries`);
    expect(entries.body['data']).toMatchObject([
      { amount: 5000, match: 'none' },
      { amount: 11_642, match: 'matched', batchId: expect.any(String) },
      { amount: -15_000, match: 'none' },
    ]);
    expect((await api.call('DELETE', `/bank-statements/${early.body['id']}`)).status).toBe(204);
    const late = await bank(statement, { account: bankId, dryRun: true });
    expect(late.body).toMatchObject({ matches: { matched: 1, none: 2 } });
  });

  it('in camt.053 names its account; blanks in the account do not count', async () => {
    await bankAccount();
    const { body } = await bank(booksFile('camt.053.001.02.xml'));
    expect(body).toMatchObject({
      format: 'camt.053',
      rows: 3,
      statements: [{ opening: 100_000, closing: 101_111, entries: 3 }],
    });
    const next = await bank(booksFile('iobws-transactions.json'));
    expect(next.body).toMatchObject({ format: 'iobws', rows: 2, refused: [] });
  });

  it('that overlaps an earlier one stores only what is new, and says so', async () => {
    const id = await account({ kind: 'bank', reference: '1', mapping: { ...BANK_MAPPING } });
    const header = 'Dags.;Vaxtadags.;Upphæð;Staða;Tilvísun;Skýring';
    const line = (day: string, amount: number, balance: number, reference: string) =>
      `${day}.11.2026;${day}.11.2026;${amount};${balance};${reference};`;
    const [one, two, three] = [line('20', 5, 105, 'B1'), line('21', 6, 111, 'B2'), line('22', 7, 118, 'B3')];
    const latin = (...lines: string[]) => Buffer.from([header, ...lines, ''].join('\n'), 'latin1');
    await bank(latin(one, two), { account: id });
    const { body } = await bank(latin(two, three), { account: id });
    expect(body).toMatchObject({
      rows: 1,
      warnings: expect.arrayContaining([
        {
          message: 'Statement 2026-11-21/2026-11-22: 1 entries are stored already, from an earlier file.',
          code: expect.anything(),
        },
      ]),
    });
    const gap = await bank(latin(line('23', 1, 200, 'B4')), { account: id, dryRun: true });
    expect(JSON.stringify(gap.body['warnings'])).toContain(
      'opens with 199 ISK, and the one before closed with 118 ISK',
    );
  });
});

it('nobody imports, sees or deletes files of another site', async () => {
  const { id: otherSite } = await api.addSite('Airport');
  const token = await api.account('operator', { permissions: ['money'], siteIds: [api.site.id] });
  const mapped = (reference: string, siteId: string | null) =>
    account({ kind: 'settlement', reference, siteId, mapping: TEYA_MAPPING });
  const [own, other, all] = [
    await mapped('own', api.site.id),
    await mapped('other', otherSite),
    await mapped('all', null),
  ];
  const file = booksFile('teya-like.csv');
  for (const hidden of [other, all]) {
    const refused = await settlement(file, { account: hidden, token });
    expect([refused.status, String(refused.body['messages'])]).toEqual([
      400,
      expect.stringContaining('there is no such account'),
    ]);
  }
  await account({ kind: 'settlement', reference: 'HlidReykjavik', siteId: otherSite });
  const named = await settlement(booksFile('adyen-settlement-detail.csv'), { token, dryRun: true });
  expect(JSON.stringify(named.body['refused'])).toContain('belongs to sites that your account is not for');
  const stored = await settlement(file, { account: other });
  const repeated = await settlement(file, { account: own, token });
  expect(repeated.status).toBe(400);
  expect(JSON.stringify(repeated.body)).not.toContain(String(stored.body['id']));
  for (const method of ['GET', 'DELETE']) {
    expect((await api.call(method, `/settlement-files/${stored.body['id']}`, { token })).status).toBe(404);
  }
});
