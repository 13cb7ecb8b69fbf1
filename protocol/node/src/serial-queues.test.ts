import { expect, test } from 'vitest';
import { SerialQueue, SerialQueues } from './serial-queues.ts';

function gate(): { opened: Promise<void>; open: () => void } {
  let open = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open };
}

test('work of one key is done in order, and other keys do not wait for it', async () => {
  const queues = new SerialQueues();
  const { opened, open } = gate();
  const done: string[] = [];
  queues.add('a', async () => {
    await opened;
    done.push('a1');
  });
  queues.add('a', async () => void done.push('a2'));
  const other = new Promise<void>((resolve) => queues.add('b', async () => resolve()));
  await other;
  expect(done).toEqual([]);
  open();
  await queues.settled();
  expect(done).toEqual(['a1', 'a2']);
});

test('work that fails does not stop what is behind it', async () => {
  const queues = new SerialQueues();
  const done: string[] = [];
  queues.add('a', () => Promise.reject(new Error('no')));
  queues.add('a', async () => void done.push('a2'));
  await queues.settled();
  expect(done).toEqual(['a2']);
});

test('a full queue takes no more, until something is done', async () => {
  const queues = new SerialQueues(1);
  const { opened, open } = gate();
  expect(queues.add('a', () => opened)).toBe(true);
  expect(queues.add('a', () => opened)).toBe(false);
  expect(queues.add('b', () => opened)).toBe(true);
  open();
  await queues.settled();
  expect(queues.add('a', () => opened)).toBe(true);
});

test('work in one queue runs in its order, and goes on behind a failure', async () => {
  const queue = new SerialQueue();
  const { opened, open } = gate();
  const order: string[] = [];
  const first = queue.run(async () => {
    await opened;
    order.push('first');
    throw new Error('broken');
  });
  const second = queue.run(async () => order.push('second'));
  open();
  await expect(first).rejects.toThrow('broken');
  expect(await second).toBe(2);
  expect(order).toEqual(['first', 'second']);
});
