import { moneyText } from '../../ui/money.tsx';
import { dayText } from '../../ui/wall-text.ts';
import { CLAIM, takenBackOf, type WholeClaim } from './claim-calls.ts';

/** That the bank took the last payment of a claim back. */
export function TakenBack({ claim }: { claim: WholeClaim }) {
  const taken = takenBackOf(claim);
  if (taken === null) return null;
  const amount = moneyText({ amountMinor: 0 - taken.paid, currency: claim.currency });
  return <p className="notice caution">{CLAIM.takenBack({ amount, day: dayText(taken.bookedOn) })}</p>;
}
