import { expect, it } from 'vitest';
import type { Connection } from './connection.ts';
import { ReaderPool } from './reader-pool.ts';

function pool(size: number): { readers: ReaderPool; opened: () => number; closed: Connection[] } {
  let opened = 0;
  const closed: Connection[] = [];
  const readers = new ReaderPool(size, () => {
    opened++;
    // A pool hands its connections on, and only ever closes them.
    const connection = { close: () => closed.push(connection) } as unknown as Connection;
    return connection;
  });
  return { readers, opened: () => opened, closed };
}

it('opens no more than it needs, and gives the one used last', async () => {
  const { readers, opened } = pool(3);
  const [first, second] = [await readers.take(), await readers.take()];
  readers.giveBack(first);
  readers.giveBack(second);
  expect(await readers.take()).toBe(second);
  expect(await readers.take()).toBe(first);
  expect(opened()).toBe(2);
});

it('lets who finds none free wait for the next one, in order', async () => {
  const { readers, closed } = pool(1);
  const only = await readers.take();
  const served: string[] = [];
  const wait = async (who: string) => {
    const reader = await readers.take();
    served.push(who);
    readers.giveBack(reader);
  };
  const waiting = Promise.all([wait('first'), wait('second')]);
  await new Promise((resolve) => setImmediate(resolve));
  expect(served).toEqual([]);
  readers.giveBack(only);
  await waiting;
  expect(served).toEqual(['first', 'second']);
  readers.close();
  expect(closed).toEqual([only]);
});
