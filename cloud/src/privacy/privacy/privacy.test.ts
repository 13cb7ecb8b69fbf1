import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createTestApi, type TestApi } from '../../../test/api.ts';
import { passageEvent, readEvent } from '../../../test/sample-events.ts';
import { tablesWith } from '../../../test/tables.ts';
import { applyEvent } from '../../integration/ingest/apply-event.ts';
import { queueMail } from '../../people/mail/queue-mail.ts';
import { eq } from '../../platform/db/sql.ts';
import { driverVehicleTable } from '../../records/drivers/driver-table.ts';
import { mailTable } from '../../records/mail/mail-table.ts';
import { vehicleAbsenceTable } from '../../records/vehicles/vehicle-table.ts';
import { storePicture } from '../../stays/photos/store-picture.ts';

const PLATE = 'QXZ77';

let api: TestApi;
beforeEach(async () => {
  api = await createTestApi();
});
afterEach(() => api.close());

/** One settled visit with a read and its picture, an entry, an edit of it, and another plate beside. */
async function history() {
  const readId = randomUUID();
  const passageId = randomUUID();
  const at = api.now();
  const { id: visitId } = await api.visit({ plate: PLATE, entryReadId: readId });
  const place = { siteId: api.site.id, eventId: randomUUID(), at, arrivedAt: at };
  await api.db.write(async (tx) => {
    await applyEvent(
      tx,
      place,
      readEvent({ id: readId, plate: PLATE, receivedAt: at, passageId, eventKey: 'k1' }),
    );
    await applyEvent(tx, place, passageEvent({ passageId, visitId, plate: PLATE }));
  });
  await storePicture(
    api.context,
    { id: readId, siteId: api.site.id, receivedAt: at },
    { contentType: 'image/jpeg', bytes: new Uint8Array([0xff, 0xd8, 0xff, 0xd9]) },
  );
  const entry = await api.made('/visit/whitelist', { plate: PLATE, reason: 'Staff' });
  await api.visit({ plate: 'OTHER1' });
  return { visitId, entryId: entry.id };
}

const leave = (visitId: string) =>
  api.visit({
    id: visitId,
    plate: PLATE,
    status: 'completed',
    paymentStatus: 'whitelisted',
    endedAt: '2026-11-21T11:00:00.000Z',
  });

