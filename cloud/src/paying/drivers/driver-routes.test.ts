import { DAY_MS, HOUR_MS, MINUTE_MS } from '@hlid/protocol/base/durations';
import { DriverChargesSchema } from '@hlid/protocol/pages/driver-api';
import { DRIVER_PATHS } from '@hlid/protocol/pages/driver-paths';
import { PAY_PATHS } from '@hlid/protocol/pages/pay-paths';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Answer, Json } from '../../../test/api.ts';
import { createOnlineRig, DRIVER, type OnlineRig, type Script } from '../../../test/online-payments.ts';
import { scriptedCard } from '../../../test/scripted-card.ts';
import { mailJob } from '../../people/mail/send-mail.ts';
import {
  driverCardTable,
  driverChargeTable,
  driverTable,
  driverVehicleTable,
  forgottenCardTable,
} from '../../records/drivers/driver-table.ts';
import { mailTable } from '../../records/mail/mail-table.ts';
import { paymentTable } from '../../records/payments/payment-table.ts';
import { visitTable } from '../../records/visits/visit-table.ts';
import { PayLinks } from '../pay/link/pay-links.ts';

let rig: OnlineRig;
beforeEach(async () => {
  rig = await createOnlineRig();
});
afterEach(() => rig.close());

const post = (path: string, body: object = {}, token: string | null = null) =>
  rig.api.call('POST', path, { token, body });
const EMAIL = 'jon@example.is';

/** Sends what waits in the queue. @returns the texts as they are sent */
async function sendMail(): Promise<string[]> {
  const { db, clock } = rig.api;
  const texts: string[] = [];
  const mailer = {
    send: async ({ text }: { text: string }) => {
      texts.push(text);
      return { ok: true } as const;
    },
    close: () => undefined,
  };
  const job = mailJob({ db, clock, log: pino({ level: 'silent' }), mailer });
  await job.work({ now: rig.api.now(), signal: new AbortController().signal });
  return texts;
}

/** The secret of a link that was mailed. */
async function mailedLink(email = EMAIL): Promise<string> {
  expect((await post(DRIVER_PATHS.login, { email, language: 'is' })).status).toBe(200);
  const [text = ''] = await sendMail();
  return /\/pay\/driver#(\S+)/.exec(text)?.[1] ?? '';
}

async function logIn(email = EMAIL): Promise<string> {
  return String((await post(DRIVER_PATHS.open, { link: await mailedLink(email) })).body['token']);
}

/** The key of a stay, proved by its time of entry. */
async function provedStay(plate: string, enteredAt: string): Promise<unknown> {
  const found = await post(PAY_PATHS.find, { siteCode: rig.api.site.id, plate });
  const [stay] = found.body['stays'] as Json[];
  return (await post(PAY_PATHS.proof, { stay: stay?.['key'], enteredAt })).body['key'];
}

/** Pays a stay on the page. @returns the payment's key */
async function pay(plate: string, { storeCard = true, script = 'approve' as Script } = {}): Promise<string> {
  const found = await post(PAY_PATHS.find, { siteCode: rig.api.site.id, plate });
  const [stay] = found.body['stays'] as Json[];
  const payment = crypto.randomUUID();
  const card = { number: scriptedCard(script), ccv: '123', expire: '12/35' };
  const browser = { language: 'is', screenWidth: 390, screenHeight: 844, colorDepth: 24, timeZoneOffset: 0 };
  const order = { payment, stay: stay?.['key'], amountMinor: 500, language: 'is', browser, card, storeCard };
  expect((await post(PAY_PATHS.order, order)).status).toBe(200);
  expect((await post(PAY_PATHS.finish, { payment, card })).body).toMatchObject({ state: 'settled' });
  return payment;
}

const code = ({ status, body }: Answer) => [status, body['code']];

