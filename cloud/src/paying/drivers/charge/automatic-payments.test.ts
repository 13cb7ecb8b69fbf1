import { randomUUID } from 'node:crypto';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '@hlid/protocol/base/durations';
import { millis, utcTime } from '@hlid/protocol/base/utc-time';
import { PAY_PATHS } from '@hlid/protocol/pages/pay-paths';
import type { Decision } from '@hlid/protocol/records/decision';
import { SiteSettingsSchema } from '@hlid/protocol/records/lane';
import { ReviewFlagSchema, type Visit } from '@hlid/protocol/records/visit';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Json } from '../../../../test/api.ts';
import { SSN } from '../../../../test/electronic-id.ts';
import { createOnlineRig, type OnlineRig, type Script } from '../../../../test/online-payments.ts';
import { passageEvent } from '../../../../test/sample-events.ts';
import { applyEvent } from '../../../integration/ingest/apply-event.ts';
import { eq } from '../../../platform/db/sql.ts';
import {
  driverCardTable,
  driverChargeTable,
  driverTable,
  driverVehicleTable,
  type VehicleProof,
} from '../../../records/drivers/driver-table.ts';
import { mailTable } from '../../../records/mail/mail-table.ts';
import { writePresence } from '../../../records/sites/site-store.ts';
import { siteTable } from '../../../records/sites/site-table.ts';
import { visitTable } from '../../../records/visits/visit-table.ts';
import { FLAG_DOUBTS } from '../../../stays/charges/charge-doubts.ts';
import { noteCarAtExit, noteEndedVisit } from '../../../stays/charges/note-due.ts';
import { saveRegistered } from '../../../vehicles/vehicles/save-vehicle.ts';
import { OnlinePayments } from '../../online-payments/online-payments.ts';
import { AutomaticPayments } from './automatic-payments.ts';

/** A vehicle of which a register knows nothing but its holders. */
const UNKNOWN_VEHICLE = {
  permno: null,
  vin: null,
  seats: null,
  passengers: null,
  vehicleCategory: null,
  vehicleGroup: null,
  useGroup: null,
  make: null,
  model: null,
  modelYear: null,
  color: null,
  massinro: null,
  massladen: null,
  taxGroup: null,
  registeredOn: null,
  country: null,
  operator: null,
};

let rig: OnlineRig;
let automatic: AutomaticPayments;
beforeEach(async () => {
  rig = await createOnlineRig();
  automatic = another();
});
afterEach(() => rig.close());

const another = () => new AutomaticPayments(rig.contextOfRun(), rig.another().payments);
const run = async (one = automatic) => await one.run(AbortSignal.abort());
const booked = () => rig.book().totalMinor();

/** A driver with a card that plays a script, and a vehicle. */
async function driverOf(
  plate: string,
  given: {
    script?: Script;
    stayMinor?: number;
    dayMinor?: number;
    email?: string;
    proof?: VehicleProof;
    ssn?: string;
  } = {},
): Promise<string> {
  const { script = 'approve', stayMinor = 5000, dayMinor = 10_000, email = 'jon@example.is' } = given;
  const { proof = 'stay', ssn = null } = given;
  const { id } = await rig.api.driver(email);
  const at = rig.api.now();
  await rig.api.db.write(async ({ q }) => {
    const caps = { currency: 'ISK', stayMinor, dayMinor };
    await q.update(driverTable).set({ caps, ssn }).where(eq(driverTable.id, id));
    await q.insert(driverCardTable).values({
      driverId: id,
      gatewayId: 'testing2',
      token: `testing2 ${script} t`,
      card: { type: 'visa', lastFour: '1111' },
      paymentId: 'p',
      storedAt: at,
    });
    await q.insert(driverVehicleTable).values({ plate, driverId: id, proof, visitId: null, provedAt: at });
  });
  return id;
}

const CLOSED: Omit<Decision, 'visit'> = { open: false, reason: 'need-payment', settlement: null, flags: [] };

/** The report arrives at once, and the clocks agree. */
const report = () => ({ siteId: rig.api.site.id, at: rig.api.now(), arrivedAt: rig.api.now() });

