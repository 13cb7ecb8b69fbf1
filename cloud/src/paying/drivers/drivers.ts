import { nowUtc } from '@hlid/node/clock';
import { newId } from '@hlid/node/new-id';
import { DAY_MS } from '@hlid/protocol/base/durations';
import { millis, type UtcTime, utcTime } from '@hlid/protocol/base/utc-time';
import type {
  Driver,
  DriverCharges,
  DriverFault,
  DriverLogin,
  DriverSession,
  DriverSettings,
  DriverVehicleProof,
} from '@hlid/protocol/pages/driver-api';
import { DRIVER_PATHS } from '@hlid/protocol/pages/driver-paths';
import { audit } from '../../people/audit/audit.ts';
import { countAttempt } from '../../people/auth/attempt-limit.ts';
import { useDriverLink } from '../../people/auth/driver-links.ts';
import { issueToken } from '../../people/auth/tokens.ts';
import { queueMail } from '../../people/mail/queue-mail.ts';
import type { Queries, Tx } from '../../platform/db/db.ts';
import { eq } from '../../platform/db/sql.ts';
import type { Actor } from '../../platform/http/caller.ts';
import type { CloudContext } from '../../platform/http/cloud-env.ts';
import { hashSecret } from '../../platform/token-secret.ts';
import {
  type DriverRow,
  type DriverVehicleRow,
  findCard,
  findDriver,
  findDriverByEmail,
  findVehicleOfDriver,
  hasUnknownCharge,
  vehiclesOf,
} from '../../records/drivers/driver-store.ts';
import {
  driverCardTable,
  driverTable,
  driverVehicleTable,
  type VehicleProof,
} from '../../records/drivers/driver-table.ts';
import type { VisitRow } from '../../records/visits/visit-table.ts';
import { isChargeable } from '../../stays/charges/charge-doubts.ts';
import { DRIVER_WORK } from '../../stays/charges/note-due.ts';
import type { OnlinePayments } from '../online-payments/online-payments.ts';
import type { PayPayments } from '../pay/pay-payments.ts';
import type { PayStays } from '../pay/pay-stays.ts';
import { claimedMail, linkMail, movedMail } from './charge/driver-mail.ts';
import { type ChargePlace, listCharges } from './charge/list-charges.ts';
import { orderToForget } from './forget-cards.ts';

const SESSION_MS = 90 * DAY_MS;
export const MAX_VEHICLES = 20;

export type DriverResult<Value> = { ok: true; value: Value } | { ok: false; fault: DriverFault };

type StayProof = Exclude<DriverVehicleProof, { plate: string }>;

/** A driver's own request. */
export type DriverActor = Actor & { caller: Extract<Actor['caller'], { kind: 'driver' }> };

/** The pay page's stays and payments, which prove vehicles and bring cards. */
interface PayParts {
  stays: PayStays;
  paid: PayPayments;
  payments: OnlinePayments;
}

/** A vehicle that a driver has proved by a stay of it. */
interface ProvedVehicle {
  visit: VisitRow;
  plate: string;
  by: VehicleProof;
  /** The stay was reached by a link that was sent to its driver or holder. */
  bySent: boolean;
}

/** Drivers' accounts: how they log in, their vehicles, and the card that pays for these by itself. */
export class Drivers {
  readonly #context: Pick<CloudContext, 'db' | 'clock' | 'publicUrl'>;
  readonly #pay: PayParts;

  constructor(context: Pick<CloudContext, 'db' | 'clock' | 'publicUrl'>, pay: PayParts) {
    this.#context = context;
    this.#pay = pay;
  }

  /** Mails a link, whether the address is known or not. Its secret is made when the mail is sent. */
  async mailLink({ email, language }: DriverLogin): Promise<void> {
    const page = `${this.#context.publicUrl()}${DRIVER_PATHS.page}`;
    const mail = linkMail({ email: email.toLowerCase(), language }, page);
    await this.#context.db.write(async (tx) => await queueMail(tx, mail, this.#now()));
  }

