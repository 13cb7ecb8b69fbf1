import { Fault } from '@hlid/protocol/base/fault';
import type { SnapshotLine } from '@hlid/protocol/site-link/edge-api';
import { deadline } from '@hlid/protocol/test/deadline';
import { pino } from 'pino';
import { expect, test, vi } from 'vitest';
import { createTestFeedBook, zoneChange } from '../../test/lists.ts';
import { FeedClient } from './feed-client.ts';

const HEAD = { v: 1, n: 3, hash: 'ab'.repeat(16) } as const;

/** A client and its cloud with three changes, and what the client reports of its position. */
function clientOfThree({ failsWith }: { failsWith?: Fault } = {}) {
  const changes = [1, 2, 3].map((n) => zoneChange(n, []).change);
  const acknowledged: number[] = [];
  const client = new FeedClient({
    feed: createTestFeedBook(),
    http: {
      changes: async () => ({ v: 1, changes, head: HEAD }),
      async *snapshot(): AsyncGenerator<SnapshotLine[]> {
        if (failsWith) throw failsWith;
        yield [];
      },
    },
    log: pino({ enabled: false }),
    retry: { firstMs: 10, maxMs: 10 },
    snapshotRetry: { firstMs: 10, maxMs: 10 },
    onChange: () => undefined,
  });
  client.connected(({ n }) => void acknowledged.push(n));
  return { client, acknowledged };
}

test('a head that comes in the same breath as the connection is not overheard', async () => {
  const { client, acknowledged } = clientOfThree();
  client.headArrived(HEAD);
  client.recognised();
  await vi.waitFor(() => expect(acknowledged).toEqual([0, 3]), deadline(10_000));
  await client.stop();
});

test('what the site holds is said again to a cloud that names the same head again', async () => {
  const { client, acknowledged } = clientOfThree();
  client.headArrived(HEAD);
  client.recognised();
  await vi.waitFor(() => expect(acknowledged).toEqual([0, 3]), deadline(10_000));
  client.headArrived(HEAD);
  expect(acknowledged).toEqual([0, 3, 3]);
  await client.stop();
});

test('lists that came as a whole and are not what their hash says differ; those that could not be fetched do not', async () => {
  const { client } = clientOfThree();
  client.recognised();
  client.headArrived(HEAD);
  expect([client.trouble(), client.differing()]).toEqual([null, null]);
  await vi.waitFor(() => expect(client.differing()).toMatch(/does not add up/), deadline(10_000));
  expect(client.trouble()).toBe(client.differing());
  await client.stop();

  const away = clientOfThree({ failsWith: new Fault('link-lost', 'nobody answers') });
  away.client.recognised();
  away.client.headArrived(HEAD);
  await vi.waitFor(() => expect(away.client.trouble()).toBe('nobody answers'), deadline(10_000));
  expect(away.client.differing()).toBeNull();
  await away.client.stop();
});
