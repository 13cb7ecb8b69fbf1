import { type Clock, nowUtc } from '@hlid/node/clock';
import { pause } from '@hlid/node/pause';
import { MINUTE_MS } from '@hlid/protocol/base/durations';
import { messageOf } from '@hlid/protocol/base/fault';
import { wallClock } from '@hlid/protocol/base/site-time';
import { millis, type UtcTime, utcTime } from '@hlid/protocol/base/utc-time';
import type { Logger } from 'pino';
import { findPayment } from '../../../money/payments/find-payment.ts';
import type { CardGateways } from '../../../platform/card-gateways/card-gateways.ts';
import { CHARGE_LEASE_MS } from '../../../platform/card-gateways/gateway-timeout.ts';
import type { Db, Queries, Tx } from '../../../platform/db/db.ts';
import { and, desc, eq, gte } from '../../../platform/db/sql.ts';
import { EVENTS } from '../../../platform/events.ts';
import { ALL_ROWS } from '../../../platform/http/caller.ts';
import type { Instance } from '../../../platform/jobs/cloud-instance.ts';
import type { ScheduledRun } from '../../../platform/jobs/scheduled-runs.ts';
import { WorkLease } from '../../../platform/jobs/work-lease.ts';
import { dueAfter, releaseWork } from '../../../platform/jobs/work-queue.ts';
import {
  type DriverCardRow,
  type DriverChargeRow,
  type DriverRow,
  findCard,
  findCharge,
  findDriver,
  updateCharge,
} from '../../../records/drivers/driver-store.ts';
import { chargeQueue, driverTable, forgottenCardQueue } from '../../../records/drivers/driver-table.ts';
import { onlinePaymentTable } from '../../../records/online-payments/online-payment-table.ts';
import { paymentTable } from '../../../records/payments/payment-table.ts';
import { findVisitRow } from '../../../records/visits/find-visits.ts';
import { refusalKind } from '../../../stays/charges/charge-doubts.ts';
import { DRIVER_WORK } from '../../../stays/charges/note-due.ts';
import type { OnlinePayments } from '../../online-payments/online-payments.ts';
import { offerPayment } from '../../online-payments/order-payment.ts';
import { type Payer, payerName } from '../../online-payments/payer.ts';
import type { Stepped } from '../../online-payments/payment-steps.ts';
import { ChargeMails } from './charge-mails.ts';
import { chargeRefusal } from './charge-refusal.ts';

const RUN_EVERY_MS = 2000;
const AT_ONCE = 20;
/** A slow provider does not keep the next car waiting: the charge goes on, and the run ends. */
const WAIT_MS = 500;
/** An unknown outcome is read again after this time. */
const FOLLOW_MS = 2000;
/** The most attempts, if the provider cannot be reached and has certainly booked nothing. */
const MAX_ATTEMPTS = 3;
/** The longest pause before a charge that met another payment is tried again. */
const MAX_WAIT_MS = MINUTE_MS;
/** Refusals by which it has met another payment. */
const METS: ReadonlySet<string> = new Set(['under-way', 'payment-under-way']);
const BACKOFF = { firstMs: 2000, maxMs: 30 * MINUTE_MS };

interface AutomaticContext {
  db: Db;
  clock: Clock;
  log: Logger;
  cardGateways: CardGateways;
  publicUrl: () => string;
  /** This process; absent: others wait for the end of its leases. */
  instance?: Instance | undefined;
}

/** A charge that this process has taken, with its amount reserved. */
interface Taken {
  charge: DriverChargeRow;
  driver: DriverRow;
  card: DriverCardRow;
}

/** How a payment stands, as far as its charge is concerned. */
type Standing = Pick<Extract<Stepped, { ok: true }>['payment'], 'id' | 'state' | 'reason'>;

/**
 * Charges the stored cards of drivers, without asking them. The journal of online payments charges once; here is decided
 * whether it may, and what follows: a receipt, or a pause and a mail.
 */
export class AutomaticPayments {
  readonly #context: AutomaticContext;
  readonly #payments: OnlinePayments;
  readonly #mails: ChargeMails;
  readonly #working = new Set<Promise<void>>();

  constructor(context: AutomaticContext, payments: OnlinePayments) {
    this.#context = context;
    this.#payments = payments;
    this.#mails = new ChargeMails(context);
  }

