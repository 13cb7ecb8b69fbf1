import { randomUUID } from 'node:crypto';
import { DAY_MS, HOUR_MS } from '@hlid/protocol/base/durations';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { createTestApi, type TestApi } from '../../../test/api.ts';
import { BANK_MAPPING, booksFile } from '../../../test/books.ts';
import { passageEvent, readEvent } from '../../../test/sample-events.ts';
import { tablesWith } from '../../../test/tables.ts';
import { applyEvent } from '../../integration/ingest/apply-event.ts';
import { queueMail } from '../../people/mail/queue-mail.ts';
import { eq } from '../../platform/db/sql.ts';
import { auditTable } from '../../records/audit/audit-table.ts';
import { bankEntryTable } from '../../records/books/money-file-table.ts';
import { driverCardTable, driverChargeTable, driverTable } from '../../records/drivers/driver-table.ts';
import { readHead } from '../../records/feed/feed-head.ts';
import { publishChange } from '../../records/feed/publish-change.ts';
import { invoiceTable } from '../../records/invoices/invoice-table.ts';
import { mailTable } from '../../records/mail/mail-table.ts';
import { passageDecisionTable } from '../../records/passages/passage-table.ts';
import { photoTable } from '../../records/photos/photo-table.ts';
import { sitePresenceTable } from '../../records/sites/site-table.ts';
import { vehicleTable } from '../../records/vehicles/vehicle-table.ts';
import { pictureKey } from '../../stays/photos/storage/picture-key.ts';
import { pictureCleanupJob, storePicture } from '../../stays/photos/store-picture.ts';
import { eraseLooseReads } from './erase-loose-reads.ts';

const JPEG = { contentType: 'image/jpeg' as const, bytes: new Uint8Array([0xff, 0xd8, 0xff, 0xd9]) };

let api: TestApi;
beforeEach(async () => {
  api = await createTestApi();
});
afterEach(() => api.close());

/** A read at the entrance, with a picture, of a visit or of none. */
async function read(plate: string, visitId: string | null, readId: string = randomUUID()): Promise<string> {
  const passageId = randomUUID();
  const at = api.now();
  const place = { siteId: api.site.id, eventId: randomUUID(), at, arrivedAt: at };
  await api.db.write(async (tx) => {
    await applyEvent(
      tx,
      place,
      readEvent({ id: readId, plate, receivedAt: at, passageId, eventKey: readId }),
    );
    await applyEvent(tx, place, passageEvent({ passageId, visitId, plate }));
  });
  await storePicture(api.context, { id: readId, siteId: api.site.id, receivedAt: at }, JPEG);
  return readId;
}

const run = async () => {
  const { status } = await api.call('POST', '/retention/runs');
  expect(status).toBe(204);
};
const keyOf = async (id: string) => {
  const row = await photo(id);
  return (row && pictureKey(row, 'vehicle')) ?? '';
};
const photo = async (id: string) =>
  (await api.db.read(async (q) => await q.select().from(photoTable).where(eq(photoTable.id, id))))[0];

async function settledVisit(plate: string): Promise<{ id: string; readId: string }> {
  const readId = randomUUID();
  const { id } = await api.visit({
    plate,
    status: 'completed',
    paymentStatus: 'kiosk',
    endedAt: '2026-11-21T09:00:00.000Z',
    entryReadId: readId,
  });
  await read(plate, id, readId);
  return { id, readId };
}

