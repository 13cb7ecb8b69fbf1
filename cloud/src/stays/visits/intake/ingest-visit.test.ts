import { utcTime } from '@hlid/protocol/base/utc-time';
import { foldPlate } from '@hlid/protocol/plate/plate';
import type { ReviewFlag, Visit, VisitStep } from '@hlid/protocol/records/visit';
import { beforeEach, describe, expect, it } from 'vitest';
import { clock, SITE, useIngest } from '../../../../test/ingest.ts';
import { eventAt, sampleStep, sampleVisit, visitEvent } from '../../../../test/sample-events.ts';
import { asc, eq } from '../../../platform/db/sql.ts';
import { invoiceTable } from '../../../records/invoices/invoice-table.ts';
import { visitStepTable, visitTable } from '../../../records/visits/visit-table.ts';
import { integrationEventTable } from '../../../records/webhooks/integration-event-table.ts';

const ingest = useIngest();

const NOW = utcTime(clock.now());
const VISIT = sampleVisit();
const ENDED = { ...VISIT, status: 'completed', endedAt: NOW } as const;
const PRICED = {
  price: {
    amountMinor: 700,
    currency: 'ISK',
    product: { id: 'p', version: 2 },
    pricedAt: NOW,
    lines: [{ rule: 'unit', units: 2, amountMinor: 700 }],
  },
} satisfies Partial<Visit>;
const INVOICED = { ...ENDED, ...PRICED, paymentStatus: 'owner-invoice' } as const;

let seq = 0;
beforeEach(() => {
  seq = 0;
});

/** The site reports the present state of the visit. */
async function deliver(visit: Visit, feedAt = 0, step: VisitStep | null = null): Promise<void> {
  const applied = await ingest.apply([eventAt(++seq, visitEvent('visit.updated', visit, { feedAt, step }))]);
  expect(applied).toMatchObject({ applied: 1, rejected: [] });
}
const edit = (fields: Partial<typeof visitTable.$inferInsert>) =>
  ingest.db.write(
    async ({ q }) => void (await q.update(visitTable).set(fields).where(eq(visitTable.id, VISIT.id))),
  );
const stored = async () => (await ingest.db.read(async (q) => await q.select().from(visitTable)))[0];

/** The events that integrators receive of the visit, from here on. */
async function received(): Promise<string[]> {
  const { n, type, subjectId, siteId } = integrationEventTable;
  const rows = await ingest.db.read(
    async (q) => await q.select({ type, subjectId, siteId }).from(integrationEventTable).orderBy(asc(n)),
  );
  for (const row of rows) expect(row).toMatchObject({ subjectId: VISIT.id, siteId: SITE });
  return rows.map((row) => row.type);
}

describe('integrators hear of a visit', () => {
  it.each<[string, Visit[], string[]]>([
    ['that opens', [VISIT], ['visit.opened']],
    ['that has ended before it is known', [ENDED], ['visit.opened']],
    ['that goes on', [VISIT, { ...VISIT, unitsMet: 1 }], ['visit.opened', 'visit.updated']],
    ['that ends, once', [VISIT, ENDED, ENDED], ['visit.opened', 'visit.ended', 'visit.updated']],
    [
      'that ends, and again after it was opened again',
      [ENDED, VISIT, ENDED],
      ['visit.opened', 'visit.updated', 'visit.ended'],
    ],
  ])('%s', async (_what, visits, expected) => {
    for (const visit of visits) await deliver(visit);
    expect(await received()).toEqual(expected);
  });

  it('for review, for each flag that is new', async () => {
    const flagged = (...flags: ReviewFlag[]) => deliver({ ...VISIT, flags });
    await flagged('lost-exit');
    expect(await received()).toEqual(['visit.opened', 'visit.review']);
    await flagged('lost-exit');
    await flagged();
    expect((await received()).slice(2)).toEqual(['visit.updated', 'visit.updated']);
    await flagged('uncertain-plate');
    await flagged('lost-exit', 'uncertain-plate');
    expect((await received()).slice(4)).toEqual([
      'visit.updated',
      'visit.review',
      'visit.updated',
      'visit.review',
    ]);
  });
});

describe('an invoice of the site', () => {
  const invoices = () => ingest.db.read(async (q) => await q.select().from(invoiceTable));

  it.each<[string, Visit[], number]>([
    ['is made out where the visit is not known yet', [INVOICED], 1],
    ['is made out once', [VISIT, INVOICED, INVOICED], 1],
    ['is made out of one that was asked to pay', [{ ...VISIT, ...PRICED }, INVOICED], 1],
    ['is made out anew where the visit ends anew', [INVOICED, { ...INVOICED, endedAt: null }, INVOICED], 2],
    ['is made out of one that ends invoiced', [{ ...INVOICED, endedAt: null }, INVOICED], 2],
    ['is made out where it was settled otherwise', [{ ...INVOICED, paymentStatus: 'kiosk' }, INVOICED], 1],
    ['is none without a price', [{ ...INVOICED, price: null }], 0],
    ['is none of what was paid', [{ ...INVOICED, paymentStatus: 'kiosk' }], 0],
    ['is none of what is not settled', [{ ...INVOICED, paymentStatus: null }], 0],
    ['is made out for a company', [{ ...INVOICED, paymentStatus: 'company-invoice' }], 1],
  ])('%s', async (_what, visits, expected) => {
    for (const visit of visits) await deliver(visit);
    const made = await invoices();
    expect(made).toHaveLength(expected);
    for (const invoice of made) {
      expect(invoice).toMatchObject({ visitId: VISIT.id, amountMinor: 700, currency: 'ISK' });
      expect(invoice.lines).toMatchObject([{ units: 2 }]);
    }
  });

  it('is dated by the end of the visit', async () => {
    await deliver(INVOICED);
    expect(await invoices()).toMatchObject([{ createdAt: NOW }]);
  });

  it('is none of what a person has settled since, until the site has received it', async () => {
    await deliver(VISIT, 3);
    await edit({ paymentStatus: 'kiosk', paymentEditedAt: 5 });
    await deliver(INVOICED, 4);
    expect(await invoices()).toEqual([]);
    await deliver(INVOICED, 5);
    expect(await invoices()).toHaveLength(1);
  });
});

