import { setImmediate } from 'node:timers/promises';
import { dayAfter } from '@hlid/protocol/base/calendar-day';
import { DAY_MS } from '@hlid/protocol/base/durations';
import { utcTime } from '@hlid/protocol/base/utc-time';
import { highestCharge, REMINDER_STEPS } from '@hlid/protocol/records/collection-law';
import fc from 'fast-check';
import { pino } from 'pino';
import { expect, it } from 'vitest';
import { z } from 'zod';
import type { Json } from '../../../test/api.ts';
import { useBilling } from '../../../test/billing.ts';
import { diesAfter } from '../../../test/dies-after.ts';
import { addCustomer, allInvoices } from '../../../test/settlements.ts';
import { creditAmountIn } from '../../paying/refunds/credit-amount.ts';
import { cloudActor } from '../../people/audit/audit.ts';
import { mailJob } from '../../people/mail/send-mail.ts';
import type { Mailer, SendResult } from '../../people/mail/smtp-mailer.ts';
import type { Db } from '../../platform/db/db.ts';
import { eq } from '../../platform/db/sql.ts';
import { reminderTable } from '../../records/books/reminder-table.ts';
import { invoiceTable } from '../../records/invoices/invoice-table.ts';
import { mailTable } from '../../records/mail/mail-table.ts';
import { markAsTraining } from '../../records/training/training-store.ts';
import { reminderRun } from './reminder-run.ts';

const billing = useBilling();
const TERMS = {
  isOn: true,
  warningDays: 7,
  warningCharge: 950,
  letters: 3,
  letterDays: 10,
  letterCharge: 5900,
};
const SENT: SendResult = { ok: true };
const BACK: SendResult = { ok: false, reason: 'refused', message: 'no such mailbox' };

const setTerms = async (terms: object = TERMS, siteId = billing.api.site.id) => {
  const answer = await billing.api.call('POST', `/sites/${siteId}/reminders`, { body: terms });
  expect(answer.status).toBe(303);
};

/** An invoice that is unpaid, of a customer with an address unless it is told otherwise. @returns its id */
async function unpaid(amountMinor = 12_000, email: string | null = 'bokhald@example.is'): Promise<string> {
  const options = { billingMethod: 'daily', sendInvoicesToEmail: email !== null } as const;
  const customerId = await addCustomer(billing.api, options, email === null ? {} : { email });
  const at = utcTime(Date.parse(billing.api.now()) - DAY_MS);
  await billing.charge(customerId, { at, amountMinor });
  await billing.bill();
  const found = (await allInvoices(billing.api)).find((one) => one.customerId === customerId);
  if (found === undefined) throw new Error('Nothing was billed.');
  return found.id;
}

async function run(db: Db = billing.api.db): Promise<void> {
  await reminderRun({ ...billing.api.context, db }).work({
    now: billing.api.now(),
    signal: new AbortController().signal,
  });
}

async function sendMail(result: SendResult = SENT): Promise<void> {
  const mailer: Mailer = {
    send: async () => {
      await setImmediate();
      return result;
    },
    close: () => undefined,
  };
  const { db, clock } = billing.api;
  const job = mailJob({ db, clock, log: pino({ level: 'silent' }), mailer });
  await job.work({ now: billing.api.now(), signal: new AbortController().signal });
}

const wait = (days: number) => billing.api.wait(days * DAY_MS);
const today = () => billing.api.now().slice(0, 10);
const reminders = () => billing.api.db.read(async (q) => await q.select().from(reminderTable));
const of = async (id: string) => (await billing.api.call('GET', `/invoice/${id}/reminders`)).body;
const charges = async () =>
  (await allInvoices(billing.api)).filter(({ lines }) =>
    lines.some(({ rule }) => rule === 'reminder-charge'),
  );

it('off until a site sets its terms', async () => {
  const id = await unpaid();
  wait(60);
  const isDue = reminderRun(billing.api.context).isDue;
  expect(await isDue?.(billing.api.now())).toBe(false);
  await run();
  expect(await of(id)).toEqual({ next: null, stopped: 'off', reminders: [] });
  expect((await billing.api.call('GET', `/sites/${billing.api.site.id}/reminders`)).body).toMatchObject({
    isOn: false,
    fromDay: null,
    warningCharge: 0,
    letterCharge: 0,
  });
});

