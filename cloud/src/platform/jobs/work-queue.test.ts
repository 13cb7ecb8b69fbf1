import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MINUTE_MS } from '@hlid/protocol/base/durations';
import { millis, type UtcTime, utcTime } from '@hlid/protocol/base/utc-time';
import fc from 'fast-check';
import Database from 'libsql';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { z } from 'zod';
import { forgottenCardTable as t } from '../../records/drivers/driver-table.ts';
import {
  CHARGE_LEASE_MS,
  GATEWAY_LEASE_MS,
  MAX_GATEWAY_TIMEOUT_MS,
} from '../card-gateways/gateway-timeout.ts';
import type { Db } from '../db/db.ts';
import { openDb } from '../db/libsql-db.ts';
import { eq } from '../db/sql.ts';
import { leaseOutlasting, WorkLease } from './work-lease.ts';
import { WorkQueue } from './work-queue.ts';

const START: UtcTime = '2026-11-21T12:00:00.000Z';
const LEASE_MS = MINUTE_MS;
const ITEMS = ['a', 'b', 'c', 'd'] as const;
const queue = new WorkQueue('forgotten_card');

let folder: string;
/** One database, as three processes have it. */
let dbs: [Db, Db, Db];
let now: UtcTime;
const clock = { now: () => new Date(now) };

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'hlid-queue-'));
  const path = join(folder, 'cloud.db');
  dbs = [await openDb(path), await openDb(path), await openDb(path)];
});
afterAll(async () => {
  for (const db of dbs) await db.close();
  rmSync(folder, { recursive: true });
});
beforeEach(fill);

async function fill(): Promise<void> {
  now = START;
  await dbs[0].write(async ({ q }) => {
    await q.delete(t);
    await q.insert(t).values(ITEMS.map((id) => ({ id, gatewayId: 'g', token: id, dueAt: START })));
  });
}

const wait = (ms: number) => {
  now = utcTime(millis(now) + ms);
};

/** A process of a cloud, which can die and is followed by another one. */
class Worker {
  readonly #db: Db;
  readonly #name: string;
  #life = 0;
  /** The work of this process, also where it does not know that it has lost the lease. */
  readonly working: { id: string; lease: WorkLease }[] = [];

  constructor(db: Db, name: string) {
    this.#db = db;
    this.#name = name;
  }

  get id(): string {
    return `${this.#name}${this.#life}`;
  }

  async claim(): Promise<{ id: string; lease: WorkLease } | null> {
    const [id] = await this.#db.read((q) => queue.due(q, now, 1));
    if (id === undefined) return null;
    const instance = { id: this.id, isAlive: () => true };
    const lease = new WorkLease(clock, { leaseMs: LEASE_MS, instance });
    if (!(await this.#db.write(({ q }) => queue.claim(q, id, now, lease)))) return null;
    this.working.push({ id, lease });
    return { id, lease };
  }

  /** @returns whether what it did counts */
  async end(next: {
    dueAt: UtcTime | null;
    attempts?: number;
  }): Promise<{ id: string; until: UtcTime; counts: boolean } | null> {
    const work = this.working.shift();
    if (work === undefined) return null;
    const counts = await this.#db.write(({ q }) => queue.settle(q, work.id, work.lease, next));
    return { id: work.id, until: work.lease.until, counts };
  }

  async renew(): Promise<boolean> {
    const work = this.working[0];
    if (work === undefined) return false;
    const instance = { id: this.id, isAlive: () => true };
    const later = new WorkLease(clock, { leaseMs: LEASE_MS, instance });
    const isOurs = await this.#db.write(({ q }) => queue.renew(q, work.id, work.lease, later));
    if (isOurs) work.lease = later;
    return isOurs;
  }

  /** @returns the id that it had */
  die(): string {
    const { id } = this;
    this.working.length = 0;
    this.#life++;
    return id;
  }
}

type Step =
  | { kind: 'claim' | 'finish' | 'fail' | 'renew' | 'die' | 'die-noticed'; worker: 0 | 1 | 2 }
  | { kind: 'wait'; ms: number };

const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({
    kind: fc.constantFrom(
      ...(['claim', 'claim', 'claim', 'finish', 'fail', 'renew', 'die', 'die-noticed'] as const),
    ),
    worker: fc.constantFrom(...([0, 1, 2] as const)),
  }),
  fc.record({
    kind: fc.constant('wait' as const),
    ms: fc.constantFrom(1, LEASE_MS / 2, LEASE_MS - 1, LEASE_MS),
  }),
);

it('does no item twice while a lease holds, and loses none, whenever processes die', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 60 }), async (steps) => {
      await fill();
      const workers = [new Worker(dbs[0], 'x'), new Worker(dbs[1], 'y'), new Worker(dbs[2], 'z')] as const;
      /** The rules: which worker has what until when, and what is done. */
      const holders = new Map<string, { by: string; until: UtcTime }>();
      const done = new Set<string>();
      for (const each of steps) {
        if (each.kind === 'wait') {
          wait(each.ms);
          continue;
        }
        const worker = workers[each.worker];
        const isHolder = ({ id, until }: { id: string; until: UtcTime }) => {
          const holder = holders.get(id);
          return holder?.by === worker.id && holder.until === until;
        };
        switch (each.kind) {
          case 'claim': {
            const claimed = await worker.claim();
            if (claimed === null) break;
            const before = holders.get(claimed.id);
            if (before !== undefined) expect(before.until <= now).toBe(true);
            expect(done.has(claimed.id)).toBe(false);
            holders.set(claimed.id, { by: worker.id, until: claimed.lease.until });
            break;
          }
          case 'renew': {
            const [work] = worker.working;
            const wasHolder = work !== undefined && isHolder({ id: work.id, until: work.lease.until });
            const isOurs = await worker.renew();
            if (work === undefined) break;
            expect(isOurs).toBe(wasHolder);
            if (isOurs) holders.set(work.id, { by: worker.id, until: work.lease.until });
            break;
          }
          case 'finish':
          case 'fail': {
            const isDone = each.kind === 'finish';
            const next = isDone ? { dueAt: null } : { dueAt: utcTime(millis(now) + 1), attempts: 1 };
            const ended = await worker.end(next);
            if (ended === null) break;
            // Work that another process has claimed meanwhile is its own, and no result of this one counts.
            expect(ended.counts).toBe(isHolder(ended));
            if (!ended.counts) break;
            expect(done.has(ended.id)).toBe(false);
            holders.delete(ended.id);
            if (isDone) done.add(ended.id);
            break;
          }
          case 'die':
          case 'die-noticed': {
            const dead = worker.die();
            if (each.kind === 'die') break;
            await dbs[0].write(({ q }) => queue.release(q, [dead], now));
            for (const [id, { by }] of holders) if (by === dead) holders.delete(id);
            break;
          }
          default:
            each satisfies never;
        }
      }
      // In the end one process is left, and does what the others left.
      wait(LEASE_MS);
      const last = new Worker(dbs[0], 'last');
      for (let tries = 0; tries < ITEMS.length; tries++) {
        if ((await last.claim()) === null) break;
        const ended = await last.end({ dueAt: null });
        if (ended?.counts) done.add(ended.id);
      }
      expect([...done].sort()).toEqual([...ITEMS]);
      expect(await dbs[0].read((q) => queue.isAnyDue(q, utcTime(millis(now) + LEASE_MS)))).toBe(false);
    }),
    { numRuns: 40 },
  );
});

