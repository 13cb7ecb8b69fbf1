import { normalisePlate } from '@hlid/protocol/plate/plate';

let plates = 0;
/** One that nobody has yet. */
export function nextPlate(): string {
  plates++;
  return normalisePlate(`FZ ${String(plates).padStart(4, '0')}`);
}
