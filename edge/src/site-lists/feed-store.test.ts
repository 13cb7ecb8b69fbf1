import { isFault } from '@hlid/protocol/base/fault';
import { addToHash, EMPTY_HASH } from '@hlid/protocol/site-link/content-hash';
import type { SnapshotLine } from '@hlid/protocol/site-link/edge-api';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createTestSite, testPermit, testVehicle } from '../../test/site.ts';
import { itemDigest } from './apply-change.ts';
import { doesNotAddUp } from './feed-book.ts';

let site: ReturnType<typeof createTestSite>;
beforeEach(() => {
  site = createTestSite({ settings: { permitsOnly: true } });
});
afterEach(() => site.close());

const put = (plate: string) => ({
  kind: 'permit' as const,
  op: 'put' as const,
  id: plate,
  item: testPermit(plate, { id: plate }),
});
const hashOf = (...plates: string[]) =>
  plates.reduce((hash, plate) => addToHash(hash, itemDigest('permit', plate, put(plate).item)), EMPTY_HASH);

async function admits(plate: string): Promise<boolean> {
  const before = site.gates['in-1'].pulses;
  site.wait(200_000);
  await site.read('in-1', plate);
  return site.gates['in-1'].pulses > before;
}

const mark = (n: number) => String(n).padStart(16, '0');

describe('changes', () => {
  it('apply in order, with the hash of what is held', async () => {
    expect(site.change(put('ABX12'), put('MKJ45'))).toEqual({ n: 2, hash: hashOf('ABX12', 'MKJ45') });
    expect(await admits('ABX12')).toBe(true);
    expect(site.change({ kind: 'permit', op: 'remove', id: 'ABX12' })).toEqual({
      n: 3,
      hash: hashOf('MKJ45'),
    });
    expect(await admits('ABX12')).toBe(false);
  });

  it('replace an item with its own hash', () => {
    site.change(put('ABX12'));
    const paused = { ...put('ABX12'), item: testPermit('ABX12', { id: 'ABX12', status: 'paused' }) };
    site.change(paused);
    expect(site.core.feed.position().hash).toBe(
      addToHash(EMPTY_HASH, itemDigest('permit', 'ABX12', paused.item)),
    );
  });

  it('are refused over a gap, all of the batch', async () => {
    site.change(put('ABX12'));
    const attempt = () =>
      site.core.feed.apply([
        { n: 2, mark: mark(2), change: put('MKJ45') },
        { n: 4, mark: mark(4), change: put('ZZZ99') },
      ]);
    expect(attempt).toThrow();
    try {
      attempt();
    } catch (error) {
      expect(isFault(error, 'peer-misbehaved')).toBe(true);
    }
    expect(site.core.feed.position()).toEqual({ n: 1, hash: hashOf('ABX12') });
    expect(await admits('MKJ45')).toBe(false);
  });

  it('already applied are passed over', () => {
    site.change(put('ABX12'));
    expect(site.core.feed.apply([{ n: 1, mark: mark(1), change: put('ABX12') }])).toEqual({
      n: 1,
      hash: hashOf('ABX12'),
    });
  });
});

describe('the mark of the newest change', () => {
  it('moves with it, also over kinds that the site does not know, and is kept', () => {
    const { feed } = site.core;
    expect(feed.mark()).toBeNull();
    feed.apply([
      { n: 1, mark: mark(1), change: put('ABX12') },
      { n: 2, mark: mark(2), change: null },
    ]);
    expect(feed.mark()).toBe(mark(2));
    const again = createTestSite({ folder: site.folder });
    expect(again.core.feed.mark()).toBe(mark(2));
    again.db.close();
  });

  it('stays with what is held where a batch is refused', () => {
    const { feed } = site.core;
    feed.apply([{ n: 1, mark: mark(1), change: put('ABX12') }]);
    const gap = [
      { n: 2, mark: mark(2), change: put('MKJ45') },
      { n: 4, mark: mark(4), change: put('ZZZ99') },
    ];
    expect(() => feed.apply(gap)).toThrow();
    expect([feed.position().n, feed.mark()]).toEqual([1, mark(1)]);
  });
});

