import { DAY_MS } from '@hlid/protocol/base/durations';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createTestSite } from '../../test/site.ts';

let site: ReturnType<typeof createTestSite>;
beforeEach(() => {
  site = createTestSite();
});
afterEach(() => site.close());

const rows = (table: string, where = 'true'): number =>
  Number(site.db.prepare(`SELECT count(*) FROM ${table} WHERE ${where}`).pluck().get());
const days = (count: number) => site.wait(count * DAY_MS);
const prune = () => site.core.retention.run();

/** A car comes in at one lane and leaves at the other, with nothing due. */
async function stay(plate: string): Promise<void> {
  await site.read('in-1', plate);
  site.wait(60_000);
  await site.read('out-1', plate);
  site.wait(60_000);
}

function settle(n: number, visitId: string): void {
  const id = `01a1fc93-bdd6-7682-9b18-8dd0566e24${n}`;
  const paid = { paymentStatus: 'kiosk', amountMinor: 500, currency: 'ISK', units: 1 } as const;
  site.change({
    kind: 'settlement',
    op: 'put',
    id,
    item: { id, visitId, ...paid, settledAt: site.now(), by: 'account:1' },
  });
}

describe('what the site keeps', () => {
  it('is forgotten after 30 days: reads, passages, visits that are over, and the events of them', async () => {
    await stay('ABX12');
    site.acknowledge();
    days(29);
    await prune();
    expect([rows('read'), rows('passage'), rows('visit')]).toEqual([2, 2, 1]);
    days(2);
    await prune();
    expect([rows('read'), rows('passage'), rows('visit'), rows('event')]).toEqual([0, 0, 0, 0]);
    expect(site.core.lanes.lanes().flatMap((lane) => lane.passages)).toEqual([]);
  });

  it('is a visit that never ends for 180 days: then it is closed as lost, and no table has its plate', async () => {
    await site.read('in-1', 'QXZ77');
    days(150);
    await site.read('in-2', 'MKJ45');
    days(30);
    await prune();
    expect(site.visits()).toMatchObject([{ plate: 'QXZ77', endedAt: null }, { plate: 'MKJ45' }]);
    days(2);
    await prune();
    expect(site.visits()[0]).toMatchObject({
      plate: null,
      status: 'completed',
      flags: ['lost-exit'],
      paymentStatus: null,
    });
    expect(site.events().at(-1)?.body).toMatchObject({ type: 'visit.ended', visit: { plate: null } });
    site.acknowledge();
    await prune();
    const tables = site.db.prepare("SELECT name FROM sqlite_master WHERE type = 'table'").pluck().all();
    const named = tables
      .map(String)
      .filter((table) => JSON.stringify(site.db.prepare(`SELECT * FROM "${table}"`).all()).includes('QXZ77'));
    expect(named).toEqual([]);
    expect([rows('visit'), rows('visit', "plate = 'MKJ45' AND ended_at IS NULL")]).toEqual([1, 1]);
  });

  it('is not a visit for which a person has paid beyond now, or whose clock was set', async () => {
    await site.read('in-1', 'QXZ77');
    const [visit] = site.visits();
    site.db
      .prepare("UPDATE visit SET body = json_set(unpacked(body), '$.paidUntil', '2027-12-01T00:00:00.000Z')")
      .run();
    days(200);
    await prune();
    expect(site.visits()).toMatchObject([{ id: visit?.id, plate: 'QXZ77', endedAt: null }]);
  });

  it('is what a quota gave, as long as the event that says so is here', async () => {
    site.price();
    site.vehicle('ABX12');
    site.quota(5);
    await stay('ABX12');
    expect(rows('quota_units')).toBeGreaterThan(0);
    site.acknowledge();
    days(31);
    await prune();
    expect(rows('quota_units')).toBe(0);
  });

  it('is a payment, as long as its visit is here, it is open, a person has to look, or its day is not closed', async () => {
    const payment = site.db.prepare(
      `INSERT INTO payment VALUES (@id, @id, @visit, @id, @state, @person, @at, @closed, '{}', '{}', '{}', 'null')`,
    );
    await stay('ABX12');
    const visit = site.visits()[0]?.id ?? '';
    const at = site.now();
    const gone = { state: 'settled', person: 0, at, closed: at };
    payment.run({ id: 'gone', visit: 'v-1', ...gone });
    payment.run({ id: 'declined', visit: 'v-2', ...gone, state: 'declined', closed: null });
    payment.run({ id: 'visit', visit, ...gone });
    payment.run({ id: 'open', visit: 'v-3', ...gone, state: 'unknown' });
    payment.run({ id: 'person', visit: 'v-4', ...gone, person: 1 });
    payment.run({ id: 'day', visit: 'v-5', ...gone, closed: null });
    site.acknowledge();
    days(31);
    await prune();
    const left = () => site.db.prepare('SELECT id FROM payment ORDER BY id').pluck().all();
    expect(left()).toEqual(['day', 'open', 'person']);
  });

  it('stays as long as the cloud has not received it, and goes when it has', async () => {
    await stay('ABX12');
    days(100);
    await prune();
    expect([rows('read'), rows('passage'), rows('visit')]).toEqual([2, 2, 1]);
    site.acknowledge();
    await prune();
    expect([rows('read'), rows('passage'), rows('visit')]).toEqual([0, 0, 0]);
  });

  it('stays where only the last word of it is not acknowledged', async () => {
    await stay('ABX12');
    site.core.events.acknowledge(site.core.events.lastSeq() - 3);
    days(100);
    await prune();
    expect(rows('visit')).toBe(1);
  });

  it('is every visit that is not over, for half a year', async () => {
    await site.read('in-1', 'ABX12');
    site.acknowledge();
    days(180);
    await prune();
    expect(rows('visit')).toBe(1);
    await site.read('out-1', 'ABX12');
    expect(site.reasons().at(-1)).not.toBe('no-visit');
  });

  it('is for half a year what is over and waits for a person', async () => {
    site.price();
    await site.read('in-1', 'ABX12');
    days(2);
    // The car is seen coming in again: its exit was missed, and a person decides what it owes.
    await site.read('in-2', 'ABX12');
    site.wait(60_000);
    site.permit('ABX12');
    await site.read('out-1', 'ABX12');
    site.acknowledge();
    days(40);
    await prune();
    expect(rows('visit')).toBe(1);
    expect(rows('visit', "json_extract(body, '$.status') = 'new'")).toBe(1);
    days(150);
    await prune();
    expect(rows('visit')).toBe(0);
  });

  it('is a settlement with its visit, and one of a visit that never was here by its own age', async () => {
    site.price();
    await site.read('in-1', 'ABX12');
    site.wait(7_200_000);
    const [visit] = site.visits();
    settle(11, visit?.id ?? '');
    settle(12, '01a1fc93-bdd6-7682-9b18-8dd0566e2499');
    site.wait(60_000);
    await site.read('out-1', 'ABX12');
    site.acknowledge();
    expect(rows('settlement')).toBe(2);
    days(20);
    await prune();
    expect(rows('settlement')).toBe(2);
    days(11);
    await prune();
    expect([rows('visit'), rows('settlement')]).toEqual([0, 0]);
  });

  it('is a passage whose gate may still have to be asked about', async () => {
    await site.read('in-1', 'ABX12');
    site.acknowledge();
    site.db.prepare("UPDATE passage SET gate = 'wanted'").run();
    days(31);
    await prune();
    expect([rows('read'), rows('passage')]).toEqual([0, 1]);
  });
});

