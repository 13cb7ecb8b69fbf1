import { expect, test } from 'vitest';
import type { ReadPicture } from '../plate/plate-read.ts';
import { keptPictures } from './kept-pictures.ts';

const picture = (kind: ReadPicture['kind'], base64: string): ReadPicture => ({
  kind,
  contentType: 'image/jpeg',
  base64,
});
const kept = (...pictures: ReadPicture[]) =>
  keptPictures(pictures, ({ base64 }) => (base64 === 'broken' ? null : base64)).map(
    ({ kind, picture: decoded }) => `${kind} ${decoded}`,
  );

test.each<[string, ReadPicture[], string[]]>([
  ['nothing', [], []],
  ['the overview before the vehicle', [picture('vehicle', 'v'), picture('overview', 'o')], ['vehicle o']],
  ['the plate beside it', [picture('plate', 'p'), picture('overview', 'o')], ['vehicle o', 'plate p']],
  ['a plate alone, as the picture that there is', [picture('plate', 'p')], ['vehicle p']],
  [
    'the next, where one is no picture',
    [picture('overview', 'broken'), picture('vehicle', 'v')],
    ['vehicle v'],
  ],
  [
    'one of each',
    [picture('plate', 'p1'), picture('plate', 'p2'), picture('vehicle', 'v')],
    ['vehicle v', 'plate p1'],
  ],
])('keeps %s', (_what, pictures, expected) => {
  expect(kept(...pictures)).toEqual(expected);
});
