import { findPassage, plateToSeekElsewhere } from '@hlid/protocol/passage';
import type { PlateRead } from '@hlid/protocol/plate-read';
import type { UtcTime } from '@hlid/protocol/utc-time';
import type { Passage, PassageStore } from './passage-store.ts';

/** The passage on this lane to which a read belongs. */
export function passageOf(
  read: PlateRead,
  laneId: string,
  at: UtcTime,
  passages: PassageStore,
  windows: { passageWindowMs: number; standingMs: number },
): Passage | null {
  const found = findPassage(read, at, passages.recent(laneId), windows, ({ decision }) => decision.open);
  if (found === null) return null;
  const plate = plateToSeekElsewhere(found, read);
  return plate !== null && passages.seenElsewhere(plate, laneId, found.lastSeenAt) ? null : found;
}