describe('forgetting', () => {
  it('goes in small steps, between which a gate opens, and writes nothing where nothing is old', async () => {
    const many = site.db.prepare(
      `INSERT INTO read (id, camera_id, event_key, lane_id, plate, score, standing, received_at)
       VALUES (?, 'cam-in-1', ?, 'in-1', 'OLD11', 0.9, 'counts', ?)`,
    );
    const old = site.now();
    site.db.transaction(() => {
      for (let n = 0; n < 2000; n++) many.run(`old-${n}`, `old-${n}`, old);
    })();
    days(31);
    const pruning = prune();
    await site.read('in-1', 'ABX12');
    expect(site.gates['in-1'].pulses).toBe(1);
    expect(rows('read', "plate = 'OLD11'")).toBeGreaterThan(0);
    await pruning;
    expect(rows('read')).toBe(1);
    const before = Number(site.db.prepare('SELECT total_changes()').pluck().get());
    await prune();
    expect(Number(site.db.prepare('SELECT total_changes()').pluck().get())).toBe(before);
  });

  it('that is broken off goes on the next time', async () => {
    for (let n = 0; n < 5; n++) await stay(`ABX1${n}`);
    site.acknowledge();
    await site.core.commit.run(() => undefined);
    days(31);
    const pruning = prune();
    await site.core.retention.stop();
    await pruning;
    const again = createTestSite({ folder: site.folder, start: site.now() });
    await again.core.retention.run();
    again.db.close();
    expect([rows('read'), rows('passage'), rows('visit')]).toEqual([0, 0, 0]);
  });
});