describe('logging in', () => {
  it('is by a mailed link, which is good once', async () => {
    const link = await mailedLink();
    const opened = await post(DRIVER_PATHS.open, { link });
    expect(opened.body).toMatchObject({
      driver: { email: EMAIL, language: 'is', state: 'active', card: null, caps: null, vehicles: [] },
    });
    expect(code(await post(DRIVER_PATHS.open, { link }))).toEqual([401, 'expired']);
  });

  it('is refused by a link that is 15 minutes old, or older than one that was followed', async () => {
    const old = await mailedLink();
    rig.api.wait(15 * MINUTE_MS);
    expect(code(await post(DRIVER_PATHS.open, { link: old }))).toEqual([401, 'expired']);
    const first = await mailedLink();
    await logIn();
    expect(code(await post(DRIVER_PATHS.open, { link: first }))).toEqual([401, 'expired']);
  });

  it('leaves no secret in the queue, and shows operators no link', async () => {
    const link = await mailedLink();
    const [mail] = await rig.api.db.read(async (q) => await q.select().from(mailTable));
    expect(JSON.stringify(mail)).not.toContain(link);
    expect((await rig.api.call('GET', `/mail/${mail?.id}`)).body).toMatchObject({ text: null });
  });

  it('is limited for an address, and never shows who has an account', async () => {
    const answers = [];
    for (let n = 0; n < 6; n++) {
      answers.push((await post(DRIVER_PATHS.login, { email: EMAIL, language: 'is' })).status);
    }
    expect(answers).toEqual([200, 200, 200, 200, 200, 429]);
    expect((await post(DRIVER_PATHS.login, { email: 'other@example.is', language: 'en' })).body).toEqual({});
  });

  it('gives a token that is good for nothing else, until it is given back', async () => {
    const token = await logIn();
    for (const path of ['/visits', '/accounts', '/ping/token', '/products']) {
      expect((await rig.api.call('GET', path, { token })).status, path).toBe(403);
    }
    expect((await rig.api.call('GET', DRIVER_PATHS.me)).status).toBe(403);
    expect((await rig.api.call('GET', DRIVER_PATHS.me, { token })).status).toBe(200);
    await post(DRIVER_PATHS.logout, {}, token);
    expect((await rig.api.call('GET', DRIVER_PATHS.me, { token })).status).toBe(401);
  });
});

describe('a vehicle', () => {
  it('is added by the time of entry of its stay, and removed', async () => {
    const visit = await rig.api.visit({ plate: 'ABX12' });
    const token = await logIn();
    const stay = await provedStay('ABX12', visit.startedAt);
    const added = await post(DRIVER_PATHS.addVehicle, { stay }, token);
    expect(added.body['vehicles']).toMatchObject([{ plate: 'ABX12', proof: 'stay' }]);
    const removed = await post(DRIVER_PATHS.removeVehicle, { plate: 'AB-X12' }, token);
    expect(removed.body['vehicles']).toEqual([]);
  });

  it('is not added by knowing its plate, or where the plate is in doubt', async () => {
    await rig.api.visit({ plate: 'ABX12' });
    const token = await logIn();
    const found = await post(PAY_PATHS.find, { siteCode: rig.api.site.id, plate: 'ABX12' });
    const [stay] = found.body['stays'] as Json[];
    const unproved = await post(DRIVER_PATHS.addVehicle, { stay: stay?.['key'] }, token);
    expect(code(unproved)).toEqual([409, 'wrong-proof']);
    const doubtful = await rig.api.visit({ plate: 'KTM77', flags: ['uncertain-plate'] });
    const flagged = await provedStay('KTM77', doubtful.startedAt);
    expect(code(await post(DRIVER_PATHS.addVehicle, { stay: flagged }, token))).toEqual([409, 'wrong-proof']);
    // The answer contains nothing about the plate.
    const certain = await rig.api.visit({ plate: 'NVB90', flags: ['gate-unconfirmed'] });
    const stay90 = await provedStay('NVB90', certain.startedAt);
    expect((await post(DRIVER_PATHS.addVehicle, { stay: stay90 }, token)).status).toBe(200);
  });

  describe('of another driver', () => {
    let tokens: { first: string; other: string };
    beforeEach(async () => {
      const visit = await rig.api.visit({ plate: 'ABX12' });
      tokens = { first: await logIn(), other: await logIn('anna@example.is') };
      const stay = await provedStay('ABX12', visit.startedAt);
      await post(DRIVER_PATHS.addVehicle, { stay }, tokens.first);
      expect(code(await post(DRIVER_PATHS.addVehicle, { stay }, tokens.other))).toEqual([409, 'wrong-proof']);
      await rig.api.db.write(({ q }) =>
        q.update(visitTable).set({ endedAt: rig.api.now(), status: 'completed' }),
      );
      await sendMail();
      rig.api.wait(2 * DAY_MS);
    });
    const ofFirst = async () =>
      (await rig.api.call('GET', DRIVER_PATHS.me, { token: tokens.first })).body['vehicles'];

    it('stays theirs for whoever knows when it came in or pays for it, and they get one mail', async () => {
      const next = await rig.api.visit({ plate: 'ABX12', startedAt: rig.api.now() });
      rig.api.wait(HOUR_MS);
      const stay = await provedStay('ABX12', next.startedAt);
      expect(code(await post(DRIVER_PATHS.addVehicle, { stay }, tokens.other))).toEqual([409, 'wrong-proof']);
      const payment = await pay('ABX12');
      expect(code(await post(DRIVER_PATHS.addVehicle, { payment }, tokens.other))).toEqual([
        409,
        'wrong-proof',
      ]);
      expect(await ofFirst()).toMatchObject([{ plate: 'ABX12' }]);
      const mails = await sendMail();
      expect(mails.filter((text) => text.includes('ABX12'))).toHaveLength(1);
    });

    it('goes over by a link that was sent, while it is inside, and they get a mail', async () => {
      const next = await rig.api.visit({ plate: 'ABX12', startedAt: rig.api.now() });
      const { url } = await new PayLinks(rig.api.context).sent(next.id);
      const opened = await post(PAY_PATHS.open, { link: url.split('#')[1] });
      const { key: stay } = opened.body['stay'] as Json;
      expect((await post(DRIVER_PATHS.addVehicle, { stay }, tokens.other)).status).toBe(200);
      expect(await ofFirst()).toEqual([]);
      expect((await sendMail()).join()).toContain('ABX12');
    });
  });
});