  /** Logs in by a mailed link, which is then used up. It proves the address, so it makes the account too. */
  async open(link: string, requestId: string): Promise<DriverResult<DriverSession>> {
    const at = this.#now();
    return await this.#context.db.write(async (tx) => {
      const used = await useDriverLink(tx.q, link, at);
      if (used === null) return refused('expired');
      const driver = (await findDriverByEmail(tx.q, used.email)) ?? (await insertDriver(tx, used, at));
      const session = await startDriverSession(tx, driver.id, { at, requestId, method: 'link' });
      return { ok: true, value: { ...session, driver: await viewOf(tx.q, driver) } };
    });
  }

  async view(driverId: string): Promise<Driver> {
    return await this.#context.db.read(async (q) => await viewOf(q, await known(q, driverId)));
  }

  /**
   * The automatic charges, and the reasons of those that were not made, newest first. @param before an older
   * page: those before this charge
   */
  async charges(driverId: string, before: ChargePlace | null): Promise<DriverCharges> {
    return await this.#context.db.read(async (q) => await listCharges(q, driverId, before));
  }

  async change(actor: DriverActor, { language, caps, state }: DriverSettings): Promise<Driver> {
    return await this.#write(actor, 'driver.change', { caps, state }, async ({ q }, driver) => {
      const pausedFor = state === 'active' ? null : (driver.pausedFor ?? 'driver');
      const fields = {
        language: language ?? driver.language,
        caps: caps ?? driver.caps,
        ...(state !== undefined && { pausedFor }),
      };
      await q.update(driverTable).set(fields).where(eq(driverTable.id, driver.id));
    });
  }

  /**
   * A plate has one driver. It passes to another one by a link that was sent to the driver or holder of a
   * stay, or by the register. A time of entry or a payment does not suffice, since a stranger who sees the
   * car can know or make it. The present driver gets a mail of either, and can remove the vehicle. Nothing
   * ends the payments of a driver whom the register of vehicles names.
   */
  async addVehicle(actor: DriverActor, proof: StayProof): Promise<DriverResult<Driver>> {
    const proved = await this.#provedBy(proof);
    if (proved === null) return refused('wrong-proof');
    const { visit, plate, by, bySent } = proved;
    return await this.#context.db.write(async (tx) => {
      const driver = await known(tx.q, actor.caller.driverId);
      const before = await findVehicleOfDriver(tx.q, plate);
      const isOthers = before !== null && before.driverId !== driver.id;
      if (before?.proof === 'register') {
        return isOthers ? refused('wrong-proof') : { ok: true, value: await viewOf(tx.q, driver) };
      }
      if (isOthers && !(bySent && visit.endedAt === null && before.visitId !== visit.id)) {
        await this.#mailClaimed(tx, before, actor.at);
        return refused('wrong-proof');
      }
      if ((await vehiclesOf(tx.q, driver.id)).length >= MAX_VEHICLES) return refused('too-many-vehicles');
      const row = { driverId: driver.id, proof: by, visitId: visit.id, provedAt: actor.at };
      await tx.q
        .insert(driverVehicleTable)
        .values({ plate, ...row })
        .onConflictDoUpdate({ target: driverVehicleTable.plate, set: row });
      if (isOthers) {
        const other = await findDriver(tx.q, before.driverId);
        if (other !== null) await queueMail(tx, movedMail(other, plate), actor.at);
      }
      await auditDriver(tx, actor, 'driver.vehicle-add', { proof: by, visitId: visit.id });
      return { ok: true, value: await viewOf(tx.q, driver) };
    });
  }

  async removeVehicle(actor: DriverActor, plate: string): Promise<Driver> {
    return await this.#write(actor, 'driver.vehicle-remove', null, async ({ q }, driver) => {
      const before = await findVehicleOfDriver(q, plate);
      if (before?.driverId !== driver.id) return;
      await q.delete(driverVehicleTable).where(eq(driverVehicleTable.plate, plate));
    });
  }

  /** Takes the card that the provider has stored with a payment of the page, in place of the one before. */
  async storeCard(actor: DriverActor, paymentKey: string): Promise<DriverResult<Driver>> {
    const paid = await this.#pay.paid.settled(paymentKey);
    if (paid === null) return refused('no-card');
    return await this.#context.db.write(async (tx) => {
      const driver = await known(tx.q, actor.caller.driverId);
      const taken = await this.#pay.payments.takeStoredCard(tx, paid.id);
      if (taken === null) return refused('no-card');
      await dropCard(tx, driver.id, actor.at);
      const { token, card, expires } = taken.stored;
      await tx.q.insert(driverCardTable).values({
        driverId: driver.id,
        gatewayId: taken.gatewayId,
        token,
        card,
        expires,
        paymentId: paid.id,
        storedAt: actor.at,
      });
      // Another card: that the one before was declined does not matter any more.
      if (driver.pausedFor === 'declined') {
        await tx.q.update(driverTable).set({ pausedFor: null }).where(eq(driverTable.id, driver.id));
      }
      await auditDriver(tx, actor, 'driver.card-store', { paymentId: paid.id, lastFour: card.lastFour });
      return { ok: true, value: await viewOf(tx.q, await known(tx.q, driver.id)) };
    });
  }

  async deleteCard(actor: DriverActor): Promise<Driver> {
    return await this.#write(actor, 'driver.card-delete', null, async (tx, driver) => {
      await dropCard(tx, driver.id, actor.at);
    });
  }

  /** Deletes all that belongs to a driver; vehicles, charges and sessions go with it. Payments and invoices stay. */
  async erase(actor: DriverActor): Promise<void> {
    await this.#context.db.write(async (tx) => {
      const { driverId } = actor.caller;
      await eraseDriver(tx, driverId, actor.at);
      await auditDriver(tx, actor, 'driver.erase', null);
    });
  }

  /** Another driver claims a vehicle. Its present driver gets one mail about it in a day. */
  async #mailClaimed(tx: Tx, { plate, driverId }: DriverVehicleRow, at: UtcTime): Promise<void> {
    const driver = await findDriver(tx.q, driverId);
    const limit = { key: `driver-claimed ${hashSecret(plate)}`, limit: 1, windowMs: DAY_MS };
    if (driver === null || (await countAttempt(tx.q, [limit], at)) !== null) return;
    const page = `${this.#context.publicUrl()}${DRIVER_PATHS.page}`;
    await queueMail(tx, claimedMail(driver, plate, page), at);
  }

  /** The stay that proves a vehicle. Its plate must be certain. */
  async #provedBy(proof: StayProof): Promise<ProvedVehicle | null> {
    const proved =
      'stay' in proof
        ? await this.#pay.stays.provedVisit(proof.stay)
        : ((await this.#pay.paid.settled(proof.payment)) ?? null);
    if (proved === null) return null;
    const { visit } = proved;
    if (visit.plate === null || !isChargeable(visit.flags)) return null;
    const bySent = 'bySent' in proved && proved.bySent;
    return { visit, plate: visit.plate, by: 'stay' in proof ? 'stay' : 'payment', bySent };
  }

  async #write(
    actor: DriverActor,
    action: string,
    after: unknown,
    work: (tx: Tx, driver: DriverRow) => Promise<void>,
  ): Promise<Driver> {
    return await this.#context.db.write(async (tx) => {
      const { driverId } = actor.caller;
      await work(tx, await known(tx.q, driverId));
      await auditDriver(tx, actor, action, after);
      return await viewOf(tx.q, await known(tx.q, driverId));
    });
  }

  #now(): UtcTime {
    return nowUtc(this.#context.clock);
  }
}

