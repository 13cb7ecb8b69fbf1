import type { PlateRead } from '@hlid/protocol/plate-read';
import type { UtcTime } from '@hlid/protocol/utc-time';

/** A read that came before its vehicle was on the arrival loop. */
export interface HeldBackRead {
  read: PlateRead;
  readId: string;
  at: UtcTime;
}
