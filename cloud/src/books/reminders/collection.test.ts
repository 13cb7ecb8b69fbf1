import { randomUUID } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { dayAfter } from '@hlid/protocol/base/calendar-day';
import { DAY_MS } from '@hlid/protocol/base/durations';
import { utcTime } from '@hlid/protocol/base/utc-time';
import fc from 'fast-check';
import { pino } from 'pino';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { useBilling } from '../../../test/billing.ts';
import { claim, collectable } from '../../../test/rows-of-sites.ts';
import { addCustomer, allInvoices } from '../../../test/settlements.ts';
import { OwedInvoicesSchema } from '../../integration/reports/receivables-report.ts';
import { updateInvoice } from '../../money/invoices/change-invoices.ts';
import { creditAmountIn } from '../../paying/refunds/credit-amount.ts';
import { cloudActor } from '../../people/audit/audit.ts';
import { mailJob } from '../../people/mail/send-mail.ts';
import { eq } from '../../platform/db/sql.ts';
import { auditTable } from '../../records/audit/audit-table.ts';
import { markAsTraining } from '../../records/training/training-store.ts';
import { CollectablesSchema, WholeCollectionFileSchema } from './collection.ts';
import { reminderRun } from './reminder-run.ts';

/** How many histories: a few with all tests, and by hand `HLID_COLLECTION_RUNS=200`. */
const RUNS = Number(process.env['HLID_COLLECTION_RUNS'] ?? 4);

const billing = useBilling();
const TERMS = { isOn: true, warningDays: 1, warningCharge: 950, letters: 0, letterDays: 10, letterCharge: 0 };

async function setTerms(): Promise<void> {
  const path = `/sites/${billing.api.site.id}/reminders`;
  expect((await billing.api.call('POST', path, { body: TERMS })).status).toBe(303);
}

/** An invoice that is unpaid, of a customer with a national id and an address. @returns its id */
async function unpaid(amountMinor = 12_000): Promise<string> {
  const fields = { email: 'bokhald@example.is' };
  const billed = { billingMethod: 'daily', billingSsn: '5305750209' } as const;
  const options = { ...billed, sendInvoicesToEmail: true };
  const customerId = await addCustomer(billing.api, options, fields);
  const at = utcTime(Date.parse(billing.api.now()) - DAY_MS);
  await billing.charge(customerId, { at, amountMinor });
  await billing.bill();
  const found = (await allInvoices(billing.api)).find((one) => one.customerId === customerId);
  if (found === undefined) throw new Error('Nothing was billed.');
  return found.id;
}

/** A day of the cloud: reminders, mail, and what follows from it. */
async function runs(): Promise<void> {
  const { db, clock, context } = billing.api;
  const mailer = {
    send: async () => {
      await setImmediate();
      return { ok: true } as const;
    },
    close: () => undefined,
  };
  const now = billing.api.now();
  const signal = new AbortController().signal;
  await reminderRun(context).work({ now, signal });
  await mailJob({ db, clock, log: pino({ level: 'silent' }), mailer }).work({ now, signal });
  await reminderRun(context).work({ now, signal });
}

const wait = (days: number) => billing.api.wait(days * DAY_MS);
const actor = () => cloudActor('test', billing.api.now());

async function warned(amountMinor?: number): Promise<string> {
  const id = await unpaid(amountMinor);
  wait(16);
  await runs();
  return id;
}

const ready = async () =>
  CollectablesSchema.parse((await billing.api.call('GET', '/collectable-invoices')).body).data;
const handOver = async (invoiceIds: readonly string[]) =>
  await billing.api.call('POST', '/collection-files', { body: { invoiceIds: [...invoiceIds] } });
const whole = async (id: string) =>
  WholeCollectionFileSchema.parse((await billing.api.call('GET', `/collection-files/${id}`)).body);

async function handed(invoiceIds: readonly string[]) {
  const answer = await handOver(invoiceIds);
  expect(answer.status).toBe(303);
  return WholeCollectionFileSchema.parse(answer.body);
}

async function bytes(id: string, query = ''): Promise<string> {
  const headers = { authorization: `Bearer ${await billing.api.account('operator')}` };
  const path = `/collection-files/${id}/download?format=csv&separator=,${query}`;
  const response = await billing.api.app.request(path, { headers });
  expect(response.status).toBe(200);
  return await response.text();
}

const rowsOf = (text: string) =>
  text
    .trimEnd()
    .split('\r\n')
    .map((line) => line.split(','));

async function contest(id: string): Promise<string | null> {
  await billing.api.call('POST', `/invoice/${id}/dispute`, { body: { text: 'not mine' } });
  const { data } = (await billing.api.call('GET', `/disputes?invoiceId=${id}&state=open`)).body;
  return z.array(z.looseObject({ id: z.string() })).parse(data)[0]?.id ?? null;
}