export function refused(fault: DriverFault): { ok: false; fault: DriverFault } {
  return { ok: false, fault };
}

/** A driver with a token is there: its tokens go with it. */
export async function known(q: Queries, id: string): Promise<DriverRow> {
  const driver = await findDriver(q, id);
  if (driver === null) throw new Error(`There is no driver ${id}.`);
  return driver;
}

/** Logs a driver in, who is known by now. */
export async function startDriverSession(
  tx: Tx,
  driverId: string,
  { at, requestId, method }: { at: UtcTime; requestId: string; method: string },
): Promise<{ token: string; expiresAt: UtcTime }> {
  await tx.q.update(driverTable).set({ usedAt: at }).where(eq(driverTable.id, driverId));
  const expiresAt = utcTime(millis(at) + SESSION_MS);
  const { id: tokenId, token } = await issueToken(tx.q, { driverId }, { from: at, until: expiresAt });
  const caller = { kind: 'driver', driverId, tokenId } as const;
  await auditDriver(tx, { caller, at, requestId }, 'driver.login', { method });
  return { token, expiresAt };
}

async function insertDriver(
  { q }: Tx,
  { email, language }: Pick<DriverRow, 'email' | 'language'>,
  at: UtcTime,
): Promise<DriverRow> {
  const row = {
    id: newId(),
    email,
    language,
    ssn: null,
    pausedFor: null,
    caps: null,
    createdAt: at,
    usedAt: at,
  };
  await q.insert(driverTable).values(row);
  return row;
}

export async function eraseDriver(tx: Tx, driverId: string, at: UtcTime): Promise<void> {
  await dropCard(tx, driverId, at);
  await tx.q.delete(driverTable).where(eq(driverTable.id, driverId));
}

/** Removes the card: from this transaction on nothing is charged to it. The provider is informed next. */
async function dropCard(tx: Tx, driverId: string, at: UtcTime): Promise<void> {
  const card = await findCard(tx.q, driverId);
  if (card === null) return;
  const { gatewayId, token } = card;
  await tx.q.delete(driverCardTable).where(eq(driverCardTable.driverId, driverId));
  await orderToForget(tx.q, { gatewayId, token }, at);
  tx.announce(DRIVER_WORK);
}

/** Records an act of a driver, without address and plates. */
export async function auditDriver(tx: Tx, actor: DriverActor, action: string, after: unknown): Promise<void> {
  const { driverId: subjectId } = actor.caller;
  await audit(tx, actor, { subject: 'driver', subjectId, action, before: null, after });
}

export async function viewOf(
  q: Queries,
  { id, email, language, ssn, pausedFor, caps }: DriverRow,
): Promise<Driver> {
  const card = await findCard(q, id);
  const vehicles = await vehiclesOf(q, id);
  return {
    email,
    language,
    electronicId: ssn !== null,
    state: pausedFor === null ? 'active' : 'paused',
    pausedFor,
    caps,
    card: card && { ...card.card, expires: card.expires },
    vehicles: vehicles.map(({ plate, proof, provedAt }) => ({ plate, proof, provedAt })),
    checking: await hasUnknownCharge(q, id),
  };
}