describe('a card', () => {
  it('is stored by a payment of the page, shown by its last digits, and deleted at a touch', async () => {
    await rig.api.visit({ plate: 'ABX12' });
    const token = await logIn();
    const payment = await pay('ABX12');
    const stored = await post(DRIVER_PATHS.storeCard, { payment }, token);
    expect(stored.body['card']).toEqual({ type: 'visa', lastFour: '1111', expires: null });
    const added = await post(DRIVER_PATHS.addVehicle, { payment }, token);
    expect(added.body['vehicles']).toMatchObject([{ plate: 'ABX12', proof: 'payment' }]);
    // A card is stored for one driver, once.
    const other = await logIn('anna@example.is');
    expect(code(await post(DRIVER_PATHS.storeCard, { payment }, other))).toEqual([409, 'no-card']);
    const deleted = await post(DRIVER_PATHS.deleteCard, {}, token);
    expect(deleted.body['card']).toBeNull();
    expect(await rig.api.db.read(async (q) => await q.select().from(driverCardTable))).toEqual([]);
    expect(await rig.api.db.read(async (q) => await q.select().from(forgottenCardTable))).toHaveLength(1);
  });

  it('is not stored unless the driver agreed to it', async () => {
    await rig.api.visit({ plate: 'ABX12' });
    const token = await logIn();
    const payment = await pay('ABX12', { storeCard: false });
    expect(code(await post(DRIVER_PATHS.storeCard, { payment }, token))).toEqual([409, 'no-card']);
  });
});

