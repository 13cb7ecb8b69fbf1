import { readablePlate } from '../plate.ts';
import type { DocumentContext } from '../plate-read.ts';
import type { UtcTime } from '../utc-time.ts';
import { saysNothing } from './says-nothing.ts';

/**
 * Stands in an event's key for the time that a document lacks: the minute in which it came, within which it is one
 * event however often it is sent. The driver before such a camera is let in and out like any other. Null where nothing
 * was read either: that may be anything.
 */
export function arrivalOf({ receivedAt }: DocumentContext, plateRaw: string): string | null {
  if (saysNothing(plateRaw) || readablePlate(plateRaw) === null) return null;
  return receivedAt === undefined ? '-' : arrivalMinute(receivedAt);
}

/** The minute in which a document came, as it stands in a key. */
export function arrivalMinute(receivedAt: UtcTime): string {
  return `came ${receivedAt.slice(0, 'YYYY-MM-DDTHH:MM'.length)}`;
}
