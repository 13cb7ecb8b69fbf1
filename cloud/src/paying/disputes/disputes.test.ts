import { randomUUID } from 'node:crypto';
import { DAY_MS } from '@hlid/protocol/base/durations';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createTestApi, type TestApi } from '../../../test/api.ts';
import { addCustomer, allInvoices, settle } from '../../../test/settlements.ts';
import { eq } from '../../platform/db/sql.ts';
import { eraseWhatIsDue } from '../../privacy/retention/retention-run.ts';
import {
  hasOpenDispute,
  isInvoiceNotDisputed,
  isNotDisputed,
  openDisputes,
} from '../../records/disputes/find-disputes.ts';
import { invoiceTable } from '../../records/invoices/invoice-table.ts';
import { mailTable } from '../../records/mail/mail-table.ts';
import { photoTable } from '../../records/photos/photo-table.ts';
import { vehicleTable } from '../../records/vehicles/vehicle-table.ts';
import { visitTable } from '../../records/visits/visit-table.ts';
import { FLAG_DOUBTS } from '../../stays/charges/charge-doubts.ts';

let api: TestApi;
let customerId: string;
let holder: string;
let visitId: string;
const WHY = { text: 'The car was in Akureyri that day.' };

beforeEach(async () => {
  api = await createTestApi();
  customerId = await addCustomer(api, { billingMethod: 'daily' }, { email: 'bokhald@example.is' });
  holder = await api.account('customer', { customerId });
  const tariff = {
    bands: [{ steps: [{ kind: 'each', everyMinutes: 60, priceMinor: 300 }] }],
    lateFee: { afterMinutes: 60, amountMinor: 1490 },
  };
  const config = { startTime: '00:00', endTime: '23:59', tariff };
  const body = { type: 'default', price: 0, vehicleCategory: 'light', productCode: 'L', config };
  const product = { id: (await api.made('/products', body)).id, version: 1, vatRate: 24 };
  const lines = [{ rule: 'step' as const, units: 2, unitMinor: 300, amountMinor: 600, minutes: 60 }];
  const endedAt = '2026-11-21T11:00:00.000Z';
  const price = { amountMinor: 600, currency: 'ISK', lines, product, pricedAt: endedAt };
  const stay = { startedAt: '2026-11-21T09:00:00.000Z', endedAt, price };
  visitId = (await api.visit({ ...stay, plate: 'CON01', status: 'need-payment' })).id;
  await api.giveVisit(visitId, customerId);
});
afterEach(() => api.close());

const contest = (more: object = {}, token = holder) =>
  api.call('POST', `/visit/${visitId}/dispute`, { body: { ...WHY, ...more }, token });
const answer = (id: unknown, body: object) => api.call('POST', `/dispute/${id}/answer`, { body });
const visit = async () => (await api.call('GET', `/visit/${visitId}`)).body;
const mails = () => api.db.read(async (q) => await q.select().from(mailTable));
const notice = () =>
  api.call('POST', `/visit/${visitId}/notice`, { body: { deliveredOn: '2026-11-21T11:00:00.000Z' } });

it('a customer contests a visit, the office answers, and the customer reads and is mailed the answer', async () => {
  const opened = await contest();
  expect(opened.status).toBe(303);
  const { id } = opened.body;
  expect(opened.body).toMatchObject({
    visitId,
    plate: 'CON01',
    state: 'open',
    source: 'customer',
    answer: null,
  });
  expect(await visit()).toMatchObject({ flags: ['disputed'] });
  const inbox = await api.call('GET', '/disputes?state=open');
  expect(inbox.body).toMatchObject({
    total: 1,
    data: [{ id, text: WHY.text, customer: { id: customerId } }],
  });
  const rejected = { outcome: 'rejected', answer: 'The picture shows your car.' };
  expect((await answer(id, rejected)).status).toBe(303);
  expect((await api.call('GET', `/dispute/${id}`, { token: holder })).body).toMatchObject({
    state: 'rejected',
    answer: { text: rejected.answer, voided: false },
  });
  expect(await visit()).toMatchObject({ flags: [], due: { amount: 600 } });
  expect(await mails()).toMatchObject([{ kind: 'dispute', to: 'bokhald@example.is', visitId }]);
  expect((await mails())[0]?.text).toContain(rejected.answer);
  expect((await answer(id, rejected)).status).toBe(400);
  expect((await api.call('GET', '/disputes?state=open')).body).toMatchObject({ total: 0 });
  const { body } = await api.call('GET', '/webhooks/events?after=0');
  const types = (body['data'] as { type: string }[]).map(({ type }) => type);
  expect(types.filter((type) => type.startsWith('dispute'))).toEqual(['dispute.opened', 'dispute.answered']);
  const audited = (await api.audited()).map(({ action }) => action);
  expect(audited).toEqual(expect.arrayContaining(['dispute.open', 'dispute.answer']));
});