describe('vehicles and quotas', () => {
  const vehicle = (plate: string, category: 'light' | 'heavy' = 'heavy') =>
    ({ kind: 'vehicle', op: 'put', id: plate, item: testVehicle(plate, { category }) }) as const;
  const quota = (used: number) =>
    ({
      kind: 'quota',
      op: 'put',
      id: 'q1',
      item: { id: 'q1', customerId: 'acme', vehicleCategory: 'light', total: 9, used },
    }) as const;
  const hash = (...puts: (ReturnType<typeof vehicle> | ReturnType<typeof quota>)[]) =>
    puts.reduce((sum, { kind, id, item }) => addToHash(sum, itemDigest(kind, id, item)), EMPTY_HASH);
  const stored = (table: string) => site.db.prepare(`SELECT count(*) FROM ${table}`).pluck().get();

  it('are kept up with their hash, replaced and taken away', () => {
    expect(site.change(vehicle('TRK11'), quota(0), vehicle('ABX12')).hash).toBe(
      hash(vehicle('TRK11'), quota(0), vehicle('ABX12')),
    );
    expect(site.change(vehicle('TRK11', 'light'), quota(3)).hash).toBe(
      hash(vehicle('TRK11', 'light'), quota(3), vehicle('ABX12')),
    );
    const removed = site.change(
      { kind: 'vehicle', op: 'remove', id: 'TRK11' },
      { kind: 'quota', op: 'remove', id: 'q1' },
    );
    expect(removed.hash).toBe(hash(vehicle('ABX12')));
    expect(stored('vehicle')).toBe(1);
  });

  it('are swapped in with a snapshot, and left alone by one that does not add up', async () => {
    site.change(vehicle('OLD11'), quota(1));
    async function* lines(given: string): AsyncGenerator<SnapshotLine[]> {
      yield [{ kind: 'head', v: 1, n: 40, hash: given }];
      yield [{ kind: 'quota', id: 'q1', item: quota(5).item }];
      for (const plate of ['TRK11', 'ABX12']) {
        yield [{ kind: 'vehicle', id: plate, item: vehicle(plate).item }];
      }
      yield [{ kind: 'end', lines: 3 }];
    }
    await expect(site.core.feed.replace(lines('e'.repeat(32)))).rejects.toThrow('snapshot');
    expect(site.core.feed.position().hash).toBe(hash(vehicle('OLD11'), quota(1)));
    expect(stored('vehicle')).toBe(1);
    const whole = hash(quota(5), vehicle('TRK11'), vehicle('ABX12'));
    expect(await site.core.feed.replace(lines(whole))).toEqual({ n: 40, hash: whole });
    expect(stored('vehicle')).toBe(2);
    expect(
      site.core.feed.apply([
        { n: 41, mark: mark(41), change: { kind: 'vehicle', op: 'remove', id: 'TRK11' } },
      ]),
    ).toEqual({
      n: 41,
      hash: hash(quota(5), vehicle('ABX12')),
    });
  });

  it('survive a snapshot that was broken off by a power cut', async () => {
    site.change(vehicle('OLD11'));
    async function* cut(): AsyncGenerator<SnapshotLine[]> {
      yield [{ kind: 'head', v: 1, n: 40, hash: hash(vehicle('TRK11')) }];
      yield [{ kind: 'vehicle', id: 'TRK11', item: vehicle('TRK11').item }];
      throw new Error('the power went');
    }
    await expect(site.core.feed.replace(cut())).rejects.toThrow('power');
    // The half-built list is still there at the next start, and does not matter.
    site.db.close();
    const again = createTestSite({ folder: site.folder });
    expect(again.core.feed.position().hash).toBe(hash(vehicle('OLD11')));
    async function* whole(): AsyncGenerator<SnapshotLine[]> {
      yield [{ kind: 'head', v: 1, n: 40, hash: hash(vehicle('TRK11')) }];
      yield [{ kind: 'vehicle', id: 'TRK11', item: vehicle('TRK11').item }];
      yield [{ kind: 'end', lines: 1 }];
    }
    expect(await again.core.feed.replace(whole())).toEqual({ n: 40, hash: hash(vehicle('TRK11')) });
    again.db.close();
  });

  it('undone with a batch are as they were, in memory too', () => {
    site.change(quota(1));
    const gap = [
      { n: 2, mark: mark(2), change: quota(7) },
      { n: 4, mark: mark(4), change: vehicle('TRK11') },
    ];
    expect(() => site.core.feed.apply(gap)).toThrow();
    expect(site.change(quota(2)).hash).toBe(hash(quota(2)));
  });
});

describe('a snapshot', () => {
  async function* lines(plates: string[], wrong: Partial<{ hash: string; cutOff: boolean }> = {}) {
    yield [{ kind: 'head', v: 1, n: 40, hash: wrong.hash ?? hashOf(...plates) }] satisfies SnapshotLine[];
    for (const plate of plates) {
      yield [{ kind: 'permit', id: plate, item: put(plate).item }] satisfies SnapshotLine[];
    }
    if (!wrong.cutOff) yield [{ kind: 'end', lines: plates.length }] satisfies SnapshotLine[];
  }

  it('takes the place of the lists at once', async () => {
    site.change(put('OLD11'));
    expect(await site.core.feed.replace(lines(['ABX12', 'MKJ45']))).toEqual({
      n: 40,
      hash: hashOf('ABX12', 'MKJ45'),
    });
    expect(await admits('OLD11')).toBe(false);
    expect(await admits('ABX12')).toBe(true);
    expect(site.core.feed.apply([{ n: 41, mark: mark(41), change: put('NEW22') }]).n).toBe(41);
  });

  it.each([
    ['cut off', { cutOff: true }],
    ['not adding up', { hash: 'f'.repeat(32) }],
  ])('that is %s changes nothing', async (_what, wrong) => {
    site.change(put('OLD11'));
    await expect(site.core.feed.replace(lines(['ABX12'], wrong))).rejects.toSatisfy(doesNotAddUp);
    expect(site.core.feed.position()).toEqual({ n: 1, hash: hashOf('OLD11') });
    expect(await admits('OLD11')).toBe(true);
    expect(await admits('ABX12')).toBe(false);
  });

  it('can be taken again and again', async () => {
    await site.core.feed.replace(lines(['ABX12']));
    await site.core.feed.replace(lines(['MKJ45']));
    expect(await admits('MKJ45')).toBe(true);
  });
});
