import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, it } from 'vitest';
import { deadline } from './deadline.ts';

setFlagsFromString('--expose-gc');
const collectGarbage: () => void = runInNewContext('gc');

const COUNT = 100;

it('a deadline ends its work whatever the garbage collector takes meanwhile', async () => {
  const stopping = new AbortController();
  let ended = 0;
  for (let n = 0; n < COUNT; n++) {
    deadline(50, stopping.signal).addEventListener('abort', () => ended++);
  }
  await expect
    .poll(() => {
      collectGarbage();
      return ended;
    })
    .toBe(COUNT);
});

it('a deadline ends at once when the other signal does', () => {
  const stopping = new AbortController();
  const both = deadline(3_600_000, stopping.signal);
  stopping.abort();
  expect(both.aborted).toBe(true);
});
