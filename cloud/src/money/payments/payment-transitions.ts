import {
  mayBecome,
  type Payment,
  type PaymentState,
  PaymentStateSchema,
} from '@hlid/protocol/records/payment';

type PaymentProgress = Pick<Payment, 'state' | 'needsPerson' | 'changedAt'>;

/**
 * A known payment after another report of its site; null: nothing is new. A site whose database was restored
 * from a backup reports older states again. Money that was taken is never forgotten, and a person decides
 * between two reports that contradict each other.
 */
export function transitionAfter(known: PaymentProgress, reported: PaymentProgress): PaymentProgress | null {
  if (reported.state === known.state) return reported.changedAt > known.changedAt ? reported : null;
  if (canLead(known.state, reported.state)) return reported;
  if (isDenied(known.state) && reported.state === 'settled') return { ...reported, needsPerson: true };
  if (known.state === 'settled' && isDenied(reported.state)) {
    return known.needsPerson ? null : { ...known, needsPerson: true };
  }
  return null;
}

export function isDenied(state: PaymentState): boolean {
  return state === 'declined' || state === 'cancelled';
}

/** Whether one state leads to the other, directly or through others. */
function canLead(from: PaymentState, to: PaymentState): boolean {
  const reached = new Set<PaymentState>([from]);
  for (const state of reached) {
    for (const next of PaymentStateSchema.options) if (mayBecome(state, next)) reached.add(next);
  }
  return reached.has(to);
}