it('the flags that only the cloud gives stay, and all others are as the site has them', async () => {
  await deliver(VISIT);
  await edit({ flags: ['invoice-stands', 'settled-twice', 'lost-exit'] });
  await deliver({ ...VISIT, flags: ['uncertain-plate', 'settled-twice'] });
  const { flags = [] } = (await stored()) ?? {};
  expect([...flags].sort()).toEqual(['invoice-stands', 'settled-twice', 'uncertain-plate']);
});

it('the holder of a visit is looked up once for each plate', async () => {
  await deliver(VISIT);
  await edit({ customerId: 'c1', vehicleCategory: 'heavy' });
  await deliver({ ...VISIT, unitsMet: 1 });
  expect(await stored()).toMatchObject({ unitsMet: 1, customerId: 'c1', vehicleCategory: 'heavy' });
  const startedAt = utcTime(clock.now().getTime() - 5000);
  await deliver({ ...VISIT, startedAt });
  expect(await stored()).toMatchObject({ startedAt, customerId: 'c1', vehicleCategory: 'heavy' });
  await deliver({ ...VISIT, plate: 'ABX13' });
  expect(await stored()).toMatchObject({ plate: 'ABX13', customerId: null });
  await edit({ customerId: 'c1', vehicleCategory: 'heavy' });
  await deliver({ ...VISIT, plate: null });
  expect(await stored()).toMatchObject({ customerId: null, vehicleCategory: null, plateFolded: null });
});

it('a plate or a start that a person has put right stays until the site has received it', async () => {
  await deliver(VISIT, 3);
  const startedAt = utcTime(clock.now().getTime() - 5000);
  const edited = { plate: 'ABX13', plateFolded: 'ABX13', plateEditedAt: 5, startedAt, startedEditedAt: 5 };
  await edit({ ...edited, customerId: 'c1' });
  await deliver({ ...VISIT, plate: 'ABX14' }, 4);
  expect(await stored()).toMatchObject({ plate: 'ABX13', startedAt, customerId: 'c1' });
  await deliver({ ...VISIT, plate: 'ABX14' }, 5);
  expect(await stored()).toMatchObject({ plate: 'ABX14', startedAt: VISIT.startedAt, customerId: null });
});

describe('a field that a person has changed', () => {
  it.each<[string, Partial<typeof visitTable.$inferInsert>, Partial<Visit>]>([
    ['the status', { status: 'completed', statusEditedAt: 5 }, { status: 'need-payment' }],
    ['the end', { endedAt: NOW, endedEditedAt: 5 }, { endedAt: null }],
    ['the exit', { exitLaneId: 'out-1', endedEditedAt: 5 }, { exitLaneId: 'out-2' }],
    ['the payment', { paymentStatus: 'kiosk', paymentEditedAt: 5 }, { paymentStatus: 'void' }],
    ['the units', { unitsMet: 3, paymentEditedAt: 5 }, { unitsMet: 1 }],
    ['the flags', { flags: ['lost-exit'], flagsEditedAt: 5 }, { flags: ['uncertain-plate'] }],
  ])('stays until the site has heard of it: %s', async (_what, edited, reported) => {
    await deliver(VISIT, 3);
    await edit(edited);
    await deliver({ ...VISIT, ...reported }, 4);
    expect(await stored()).toMatchObject(edited);
    await deliver({ ...VISIT, ...reported }, 5);
    expect(await stored()).toMatchObject(reported);
  });
});

it('the exit that a joined visit has stays where the site knows none', async () => {
  await deliver(VISIT);
  await edit({ exitLaneId: 'out-1', exitReadId: 'r1' });
  await deliver({ ...VISIT, unitsMet: 1 });
  expect(await stored()).toMatchObject({ unitsMet: 1, exitLaneId: 'out-1', exitReadId: 'r1' });
});

it('the step of a visit is stored once', async () => {
  await deliver(VISIT, 0, sampleStep({ reason: 'welcome' }));
  await deliver({ ...VISIT, unitsMet: 1 });
  const steps = await ingest.db.read(async (q) => await q.select().from(visitStepTable));
  expect(steps).toMatchObject([{ visitId: VISIT.id, reason: 'welcome', to: 'new', at: VISIT.startedAt }]);
});

it('a plate is stored with its folded form, by which look-alikes are found', async () => {
  const plate = 'OIS85';
  expect(foldPlate(plate)).not.toBe(plate);
  await deliver({ ...VISIT, plate });
  expect(await stored()).toMatchObject({ plate, plateFolded: foldPlate(plate) });
});

it('a visit of another site is refused', async () => {
  await deliver(VISIT);
  const events = [eventAt(1, visitEvent('visit.updated', { ...VISIT, unitsMet: 7 }))];
  const applied = await ingest.apply(events, { siteId: 'site-b' });
  expect(applied).toMatchObject({ rejected: [{ seq: 1 }] });
  expect(await stored()).toMatchObject({ siteId: SITE, unitsMet: 0 });
});
