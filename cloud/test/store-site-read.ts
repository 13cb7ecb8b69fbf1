import { randomUUID } from 'node:crypto';
import type { StoredRead } from '@hlid/protocol/site-link/site-event';
import { applyEvent } from '../src/integration/ingest/apply-event.ts';
import type { TestApi } from './api.ts';

/** Stores a read as its site reports it, for tests. */
export async function storeSiteRead(api: TestApi, read: StoredRead, siteId = api.site.id): Promise<void> {
  const place = { siteId, eventId: randomUUID(), at: api.now(), arrivedAt: api.now() };
  await api.db.write((tx) => applyEvent(tx, place, { type: 'read.stored', read }));
}