  /** Takes up all that is due by now. */
  async run(signal: AbortSignal): Promise<void> {
    const { db } = this.#context;
    const now = this.#now();
    await this.#mails.prepare();
    for (const id of await db.read((q) => chargeQueue.due(q, now, AT_ONCE)))
      this.#begin(() => this.#charge(id));
    const waited = new AbortController();
    const all = Promise.all(this.#working);
    const enough = pause(WAIT_MS, { signal: waited.signal });
    await Promise.race([all, enough]);
    waited.abort();
    if (signal.aborted) await all;
  }

  async isDue(now: UtcTime): Promise<boolean> {
    return await this.#context.db.read((q) => chargeQueue.isAnyDue(q, now));
  }

  #begin(work: () => Promise<void>): void {
    const working = work()
      .catch((error: unknown) => {
        const problem = messageOf(error);
        this.#context.log.error({ event: EVENTS.automaticPaymentFailed, problem });
      })
      .finally(() => this.#working.delete(working));
    this.#working.add(working);
  }

  async #charge(id: string): Promise<void> {
    const { clock, db, instance } = this.#context;
    const lease = new WorkLease(clock, { leaseMs: CHARGE_LEASE_MS, instance });
    const taken = await db.write(async (tx) => await this.#take(tx, id, lease));
    if (taken === null) return;
    const { charge, driver, card } = taken;
    const stepped = await this.#payments.chargeStored(payerOf(driver.id), {
      vehicle: { visitId: charge.visitId },
      gatewayId: card.gatewayId,
      token: card.token,
      card: card.card,
      language: driver.language,
      maxMinor: charge.amountMinor,
    });
    await db.write(async (tx) => {
      // Another process has followed it meanwhile, by the journal.
      if (!(await chargeQueue.holds(tx.q, id, lease))) return;
      if (stepped.ok) await this.#record(tx, charge, stepped.payment);
      else if (METS.has(refusalOf(stepped))) await this.#waitForOther(tx, charge);
      else await this.#record(tx, charge, { id: null, state: 'cancelled', reason: refusalOf(stepped) });
    });
  }

  /** Reserves the amount, so that of several clouds and several cars none goes beyond the caps. */
  async #take(tx: Tx, id: string, lease: WorkLease): Promise<Taken | null> {
    const now = this.#now();
    if (!(await chargeQueue.claim(tx.q, id, now, lease))) return null;
    const charge = await findCharge(tx.q, id);
    if (charge === null) return null;
    if (charge.state !== 'waiting') {
      await this.#follow(tx, charge, now);
      return null;
    }
    const driver = await findDriver(tx.q, charge.driverId);
    const card = await findCard(tx.q, charge.driverId);
    const visit = await findVisitRow(tx.q, charge.visitId, ALL_ROWS);
    if (driver === null || card === null || visit === null) {
      await this.#end(tx, charge, 'refused', card === null ? 'no-card' : 'no-visit');
      return null;
    }
    const offer = await offerPayment(tx.q, { vehicle: { visitId: visit.id } }, now, 'driver');
    if (!offer.ok) {
      if (METS.has(offer.refusal)) await this.#waitForOther(tx, charge);
      else await this.#end(tx, charge, 'refused', offer.refusal);
      return null;
    }
    const day = wallClock(now, offer.site.timeZone).date;
    const { cardGateways } = this.#context;
    const about = { charge, driver, card, visit };
    const reason = await chargeRefusal(tx.q, about, offer, { cardGateways, day, now });
    if (reason !== null) {
      await this.#end(tx, charge, 'refused', reason);
      return null;
    }
    const fields = {
      state: 'charging' as const,
      amountMinor: offer.totalMinor,
      currency: offer.bill.currency,
      day,
      attempts: charge.attempts + 1,
    };
    await updateCharge(tx.q, id, fields);
    return { charge: { ...charge, ...fields }, driver, card };
  }

  /** Money of another payment may be moving for the stay. The card is charged when that ends without paying it. */
  async #waitForOther(tx: Tx, charge: DriverChargeRow): Promise<void> {
    const now = this.#now();
    const waitedMs = millis(now) - millis(charge.createdAt);
    const pauseMs = Math.min(Math.max(FOLLOW_MS, waitedMs / 10), MAX_WAIT_MS);
    await updateCharge(tx.q, charge.id, {
      state: 'waiting',
      amountMinor: 0,
      day: null,
      heldBy: null,
      // It counts as begun, so that it is not late when the other payment ends. It does not count as failed.
      attempts: Math.max(1, charge.attempts - 1),
      dueAt: utcTime(millis(now) + pauseMs),
    });
  }

  /**
   * Follows a charge after its process has died, or with an unknown outcome: the journal shows how it ended.
   */
  async #follow(tx: Tx, charge: DriverChargeRow, now: UtcTime): Promise<void> {
    const payment = await paymentOf(tx.q, charge);
    if (payment !== null) return await this.#record(tx, charge, payment);
    // It died before the intent was stored.
    const again = { state: 'waiting', amountMinor: 0, day: null, dueAt: now, heldBy: null } as const;
    await updateCharge(tx.q, charge.id, again);
    tx.announce(DRIVER_WORK);
  }

  async #record(
    tx: Tx,
    charge: DriverChargeRow,
    { id: paymentId, state, reason }: Omit<Standing, 'id'> & { id: string | null },
  ): Promise<void> {
    const now = this.#now();
    await updateCharge(tx.q, charge.id, { paymentId, heldBy: null });
    switch (state) {
      case 'settled':
        await this.#end(tx, charge, 'paid', null);
        await tx.q.update(driverTable).set({ usedAt: now }).where(eq(driverTable.id, charge.driverId));
        return await this.#mails.queueReceipt(tx, charge, now);
      case 'declined':
        await this.#end(tx, charge, 'declined', reason);
        // Automatic charges go on when the driver resumes them.
        await tx.q
          .update(driverTable)
          .set({ pausedFor: 'declined' })
          .where(eq(driverTable.id, charge.driverId));
        return await this.#mails.queueDeclined(tx, charge, now);
      case 'created':
      case 'sent':
      case 'unknown':
      case 'approved':
        return await updateCharge(tx.q, charge.id, {
          state: 'unknown',
          dueAt: utcTime(millis(now) + FOLLOW_MS),
        });
      case 'cancelled':
        if (reason !== null && METS.has(reason)) return await this.#waitForOther(tx, charge);
        if (reason !== 'unavailable' || charge.attempts >= MAX_ATTEMPTS) {
          return await this.#end(tx, charge, 'refused', reason);
        }
        return await updateCharge(tx.q, charge.id, {
          state: 'waiting',
          amountMinor: 0,
          day: null,
          dueAt: dueAfter(now, charge.attempts, BACKOFF),
        });
      case 'reversed':
        return await this.#end(tx, charge, 'refused', state);
      default:
        return state satisfies never;
    }
  }

  async #end(
    tx: Tx,
    charge: DriverChargeRow,
    state: 'paid' | 'declined' | 'refused',
    reason: string | null,
  ): Promise<void> {
    const { id, visitId } = charge;
    await updateCharge(tx.q, id, { state, reason, dueAt: null, heldBy: null });
    const kind = state === 'refused' && reason !== null ? refusalKind(reason) : null;
    if (kind !== null) await this.#mails.queueRefused(tx, charge, kind, this.#now());
    tx.afterCommit(() =>
      this.#context.log.info({ event: EVENTS.automaticPayment, id, visitId, state, reason }),
    );
  }

  #now(): UtcTime {
    return nowUtc(this.#context.clock);
  }
}