async function answer(disputeId: string): Promise<void> {
  const body = { outcome: 'rejected', answer: 'It was your car.' };
  expect((await billing.api.call('POST', `/dispute/${disputeId}/answer`, { body })).status).toBe(303);
}

async function credit(id: string, amountMinor: number): Promise<void> {
  const order = { amountMinor, reason: 'half' };
  const act = { kind: 'credit', subjectId: id, args: order, reason: 'half', siteIds: [], about: {} } as const;
  await billing.api.db.write((tx) => creditAmountIn(tx, actor(), id, order, act));
}

async function pay(id: string): Promise<void> {
  await updateInvoice(billing.api.db, actor(), id, { status: 'paid', paidWith: 'transfer' });
}

/** What is owed of documents, as the report of receivables has it. */
async function receivable(invoiceIds: readonly string[]): Promise<number> {
  const { body } = await billing.api.call('GET', '/reports/receivables/invoices');
  const { invoices } = OwedInvoicesSchema.parse(body);
  return invoices
    .filter(({ invoiceId }) => invoiceIds.includes(invoiceId))
    .reduce((sum, { open }) => sum + Math.max(0, open), 0);
}

it('an invoice with its charge is handed over after the warning, its days and the due day of the charge', async () => {
  await setTerms();
  const id = await warned();
  expect(await ready()).toEqual([]);
  wait(10);
  expect(await ready()).toEqual([]);
  wait(20);
  const [found] = await ready();
  expect(found).toMatchObject({
    invoiceId: id,
    principal: 12_000,
    charges: 1178,
    debtorId: '5305750209',
    notices: [{ step: 'warning', proof: 'mail' }],
  });
  const file = await handed([id]);
  expect(file).toMatchObject({ invoices: 1, total: 13_178, siteId: billing.api.site.id });
  const [headers = [], row = [], ...more] = rowsOf(await bytes(file.id));
  expect(more).toEqual([]);
  const cell = (name: string) => row[headers.indexOf(name)];
  const money = ['principal', 'charges', 'total', 'interest_base'].map(cell);
  expect(money).toEqual(['12000', '1178', '13178', '12000']);
  expect(cell('interest_from')).toBe(cell('due_on'));
  expect(cell('warning_on')).toBe(found?.notices[0]?.deliveredOn);
  expect(cell('warning_proof')).toMatch(/^mail [0-9a-f-]{36} accepted 2026-/);
  expect(cell('link')).toMatch(new RegExp(`/console/${billing.api.site.id}/money/invoices/${id}$`));
  expect(await bytes(file.id, '&rows=changes')).toMatch(/^creditor,[^\n]*\r\n$/);
});

it('once: neither again, nor by a reminder, nor by a claim at a bank', async () => {
  await setTerms();
  const id = await warned();
  wait(40);
  const both = await Promise.all([handOver([id]), handOver([id])]);
  expect(both.map(({ status }) => status).sort()).toEqual([303, 400]);
  expect(await ready()).toEqual([]);
  expect((await handOver([id])).body['codes']).toMatchObject([{ code: 'not-collectable', path: [] }]);
  expect((await billing.api.call('GET', `/invoice/${id}/reminders`)).body).toMatchObject({
    next: null,
    stopped: 'collected-elsewhere',
  });
  const claimed = await billing.api.call('POST', '/claims', { body: { invoiceId: id } });
  expect(claimed.body['codes']).toMatchObject([{ code: 'claim-collected' }]);
});

it('all that are named, or none', async () => {
  await setTerms();
  const [one, contested] = [await warned(), await warned()];
  wait(40);
  await contest(contested);
  expect((await handOver([one, contested])).status).toBe(400);
  expect((await handOver([one, randomUUID()])).body['codes']).toMatchObject([{ code: 'no-such-invoice' }]);
  expect((await ready()).map(({ invoiceId }) => invoiceId)).toEqual([one]);
});

it('what a bank claims, or an invoice of a simulated car park, is not handed over', async () => {
  await setTerms();
  const id = await warned();
  wait(40);
  await claim(billing.api, billing.api.site.id, id);
  expect(await ready()).toEqual([]);
  expect((await handOver([id])).status).toBe(400);
  const other = await warned();
  wait(40);
  await billing.api.db.write(({ q }) => markAsTraining(q, billing.api.now()));
  expect(await ready()).toEqual([]);
  expect((await handOver([other])).body['codes']).toMatchObject([{ code: 'training-no-file' }]);
});

