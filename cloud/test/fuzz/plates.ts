import { normalisePlate } from '@hlid/protocol/plate/plate';

let plates = 0;
/** A plate that is not in use yet. */
export function nextPlate(): string {
  plates++;
  return normalisePlate(`FZ ${String(plates).padStart(4, '0')}`);
}
