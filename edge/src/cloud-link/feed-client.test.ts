import type { SnapshotLine } from '@hlid/protocol/edge-api';
import { pino } from 'pino';
import { expect, test, vi } from 'vitest';
import { createFeedClient } from './feed-client.ts';
import { createTestFeedBook, zoneChange } from './test-lists.ts';

const HEAD = { v: 1, n: 3, hash: 'ab'.repeat(16) } as const;

test('a head that comes in the same breath as the connection is not overheard', async () => {
  const feed = createTestFeedBook();
  const changes = [1, 2, 3].map((n) => zoneChange(n, []).change);
  const acknowledged: number[] = [];
  const client = createFeedClient({
    feed,
    http: {
      changes: async () => ({ v: 1, changes, head: HEAD }),
      async *snapshot(): AsyncGenerator<SnapshotLine[]> {},
    },
    log: pino({ enabled: false }),
    retry: { firstMs: 10, mostMs: 10 },
    snapshotRetry: { firstMs: 10, mostMs: 10 },
    onChange: () => undefined,
  });
  client.connected(({ n }) => void acknowledged.push(n));
  client.headArrived(HEAD);
  client.recognised();
  await vi.waitFor(() => expect(acknowledged).toEqual([0, 3]));
  await client.stop();
});