it('warns, and charges by an invoice of its own once the warning is delivered', async () => {
  await setTerms();
  const id = await unpaid();
  const before = (await allInvoices(billing.api)).find((one) => one.id === id);
  wait(20);
  await run();
  expect(await reminders()).toEqual([]);
  wait(1);
  expect(await of(id)).toMatchObject({ next: { step: 'warning', on: today(), charge: 950 }, stopped: null });
  await run();
  expect(await reminders()).toMatchObject([{ step: 'warning', chargeMinor: 1178, chargeNetMinor: 950 }]);
  expect(await of(id)).toMatchObject({ next: null, stopped: 'undelivered' });
  await run();
  expect(await charges()).toEqual([]);
  await sendMail();
  await run();
  const [charge, ...others] = await charges();
  expect(others).toEqual([]);
  expect(charge).toMatchObject({
    status: 'draft',
    amountMinor: 1178,
    vat: [{ rate: 24, netMinor: 950, vatMinor: 228, category: 'S' }],
    customerId: before?.customerId,
    lines: [{ rule: 'reminder-charge', name: String(before?.number) }],
  });
  // What was issued stays as it was.
  expect((await allInvoices(billing.api)).find((one) => one.id === id)).toEqual(before);
  expect(await of(id)).toMatchObject({
    next: { step: 'letter', on: dayAfter(today(), 11), charge: 3700 },
    reminders: [{ state: 'delivered', charge: 1178, chargeInvoice: { id: charge?.id } }],
  });
  // An invoice for a charge is not reminded of.
  wait(90);
  expect(await of(charge?.id ?? '')).toEqual({ next: null, stopped: null, reminders: [] });
});

it('the letter says what the law asks for, in the language of its payer', async () => {
  await setTerms();
  await unpaid();
  wait(21);
  await run();
  const mails = await billing.api.db.read(async (q) => await q.select().from(mailTable));
  const [mail] = mails.filter(({ kind }) => kind === 'reminder');
  expect(mail?.subject).toBe('Innheimtuviðvörun: reikningur nr. 1 er ógreiddur – 12.000\u00a0kr.');
  expect(mail?.text).toContain('7. gr. innheimtulaga nr. 95/2008');
  expect(mail?.text).toContain('innan 10 daga');
  expect(mail?.text).toContain('1.178\u00a0kr. með virðisaukaskatti');
  const id = (await reminders())[0]?.id;
  const shown = (await billing.api.call('GET', `/reminder/${id}`)).body;
  expect(shown['letter']).toEqual({ subject: mail?.subject, text: mail?.text });
});

it('one that came back does not count, until a person has delivered it', async () => {
  await setTerms();
  const id = await unpaid();
  wait(21);
  await run();
  const [reminder] = await reminders();
  const path = `/reminder/${reminder?.id}/deliver`;
  const deliver = async (deliveredOn: string) =>
    await billing.api.call('POST', path, { body: { deliveredOn } });
  expect((await deliver(billing.api.now())).body['codes']).toMatchObject([{ code: 'reminder-mailed' }]);
  await sendMail(BACK);
  wait(30);
  await run();
  expect(await of(id)).toMatchObject({ stopped: 'undelivered', reminders: [{ state: 'failed' }] });
  expect(await charges()).toEqual([]);
  expect((await deliver('2026-11-01T00:00:00.000Z')).body['codes']).toMatchObject([
    { code: 'reminder-delivered-when', path: ['deliveredOn'] },
  ]);
  expect((await deliver(billing.api.now())).status).toBe(303);
  expect(await charges()).toMatchObject([{ amountMinor: 1178 }]);
  expect((await deliver(billing.api.now())).body['codes']).toMatchObject([{ code: 'reminder-delivered' }]);
  expect(await of(id)).toMatchObject({ next: { step: 'letter', on: dayAfter(today(), 11) } });
});

it('without an address it is for a person to deliver', async () => {
  await setTerms();
  const id = await unpaid(12_000, null);
  wait(21);
  await run();
  expect(await of(id)).toMatchObject({ stopped: 'undelivered', reminders: [{ state: 'paper' }] });
});

it('a delivery after the invoice was contested, or taken back, is not charged', async () => {
  await setTerms();
  const [contested, credited] = [await unpaid(), await unpaid()];
  wait(21);
  await run();
  await billing.api.call('POST', `/invoice/${contested}/dispute`, { body: { text: 'not mine' } });
  await credit(credited, null);
  await sendMail();
  await run();
  expect((await reminders()).map(({ deliveredAt }) => deliveredAt !== null)).toEqual([true, true]);
  expect(await charges()).toEqual([]);
  expect(await of(contested)).toMatchObject({ next: null, stopped: 'contested' });
});