/** The site reports the car at its exit, which stays closed. */
async function atExit(visit: Pick<Visit, 'id' | 'plate'>, doubtful = false, from = report()): Promise<void> {
  const ask = { kind: 'ask', visitId: visit.id, ...(doubtful && { doubtful: true as const }) } as const;
  const passage = { direction: 'exit', plate: visit.plate, decision: { ...CLOSED, visit: ask } } as const;
  await rig.api.db.write((tx) => noteCarAtExit(tx, passage, from));
}

const rows = () => rig.api.db.read(async (q) => await q.select().from(driverChargeTable));
const mails = () => rig.api.db.read(async (q) => await q.select().from(mailTable));
const driverRow = (id: string) =>
  rig.api.db.read(async (q) => await q.select().from(driverTable).where(eq(driverTable.id, id)).get());

describe('a car at a closed exit', () => {
  it('is charged to the card of its driver, its site hears of it, and a receipt is mailed', async () => {
    await driverOf('ABX12');
    const visit = await rig.api.visit({ plate: 'ABX12' });
    await atExit(visit);
    await run();
    expect(booked()).toBe(500);
    expect(await rig.api.lastChange()).toMatchObject({
      kind: 'settlement',
      item: { visitId: visit.id, paymentStatus: 'kiosk', amountMinor: 500 },
    });
    expect(await rows()).toMatchObject([{ state: 'paid', amountMinor: 500, day: '2026-11-21' }]);
    expect(await mails()).toMatchObject([{ kind: 'receipt', to: 'jon@example.is' }]);
  });

  it('names the card in receipt, invoice and page, also where the provider does not say which it was', async () => {
    await driverOf('ABX12');
    const context = rig.contextOfRun();
    const gateway = context.cardGateways.get('testing2');
    if (gateway === null) throw new Error('no gateway');
    const charge = gateway.charge.bind(gateway);
    gateway.charge = async (order, step) => {
      const outcome = await charge(order, step);
      if (outcome.kind !== 'approved') return outcome;
      const card = { type: 'other' as const, lastFour: null };
      return { ...outcome, transaction: { ...outcome.transaction, card } };
    };
    await atExit(await rig.api.visit({ plate: 'ABX12' }));
    await run(new AutomaticPayments(context, new OnlinePayments(context)));
    const [mail] = await mails();
    expect(mail?.text).toContain('Kort: Visa •••• 1111');
    const [invoice] = (await rig.api.call('GET', '/invoices')).body['data'] as Json[];
    expect(invoice).toMatchObject({ receipt: { type: 'visa', last_four: '1111' } });
  });

  it('is charged once by two clouds, and however often its site reports it', async () => {
    await driverOf('ABX12');
    const visit = await rig.api.visit({ plate: 'ABX12' });
    await atExit(visit);
    await atExit(visit);
    await Promise.all([run(), run(another()), run(another())]);
    await atExit(visit);
    await Promise.all([run(), run(another())]);
    expect(booked()).toBe(500);
    expect(rig.book().charges().size).toBe(1);
  });

  it('is charged once by a cloud that takes over from one that died before and after the charge', async () => {
    const driverId = await driverOf('ABX12');
    const visit = await rig.api.visit({ plate: 'ABX12' });
    await atExit(visit);
    const stuck = { state: 'charging', amountMinor: 500, day: '2026-11-21' } as const;
    const until = { dueAt: utcTime(millis(rig.api.now()) + MINUTE_MS) };
    const takeBack = async () =>
      await rig.api.db.write(({ q }) => q.update(driverChargeTable).set({ ...stuck, ...until }));
    await takeBack();
    await run();
    expect(booked()).toBe(0);
    rig.api.wait(2 * MINUTE_MS);
    await run();
    await run();
    expect(booked()).toBe(500);
    // Its result was lost after the charge.
    await rig.api.db.write(({ q }) =>
      q.update(driverChargeTable).set({ ...stuck, paymentId: null, dueAt: rig.api.now() }),
    );
    await run();
    expect(booked()).toBe(500);
    expect(await rows()).toMatchObject([{ driverId, state: 'paid' }]);
  });

  it('is not charged for another plate, in doubt, with a flag, or without a plate', async () => {
    await driverOf('ABX12');
    await atExit(await rig.api.visit({ plate: 'ABX13' }));
    const doubtful = await rig.api.visit({ plate: 'ABX12' });
    await atExit(doubtful, true);
    await atExit(doubtful, true);
    // Its plate was read as this one, and the visit has another.
    await atExit({ id: (await rig.api.visit({ plate: 'A8X12' })).id, plate: 'ABX12' });
    await atExit(await rig.api.visit({ plate: 'ABX12', flags: ['uncertain-plate'] }));
    await atExit({ id: (await rig.api.visit({ plate: null, status: 'need-plate' })).id, plate: 'ABX12' });
    await run();
    expect((await rows()).map(({ reason }) => reason).sort()).toEqual([
      'flagged',
      'not-their-vehicle',
      'nothing-due',
      'uncertain-plate',
    ]);
    expect(booked()).toBe(0);
  });

  it('is not charged when its site reports it long after, and its driver gets no mail', async () => {
    await driverOf('ABX12');
    await atExit(await rig.api.visit({ plate: 'ABX12' }));
    rig.api.wait(16 * MINUTE_MS);
    await run();
    expect(await rows()).toMatchObject([{ state: 'refused', reason: 'late' }]);
    expect(await mails()).toEqual([]);
  });
});

