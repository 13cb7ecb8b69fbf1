import { type Price, waivePrice } from '@hlid/protocol/price-visit';
import type { UtcTime } from '@hlid/protocol/utc-time';
import type { Decided } from '../decision/decide-at-lane.ts';
import type { Passage } from '../passage/passage-store.ts';
import type { VisitBook } from './visit-book.ts';

/**
 * Does to the visit what was decided for a passage, and returns the visit's id. With the gate open already
 * (`passed`) a car that owes has left: its visit ends unsettled and waits for a person.
 */
export function carryOut(
  decided: Decided,
  passage: Passage,
  visits: VisitBook,
  at: UtcTime,
  passed = false,
): string | null {
  const { decision, leaving, price, quota, permitId } = decided;
  const { laneId, readId, plate } = passage;
  const { flags, settlement } = decision;
  const deed = { at, by: `lane:${laneId}`, why: decision.reason };
  const effect = decision.visit;

  function leave(
    { visit, foundBy }: NonNullable<Decided['leaving']>,
    settled: boolean,
    due: Price | null,
  ): string {
    const departure = { laneId, readId, foundBy, settlement, settled, flags, price: due, quota, permitId };
    return visits.leave(visit, departure, deed).id;
  }

  switch (effect.kind) {
    case 'none':
      return null;
    case 'start':
      return visits.begin({ plate, status: effect.status, laneId, readId, flags, permitId, quota }, deed).id;
    case 'ask': {
      if (leaving === null) return null;
      if (passed) return leave(leaving, false, price);
      const { visit } = leaving;
      const askedAlready =
        visit.status === 'need-payment' &&
        visit.price?.amountMinor === price?.amountMinor &&
        visit.quota?.units === quota?.units;
      return askedAlready ? visit.id : visits.askToPay(visit, { price, quota, flags }, deed).id;
    }
    case 'end': {
      if (leaving === null) return null;
      // Whoever leaves settled owes nothing more, but for what an invoice will say.
      const billed = !effect.settled || settlement === 'company-invoice' || settlement === 'owner-invoice';
      return leave(leaving, effect.settled, price && !billed ? waivePrice(price) : price);
    }
    default:
      return effect satisfies never;
  }
}
