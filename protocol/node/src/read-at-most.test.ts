import { expect, it } from 'vitest';
import { readAtMost } from './read-at-most.ts';

const streamed = (onCancel = () => {}) =>
  new Response(
    new ReadableStream({
      pull: (controller) => controller.enqueue(new TextEncoder().encode('þorp')),
      cancel: onCancel,
    }),
  );

it('reads an answer to its last byte, and one without a body', async () => {
  expect(await readAtMost(new Response('þorp'), 5)).toBe('þorp');
  expect(await readAtMost(new Response(null, { status: 204 }), 5)).toBe('');
});

it('reads no more of an answer that is too long', async () => {
  expect(await readAtMost(new Response('þorp'), 4)).toBeNull();
  let isCancelled = false;
  expect(
    await readAtMost(
      streamed(() => {
        isCancelled = true;
      }),
      1000,
    ),
  ).toBeNull();
  expect(isCancelled).toBe(true);
});