it('charges a stay that has ended unpaid', async () => {
  await driverOf('ABX12');
  const price = {
    amountMinor: 500,
    currency: 'ISK',
    pricedAt: rig.api.now(),
    lines: [{ rule: 'unit' as const, units: 1, unitMinor: 500, amountMinor: 500 }],
    product: { id: rig.product, version: 1, vatRate: 24 },
  };
  const ended = { plate: 'ABX12', status: 'need-payment', endedAt: rig.api.now(), price } as const;
  const visit = await rig.api.visit(ended);
  await rig.api.db.write((tx) => noteEndedVisit(tx, visit, report()));
  await run();
  expect(booked()).toBe(500);
});

describe('a site whose clock is wrong', () => {
  /** The site connects, and its clock differs from the cloud's. */
  async function connects(clockAheadMs: number): Promise<void> {
    const nothing = { epoch: null, seq: 0, feedAt: 0, feedHash: null, software: null };
    const row = { siteId: rig.api.site.id, connected: true, since: rig.api.now(), ...nothing, clockAheadMs };
    await rig.api.db.write(({ q }) => writePresence(q, row));
  }
  /** A car stood at the exit that long ago, and the report arrives now. */
  async function reports(visit: Pick<Visit, 'id' | 'plate'>, clockAheadMs: number, agoMs = 0): Promise<void> {
    const at = utcTime(millis(rig.api.now()) - agoMs + clockAheadMs);
    await atExit(visit, false, { ...report(), at });
  }

  it.each([
    [-16 * MINUTE_MS, 0, 'paid'],
    [-16 * MINUTE_MS, 16 * MINUTE_MS, 'late'],
    [20 * MINUTE_MS, 0, 'paid'],
    [20 * MINUTE_MS, 16 * MINUTE_MS, 'late'],
  ])('by %i ms is charged for a report of %i ms ago by our clock: %s', async (aheadMs, agoMs, expected) => {
    await driverOf('ABX12');
    await connects(aheadMs);
    await reports(await rig.api.visit({ plate: 'ABX12' }), aheadMs, agoMs);
    await run();
    expect((await rows()).map(({ state, reason }) => reason ?? state)).toEqual([expected]);
  });

  it('is charged for a stay that is shorter than its first message took to arrive', async () => {
    await driverOf('ABX12');
    const settings = SiteSettingsSchema.parse({ entryGraceMinutes: 0 });
    await rig.api.db.write(({ q }) => q.update(siteTable).set({ settings }));
    await connects(-16 * MINUTE_MS - 1500);
    const startedAt = utcTime(millis(rig.api.now()) - 16 * MINUTE_MS);
    const visit = await rig.api.visit({ plate: 'ABX12', startedAt });
    rig.api.wait(300);
    await reports(visit, -16 * MINUTE_MS);
    await run();
    expect(await rows()).toMatchObject([{ state: 'paid', reason: null }]);
  });

  it('charges nothing where the two clocks give two prices', async () => {
    await driverOf('ABX12');
    await connects(-16 * MINUTE_MS);
    const visit = await rig.api.visit({ plate: 'ABX12', startedAt: rig.api.now() });
    // A second unit has begun by our clock, and not by that of the site.
    rig.api.wait(DAY_MS + 5 * MINUTE_MS);
    await reports(visit, -16 * MINUTE_MS);
    await run();
    expect(await rows()).toMatchObject([{ state: 'refused', reason: 'site-clock' }]);
    expect(await mails()).toMatchObject([
      { kind: 'driver', subject: expect.stringMatching(/^Sjálfvirk greiðsla fór ekki fram – [A-Z0-9]+$/) },
    ]);
  });
});