it('an operator of some sites hands over invoices of one of them; the log says who did it', async () => {
  const { api } = billing;
  const other = (await api.addSite('Airport')).id;
  const hidden = (await api.addSite('Harbour')).id;
  const [here, there, elsewhere] = [
    await collectable(api, api.site.id),
    await collectable(api, other),
    await collectable(api, hidden),
  ];
  const token = await api.account('operator', { siteIds: [api.site.id, other] });
  const send = async (invoiceIds: string[]) =>
    await api.call('POST', '/collection-files', { token, body: { invoiceIds } });
  expect((await send([elsewhere])).body['codes']).toMatchObject([{ code: 'no-such-invoice' }]);
  expect((await send([here, there])).body['codes']).toMatchObject([{ code: 'collection-one-site' }]);
  const made = await send([here]);
  expect(made.status).toBe(303);
  const lines = await api.db.read(
    async (q) => await q.select().from(auditTable).where(eq(auditTable.action, 'collection-file.create')),
  );
  expect(lines).toMatchObject([{ subjectId: made.body['id'], siteId: api.site.id }]);
  expect(lines[0]?.by).toMatch(/^account:/);
});

it('a payment, a credit note and a dispute afterwards are changes for the collector', async () => {
  await setTerms();
  const ids = [await warned(), await warned(), await warned(), await warned()];
  const [paid = '', credited = '', contested = '', same = ''] = ids;
  wait(40);
  const file = await handed(ids);
  const before = await bytes(file.id);
  wait(1);
  await pay(paid);
  await credit(credited, 2000);
  const disputeId = await contest(contested);
  const today = billing.api.now().slice(0, 10);
  const changeOf = async (id: string) =>
    (await whole(file.id)).items.find(({ invoiceId }) => invoiceId === id)?.change;
  expect(await changeOf(paid)).toMatchObject({ open: 1178, paid: 12_000, credited: 0 });
  expect(await changeOf(credited)).toMatchObject({ open: 11_178, paid: 0, credited: 2000 });
  expect(await changeOf(contested)).toMatchObject({ open: 13_178, contestedOn: today, answeredOn: null });
  expect(await changeOf(same)).toBeNull();
  expect(rowsOf(await bytes(file.id, '&rows=changes'))).toHaveLength(4);
  await answer(disputeId ?? '');
  expect(await changeOf(contested)).toMatchObject({ contestedOn: null, answeredOn: today });
  expect(await bytes(file.id)).toBe(before);
});

const step = fc.record({
  act: fc.constantFrom('nothing', 'nothing', 'nothing', 'contest', 'answer', 'credit', 'pay', 'hand-over'),
  nth: fc.nat(3),
  waits: fc.integer({ min: 3, max: 18 }),
});

it('in random histories nobody is handed over who owes nothing, contests it, early or twice', async () => {
  let count = 0;
  let changed = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 8, maxLength: 18 }), async (history) => {
      await setTerms();
      const ids = [await unpaid(2500), await unpaid(9000), await unpaid(60_000), await unpaid(120_000)];
      const disputes = new Map<string, string>();
      const files = new Map<string, string>();
      const seen = new Set<string>();
      for (const { act, nth, waits } of history) {
        wait(waits);
        await runs();
        const id = ids[nth] ?? '';
        const open = disputes.get(id);
        if (act === 'contest' && open === undefined) {
          const disputeId = await contest(id);
          if (disputeId !== null) disputes.set(id, disputeId);
        }
        if (act === 'answer' && open !== undefined) {
          await answer(open);
          disputes.delete(id);
        }
        if (act === 'credit') await credit(id, 700);
        if (act === 'pay') await pay(id);
        if (act !== 'hand-over') continue;
        const found = (await ready()).filter(({ invoiceId }) => ids.includes(invoiceId));
        if (found.length === 0) continue;
        const today = billing.api.now().slice(0, 10);
        for (const one of found) {
          count++;
          expect(seen.has(one.invoiceId)).toBe(false);
          seen.add(one.invoiceId);
          expect(disputes.has(one.invoiceId)).toBe(false);
          expect(one.principal).toBeGreaterThan(0);
          expect(one.principal).toBe(await receivable([one.invoiceId]));
          expect(one.charges).toBe(await receivable(one.chargeInvoices.map((charge) => charge.id)));
          const last = one.notices.at(-1)?.deliveredOn ?? '9999-01-01';
          expect(today > dayAfter(last, 10)).toBe(true);
        }
        const file = await handed(found.map(({ invoiceId }) => invoiceId));
        files.set(file.id, await bytes(file.id));
      }
      for (const [id, text] of files) {
        expect(await bytes(id)).toBe(text);
        for (const { invoiceId, chargeInvoices, principal, charges, change } of (await whole(id)).items) {
          const open = await receivable([invoiceId, ...chargeInvoices.map((charge) => charge.id)]);
          expect(change?.open ?? principal + charges).toBe(open);
          if (change === null) continue;
          changed++;
          expect(change.open + change.paid + change.credited).toBe(principal + charges);
          expect(change.contestedOn !== null).toBe(disputes.has(invoiceId));
        }
      }
    }),
    { numRuns: RUNS, seed: 34 },
  );
  expect(count).toBeGreaterThan(3);
  expect(changed).toBeGreaterThan(0);
});