it('gives each item to one of several processes that claim at once', async () => {
  const claimed = await Promise.all(
    dbs.flatMap((db, n) =>
      ITEMS.map(async (id) => {
        const instance = { id: `p${n}`, isAlive: () => true };
        const lease = new WorkLease(clock, { leaseMs: LEASE_MS, instance });
        return (await db.write(({ q }) => queue.claim(q, id, now, lease))) ? [id] : [];
      }),
    ),
  );
  expect(claimed.flat().sort()).toEqual([...ITEMS]);
});

it('takes what waits longest first, and nothing before its time', async () => {
  await dbs[0].write(async ({ q }) => {
    await q
      .update(t)
      .set({ dueAt: utcTime(millis(START) - 1) })
      .where(eq(t.id, 'c'));
    await q
      .update(t)
      .set({ dueAt: utcTime(millis(START) + 1) })
      .where(eq(t.id, 'a'));
    await q.update(t).set({ dueAt: null }).where(eq(t.id, 'b'));
  });
  expect(await dbs[1].read((q) => queue.due(q, now, 10))).toEqual(['c', 'd']);
  const lease = new WorkLease(clock, { leaseMs: LEASE_MS });
  for (const [id, isClaimed] of [
    ['a', false],
    ['b', false],
    ['c', true],
  ] as const)
    expect(await dbs[1].write(({ q }) => queue.claim(q, id, now, lease))).toBe(isClaimed);
});

const PlanSchema = z.array(z.looseObject({ detail: z.string() }));

it.each(['online_payment', 'online_refund', 'driver_charge', 'forgotten_card', 'mail', 'webhook'])(
  'finds what is due of %s, and what a dead process had, by indexes without what is done',
  (table) => {
    const database = new Database(join(folder, 'cloud.db'));
    const plan = (text: string) =>
      PlanSchema.parse(database.prepare(`EXPLAIN QUERY PLAN ${text}`).all()).map(({ detail }) => detail);
    const due = `SELECT id FROM ${table} WHERE due_at IS NOT NULL AND due_at <= '2026' ORDER BY due_at LIMIT 1`;
    expect(plan(due)).toEqual([expect.stringContaining(`INDEX ${table}_due (due_at>? AND due_at<?)`)]);
    const held = `UPDATE ${table} SET held_by = NULL WHERE due_at IS NOT NULL AND held_by IN ('x', 'y')`;
    expect(plan(held)).toEqual([expect.stringContaining(`INDEX ${table}_held (held_by=?)`)]);
    database.close();
  },
);

it('the lease of work at a gateway is longer than the longest answer of a gateway', () => {
  now = START;
  const lease = new WorkLease(clock, { leaseMs: GATEWAY_LEASE_MS });
  wait(MAX_GATEWAY_TIMEOUT_MS - 1);
  // A request may still be under way then, and is not cut off.
  expect(lease.signal()).not.toBeNull();
  expect(GATEWAY_LEASE_MS).toBeGreaterThan(MAX_GATEWAY_TIMEOUT_MS);
  expect(CHARGE_LEASE_MS).toBeGreaterThan(GATEWAY_LEASE_MS);
  expect(leaseOutlasting(GATEWAY_LEASE_MS)).toBeGreaterThan(GATEWAY_LEASE_MS);
});

it('nothing is sent at the end of a lease, nor by a process that was given up', () => {
  now = START;
  let isAlive = true;
  const lease = new WorkLease(clock, { leaseMs: LEASE_MS, instance: { id: 'x', isAlive: () => isAlive } });
  expect(lease.signal()?.aborted).toBe(false);
  isAlive = false;
  expect(lease.signal()).toBeNull();
  isAlive = true;
  wait(LEASE_MS - 1);
  expect(lease.signal()).toBeNull();
});
