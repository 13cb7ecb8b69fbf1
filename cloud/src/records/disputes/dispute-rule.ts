import { type Mistake, mistake } from '@hlid/protocol/base/mistakes/mistake';

/**
 * The most disputes of one visit or invoice, answered ones included: a person who disagrees with an answer
 * calls.
 */
const MAX_OF_ONE = 3;

/** The disputes about a visit or an invoice. */
export interface DisputesOfOne {
  isOpen: boolean;
  count: number;
}

/** Why it cannot be contested, or not once more; null: it can. */
export function refuseDispute({ isOpen, count }: DisputesOfOne): Mistake | null {
  if (isOpen) return mistake('disputed-already');
  return count >= MAX_OF_ONE ? mistake('disputed-often') : null;
}
