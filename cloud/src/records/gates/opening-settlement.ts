/** How the fee of a car for which a person opens is settled. */
export const OPENING_SETTLEMENTS = ['paid-elsewhere', 'waived', 'invoice', 'bill-later'] as const;
export type OpeningSettlement = (typeof OPENING_SETTLEMENTS)[number];
