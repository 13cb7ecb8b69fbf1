import type { PlateCandidate } from '@hlid/protocol/plate/plate';

/** A car that a camera saw at the way in or out. */
export interface SeenCar {
  id: string;
  /** Milliseconds since 1970. */
  at: number;
  /** The lane's camera. */
  camera: string;
  /** The readings of its plate, the likeliest first. */
  plates: readonly PlateCandidate[];
  /** As the camera names them; null: it does not. */
  make: string | null;
  colour: string | null;
}