describe('a charge that is refused', () => {
  it.each(Object.entries(FLAG_DOUBTS))('for a visit with the flag %s: %s', async (flag, doubt) => {
    await driverOf('ABX12');
    const visit = await rig.api.visit({ plate: 'ABX12', flags: [ReviewFlagSchema.parse(flag)] });
    await atExit(visit);
    await run();
    const [row] = await rows();
    // A visit that an operator must review may have no price at all.
    const reasons = { charge: [null], 'pay-by-hand': ['flagged'], review: ['review', 'nothing-due'] };
    expect(reasons[doubt]).toContain(row?.reason);
    const kinds = { charge: ['receipt'], 'pay-by-hand': ['driver'], review: [] };
    expect((await mails()).map(({ kind }) => kind)).toEqual(kinds[doubt]);
    expect(booked()).toBe(doubt === 'charge' ? 500 : 0);
  });

  it('by a cap is reported to the driver with a link to pay, once for a stay', async () => {
    await driverOf('ABX12', { stayMinor: 499 });
    const visit = await rig.api.visit({ plate: 'ABX12' });
    for (let time = 0; time < 2; time++) {
      await atExit(visit);
      await run();
    }
    expect((await rows()).map(({ reason }) => reason)).toEqual(['cap-stay', 'cap-stay']);
    const [mail, ...more] = await mails();
    expect(more).toEqual([]);
    const [, link = ''] = /https:\/\/hlid\.example\/pay\?lang=is#(\S+)/.exec(mail?.text ?? '') ?? [];
    const opened = await rig.api.call('POST', PAY_PATHS.open, { body: { link } });
    expect(opened.body).toMatchObject({ stay: { plate: 'ABX12', proved: true } });
  });

  it('in doubt about the plate is reported without a link that shows the stay', async () => {
    await driverOf('ABX12');
    const visit = await rig.api.visit({ plate: 'ABX12' });
    await atExit({ ...visit, plate: 'A8X12' }, true);
    await run();
    const [mail, ...more] = await mails();
    expect(more).toEqual([]);
    expect(mail?.text).toContain(`https://hlid.example/pay/${rig.api.site.code}\n`);
    // The next camera reads it well.
    await atExit(visit);
    await run();
    expect(booked()).toBe(500);
  });

  it('because there is nothing to pay, or the driver has paused, is not reported', async () => {
    const id = await driverOf('ABX12');
    const visit = await rig.api.visit({ plate: 'ABX12' });
    await atExit(visit);
    await rig.api.db.write(({ q }) =>
      q.update(driverTable).set({ pausedFor: 'driver' }).where(eq(driverTable.id, id)),
    );
    await run();
    expect([(await rows())[0]?.reason, await mails()]).toEqual(['paused', []]);
  });
});