/** The payer of an automatic payment; unlike on the payment page, payers do not choose their ids. */
function payerOf(driverId: string): Payer {
  return { kind: 'driver', id: `account ${driverId}` };
}

/** The payment of a charge, by its id or, where its process has died before, by its visit. */
async function paymentOf(q: Queries, charge: DriverChargeRow): Promise<Standing | null> {
  if (charge.paymentId !== null) return await findPayment(q, charge.paymentId);
  const { id, state, reason, visitId, createdAt } = paymentTable;
  const by = eq(onlinePaymentTable.by, payerName(payerOf(charge.driverId)));
  const found = await q
    .select({ id, state, reason })
    .from(paymentTable)
    .innerJoin(onlinePaymentTable, eq(onlinePaymentTable.id, id))
    .where(and(eq(visitId, charge.visitId), by, gte(createdAt, charge.createdAt)))
    .orderBy(desc(createdAt))
    .limit(1);
  return found[0] ?? null;
}

function refusalOf(stepped: Extract<Stepped, { ok: false }>): string {
  return stepped.reason === 'offer' ? stepped.refusal : stepped.reason;
}

/** Charges that dead processes had are followed now, and cards are forgotten that they had not forgotten yet. */
export const releaseDriverWork = releaseWork(DRIVER_WORK, chargeQueue, forgottenCardQueue);

/** Charges stored cards where cars owe at exits. */
export function automaticPaymentRun(context: AutomaticContext, payments: OnlinePayments): ScheduledRun {
  const automatic = new AutomaticPayments(context, payments);
  return {
    name: DRIVER_WORK,
    everyMs: RUN_EVERY_MS,
    wakesOn: DRIVER_WORK,
    isDue: async (now) => await automatic.isDue(now),
    work: async ({ signal }) => await automatic.run(signal),
  };
}
