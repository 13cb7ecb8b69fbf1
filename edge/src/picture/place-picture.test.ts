import { expect, it } from 'vitest';
import { placePicture } from './place-picture.ts';

const kept = (...reads: [string, number][]) => reads.map(([readId, score]) => ({ readId, score }));
const read = { id: 'r', score: 0.9 };

it.each<[string, ReturnType<typeof kept>, string | null, string | null]>([
  ['the first of a passage', kept(), null, 'r'],
  ['the first, with the visit begun by it', kept(), 'r', 'r'],
  ['one that came after the read of the visit, which has none', kept(), 'v', 'v'],
  ['one at the exit, let go after others of it were kept', kept(['a', 0.95]), 'v', 'v'],
  ['one that is hardly better', kept(['v', 0.87]), 'v', null],
  ['one that is much better', kept(['v', 0.7]), 'v', 'r'],
  ['the same document again', kept(['r', 0.2]), null, null],
  ['one more of a car that stands there', kept(['v', 0.3], ['b', 0.4], ['c', 0.5]), 'v', null],
])('%s', (_what, before, visitReadId, expected) => {
  expect(placePicture(read, before, visitReadId)).toBe(expected);
});
