import type { UtcTime } from '../base/utc-time.ts';
import { readablePlate } from '../plate/plate.ts';
import type { DocumentContext } from '../plate/plate-read.ts';
import { isUnstated } from './unstated.ts';

/**
 * Replaces a missing time in an event's key by the minute of arrival, so that a document which is sent again within
 * the minute is the same event. Null if there is no plate either.
 */
export function arrivalOf({ receivedAt }: DocumentContext, plateRaw: string): string | null {
  if (isUnstated(plateRaw) || readablePlate(plateRaw) === null) return null;
  return receivedAt === undefined ? '-' : arrivalMinute(receivedAt);
}

/** The minute of arrival, for an event's key. */
export function arrivalMinute(receivedAt: UtcTime): string {
  return `came ${receivedAt.slice(0, 'YYYY-MM-DDTHH:MM'.length)}`;
}
