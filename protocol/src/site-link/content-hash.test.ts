import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canonicalJson } from '../base/canonical-json.ts';
import { addToHash, createHashSum, EMPTY_HASH, itemText, takeFromHash } from './content-hash.ts';
import { ContentHashSchema } from './envelope.ts';

const digestOf = (text: string) => createHash('sha256').update(text).digest('hex').slice(0, 32);
const digest = fc.string({ unit: fc.constantFrom(...'0123456789abcdef'), minLength: 32, maxLength: 32 });
const hashOf = (digests: readonly string[]) => digests.reduce(addToHash, EMPTY_HASH);

describe('the hash of lists', () => {
  it('does not depend on the order of the items', () => {
    fc.assert(
      fc.property(fc.array(digest), (digests) => {
        expect(hashOf(digests.toReversed())).toBe(hashOf(digests));
        expect(hashOf(digests.toSorted())).toBe(hashOf(digests));
      }),
    );
  });

  it('is as before when an item is added and taken away', () => {
    fc.assert(
      fc.property(digest, digest, (hash, item) => {
        expect(takeFromHash(addToHash(hash, item), item)).toBe(hash);
        expect(addToHash(takeFromHash(hash, item), item)).toBe(hash);
      }),
    );
  });

  it('comes out the same when many items are added up first, some taken away again', () => {
    fc.assert(
      fc.property(fc.array(digest), fc.array(digest), (added, taken) => {
        const sum = createHashSum();
        for (const one of taken) sum.take(one);
        for (const one of added) sum.add(one);
        expect(sum.hash()).toBe(taken.reduce(takeFromHash, hashOf(added)));
      }),
    );
  });

  it('always has 32 digits', () => {
    fc.assert(
      fc.property(digest, digest, (hash, item) => {
        expect(ContentHashSchema.safeParse(addToHash(hash, item)).success).toBe(true);
        expect(ContentHashSchema.safeParse(takeFromHash(hash, item)).success).toBe(true);
      }),
    );
    expect(takeFromHash(EMPTY_HASH, `${'0'.repeat(31)}1`)).toBe('f'.repeat(32));
    expect(addToHash('f'.repeat(32), `${'0'.repeat(31)}1`)).toBe(EMPTY_HASH);
  });

  it('knows a list that was changed from one that was not', () => {
    const text = (plate: string) => digestOf(itemText('permit', 'permit-1', { plate }));
    expect(hashOf([text('AB123')])).not.toBe(hashOf([text('AB124')]));
    expect(hashOf([text('AB123'), text('AB123')])).not.toBe(EMPTY_HASH);
    const changed = addToHash(takeFromHash(hashOf([text('AB123')]), text('AB123')), text('AB124'));
    expect(changed).toBe(hashOf([text('AB124')]));
  });
});

describe('the text of an item', () => {
  it('is its kind, its id and its content with the keys in order', () => {
    expect(itemText('zone', 'zone-1', { name: 'Norður', capacity: null, id: 'zone-1' })).toBe(
      'zone zone-1 {"capacity":null,"id":"zone-1","name":"Norður"}',
    );
  });

  it('is one for kinds and ids each', () => {
    const item = { id: 'one' };
    expect(itemText('zone', 'one', item)).not.toBe(itemText('permit', 'one', item));
    expect(itemText('zone', 'one', item)).not.toBe(itemText('zone', 'two', item));
  });
});

describe('canonicalJson', () => {
  it('sorts keys at every depth and leaves lists as they are', () => {
    expect(canonicalJson({ b: [{ d: 1, c: 2 }, 'z', 'a'], a: { y: null, x: true } })).toBe(
      '{"a":{"x":true,"y":null},"b":[{"c":2,"d":1},"z","a"]}',
    );
  });

  it('does not depend on the order of the keys, nor on a journey through JSON', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const text = canonicalJson(value);
        expect(canonicalJson(JSON.parse(text))).toBe(text);
        expect(canonicalJson(reversed(value))).toBe(text);
        expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(value)));
      }),
    );
  });

  it('takes an absent key and one that is undefined for the same', () => {
    expect(canonicalJson({ a: 1, b: undefined })).toBe(canonicalJson({ a: 1 }));
  });
});

/** The same value, the keys of its objects the other way round. */
function reversed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reversed);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([key, part]) => [key, reversed(part)]),
  );
}
