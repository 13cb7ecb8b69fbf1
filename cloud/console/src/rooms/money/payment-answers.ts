import { FINDING_CONTRADICTED, mayBeRefunded } from '@hlid/protocol/rules/payment-transitions';
import type { WaitingPayment } from './money-calls.ts';
import type { Answer } from './payment-words.ts';

export type Chargeback = WaitingPayment['chargebacks'][number];

/** What a person can answer to a payment that needs one, the usual answer first. Each open chargeback has answers of its own. */
export function answersTo(payment: WaitingPayment, mayEditVisits: boolean): Answer[] {
  const { problem, state } = payment;
  switch (problem) {
    case 'provider':
      return findings(state);
    case 'settled-twice':
      return ['reverse', ...(mayEditVisits ? (['keep'] as const) : [])];
    case 'terminal':
      if (isForOffice(payment)) return terminalFindings(state);
      // A reversal that certainly did not come through can be tried again; all else only the site knows.
      return state === 'settled' && !isInDoubt(payment) ? ['reverse'] : [];
    case 'chargeback':
    case null:
      return [];
    default:
      return problem satisfies never;
  }
}

/** Whether its site cannot say more about it, so that it is resolved here. */
function isForOffice({ siteLostOn, reason }: WaitingPayment): boolean {
  return siteLostOn !== null || reason === FINDING_CONTRADICTED;
}

/** The same of a terminal: what was found out there, or at the bank. */
function terminalFindings(state: WaitingPayment['state']): Answer[] {
  if (state === 'settled') return ['reversed-there', 'stands-there'];
  if (state === 'reversed') return ['reversed-there'];
  if (state === 'declined' || state === 'cancelled') return ['never-there', 'reversed-there'];
  return ['stands-there', 'never-there', 'reversed-there'];
}

/** Whether it is uncertain if the money has been returned. */
export function isInDoubt({ state, reason, problem }: WaitingPayment): boolean {
  const needsPerson = problem === 'terminal' || problem === 'provider';
  return mayBeRefunded({ state, reason, needsPerson });
}

/** What a person can record of a chargeback. What was lost may still be won, by an appeal. */
export function answersToChargeback({ state }: Pick<Chargeback, 'state'>): Answer[] {
  if (state === 'open') return ['evidence', 'won', 'lost'];
  return state === 'lost' ? ['won'] : [];
}

/** The answers that the cloud accepts: what is settled was charged, and what is declined was not kept. */
function findings(state: WaitingPayment['state']): Answer[] {
  // A refund came back from the card, and the money is given another way.
  if (state === 'reversed') return ['given-back'];
  if (state === 'settled') return ['given-back', 'booked'];
  if (state === 'declined' || state === 'cancelled') return ['not-booked', 'given-back'];
  return ['booked', 'not-booked', 'given-back'];
}
