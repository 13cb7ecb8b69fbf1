import type { WaitingPayment } from './money-calls.ts';
import type { Answer } from './payment-words.ts';

/** What a person can answer to a payment that needs one, the usual answer first. */
export function answersTo({ problem, state, chargeback }: WaitingPayment, mayEditVisits: boolean): Answer[] {
  switch (problem) {
    case 'provider':
      return findings(state);
    case 'settled-twice':
      return ['reverse', ...(mayEditVisits ? (['keep'] as const) : [])];
    case 'terminal':
      // A reversal that did not come through can be tried again; all else only the site knows.
      return state === 'settled' ? ['reverse'] : [];
    case 'chargeback':
      return chargeback?.state === 'open' ? ['evidence', 'won', 'lost'] : [];
    default:
      return problem satisfies never;
  }
}

/** As the cloud takes them: what is settled was charged, and what is declined was not kept. */
function findings(state: WaitingPayment['state']): Answer[] {
  // A refund came back from the card, and the money is given another way.
  if (state === 'reversed') return ['given-back'];
  if (state === 'settled') return ['given-back', 'booked'];
  if (state === 'declined' || state === 'cancelled') return ['not-booked', 'given-back'];
  return ['booked', 'not-booked', 'given-back'];
}
