import type { UtcTime } from '@hlid/protocol/base/utc-time';
import type { PlateRead } from '@hlid/protocol/plate/plate-read';

/** A read that came before its vehicle was on the arrival loop. */
export interface HeldBackRead {
  read: PlateRead;
  readId: string;
  at: UtcTime;
}