describe('retention', () => {
  it('erases pictures by their clock, and keeps what was read', async () => {
    const { readId } = await settledVisit('ABX12');
    const key = await keyOf(readId);
    api.wait(29 * DAY_MS);
    await run();
    expect(await api.context.pictures.get(key)).not.toBeNull();
    api.wait(2 * DAY_MS);
    await run();
    expect(await api.context.pictures.get(key)).toBeNull();
    expect(await photo(readId)).toMatchObject({ plate: 'ABX12', url: null });
  });

  it('erases reads that belong to no visit sooner, with their pictures', async () => {
    const loose = await read('ZZZ99', null);
    const key = await keyOf(loose);
    const { readId } = await settledVisit('ABX12');
    api.wait(8 * DAY_MS);
    await run();
    expect(await photo(loose)).toBeUndefined();
    expect(await photo(readId)).toBeDefined();
    api.wait(HOUR_MS);
    // The picture is out of the store with the next sweep at the latest.
    await pictureCleanupJob(api.context).work({ now: api.now(), signal: new AbortController().signal });
    expect(await api.context.pictures.get(key)).toBeNull();
  });

  it('takes plates off settled visits, and leaves those that owe', async () => {
    const settled = await settledVisit('ABX12');
    const owing = await api.visit({
      plate: 'MKJ45',
      status: 'need-payment',
      endedAt: '2026-11-21T09:00:00.000Z',
    });
    const recent = await api.visit({ plate: 'OPN11', startedAt: '2026-12-21T08:00:00.000Z' });
    api.wait(181 * DAY_MS);
    await run();
    const plateOf = async (id: string) => (await api.call('GET', `/visit/${id}`)).body['plate'];
    expect(await plateOf(settled.id)).toBeNull();
    expect(await photo(settled.readId)).toBeUndefined();
    expect(await plateOf(owing.id)).toBe('MKJ45');
    expect(await plateOf(recent.id)).toBe('OPN11');
    expect(await api.db.read(async (q) => await q.select().from(passageDecisionTable))).toEqual([]);
    expect((await api.call('GET', `/visit/${settled.id}`)).body).toMatchObject({
      paymentStatus: 'kiosk',
      startedOn: '2026-11-21T08:00:00.000Z',
    });
  });

  it('closes visits that never ended, as lost, and takes their plates and reads off', async () => {
    const readId = randomUUID();
    const lost = await api.visit({ plate: 'LST11', entryReadId: readId });
    await read('LST11', lost.id, readId);
    const paid = await api.visit({ plate: 'PAI11', paidUntil: '2027-12-01T00:00:00.000Z' });
    const doubtful = await api.visit({ plate: 'CLK11', flags: ['clock-set'] });
    const owes = {
      amountMinor: 500,
      currency: 'ISK',
      lines: [],
      product: { id: 'day', version: 1 },
      pricedAt: api.now(),
    };
    const owing = await api.visit({ plate: 'OWE11', status: 'need-payment', price: owes });
    api.wait(179 * DAY_MS);
    await run();
    const visitOf = async (id: string) => (await api.call('GET', `/visit/${id}`)).body;
    expect(await visitOf(lost.id)).toMatchObject({ plate: 'LST11', endedOn: null });
    api.wait(2 * DAY_MS);
    await run();
    expect(await visitOf(lost.id)).toMatchObject({
      plate: null,
      status: 'completed',
      endedOn: api.now(),
      flags: ['lost-exit'],
      paymentStatus: null,
    });
    expect(tablesWith(api.file, 'LST11')).toEqual([]);
    // A car that has paid for longer may still be inside, and a visit that owes money keeps its plate.
    expect(await visitOf(paid.id)).toMatchObject({ plate: 'PAI11', endedOn: null });
    expect(await visitOf(doubtful.id)).toMatchObject({ plate: 'CLK11', endedOn: null });
    expect(await visitOf(owing.id)).toMatchObject({
      plate: 'OWE11',
      status: 'need-payment',
      flags: ['lost-exit'],
    });
  });

  it('takes the reads off a visit that its site has closed as lost', async () => {
    const readId = randomUUID();
    const { id } = await api.visit({
      plate: null,
      status: 'completed',
      endedAt: api.now(),
      flags: ['lost-exit'],
      entryReadId: readId,
    });
    await read('LST11', id, readId);
    api.wait(181 * DAY_MS);
    await run();
    expect(tablesWith(api.file, 'LST11')).toEqual([]);
  });

  it('leaves an erased vehicle in no change of a feed, whether or not its site has taken it', async () => {
    const { id: siteId } = api.site;
    for (const plate of ['VEH11', 'VEH12']) {
      await api.db.write(async (tx) => {
        const dates = { createdAt: api.now(), modifiedAt: api.now() };
        await tx.q.insert(vehicleTable).values({ id: randomUUID(), plate, plateFolded: plate, ...dates });
        const item = { plate, category: 'heavy' as const, custody: [] };
        await publishChange(tx, 'all', { kind: 'vehicle', op: 'put', id: plate, item });
      });
    }
    const presence = (feedAt: number) => ({ siteId, connected: true, since: api.now(), feedAt });
    await api.db.write(async ({ q }) => {
      await q.insert(sitePresenceTable).values(presence(1));
    });
    api.wait(181 * DAY_MS);
    await run();
    // It has not yet taken that they are gone.
    expect(tablesWith(api.file, 'VEH11')).toEqual(['feed_change']);
    const head = await api.db.read((q) => readHead(q, siteId));
    await api.db.write(async ({ q }) => {
      await q.update(sitePresenceTable).set({ feedAt: head.n });
    });
    await run();
    for (const plate of ['VEH11', 'VEH12']) expect(tablesWith(api.file, plate)).toEqual([]);
    // The numbers stay without a gap.
    expect((await api.changes()).length).toBeGreaterThan(0);
    await api.db.write(async ({ q }) => {
      await q.update(sitePresenceTable).set({ connected: false, feedAt: 0 });
    });
    await api.db.write((tx) =>
      publishChange(tx, 'all', {
        kind: 'vehicle',
        op: 'put',
        id: 'VEH13',
        item: { plate: 'VEH13', category: 'heavy', custody: [] },
      }),
    );
    await api.db.write((tx) => publishChange(tx, 'all', { kind: 'vehicle', op: 'remove', id: 'VEH13' }));
    api.wait(2 * DAY_MS);
    await run();
    expect(tablesWith(api.file, 'VEH13')).toEqual([]);
  });

  it('takes plates out of the history and the audit log of these visits, and keeps who did what', async () => {
    const { id, readId } = await settledVisit('ABX1Z');
    const edit = { plate: 'ABX12', reason: 'It is ABX12, not ABX1Z' };
    expect((await api.call('PUT', `/visit/${id}`, { body: edit })).status).toBe(303);
    expect((await api.call('PUT', `/photo/${readId}`, { body: { status: 'reviewed' } })).status).toBe(303);
    const loose = await read('ZZZ99', null);
    expect((await api.call('PUT', `/photo/${loose}`, { body: { plate: 'ZZZ98' } })).status).toBe(303);
    api.wait(181 * DAY_MS);
    await run();
    for (const plate of ['ABX12', 'ABX1Z', 'ZZZ98', 'ZZZ99']) {
      expect(tablesWith(api.file, plate)).toEqual([]);
    }
    const lines = await api.db.read(async (q) => await q.select().from(auditTable));
    expect(lines.filter(({ subject }) => subject === 'visit')).toMatchObject([
      { action: 'visit.update', subjectId: id, before: { plate: null }, after: { plate: null } },
    ]);
    expect(lines.filter(({ subject }) => subject === 'photo').length).toBeGreaterThan(1);
  });

  it('does so for each of many visits, and takes only its own plates out of its history', async () => {
    const plates = Array.from({ length: 12 }, (_, n) => `KBX${10 + n}`);
    for (const plate of plates) {
      const { id } = await settledVisit(`${plate}Z`);
      const edit = { plate, reason: `It is ${plate}, as in ABC99` };
      expect((await api.call('PUT', `/visit/${id}`, { body: edit })).status).toBe(303);
    }
    api.wait(181 * DAY_MS);
    await run();
    for (const plate of plates) {
      expect(tablesWith(api.file, plate)).toEqual([]);
    }
    const lines = await api.db.read(async (q) => await q.select().from(auditTable));
    const reasons = lines.filter(({ action }) => action === 'visit.update').map(({ reason }) => reason);
    expect(reasons).toEqual(plates.map(() => 'It is –, as in ABC99'));
  });

  it('takes plates off the lines of collected invoices, after their years', async () => {
    const lines = [
      { rule: 'visit' as const, visitId: null, plate: 'ABX12', units: 1, amountMinor: 500, vatRate: 24 },
    ];
    await api.db.write(async ({ q }) => {
      await q.insert(invoiceTable).values({
        id: randomUUID(),
        number: 1,
        status: 'paid',
        cause: 'billing',
        paymentType: 'company-invoice',
        amountMinor: 500,
        currency: 'ISK',
        lines,
        vat: [],
        incomeParts: [],
        language: 'is',
        remoteStatus: 'draft',
        createdAt: api.now(),
        modifiedAt: api.now(),
      });
    });
    api.wait(8 * 366 * DAY_MS);
    await run();
    expect(tablesWith(api.file, 'ABX12')).toEqual([]);
    const [kept] = await api.db.read(async (q) => await q.select().from(invoiceTable));
    expect(kept).toMatchObject({ amountMinor: 500, lines: [{ plate: null, amountMinor: 500 }] });
  });

  it('takes names and texts off the entries of banks, after their years', async () => {
    await api.made('/money-accounts', {
      kind: 'bank',
      reference: 'IS01',
      name: 'Bank',
      mapping: BANK_MAPPING,
    });
    const { data } = (await api.call('GET', '/money-accounts')).body;
    const [account] = z.array(z.looseObject({ id: z.string() })).parse(data);
    const sent = await api.call('POST', `/bank-statements?name=bank.csv&account=${account?.id}`, {
      body: booksFile('bank.csv'),
      headers: { 'content-type': 'application/octet-stream' },
    });
    expect(sent.status).toBe(200);
    api.wait(9 * 366 * DAY_MS);
    await run();
    const entries = await api.db.read(async (q) => await q.select().from(bankEntryTable));
    expect(entries.map(({ text, counterpart }) => text ?? counterpart)).toEqual([null, null, null]);
    expect(entries.map(({ amountMinor }) => amountMinor)).toEqual(expect.arrayContaining([-15_000, 5000]));
  });

  it('erases old mail and audit lines, not mail that waits', async () => {
    await api.made('/zones', { name: 'Cellar', settings: {} });
    const mail = { language: 'is' as const, subject: 'A', text: 'B', kind: 'receipt' as const };
    await api.db.write(async (tx) => {
      await queueMail(tx, { ...mail, to: 'waits@example.is' }, api.now());
      const sent = await queueMail(tx, { ...mail, to: 'sent@example.is' }, api.now());
      await tx.q.update(mailTable).set({ status: 'sent' }).where(eq(mailTable.id, sent));
    });
    api.wait(731 * DAY_MS);
    await run();
    const mails = await api.db.read(async (q) => await q.select().from(mailTable));
    expect(mails.map(({ to }) => to)).toEqual(['waits@example.is']);
    expect(await api.db.read(async (q) => await q.select().from(auditTable))).toEqual([]);
  });

  it('erases drivers without a card who have not come for long, and charges of that age', async () => {
    const [{ id: kept }, { id: gone }] = [await api.driver(), await api.driver()];
    const at = api.now();
    const card = { gatewayId: 'g', token: 't', card: { type: 'visa', lastFour: '1111' } } as const;
    const charge = { driverId: kept, visitId: 'v', state: 'paid', createdAt: at } as const;
    await api.db.write(async ({ q }) => {
      await q.insert(driverCardTable).values({ driverId: kept, ...card, paymentId: 'p', storedAt: at });
      await q.insert(driverChargeTable).values([
        { ...charge, id: 'ended' },
        { ...charge, id: 'unknown', state: 'unknown', dueAt: at },
      ]);
    });
    api.wait(731 * DAY_MS);
    await run();
    const drivers = await api.db.read(async (q) => await q.select().from(driverTable));
    expect(drivers.map(({ id }) => id)).toEqual([kept]);
    expect(drivers.map(({ id }) => id)).not.toContain(gone);
    const charges = await api.db.read(async (q) => await q.select().from(driverChargeTable));
    expect(charges.map(({ id }) => id)).toEqual(['unknown']);
  });

  it('logs how much was erased, and shows its clocks', async () => {
    await settledVisit('ABX12');
    api.wait(31 * DAY_MS);
    await run();
    const { body } = await api.call('GET', '/retention');
    expect(body['clocks']).toMatchObject({ pictureDays: 30, invoiceYears: 7 });
    expect(body['data']).toMatchObject([{ kind: 'picture', rows: 1, by: 'cloud:retention', on: api.now() }]);
    await run();
    expect((await api.call('GET', '/retention')).body['total']).toBe(1);
  });

  it('goes on where it was broken off, however much there is', async () => {
    for (let n = 0; n < 30; n++) await read(`AA${n}`, null);
    api.wait(8 * DAY_MS);
    const when = { before: api.now(), now: api.now() };
    expect(await eraseLooseReads(api.db, when, 7)).toBe(7);
    await run();
    expect(await api.db.read(async (q) => await q.select().from(photoTable))).toEqual([]);
    const { body } = await api.call('GET', '/retention');
    const rows = z.array(z.looseObject({ rows: z.int() })).parse(body['data']);
    expect(rows.reduce((sum, line) => sum + line.rows, 0)).toBe(30);
  });

  it('looks at more reads than it erases at once, and passes over none', async () => {
    const { readId } = await settledVisit('ABX12');
    for (let n = 0; n < 5; n++) await read(`AA${n}`, null);
    api.wait(8 * DAY_MS);
    const when = { before: api.now(), now: api.now() };
    const left = () => api.db.read(async (q) => (await q.select().from(photoTable)).map(({ id }) => id));
    // The visit's read, and two that are erased.
    expect(await eraseLooseReads(api.db, when, 2)).toBeGreaterThanOrEqual(2);
    expect(await left()).toHaveLength(4);
    while ((await eraseLooseReads(api.db, when, 2)) > 0);
    expect(await left()).toEqual([readId]);
  });

  it('is for operators, and refuses what it does not know', async () => {
    const customer = await api.account('customer', { customerId: 'c1' });
    expect((await api.call('GET', '/retention', { token: customer })).status).toBe(403);
    expect((await api.call('POST', '/retention/runs', { token: customer })).status).toBe(403);
    expect((await api.call('GET', '/retention?colour=red')).status).toBe(400);
  });
});
