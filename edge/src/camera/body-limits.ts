/** How much memory all bodies that are being read may take together. */
export interface BodyRoom {
  /** False where there is no room for these bytes. */
  take(bytes: number): boolean;
  giveBack(bytes: number): void;
}

/** What may come of one document, and what of that is kept. */
export interface BodyLimits {
  maxBytes: number;
  /** Beyond `maxBytes` the large pictures are left out; beyond this it is refused. */
  maxSentBytes: number;
}