describe('one plate', () => {
  it('can be exported as a whole, and that is audited', async () => {
    const { visitId, entryId } = await history();
    const { status, body } = await api.call('GET', '/privacy/plates/qx-z77');
    expect(status).toBe(200);
    expect(body).toMatchObject({
      plate: PLATE,
      visits: [{ id: visitId }],
      photos: [{ plate: PLATE, picture: expect.stringMatching(/^\/photo\/.*\/picture$/) }],
      passages: [{ laneId: expect.any(String) }],
      whitelist: [{ id: entryId, reason: 'Staff' }],
      payments: [],
      invoices: [],
    });
    const actions = (await api.audited()).map(({ action }) => action);
    expect(actions.filter((action) => action === 'privacy.export-plate')).toHaveLength(1);
  });

  it('is not erased while it is inside', async () => {
    const { visitId } = await history();
    const refused = await api.call('DELETE', `/privacy/plates/${PLATE}`);
    expect(refused.status).toBe(400);
    expect(refused.body['messages']).toEqual([`Visit ${visitId}: it is not over.`]);
  });

  it('is erased everywhere except in the books, and its site gets the order', async () => {
    const { visitId, entryId } = await history();
    await leave(visitId);
    const erased = await api.call('DELETE', `/privacy/plates/${PLATE}`);
    expect(erased.status).toBe(200);
    expect(erased.body).toMatchObject({ visits: 1, photos: 1, whitelist: 1, passages: 1, keptInvoices: 0 });
    expect((await api.call('GET', `/visit/${visitId}`)).body).toMatchObject({
      plate: null,
      status: 'completed',
    });
    expect((await api.call('GET', `/visit/whitelist/${entryId}`)).status).toBe(404);
    // The feed is compacted to its head: what a site lacks it takes as a snapshot, in which the plate is not.
    const snapshot = await api.app.request('/edge/snapshot', {
      headers: { authorization: `Bearer ${api.site.id}.${api.site.secret}` },
    });
    expect(await snapshot.text()).not.toContain(PLATE);
    const { body } = await api.call('GET', `/privacy/plates/${PLATE}`);
    expect(body).toMatchObject({ visits: [], photos: [], passages: [], whitelist: [], vehicles: [] });
  });

  it('is spelt nowhere in the database after that', async () => {
    const { visitId } = await history();
    await api.db.write(async ({ q }) => {
      await q.insert(vehicleAbsenceTable).values({ key: PLATE, until: '2026-11-22T00:00:00.000Z' });
    });
    await leave(visitId);
    await api.call('DELETE', `/privacy/plates/${PLATE}`);
    expect(tablesWith(api.file, PLATE)).toEqual([]);
    expect(tablesWith(api.file, 'OTHER1')).not.toEqual([]);
  });

  it('is spelt in no edit that its site has never fetched', async () => {
    const { id } = await api.visit({ plate: 'QXZ78' });
    const edit = { plate: PLATE, reason: 'misread' };
    expect((await api.call('PUT', `/visit/${id}`, { body: edit })).status).toBe(303);
    expect(tablesWith(api.file, PLATE)).toContain('feed_change');
    await leave(id);
    expect((await api.call('DELETE', `/privacy/plates/${PLATE}`)).status).toBe(200);
    expect(tablesWith(api.file, PLATE)).toEqual([]);
  });

  it('is erased from all visits of a regular', async () => {
    for (let n = 0; n < 25; n++) {
      await api.visit({
        plate: PLATE,
        status: 'completed',
        paymentStatus: 'whitelisted',
        endedAt: '2026-11-21T11:00:00.000Z',
      });
    }
    const { body } = await api.call('DELETE', `/privacy/plates/${PLATE}`);
    expect(body).toMatchObject({ visits: 25 });
    expect(tablesWith(api.file, PLATE)).toEqual([]);
  });

  it('goes from what people typed, and from the audit log of other things, which stay otherwise', async () => {
    const { visitId } = await history();
    await leave(visitId);
    const other = await api.visit({ plate: 'OTHER2' });
    const typed = 'same car as qxz-77, says the guard';
    expect(
      (await api.call('PUT', `/visit/${other.id}`, { body: { plate: 'OTHER3', reason: typed } })).status,
    ).toBe(303);
    const entry = await api.made('/visit/whitelist', { plate: 'OTHER4', reason: `Cousin of ${PLATE}` });
    const comment = `Drives ${PLATE} and another`;
    await api.made('/accounts', { account: { role: 'operator', status: 'active', name: 'Jón', comment } });
    await api.made(
      '/visit/whitelist',
      { plate: 'OTHER5', reason: PLATE },
      { headers: { 'idempotency-key': 'once-and-never-again' } },
    );
    expect(tablesWith(api.file, 'qxz-77')).toEqual(expect.arrayContaining(['audit', 'visit_step']));
    expect((await api.call('DELETE', `/privacy/plates/${PLATE}`)).status).toBe(200);
    expect(tablesWith(api.file, PLATE)).toEqual([]);
    // The feed is compacted when the site has received the command to forget the plate.
    expect(tablesWith(api.file, 'qxz-77')).toEqual(['feed_change']);
    expect((await api.call('GET', `/visit/whitelist/${entry.id}`)).body).toMatchObject({
      reason: 'Cousin of –',
    });
    const edit = (await api.audited()).find(({ action }) => action === 'visit.update');
    expect(edit).toMatchObject({
      subjectId: other.id,
      after: { plate: 'OTHER3' },
      reason: 'same car as –, says the guard',
    });
  });

  it('goes from mails, of which those that wait are sent without it, and no other is touched', async () => {
    const { id } = await api.visit({ plate: '12', status: 'completed', endedAt: '2026-11-21T11:00:00.000Z' });
    const queue = async (text: string, status: 'waiting' | 'sent') => {
      const mail = {
        to: 'a@example.is',
        language: 'is',
        subject: 'Reikningur',
        text,
        kind: 'invoice',
      } as const;
      const mailId = await api.db.write((tx) => queueMail(tx, mail, api.now()));
      await api.db.write(async ({ q }) => {
        await q.update(mailTable).set({ status }).where(eq(mailTable.id, mailId));
      });
    };
    await queue('Dvöl 12: 500 kr.', 'waiting');
    await queue('Dvöl 12: 700 kr.', 'sent');
    await queue('Dvöl ABX12: 1.12 kr., 12,5 %', 'waiting');
    expect((await api.call('DELETE', '/privacy/plates/12')).status).toBe(200);
    const mails = await api.db.read(async (q) => await q.select().from(mailTable));
    expect(mails.map(({ text }) => text)).toEqual(['Dvöl –: 500 kr.', 'Dvöl ABX12: 1.12 kr., 12,5 %']);
    expect((await api.call('GET', `/visit/${id}`)).body).toMatchObject({ plate: null });
  });

  it('is taken off the driver whose stored card pays for it', async () => {
    const { id: driverId } = await api.driver();
    const vehicle = { driverId, proof: 'stay', visitId: 'v', provedAt: api.now() } as const;
    await api.db.write(({ q }) => q.insert(driverVehicleTable).values({ plate: PLATE, ...vehicle }));
    const { body } = await api.call('GET', `/privacy/plates/${PLATE}`);
    expect(body).toMatchObject({ automaticPayments: [{ proof: 'stay', since: api.now() }] });
    expect((await api.call('DELETE', `/privacy/plates/${PLATE}`)).status).toBe(200);
    expect(await api.db.read(async (q) => await q.select().from(driverVehicleTable))).toEqual([]);
  });

  it('of which nothing is known: the export is empty, there is nothing to erase', async () => {
    expect((await api.call('GET', '/privacy/plates/NONE1')).body).toMatchObject({ visits: [], photos: [] });
    expect((await api.call('DELETE', '/privacy/plates/NONE1')).status).toBe(404);
  });

  it('is for operators, and has to be one', async () => {
    const customer = await api.account('customer', { customerId: 'c1' });
    expect((await api.call('GET', `/privacy/plates/${PLATE}`, { token: customer })).status).toBe(403);
    expect((await api.call('DELETE', `/privacy/plates/${PLATE}`, { token: customer })).status).toBe(403);
    expect((await api.call('GET', '/privacy/plates/---')).status).toBe(400);
  });
});
