import { DAY_MS } from '@hlid/protocol/base/durations';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createTestSite } from '../../test/site.ts';

const PLATE = 'QXZ77';
let site: ReturnType<typeof createTestSite>;
beforeEach(() => {
  site = createTestSite();
});
afterEach(() => site.close());

let asked = 0;
/** Orders the site to erase the plate, as of now. */
function ask(plate = PLATE): void {
  site.wait(1000);
  const id = `erase-${++asked}`;
  site.change({ kind: 'erase', op: 'put', id, item: { plate, before: site.now() } });
}
const work = () => site.core.retention.run();

async function stay(plate: string): Promise<void> {
  await site.read('in-1', plate, { eventKey: `dahua/${plate}/${site.now()}` });
  site.wait(600_000);
  await site.read('out-1', plate);
  site.wait(600_000);
}

/** The tables with a row that contains a text. */
function tablesWith(text: string): string[] {
  const tables = site.db.prepare("SELECT name FROM sqlite_master WHERE type = 'table'").pluck().all();
  return tables
    .map(String)
    .filter((table) => JSON.stringify(site.db.prepare(`SELECT * FROM "${table}"`).all()).includes(text));
}
const noted = () => site.db.prepare('SELECT count(*) FROM erasure').pluck().get();

describe('a plate that the cloud asks the site to forget', () => {
  it('is gone from every table and from the board; other plates, and what happened, stay', async () => {
    await stay(PLATE);
    await stay('OTHER1');
    site.acknowledge();
    const before = site.events();
    ask();
    expect(tablesWith(PLATE)).toContain('visit');
    await work();
    expect(tablesWith(PLATE)).toEqual([]);
    expect(noted()).toBe(0);
    expect(tablesWith('OTHER1')).toEqual(expect.arrayContaining(['event', 'read', 'passage', 'visit']));
    const shown = site.core.lanes.lanes().flatMap((lane) => lane.passages);
    expect(shown.map(({ plate }) => plate).sort()).toEqual(['OTHER1', 'OTHER1', null, null]);
    // A cloud that was restored receives the same again, but for the plate.
    const types = before.map(({ seq, at, body }) => [seq, at, body.type]);
    expect(site.events().map(({ seq, at, body }) => [seq, at, body.type])).toEqual(types);
    expect(site.visits()).toMatchObject([
      { plate: null, status: 'completed' },
      { plate: 'OTHER1', status: 'completed' },
    ]);
  });

  it('is gone from the passage of another car that was misread as it', async () => {
    await site.read('in-1', 'QXZ78', { score: 0.95 });
    await site.read('in-1', PLATE, { score: 0.75 });
    await site.read('in-1', 'QXZ78', { score: 0.95 });
    site.acknowledge();
    ask();
    await work();
    expect(tablesWith(PLATE)).toEqual([]);
    expect(site.db.prepare('SELECT plate FROM passage').pluck().all()).toEqual(['QXZ78']);
  });

  it('takes the pictures of its reads along', async () => {
    await stay(PLATE);
    await stay('OTHER1');
    site.acknowledge();
    ask();
    const reads = site.db.prepare('SELECT id FROM read WHERE plate = ?').pluck().all(PLATE);
    await work();
    expect(site.forgotten.sort()).toEqual(reads.map(String).sort());
  });

  it('stays in events that the cloud has not received yet: they are sent unchanged', async () => {
    await stay(PLATE);
    site.core.events.acknowledge(2);
    ask();
    await work();
    expect(noted()).toBe(1);
    expect(site.events().filter(({ body }) => JSON.stringify(body).includes(PLATE))).not.toEqual([]);
    expect(site.events()[1]?.body).toMatchObject({ plate: null, read: { plate: null } });
    expect(tablesWith(PLATE)).toEqual(expect.arrayContaining(['event', 'visit', 'erasure']));
    site.acknowledge();
    await work();
    expect(tablesWith(PLATE)).toEqual([]);
  });

  it('waits as long as it is inside, and the exit finds it', async () => {
    await site.read('in-1', PLATE);
    site.acknowledge();
    ask();
    await work();
    expect(noted()).toBe(1);
    site.wait(600_000);
    await site.read('out-1', PLATE);
    expect(site.reasons().at(-1)).toBe('nothing-due');
    site.acknowledge();
    await work();
    expect(noted()).toBe(0);
    expect(tablesWith(PLATE)).not.toContain('visit');
  });

  it('is kept where it comes again after that: this is another stay', async () => {
    await stay(PLATE);
    site.acknowledge();
    ask();
    await stay(PLATE);
    site.acknowledge();
    await work();
    expect(noted()).toBe(0);
    expect(site.visits().map(({ plate }) => plate)).toEqual([null, PLATE]);
    expect(site.db.prepare('SELECT count(*) FROM read WHERE plate = ?').pluck().get(PLATE)).toBe(2);
  });

  it('is forgotten to the end where the program was ended in the middle', async () => {
    for (let n = 0; n < 4; n++) await stay(PLATE);
    site.acknowledge();
    await site.core.commit.run(() => undefined);
    ask();
    const working = work();
    await site.core.retention.stop();
    await working;
    expect(noted()).toBe(1);
    const again = createTestSite({ folder: site.folder, start: site.now() });
    await again.core.retention.run();
    again.db.close();
    expect(tablesWith(PLATE)).toEqual([]);
  });

  it('removes the digests of changed events, so that they do not differ from those at the cloud', async () => {
    await stay(PLATE);
    site.acknowledge();
    const last = site.core.events.lastSeq();
    const reported = Array.from({ length: last }, (_, n) => site.core.events.digestOf(n + 1));
    ask();
    await work();
    for (let seq = 1; seq <= last; seq++) {
      expect([null, reported[seq - 1]]).toContain(site.core.events.digestOf(seq));
    }
    expect(site.core.events.digestOf(1)).toBeNull();
  });

  it('stays erased in a new epoch, which sends its events as they are now', async () => {
    await stay(PLATE);
    await stay('OTHER1');
    site.acknowledge();
    ask();
    await work();
    await site.core.events.startNewEpoch({ knownUpTo: 0 });
    expect(tablesWith(PLATE)).toEqual([]);
    expect(site.core.events.digestOf(1)).not.toBeNull();
    expect(site.visits().map(({ plate }) => plate)).toEqual([null, 'OTHER1']);
    site.acknowledge();
    site.wait(31 * DAY_MS);
    await work();
    expect(site.db.prepare('SELECT count(*) FROM visit').pluck().get()).toBe(0);
  });
});
