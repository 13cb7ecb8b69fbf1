import type { UtcTime } from '@hlid/protocol/base/utc-time';
import type { Tx } from '../../platform/db/db.ts';
import { preparedInsert } from '../../platform/db/prepared-insert.ts';
import { type IntegrationEventType, integrationEventTable } from '../webhooks/integration-event-table.ts';

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