describe('the list of charges', () => {
  type Row = typeof driverChargeTable.$inferInsert;

  /** Charges of a driver, each a minute after the one before. */
  async function charges(driverId: string, rows: readonly Partial<Row>[]): Promise<void> {
    for (const row of rows) {
      rig.api.wait(MINUTE_MS);
      const createdAt = rig.api.now();
      const visitId = row.visitId ?? (await rig.api.visit({ plate: 'ABX12' })).id;
      const whole = {
        id: crypto.randomUUID(),
        driverId,
        state: 'refused',
        createdAt,
        ...row,
        visitId,
      } as const;
      await rig.api.db.write(({ q }) => q.insert(driverChargeTable).values(whole));
    }
  }
  const page = async (token: string, body: object = {}) =>
    DriverChargesSchema.parse((await post(DRIVER_PATHS.charges, body, token)).body);

  it('is read page by page, newest first', async () => {
    const { id, token } = await rig.api.driver();
    const rows = Array.from({ length: 23 }, (_, n) => ({
      state: 'paid',
      amountMinor: n + 1,
      currency: 'ISK',
    }));
    await charges(id, rows as Partial<Row>[]);
    const seen: (number | undefined)[] = [];
    let before: { at: string; id: string } | undefined;
    for (let isEnd = false; !isEnd; ) {
      const answer = await page(token, before === undefined ? {} : { before });
      isEnd = answer.isEnd;
      seen.push(...answer.charges.map(({ amount }) => amount?.amountMinor));
      before = answer.charges.map(({ at, id: last }) => ({ at, id: last })).at(-1);
    }
    expect(seen).toEqual(rows.map(({ amountMinor }) => amountMinor).reverse());
  });

  it('shows once for a stay why it was refused, and not what the driver has nothing to do about', async () => {
    const { id, token } = await rig.api.driver();
    const { id: visitId } = await rig.api.visit({ plate: 'KTM77' });
    const limit = { visitId, reason: 'cap-stay' };
    await charges(id, [limit, limit, { reason: 'paused' }, { reason: 'flagged' }, { reason: 'unavailable' }]);
    await charges(id, [{ state: 'declined', reason: 'refused', amountMinor: 500, currency: 'ISK' }]);
    const { charges: shown, isEnd } = await page(token);
    expect(isEnd).toBe(true);
    expect(shown.map(({ plate, state, refusal }) => [plate, state, refusal])).toEqual([
      ['ABX12', 'declined', null],
      ['ABX12', 'refused', 'card'],
      ['ABX12', 'refused', 'doubt'],
      ['KTM77', 'refused', 'limit'],
    ]);
  });

  it('leads to receipts, and shows what was refunded', async () => {
    const { id, token } = await rig.api.driver();
    const visit = await rig.api.visit({ plate: 'ABX12' });
    const paid = await rig.payments.purchase(DRIVER, rig.order(visit));
    const paymentId = paid.ok ? paid.payment.id : '';
    await charges(id, [{ visitId: visit.id, state: 'paid', amountMinor: 500, currency: 'ISK', paymentId }]);
    const [charge] = (await page(token)).charges;
    expect(charge).toMatchObject({ state: 'paid', amount: { amountMinor: 500, currency: 'ISK' } });
    expect((await rig.api.app.request(charge?.receipt ?? '')).status).toBe(200);
    await rig.api.db.write(({ q }) => q.update(paymentTable).set({ state: 'reversed' }));
    expect((await page(token)).charges).toMatchObject([{ state: 'refunded' }]);
  });
});

it('caps and pauses are the driver’s, and a paused card is charged again when the driver says so', async () => {
  const token = await logIn();
  const caps = { currency: 'ISK', stayMinor: 3000, dayMinor: 5000 };
  expect((await post(DRIVER_PATHS.settings, { caps, state: 'paused' }, token)).body).toMatchObject({
    caps,
    state: 'paused',
    pausedFor: 'driver',
  });
  expect((await post(DRIVER_PATHS.settings, { state: 'active' }, token)).body).toMatchObject({
    caps,
    state: 'active',
    pausedFor: null,
  });
  const wrong = await post(DRIVER_PATHS.settings, { caps: { ...caps, stayMinor: 0 } }, token);
  expect(code(wrong)).toEqual([400, 'bad-input']);
});

it('everything of a driver is deleted at once, sessions too', async () => {
  const visit = await rig.api.visit({ plate: 'ABX12' });
  const token = await logIn();
  await post(DRIVER_PATHS.addVehicle, { stay: await provedStay('ABX12', visit.startedAt) }, token);
  await post(DRIVER_PATHS.storeCard, { payment: await pay('ABX12') }, token);
  expect((await post(DRIVER_PATHS.erase, {}, token)).status).toBe(200);
  for (const table of [driverTable, driverCardTable, driverVehicleTable]) {
    expect(await rig.api.db.read(async (q) => await q.select().from(table))).toEqual([]);
  }
  expect((await rig.api.call('GET', DRIVER_PATHS.me, { token })).status).toBe(401);
});
