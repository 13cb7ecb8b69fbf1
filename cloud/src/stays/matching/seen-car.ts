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
  /** Null: the camera does not name it. */
  make: string | null;
  /** Null: the camera does not name it. */
  colour: string | null;
}
