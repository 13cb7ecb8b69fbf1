import { addToHash, EMPTY_HASH } from '@hlid/protocol/content-hash';
import type { SnapshotLine } from '@hlid/protocol/edge-api';
import { isFault } from '@hlid/protocol/fault';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createTestSite, testPermit } from '../test-site.ts';
import { itemDigest } from './apply-change.ts';

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
        { n: 2, change: put('MKJ45') },
        { n: 4, change: put('ZZZ99') },
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
    expect(site.core.feed.apply([{ n: 1, change: put('ABX12') }])).toEqual({ n: 1, hash: hashOf('ABX12') });
  });
});

describe('a snapshot', () => {
  async function* lines(plates: string[], wrong: Partial<{ hash: string; cutOff: boolean }> = {}) {
    yield { kind: 'head', v: 1, n: 40, hash: wrong.hash ?? hashOf(...plates) } satisfies SnapshotLine;
    for (const plate of plates) {
      yield { kind: 'permit', id: plate, item: put(plate).item } satisfies SnapshotLine;
    }
    if (!wrong.cutOff) yield { kind: 'end', lines: plates.length } satisfies SnapshotLine;
  }

  it('takes the place of the lists at once', async () => {
    site.change(put('OLD11'));
    expect(await site.core.feed.replace(lines(['ABX12', 'MKJ45']))).toEqual({
      n: 40,
      hash: hashOf('ABX12', 'MKJ45'),
    });
    expect(await admits('OLD11')).toBe(false);
    expect(await admits('ABX12')).toBe(true);
    expect(site.core.feed.apply([{ n: 41, change: put('NEW22') }]).n).toBe(41);
  });

  it.each([
    ['cut off', { cutOff: true }],
    ['not adding up', { hash: 'f'.repeat(32) }],
  ])('that is %s changes nothing', async (_what, wrong) => {
    site.change(put('OLD11'));
    await expect(site.core.feed.replace(lines(['ABX12'], wrong))).rejects.toThrow('snapshot');
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