it('an upheld one may void the visit in the same step, and an invoice is never voided so', async () => {
  const { id } = (await contest()).body;
  const upheld = { outcome: 'upheld', answer: 'The camera read another plate.' };
  expect((await answer(id, { ...upheld, outcome: 'rejected', void: true })).status).toBe(400);
  expect((await answer(id, { ...upheld, void: true })).body).toMatchObject({
    state: 'upheld',
    answer: { voided: true },
  });
  expect(await visit()).toMatchObject({ status: 'completed', paymentStatus: 'void', flags: [] });
  await settle(api, { customerId, paymentStatus: 'kiosk' });
  const [invoice] = await allInvoices(api);
  const about = await api.call('POST', `/invoice/${invoice?.id}/dispute`, { body: WHY, token: holder });
  expect(about.body).toMatchObject({ invoiceId: invoice?.id, invoiceNumber: invoice?.number, visitId: null });
  expect((await answer(about.body['id'], { ...upheld, void: true })).status).toBe(400);
  expect((await answer(about.body['id'], upheld)).status).toBe(303);
});

it('a session voids with the answer only after it was stepped up', async () => {
  const { id } = (await contest()).body;
  const upheld = { outcome: 'upheld', answer: 'You are right.' };
  const headers = await api.session('the-operator');
  api.wait(6 * 60_000);
  const asked = await api.call('POST', `/dispute/${id}/answer`, {
    body: { ...upheld, void: true },
    token: null,
    headers,
  });
  expect(asked.status).toBe(403);
  expect(await visit()).toMatchObject({ flags: ['disputed'], paymentStatus: null });
});

it('until the answer nothing is charged, billed or added, and the time of a late fee begins again', async () => {
  await api.call('PUT', `/sites/${api.site.id}`, { body: { settings: { chargesLateFees: true } } });
  await notice();
  const { id } = (await contest()).body;
  api.wait(DAY_MS);
  expect(FLAG_DOUBTS.disputed).toBe('review');
  expect(await visit()).toMatchObject({ due: { amount: 600 } });
  await answer(id, { outcome: 'rejected', answer: 'It is your car.' });
  expect(await visit()).toMatchObject({ due: { amount: 600 } });
  api.wait(60 * 60_000 + 1);
  expect(await visit()).toMatchObject({ due: { amount: 2090 } });

  const again = (await contest()).body;
  await api.call('PUT', `/visit/${visitId}`, { body: { paymentStatus: 'company-invoice' } });
  api.wait(2 * DAY_MS);
  await api.call('POST', '/billing/runs', { body: {} });
  expect(await allInvoices(api)).toEqual([]);
  await answer(again['id'], { outcome: 'rejected', answer: 'It is your car.' });
  await api.call('POST', '/billing/runs', { body: {} });
  expect(await allInvoices(api)).toMatchObject([{ amountMinor: 600 }]);
});

it('no notice is recorded of a contested visit', async () => {
  await contest();
  const refused = await notice();
  expect([refused.status, refused.body['codes']]).toMatchObject([400, [{ code: 'disputed' }]]);
});

it('an invoice to an owner waits for the answer', async () => {
  const owner = {
    ssn: '1201603389',
    name: 'Jón',
    insuranceCode: null,
    registrationDate: null,
    purchaseDate: null,
  };
  const dates = { createdAt: api.now(), modifiedAt: api.now() };
  const vehicle = { id: randomUUID(), plate: 'CON01', operator: null, owner, ...dates };
  await api.db.write(async ({ q }) => void (await q.insert(vehicleTable).values(vehicle)));
  const { id } = (await contest()).body;
  await api.call('PUT', `/visit/${visitId}`, { body: { paymentStatus: 'owner-invoice' } });
  expect(await allInvoices(api)).toMatchObject([{ number: null, issuedAt: null, amountMinor: 600 }]);
  await answer(id, { outcome: 'rejected', answer: 'It is your car.' });
  expect(await allInvoices(api)).toMatchObject([{ number: 1, issuedAt: api.now(), payerName: 'Jón' }]);
});

