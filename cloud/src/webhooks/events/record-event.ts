import type { UtcTime } from '@hlid/protocol/utc-time';
import type { Tx } from '../../db/db.ts';
import { preparedInsert } from '../../db/prepared-insert.ts';
import { type IntegrationEventType, integrationEventTable } from './integration-event-table.ts';

const addEvent = preparedInsert<typeof integrationEventTable, 'n'>(integrationEventTable);

/** Announced when there is a new event for integrators. */
export const INTEGRATION_EVENT = 'integration-event';

/** Records an event for integrators, in the transaction of the change itself. */
export async function recordEvent(
  tx: Tx,
  event: { type: IntegrationEventType; subjectId: string; siteId: string | null; at: UtcTime },
): Promise<void> {
  await addEvent(tx.q, event);
  tx.announce(INTEGRATION_EVENT);
}
