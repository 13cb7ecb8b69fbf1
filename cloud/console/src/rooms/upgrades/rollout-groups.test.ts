import { describe, expect, it } from 'vitest';
import { failuresFirst, ringsOf } from './rollout-groups.ts';

const SITES = [
  { ring: 1, outcome: 'done', name: 'Akureyri' },
  { ring: 1, outcome: 'went-back', name: 'Harbour' },
  { ring: 3, outcome: 'waiting', name: 'Airport' },
  { ring: 3, outcome: 'skipped', name: 'Old town' },
] as const;

describe('the sites of a rollout', () => {
  it('are counted by ring', () => {
    const none = { failed: 0, 'under-way': 0, waiting: 0, done: 0, withdrawn: 0 };
    expect(ringsOf(SITES)).toEqual([
      { ring: 1, total: 2, counts: { ...none, failed: 1, done: 1 } },
      { ring: 3, total: 2, counts: { ...none, failed: 1, waiting: 1 } },
    ]);
  });

  it('begin with those that failed', () => {
    const names = failuresFirst(SITES).map(({ name }) => name);
    expect(names).toEqual(['Harbour', 'Old town', 'Akureyri', 'Airport']);
  });
});
