import type { DocumentLimits } from '@hlid/node/unpack-document';

/** How much memory all bodies that are being read may take together. */
export interface ByteBudget {
  /** False where there is no memory for these bytes. */
  take(bytes: number): boolean;
  giveBack(bytes: number): void;
}

export type BodyLimits = DocumentLimits;