it('an invoice that is taken back as a whole takes its charges back', async () => {
  await setTerms();
  const id = await unpaid();
  wait(21);
  await run();
  await sendMail();
  await run();
  await credit(id, null);
  for (let n = 0; n < 3; n++) await run();
  const ofCharge = await charges();
  expect(ofCharge.map(({ amountMinor, status }) => [amountMinor, status]).sort()).toEqual([
    [-1178, 'refunded'],
    [1178, 'refunded'],
  ]);
});

it('a training installation reminds of nothing', async () => {
  await setTerms();
  await unpaid();
  await billing.api.db.write(({ q }) => markAsTraining(q, billing.api.now()));
  wait(60);
  await run();
  expect(await reminders()).toEqual([]);
});

it('invoices that were due before a site began are left alone', async () => {
  const id = await unpaid();
  wait(40);
  await setTerms();
  await run();
  expect(await of(id)).toMatchObject({ stopped: 'before-start' });
  expect(await reminders()).toEqual([]);
});

it('a run that is broken off anywhere, or two at once, write and charge each step once', async () => {
  await setTerms();
  const ids = [await unpaid(), await unpaid(), await unpaid()];
  wait(21);
  for (let allowed = 0; allowed < 5; allowed++)
    await run(diesAfter(billing.api.db, allowed)).catch(() => undefined);
  await Promise.all([run(), run(), run()]);
  expect((await reminders()).map(({ invoiceId }) => invoiceId).sort()).toEqual([...ids].sort());
  const mails = await billing.api.db.read(async (q) => await q.select().from(mailTable));
  expect(mails.filter(({ kind }) => kind === 'reminder')).toHaveLength(ids.length);
  await sendMail();
  for (let allowed = 0; allowed < 5; allowed++)
    await run(diesAfter(billing.api.db, allowed)).catch(() => undefined);
  await Promise.all([run(), run(), run()]);
  expect(await charges()).toHaveLength(ids.length);
});

it('all of them are listed, with the next step of their invoices or what stops it', async () => {
  await setTerms({ ...TERMS, letters: 0 });
  const [mailed, onPaper] = [await unpaid(), await unpaid(12_000, null)];
  wait(21);
  await run();
  const list = async (query = '') => (await billing.api.call('GET', `/reminders${query}`)).body['data'];
  expect(await list('?state=waiting')).toMatchObject([{ invoiceId: mailed, stopped: 'undelivered' }]);
  expect(await list('?state=paper')).toMatchObject([{ invoiceId: onPaper, state: 'paper' }]);
  await sendMail(BACK);
  expect(await list('?state=failed')).toMatchObject([{ invoiceId: mailed }]);
  const [failed] = (await reminders()).filter(({ invoiceId }) => invoiceId === mailed);
  const body = { deliveredOn: billing.api.now() };
  await billing.api.call('POST', `/reminder/${failed?.id}/deliver`, { body });
  expect(await list('?state=delivered')).toMatchObject([
    { invoiceId: mailed, step: 'warning', next: null, stopped: 'last-step' },
  ]);
  expect(await list('?state=waiting')).toEqual([]);
  expect(await list()).toHaveLength(2);
  const token = await billing.api.account('operator');
  const file = await billing.api.app.request('/reminders/download?format=csv&language=en&separator=,', {
    headers: { authorization: `Bearer ${token}` },
  });
  const lines = (await file.text()).trimEnd().split('\r\n');
  expect(lines).toHaveLength(3);
  expect(lines.join('\n')).toMatch(/To be delivered by hand/);
});

/** What happens to one invoice on a day. */
const act = fc.oneof(
  { weight: 6, arbitrary: fc.constant('nothing' as const) },
  { weight: 6, arbitrary: fc.constant('send' as const) },
  ...(['bounce', 'contest', 'answer', 'credit', 'under-way', 'open-again', 'pay', 'twice'] as const).map(
    (one) => ({
      weight: 1,
      arbitrary: fc.constant(one),
    }),
  ),
);

