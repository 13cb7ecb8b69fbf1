import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { SiteChangeBodySchema } from '../site-link/site-change.ts';
import { readNewer } from './read-newer.ts';

const Schema = z.strictObject({
  name: z.string(),
  parts: z.array(z.strictObject({ n: z.int(), inner: z.strictObject({ at: z.string() }).optional() })),
});
const known = { name: 'a', parts: [{ n: 1 }, { n: 2, inner: { at: 'x' } }] };

describe('what a newer side says', () => {
  it('is read without what is not known, at any depth, and is not changed by that', () => {
    const newer = {
      ...known,
      more: { deep: true },
      parts: [
        { n: 1, size: 3 },
        { n: 2, inner: { at: 'x', zone: 'y' } },
      ],
    };
    const before = structuredClone(newer);
    expect(readNewer(Schema, newer)).toMatchObject({ success: true, data: known });
    expect(readNewer(Schema, newer).data).toEqual(known);
    expect(newer).toEqual(before);
  });

  it.each([
    ['a field missing', { more: 1, parts: [] }],
    ['a field of another kind', { name: 3, parts: [], more: 1 }],
    ['no object at all', 'nonsense'],
  ])('is refused with %s', (_what, document) => {
    expect(readNewer(Schema, document).success).toBe(false);
  });

  it('is read where there are several forms of it', () => {
    const change = { kind: 'zone', op: 'put', id: 'z', item: { id: 'z', name: 'Z', capacity: null } };
    const newer = { ...change, reason: 'new', item: { ...change.item, colour: 'red' } };
    expect(readNewer(SiteChangeBodySchema, newer).data).toEqual(change);
    expect(readNewer(SiteChangeBodySchema, { ...newer, kind: 'robot' }).success).toBe(false);
  });
});