describe('the caps', () => {
  it.each([
    ['stay', { stayMinor: 500 }, 500, 'paid'],
    ['stay', { stayMinor: 499 }, 0, 'refused'],
    ['day', { dayMinor: 500 }, 500, 'paid'],
    ['day', { dayMinor: 499 }, 0, 'refused'],
  ])('of a %s allow the whole of them and no krona more', async (_what, caps, minor, state) => {
    await driverOf('ABX12', caps);
    await atExit(await rig.api.visit({ plate: 'ABX12' }));
    await run();
    expect(booked()).toBe(minor);
    expect(await rows()).toMatchObject([{ state }]);
  });

  it('hold for two cars that leave at once, and begin again the next day of the site', async () => {
    const driverId = await driverOf('ABX12', { dayMinor: 900 });
    const row = { driverId, proof: 'stay', visitId: 'v', provedAt: rig.api.now() } as const;
    await rig.api.db.write(({ q }) => q.insert(driverVehicleTable).values({ plate: 'KTM77', ...row }));
    await atExit(await rig.api.visit({ plate: 'ABX12' }));
    const other = await rig.api.visit({ plate: 'KTM77' });
    await atExit(other);
    await Promise.all([run(), run(another())]);
    expect(booked()).toBe(500);
    rig.api.wait(12 * HOUR_MS);
    await atExit(other);
    await run();
    expect((await rows()).filter(({ state }) => state === 'paid')).toHaveLength(2);
    expect(rig.api.now().slice(0, 10)).toBe(
      utcTime(millis('2026-11-21T00:00:00.000Z') + DAY_MS).slice(0, 10),
    );
  });

  it('hold in their currency only', async () => {
    const id = await driverOf('ABX12');
    const caps = { currency: 'EUR', stayMinor: 90_000, dayMinor: 90_000 };
    await rig.api.db.write(({ q }) => q.update(driverTable).set({ caps }).where(eq(driverTable.id, id)));
    await atExit(await rig.api.visit({ plate: 'ABX12' }));
    await run();
    expect(await rows()).toMatchObject([{ state: 'refused', reason: 'cap-currency' }]);
  });
});

describe('what the provider answers', () => {
  it('pauses the card after a decline, and mails the driver how to pay', async () => {
    const id = await driverOf('ABX12', { script: 'insufficient-funds' });
    const visit = await rig.api.visit({ plate: 'ABX12' });
    await atExit(visit);
    await run();
    expect(await rows()).toMatchObject([{ state: 'declined', reason: 'insufficient-funds' }]);
    expect(await driverRow(id)).toMatchObject({ pausedFor: 'declined' });
    const [mail] = await mails();
    expect(mail).toMatchObject({ kind: 'driver', to: 'jon@example.is' });
    expect(mail?.text).toContain('https://hlid.example/pay?lang=is#');
    expect(mail?.text).toContain('Kort: Visa •••• 1111');
    await atExit(visit);
    expect(await rows()).toHaveLength(1);
    // The visit can be paid by hand.
    const quote = await rig.payments.quote({ vehicle: { visitId: visit.id } });
    expect(quote).toMatchObject({ ok: true, totalMinor: 500 });
  });

  it('charges nothing more while an outcome is unknown, and goes on when it is known', async () => {
    const driverId = await driverOf('ABX12', { script: 'timeout-after-booking' });
    const row = { driverId, proof: 'stay', visitId: 'v', provedAt: rig.api.now() } as const;
    await rig.api.db.write(({ q }) => q.insert(driverVehicleTable).values({ plate: 'KTM77', ...row }));
    await atExit(await rig.api.visit({ plate: 'ABX12' }));
    await run();
    expect(await rows()).toMatchObject([{ state: 'unknown' }]);
    await atExit(await rig.api.visit({ plate: 'KTM77' }));
    await run();
    expect((await rows()).map(({ state, reason }) => reason ?? state).sort()).toEqual([
      'checking',
      'unknown',
    ]);
    rig.api.wait(3000);
    await rig.resolver.run();
    await run();
    expect((await rows()).map(({ state }) => state).sort()).toEqual(['paid', 'refused']);
    expect(booked()).toBe(500);
  });

  it('tries again where the provider could not be reached, a few times', async () => {
    await driverOf('ABX12', { script: 'unavailable-at-charge' });
    await atExit(await rig.api.visit({ plate: 'ABX12' }));
    for (let tries = 0; tries < 5; tries++) {
      await run();
      rig.api.wait(30_000);
    }
    expect(await rows()).toMatchObject([{ state: 'refused', reason: 'unavailable', attempts: 3 }]);
    expect(booked()).toBe(0);
  });
});

