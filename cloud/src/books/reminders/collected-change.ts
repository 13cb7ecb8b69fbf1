/** What was handed over of an invoice with its charges, and how much of it had been credited by then. */
export interface HandedOver {
  handedMinor: number;
  creditedMinor: number;
}

/** How it is with the same documents now. */
export interface CollectedNow {
  openMinor: number;
  creditedMinor: number;
  /** The day on which it was contested; null: it is not contested now. */
  contestedOn: string | null;
  /** The day of the last answer to a dispute since it was handed over; null: none was open since. */
  answeredOn: string | null;
}

/** What a collector needs to know. What was handed over is what is open, paid and credited together. */
export interface CollectedChange {
  openMinor: number;
  /** Since then; below zero: a payment was taken back. */
  paidMinor: number;
  /** Since then; below zero: a credit note was taken back. */
  creditedMinor: number;
  contestedOn: string | null;
  answeredOn: string | null;
}

/** @returns null: nothing has changed since it was handed over */
export function collectedChange(before: HandedOver, now: CollectedNow): CollectedChange | null {
  const { openMinor, contestedOn, answeredOn } = now;
  const creditedMinor = now.creditedMinor - before.creditedMinor;
  const paidMinor = before.handedMinor - openMinor - creditedMinor;
  const isSame = paidMinor === 0 && creditedMinor === 0 && contestedOn === null && answeredOn === null;
  return isSame ? null : { openMinor, paidMinor, creditedMinor, contestedOn, answeredOn };
}