it('is not resolved like another flag, nor put on by hand', async () => {
  await contest();
  await api.call('POST', `/visit/${visitId}/reviewed`, { body: {} });
  expect(await visit()).toMatchObject({ flags: ['disputed'] });
  const byName = { body: { flags: ['disputed'] } };
  expect((await api.call('POST', `/visit/${visitId}/reviewed`, byName)).status).toBe(400);
  expect((await api.call('POST', `/visit/${visitId}/flagged`, byName)).status).toBe(400);
});

it('one at a time, three of one visit, twenty of one account in a day; strangers see nothing', async () => {
  const stranger = await api.account('customer', { customerId: await addCustomer(api) });
  expect((await contest({}, stranger)).status).toBe(404);
  for (let n = 0; n < 3; n++) {
    const { id } = (await contest()).body;
    expect((await contest()).body['codes']).toMatchObject([{ code: 'disputed-already' }]);
    expect((await api.call('GET', `/dispute/${id}`, { token: stranger })).status).toBe(404);
    await answer(id, { outcome: 'rejected', answer: 'It is your car.' });
  }
  expect((await contest()).body['codes']).toMatchObject([{ code: 'disputed-often' }]);
  expect((await api.call('GET', '/disputes', { token: stranger })).body).toMatchObject({ total: 0 });
  const statuses: number[] = [];
  for (let n = 0; n < 21; n++) statuses.push((await contest()).status);
  expect(statuses.at(-1)).toBe(429);
});

it('an operator sees what the permissions are for: visits, or invoices', async () => {
  const { id } = (await contest()).body;
  const books = await api.account('operator', { permissions: ['money'] });
  expect((await api.call('GET', '/disputes', { token: books })).body).toMatchObject({ total: 0 });
  expect((await api.call('GET', `/dispute/${id}`, { token: books })).status).toBe(404);
  const body = { outcome: 'rejected', answer: 'No.' };
  expect((await api.call('POST', `/dispute/${id}/answer`, { body, token: books })).status).toBe(404);
});

it('is erased with the plates of visits, and not before it is answered', async () => {
  await contest();
  await api.call('PUT', `/visit/${visitId}`, { body: { paymentStatus: 'kiosk' } });
  const { pictures, retention } = api.context;
  const erase = () =>
    eraseWhatIsDue({ db: api.db, pictures, retention }, api.now(), new AbortController().signal);
  api.wait(400 * DAY_MS);
  await erase();
  const { body } = await api.call('GET', '/disputes');
  expect(body).toMatchObject({ total: 1, data: [{ plate: 'CON01' }] });
  await answer((body['data'] as { id: string }[])[0]?.id, { outcome: 'rejected', answer: 'It is your car.' });
  await erase();
  expect((await api.call('GET', '/disputes')).body).toMatchObject({ total: 0 });
  expect(await visit()).toMatchObject({ plate: null });
});

it('a visit is contested with the invoice that has it, and the invoice with its visits', async () => {
  await api.call('PUT', `/visit/${visitId}`, { body: { paymentStatus: 'company-invoice' } });
  api.wait(2 * DAY_MS);
  await api.call('POST', '/billing/runs', { body: {} });
  const [invoice] = await allInvoices(api);
  const invoiceId = String(invoice?.id);
  const contested = async () =>
    await api.db.read(async (q) => {
      const [byVisit, byInvoice] = [{ visitId }, { invoiceId }];
      const visits = await q
        .select({ id: visitTable.id })
        .from(visitTable)
        .where(isNotDisputed(visitTable.id));
      const invoices = await q
        .select({ id: invoiceTable.id })
        .from(invoiceTable)
        .where(isInvoiceNotDisputed(invoiceTable.id));
      const open = [await openDisputes(q, byVisit), await openDisputes(q, byInvoice)];
      expect([await hasOpenDispute(q, byVisit), await hasOpenDispute(q, byInvoice)]).toEqual(
        open.map(({ length }) => length > 0),
      );
      expect([visits.length, invoices.length]).toEqual(open.map(({ length }) => 1 - length));
      return open.map((rows) => rows.map(({ id }) => id));
    });
  expect(await contested()).toEqual([[], []]);
  const ofVisit = (await contest()).body['id'];
  expect(await contested()).toEqual([[ofVisit], [ofVisit]]);
  await answer(ofVisit, { outcome: 'rejected', answer: 'It is your car.' });
  expect(await contested()).toEqual([[], []]);
  const about = await api.call('POST', `/invoice/${invoiceId}/dispute`, { body: WHY, token: holder });
  expect(await contested()).toEqual([[about.body['id']], [about.body['id']]]);
});

