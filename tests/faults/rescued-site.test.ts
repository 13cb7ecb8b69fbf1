import { openSync, writeSync } from 'node:fs';
import { replaceSiteDb } from '@hlid/edge/db/replace-site-db';
import { PAGE_BYTES as PAGE } from '@hlid/edge/db/site-db';
import { HOUR_MS } from '@hlid/protocol/base/durations';
import type { Payment } from '@hlid/protocol/records/payment';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type LinkedSite, startLinkedSite } from '../harness/linked-site.ts';
import { idText } from '../harness/stored-columns.ts';
import { seededRandom } from '../sim/seeded-random.ts';
import { drive, emptySite } from './busy-site.ts';
import { checkVisits, cloudVisits } from './linked-books.ts';

let linked: LinkedSite;
beforeEach(async () => {
  linked = await startLinkedSite();
});
afterEach(() => linked?.stop());

/** Pages of zeros where a table's rows are: a share of them. */
function zeroRows(path: string, table: string, hits: (page: number) => boolean): void {
  const db = new Database(path, { readonly: true });
  const leaves = db
    .prepare<[string], number>("SELECT pageno FROM dbstat WHERE name = ? AND pagetype = 'leaf'")
    .pluck()
    .all(table);
  db.close();
  const file = openSync(path, 'r+');
  for (const leaf of leaves.filter(hits)) writeSync(file, Buffer.alloc(PAGE), 0, PAGE, (leaf - 1) * PAGE);
}

const rescue = (path: string) =>
  replaceSiteDb(path, { reason: 'a test', source: null, at: new Date(linked.now()), rescue: true });

describe('a database that replaces a damaged one', () => {
  it.each([1, 2, 3])('begins a new epoch, and the books agree (%i)', async (seed) => {
    const random = seededRandom(700 + seed);
    await drive(linked, random, 25);
    await linked.settled();
    await linked.unlink();
    await drive(linked, random, 15);
    const copy = linked.copySite();
    for (const table of ['event', 'visit', 'read']) zeroRows(copy, table, () => random.chance(0.3));
    rescue(copy);
    await linked.putBackSite(copy);
    await drive(linked, random, 10);
    await linked.settled();
    checkVisits(linked);
    await emptySite(linked);
    await linked.settled();
    checkVisits(linked);
    expect(cloudVisits(linked).filter(({ endedAt, plate }) => endedAt === null && plate !== null)).toEqual(
      [],
    );
  });

  it('reports visits and payments whose events were lost', async () => {
    await linked.site().read('in-1', 'SENT11');
    await linked.settled();
    await linked.unlink();
    linked.wait(HOUR_MS);
    await linked.site().read('in-2', 'LOST22');
    const [, lost] = linked.site().visits();
    const at = linked.now();
    const payment: Payment = {
      id: '01a1fc93-bdd6-7682-9b18-8dd0566e2419',
      visitId: lost?.id ?? '',
      terminalId: 'pos-1',
      state: 'declined',
      amountMinor: 500,
      currency: 'ISK',
      units: 1,
      transaction: null,
      needsPerson: false,
      reason: 'card-refused',
      receipt: [],
      language: 'is',
      createdAt: at,
      changedAt: at,
    };
    linked
      .site()
      .db.prepare(
        `INSERT INTO payment (id, order_key, visit_id, terminal_id, state, needs_person, changed_at, body, bill, baseline, booking)
         VALUES (?, 'order-1', ?, 'pos-1', 'declined', 0, ?, ?, '{}', 'null', 'null')`,
      )
      .run(payment.id, payment.visitId, at, JSON.stringify(payment));
    const copy = linked.copySite();
    zeroRows(copy, 'event', () => true);
    const { rescued } = rescue(copy);
    expect(rescued.damaged).toEqual(['event']);
    await linked.putBackSite(copy);
    await linked.settled();
    expect(cloudVisits(linked).map(({ plate }) => plate)).toEqual(['SENT11', 'LOST22']);
    checkVisits(linked);
    const payments = linked.cloudDb((db) =>
      db.prepare(`SELECT ${idText('id')} AS id, state FROM payment`).all(),
    );
    expect(payments).toEqual([{ id: payment.id, state: 'declined' }]);
  });
});
