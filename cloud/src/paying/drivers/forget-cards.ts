import { type Clock, nowUtc } from '@hlid/node/clock';
import { newId } from '@hlid/node/new-id';
import { DAY_MS, HOUR_MS } from '@hlid/protocol/base/durations';
import { Fault, messageOf } from '@hlid/protocol/base/fault';
import { millis, type UtcTime, utcTime } from '@hlid/protocol/base/utc-time';
import type { Logger } from 'pino';
import type { CardGateways } from '../../platform/card-gateways/card-gateways.ts';
import { GATEWAY_LEASE_MS } from '../../platform/card-gateways/gateway-timeout.ts';
import type { Db, Queries } from '../../platform/db/db.ts';
import { eq } from '../../platform/db/sql.ts';
import { EVENTS } from '../../platform/events.ts';
import type { Instance } from '../../platform/jobs/cloud-instance.ts';
import type { ScheduledRun } from '../../platform/jobs/scheduled-runs.ts';
import { WorkLease } from '../../platform/jobs/work-lease.ts';
import { dueAfter } from '../../platform/jobs/work-queue.ts';
import { forgottenCardQueue as queue, forgottenCardTable as t } from '../../records/drivers/driver-table.ts';
import { DRIVER_WORK } from '../../stays/charges/note-due.ts';
import { paymentsWithCard, takeStoredCards } from '../online-payments/stored-tokens.ts';

const NAME = 'forget-cards';
const RUN_EVERY_MS = 2000;
const AT_ONCE = 20;
/** It never gives up: the card is at the provider until the provider reports that it is gone. */
const BACKOFF = { firstMs: 2000, maxMs: 6 * HOUR_MS };
/** The payment page knows for a day which payment's card to store; see driver-storage.ts there. */
const CLAIM_MS = DAY_MS + HOUR_MS;

interface ForgetContext {
  db: Db;
  clock: Clock;
  log: Logger;
  cardGateways: CardGateways;
  /** This process; absent: others wait for the end of its leases. */
  instance?: Instance | undefined;
}

/** Orders that the provider deletes a card, in the transaction after which no driver here has it. */
export async function orderToForget(
  q: Queries,
  { gatewayId, token }: { gatewayId: string; token: string },
  at: UtcTime,
): Promise<void> {
  await q.insert(t).values({ id: newId(), gatewayId, token, dueAt: at });
}

/** The same for cards that the provider has stored with payments, and that no driver has taken. */
export async function orderToForgetUnclaimed(q: Queries, ids: readonly string[], at: UtcTime): Promise<void> {
  for (const { gatewayId, stored } of await takeStoredCards(q, ids)) {
    await orderToForget(q, { gatewayId, token: stored.token }, at);
  }
}

/** Has providers delete cards without a driver: deleted ones, and those that no driver has taken. */
export class ForgottenCards {
  readonly #context: ForgetContext;

  constructor(context: ForgetContext) {
    this.#context = context;
  }

  async run(): Promise<void> {
    const { db } = this.#context;
    const now = this.#now();
    await this.#sweep(now);
    for (const id of await db.read((q) => queue.due(q, now, AT_ONCE))) await this.#forget(id);
  }

  async isDue(now: UtcTime): Promise<boolean> {
    return await this.#context.db.read(
      async (q) => (await queue.isAnyDue(q, now)) || (await unclaimed(q, now)).length > 0,
    );
  }

  /** The driver never came back, or the payment did not stand. */
  async #sweep(now: UtcTime): Promise<void> {
    const { db } = this.#context;
    if ((await db.read((q) => unclaimed(q, now))).length === 0) return;
    await db.write(async ({ q }) => await orderToForgetUnclaimed(q, await unclaimed(q, now), now));
  }

  async #forget(id: string): Promise<void> {
    const { clock, db, instance, log } = this.#context;
    const now = this.#now();
    const lease = new WorkLease(clock, { leaseMs: GATEWAY_LEASE_MS, instance });
    if (!(await db.write(({ q }) => queue.claim(q, id, now, lease)))) return;
    const row = await db.read(async (q) => await q.select().from(t).where(eq(t.id, id)).get());
    if (row === undefined) return;
    try {
      await this.#ask(row);
      await db.write(async ({ q }) => await q.delete(t).where(eq(t.id, id)));
    } catch (error) {
      const { gatewayId: gateway } = row;
      const attempts = row.attempts + 1;
      log.warn({ event: EVENTS.cardNotForgotten, gateway, attempts, problem: messageOf(error) });
      const dueAt = dueAfter(now, attempts, BACKOFF);
      await db.write(({ q }) => queue.settle(q, id, lease, { attempts, dueAt }));
    }
  }

  /** A provider that cannot delete cards has nothing to do: a token without a driver is never charged. */
  async #ask({ gatewayId, token }: { gatewayId: string; token: string }): Promise<void> {
    const gateway = this.#context.cardGateways.get(gatewayId);
    if (gateway === null) throw new Fault('link-lost', `gateway ${gatewayId} is not configured`);
    await gateway.forget?.(token);
  }

  #now(): UtcTime {
    return nowUtc(this.#context.clock);
  }
}

/** Payments with a card that no driver has taken in time. */
async function unclaimed(q: Queries, now: UtcTime): Promise<string[]> {
  return await paymentsWithCard(q, utcTime(millis(now) - CLAIM_MS), AT_ONCE);
}

export function forgottenCardRun(context: ForgetContext): ScheduledRun {
  const cards = new ForgottenCards(context);
  return {
    name: NAME,
    everyMs: RUN_EVERY_MS,
    wakesOn: DRIVER_WORK,
    isDue: async (now) => await cards.isDue(now),
    work: async () => await cards.run(),
  };
}