describe('a payment of another person', () => {
  const STRANGER = { kind: 'driver', id: 'a stranger' } as const;

  it('that was not charged yet does not keep the stored card from paying', async () => {
    await driverOf('ABX12');
    const visit = await rig.api.visit({ plate: 'ABX12' });
    expect(await rig.payments.begin(STRANGER, rig.order(visit))).toMatchObject({ ok: true });
    await atExit(visit);
    await run();
    expect(await rows()).toMatchObject([{ state: 'paid' }]);
    expect(booked()).toBe(500);
  });

  it.each(['timeout-before-booking', 'timeout-after-booking'] as const)(
    'that is unknown, by %s, is waited for, however long it takes',
    async (script) => {
      await driverOf('ABX12');
      const visit = await rig.api.visit({ plate: 'ABX12' });
      const begun = await rig.payments.purchase(STRANGER, rig.order(visit, script));
      expect(begun).toMatchObject({ payment: { state: 'unknown' } });
      await atExit(visit);
      for (let minutes = 0; minutes < 30; minutes += 5) {
        await run();
        expect(await rows()).toMatchObject([{ state: 'waiting', attempts: 1 }]);
        rig.api.wait(5 * 60_000);
      }
      await rig.resolver.run();
      await run();
      const isBooked = script === 'timeout-after-booking';
      expect((await rows()).map(({ state, reason }) => reason ?? state)).toEqual([
        isBooked ? 'nothing-due' : 'paid',
      ]);
      expect(booked()).toBe(500);
    },
  );
});

it('never charges a card that was deleted, and pays by hand meanwhile', async () => {
  await driverOf('ABX12');
  const visit = await rig.api.visit({ plate: 'ABX12' });
  await atExit(visit);
  await rig.api.db.write(({ q }) => q.delete(driverCardTable));
  await run();
  await atExit(visit);
  await run();
  expect(await rows()).toMatchObject([{ state: 'refused', reason: 'no-card' }]);
  expect(booked()).toBe(0);
});

it('begins with what a site reports of its exit', async () => {
  await driverOf('ABX12');
  const visit = await rig.api.visit({ plate: 'ABX12' });
  const decision: Decision = { ...CLOSED, visit: { kind: 'ask', visitId: visit.id } };
  const event = passageEvent({ direction: 'exit', plate: 'ABX12', visitId: visit.id, decision });
  const place = { siteId: rig.api.site.id, eventId: 'e-1', at: rig.api.now(), arrivedAt: rig.api.now() };
  await rig.api.db.write((tx) => applyEvent(tx, place, event));
  await run();
  expect(booked()).toBe(500);
});

it('charges by the word of the register as long as it names the driver, and has answered lately', async () => {
  await driverOf('ABX12', { proof: 'register', ssn: SSN });
  const registered = async (ssn: string) =>
    await rig.api.db.write(async (tx) => {
      const holder = { ssn, name: 'Anna', insuranceCode: null, registrationDate: null, purchaseDate: null };
      await saveRegistered(tx, { ...UNKNOWN_VEHICLE, regno: 'AB-X12', owner: holder }, 'test', rig.api.now());
    });
  const outcome = async () => {
    const visit = await rig.api.visit({ plate: 'ABX12', startedAt: rig.api.now() });
    rig.api.wait(HOUR_MS);
    await atExit(visit);
    await run();
    await rig.api.db.write(({ q }) => q.update(visitTable).set({ endedAt: rig.api.now() }));
    return (await rows()).at(-1);
  };
  expect(await outcome()).toMatchObject({ state: 'refused', reason: 'not-registered' });
  await registered('120160-3389');
  expect(await outcome()).toMatchObject({ state: 'paid' });
  await registered('1201743399');
  expect(await outcome()).toMatchObject({ state: 'refused', reason: 'not-registered' });
  await registered(SSN);
  rig.api.wait(2 * DAY_MS);
  expect(await outcome()).toMatchObject({ state: 'refused', reason: 'not-registered' });
});

it('charges nothing to a driver who paid at the kiosk meanwhile', async () => {
  await driverOf('ABX12');
  const visit = await rig.api.visit({ plate: 'ABX12' });
  await atExit(visit);
  const paid = await rig.payments.purchase({ kind: 'driver', id: randomUUID() }, rig.order(visit));
  expect(paid).toMatchObject({ ok: true, payment: { state: 'settled' } });
  await run();
  expect(booked()).toBe(500);
  expect(await rows()).toMatchObject([{ state: 'refused', reason: 'nothing-due' }]);
});
