import type { UtcTime } from '@hlid/protocol/utc-time';
import { sql } from 'drizzle-orm';
import type { Tx } from '../db/db.ts';
import { prepared } from '../db/prepared.ts';
import { type IntegrationEventType, integrationEventTable } from './integration-event-table.ts';

const addEvent = prepared((q) =>
  q
    .insert(integrationEventTable)
    .values({
      type: sql`${sql.placeholder('type')}`,
      subjectId: sql`${sql.placeholder('subjectId')}`,
      siteId: sql`${sql.placeholder('siteId')}`,
      at: sql`${sql.placeholder('at')}`,
    })
    .prepare(),
);

/** Announced when there is something to tell integrators. */
export const INTEGRATION_EVENT = 'integration-event';

/** Notes, in the transaction that does it, what integrators will be told. */
export async function recordEvent(
  tx: Tx,
  event: { type: IntegrationEventType; subjectId: string; siteId: string | null; at: UtcTime },
): Promise<void> {
  await addEvent(tx.q).run(event);
  tx.announce(INTEGRATION_EVENT);
}