it('keeps its evidence as it was, with the pictures, and shows it to operators alone', async () => {
  const [entry, loose] = [randomUUID(), randomUUID()];
  const read = { siteId: api.site.id, cameraId: 'cam-in-1', laneId: 'in-1', plateRaw: 'C0N01' };
  const taken = { ...read, receivedAt: '2026-11-21T09:00:00.000Z', createdAt: api.now(), eventKey: entry };
  const candidates = [
    { plate: 'COW01', score: 0.9 },
    { plate: 'CON01', score: 0.3 },
  ];
  const photo = { ...taken, plate: 'COW01', score: 0.9, candidates, status: 'new' as const };
  await api.db.write(async ({ q }) => {
    for (const id of [entry, loose]) {
      const seen = { direction: 'approaching', standing: 'counts' } as const;
      await q.insert(photoTable).values({ ...photo, ...seen, id, eventKey: id, url: `${id}.jpg` });
    }
    await q.update(visitTable).set({ entryReadId: entry }).where(eq(visitTable.id, visitId));
  });
  const { id } = (await contest()).body;
  await api.call('PUT', `/visit/${visitId}`, { body: { plate: 'COW01', reason: 'Misread' } });
  const { body } = await api.call('GET', `/dispute/${id}`);
  expect(body).toMatchObject({
    channel: 'console',
    answerBy: '2026-12-05T12:00:00.000Z',
    evidence: {
      stay: { plate: 'CON01' },
      reads: [{ photoId: entry, role: 'entry', plate: 'COW01', score: 0.9, hasPicture: true }],
      likelierPlate: { plate: 'COW01', score: 0.9 },
      asked: { amount: 600 },
      priced: { amount: 600, lines: [{ rule: 'step', units: 2 }] },
      today: { amount: 600 },
    },
  });
  const own = await api.call('GET', `/dispute/${id}`, { token: holder });
  expect(own.body).toMatchObject({ evidence: null, ways: [] });

  const { pictures, retention } = api.context;
  const erase = () =>
    eraseWhatIsDue({ db: api.db, pictures, retention }, api.now(), new AbortController().signal);
  const kept = async () =>
    await api.db.read(async (q) => (await q.select().from(photoTable)).map((one) => [one.id, one.url]));
  api.wait(60 * DAY_MS);
  await erase();
  expect(await kept()).toEqual([[entry, `${entry}.jpg`]]);
  await answer(id, { outcome: 'rejected', answer: 'It is your car.' });
  await erase();
  expect(await kept()).toEqual([[entry, null]]);
});

it('prices the stay by the tariff of its day and by that of today', async () => {
  const [product] = (await api.call('GET', '/products')).body['data'] as { id: string }[];
  const startedAt = api.now();
  api.wait(2 * 60 * 60_000);
  const stay = { plate: 'CON02', startedAt, endedAt: api.now(), status: 'need-payment' as const };
  const later = (await api.visit(stay)).id;
  api.wait(DAY_MS);
  const tariff = { bands: [{ steps: [{ kind: 'each', everyMinutes: 60, priceMinor: 500 }] }] };
  const config = { startTime: '00:00', endTime: '23:59', tariff };
  const changed = await api.call('PUT', `/products/${product?.id}`, { body: { config } });
  expect(changed.status).toBe(303);
  const { id } = (await api.call('POST', `/visit/${later}/dispute`, { body: WHY })).body;
  const { body } = await api.call('GET', `/dispute/${id}`);
  expect(body).toMatchObject({ evidence: { asked: null, priced: { amount: 600 }, today: { amount: 1000 } } });
});