it('in random histories nothing comes early, twice, too dear, or while somebody contests', async () => {
  let written = 0;
  let charged = 0;
  const days = fc.array(fc.record({ act, waits: fc.integer({ min: 1, max: 15 }) }), {
    minLength: 10,
    maxLength: 25,
  });
  await fc.assert(
    fc.asyncProperty(days, fc.constantFrom(2_500, 9_000, 60_000, 120_000), async (history, amountMinor) => {
      await setTerms();
      const id = await unpaid(amountMinor);
      const mine = async () => (await reminders()).filter(({ invoiceId }) => invoiceId === id);
      let disputeId: string | null = null;
      let answeredOn: string | null = null;
      for (const { act: what, waits } of history) {
        wait(waits);
        const before = await mine();
        if (what === 'send') await sendMail();
        if (what === 'bounce') await sendMail(BACK);
        if (what === 'contest') disputeId ??= await contest(id);
        if (what === 'answer' && disputeId !== null) {
          await answer(disputeId);
          [disputeId, answeredOn] = [null, today()];
        }
        if (what === 'credit') await credit(id, Math.floor(amountMinor / 3));
        if (what === 'under-way') await mark(id, 'draft', 'incomplete');
        if (what === 'open-again') await mark(id, 'incomplete', 'draft');
        if (what === 'pay') await mark(id, 'draft', 'paid');
        const found = (await allInvoices(billing.api)).find((one) => one.id === id);
        await (what === 'twice' ? Promise.all([run(), run()]) : run());
        const after = await mine();
        const added = after.slice(before.length);
        expect(added.length).toBeLessThanOrEqual(1);
        for (const { step, chargeNetMinor, openMinor, chargeMinor } of added) {
          written++;
          expect(found?.status).toBe('draft');
          expect(disputeId).toBeNull();
          expect(step).toBe(REMINDER_STEPS[before.length]);
          const last = after[before.length - 1];
          if (last === undefined) expect(today() > (found?.dueOn ?? '9999')).toBe(true);
          else expect(today() >= dayAfter((last.deliveredAt ?? '9999-01-01').slice(0, 10), 11)).toBe(true);
          if (answeredOn !== null) expect(today() > answeredOn).toBe(true);
          expect(openMinor).toBe(await openOf(id));
          expect(chargeNetMinor).toBeLessThanOrEqual(highestCharge(step, openMinor, today()));
          expect(chargeMinor * 100).toBeLessThanOrEqual(chargeNetMinor * 124);
        }
      }
      charged += await expectCharges(await mine());
    }),
    { numRuns: 30 },
  );
  expect(written).toBeGreaterThan(15);
  expect(charged).toBeGreaterThan(5);
});

/** Each charge is of one delivered reminder, and at most what that names. @returns their number */
async function expectCharges(mine: Awaited<ReturnType<typeof reminders>>): Promise<number> {
  const all = await charges();
  const named = mine.flatMap(({ chargeInvoiceId, deliveredAt, chargeMinor }) => {
    if (chargeInvoiceId === null) return [];
    const charge = all.find(({ id }) => id === chargeInvoiceId);
    expect(deliveredAt).not.toBeNull();
    expect(charge?.amountMinor).toBeLessThanOrEqual(chargeMinor);
    return [chargeInvoiceId];
  });
  expect(new Set(named).size).toBe(named.length);
  return named.length;
}

async function contest(id: string): Promise<string | null> {
  const answer = await billing.api.call('POST', `/invoice/${id}/dispute`, { body: { text: 'not mine' } });
  const { data } = (await billing.api.call('GET', `/disputes?invoiceId=${id}&state=open`)).body;
  expect(answer.status === 303 || answer.status === 400).toBe(true);
  return z.array(z.looseObject({ id: z.string() })).parse(data)[0]?.id ?? null;
}

async function answer(disputeId: string): Promise<void> {
  const body: Json = { outcome: 'rejected', answer: 'It was your car.' };
  expect((await billing.api.call('POST', `/dispute/${disputeId}/answer`, { body })).status).toBe(303);
}

/** @param amountMinor null: all that is left */
async function credit(id: string, amountMinor: number | null): Promise<void> {
  const actor = cloudActor('test', billing.api.now());
  const order = { amountMinor, reason: 'half' };
  const act = { kind: 'credit', subjectId: id, args: order, reason: 'half', siteIds: [], about: {} } as const;
  await billing.api.db.write((tx) => creditAmountIn(tx, actor, id, order, act));
}

/** Does what a payment does. */
async function mark(
  id: string,
  from: 'draft' | 'incomplete',
  to: 'draft' | 'incomplete' | 'paid',
): Promise<void> {
  await billing.api.db.write(async ({ q }) => {
    const found = await q.select().from(invoiceTable).where(eq(invoiceTable.id, id)).get();
    if (found?.status === from)
      await q.update(invoiceTable).set({ status: to }).where(eq(invoiceTable.id, id));
  });
}

async function openOf(id: string): Promise<number> {
  const all = await allInvoices(billing.api);
  return all
    .filter((one) => one.id === id || one.creditOf === id)
    .reduce((sum, { amountMinor }) => sum + amountMinor, 0);
}