it('both sides write until the answer, and it may be withdrawn', async () => {
  const { id } = (await contest()).body;
  const write = (text: string, token?: string) =>
    api.call('POST', `/dispute/${id}/messages`, { body: { text }, ...(token !== undefined && { token }) });
  await write('Do you have a receipt?');
  const { body } = await write('Here it is.', holder);
  expect(body).toMatchObject({
    lastMessage: 'driver',
    messages: [
      { side: 'office', text: 'Do you have a receipt?' },
      { side: 'driver', text: 'Here it is.' },
    ],
  });
  expect((await mails()).map(({ subject }) => subject)).toMatchObject([expect.stringContaining('andmælin')]);
  const withdrawn = await api.call('POST', `/dispute/${id}/withdraw`, { token: holder });
  expect(withdrawn.body).toMatchObject({ state: 'withdrawn', answer: null, actions: [] });
  expect(await visit()).toMatchObject({ flags: [], due: { amount: 600 } });
  expect((await write('Too late')).status).toBe(400);
  expect((await answer(id, { outcome: 'rejected', answer: 'No' })).status).toBe(400);
});

it('the office changes the deadline of the version that it has read', async () => {
  const { id } = (await contest()).body;
  const tag = (await api.call('GET', `/dispute/${id}`)).headers.get('etag') ?? '';
  const change = (answerBy: string, ifMatch: string) =>
    api.call('PUT', `/dispute/${id}`, {
      body: { answerBy, reason: 'More time' },
      headers: { 'if-match': ifMatch },
    });
  expect((await change('2026-11-20T12:00:00.000Z', tag)).status).toBe(400);
  expect((await change('2026-11-25T12:00:00.000Z', tag)).body).toMatchObject({
    answerBy: '2026-11-25T12:00:00.000Z',
  });
  expect((await change('2026-11-26T12:00:00.000Z', tag)).status).toBe(412);
  const other = (await api.visit({ plate: 'CON09' })).id;
  const late = await api.call('POST', `/visit/${other}/dispute`, { body: { ...WHY, channel: 'mail' } });
  expect(late.body).toMatchObject({ channel: 'mail', source: 'operator' });
  const listed = await api.call('GET', '/disputes?state=open&order=deadline');
  expect((listed.body['data'] as { id: string }[]).map((one) => one.id)).toEqual([id, late.body['id']]);
});

it('an operator says what is contested and how it came, a customer does not', async () => {
  const body = { ...WHY, visitId, channel: 'letter' };
  const opened = await api.call('POST', '/disputes', { body });
  expect([opened.status, opened.body]).toMatchObject([
    303,
    { visitId, channel: 'letter', source: 'operator' },
  ]);
  await api.call('POST', `/dispute/${opened.body['id']}/withdraw`);
  const own = await api.call('POST', '/disputes', { body, token: holder });
  expect(own.body).toMatchObject({ visitId, channel: 'console', source: 'customer' });
});

it('a dispute is about a visit or an invoice that its opener may see, and not about both', async () => {
  const open = (body: object, token = api.operator) =>
    api.call('POST', '/disputes', { body: { ...WHY, ...body }, token });
  expect((await open({})).body['codes']).toMatchObject([{ code: 'dispute-about-one' }]);
  expect((await open({ visitId, invoiceId: randomUUID() })).status).toBe(400);
  expect((await open({ visitId: randomUUID() })).status).toBe(404);
  const other = await api.account('customer', { customerId: await addCustomer(api) });
  expect((await open({ visitId }, other)).status).toBe(404);
  const elsewhere = await api.account('operator', { siteIds: [(await api.addSite('Airport')).id] });
  expect((await open({ visitId }, elsewhere)).status).toBe(404);
  const accountant = await api.account('operator', { permissions: ['money'] });
  expect((await open({ visitId }, accountant)).status).toBe(404);
  const clerk = await api.account('operator', { permissions: ['visits'] });
  expect((await open({ invoiceId: randomUUID() }, clerk)).status).toBe(404);
  expect((await open({ visitId }, clerk)).status).toBe(303);
});

it('the deadline is moved with a reason, which the audit log has', async () => {
  const { id } = (await contest()).body;
  const move = (body: object) => api.call('PUT', `/dispute/${id}`, { body });
  const answerBy = '2026-12-20T12:00:00.000Z';
  const refused = await move({ answerBy });
  expect([refused.status, refused.body['codes']]).toMatchObject([
    400,
    [{ code: 'required', path: ['reason'] }],
  ]);
  const moved = await move({ answerBy, reason: 'The driver is abroad' });
  expect([moved.status, moved.body]).toMatchObject([303, { answerBy }]);
  const lines = (await api.audited()).filter(({ action }) => action === 'dispute.update');
  expect(lines).toMatchObject([{ reason: 'The driver is abroad' }]);
});
