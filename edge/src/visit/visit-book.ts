import type { SettlementItem, VisitEditItem, VisitItem } from '@hlid/protocol/site-change';
import type { UtcTime } from '@hlid/protocol/utc-time';
import type { ReviewFlag, Visit } from '@hlid/protocol/visit';
import {
  type Arrival,
  askedVisit,
  beginVisit,
  type Deed,
  type Demand,
  type Departure,
  departedVisit,
  lostVisit,
  pricedAt,
  replatedVisit,
  visitStep,
} from '@hlid/protocol/visit-course';
import { newId } from '../new-id.ts';
import type { EventLog } from '../outbox/event-log.ts';
import type { QuotaBook } from '../quota/quota-book.ts';
import type { SiteLists } from '../site-lists/site-lists.ts';
import type { StayPrices } from './price-stay.ts';
import { editedVisit, settledVisit } from './visit-effects.ts';
import type { VisitStore } from './visit-store.ts';

/** Everything that happens to a visit, each with its event, within the running transaction. */
export interface VisitBook {
  begin(arrival: Arrival, deed: Deed): Visit;
  /** It wants to leave and something is due. */
  askToPay(visit: Visit, demand: Demand, deed: Deed): Visit;
  leave(visit: Visit, departure: Departure, deed: Deed): Visit;
  /** Seen coming in again: its exit was missed. It ends unbilled and waits for a person. */
  loseExit(visit: Visit, deed: Deed): Visit;
  correctPlate(visit: Visit, plate: string, deed: Deed): Visit;
  flag(visit: Visit, flag: ReviewFlag, raised: boolean, deed: Deed): Visit;
  settle(settlement: SettlementItem, at: UtcTime): Visit | undefined;
  edit(edit: VisitEditItem): Visit | undefined;
  /** Takes over a visit that was begun in the cloud, so that its exit finds it; one that is here already stays. */
  takeOver(item: VisitItem): Visit | undefined;
}

export function createVisitBook(parts: {
  visits: VisitStore;
  events: EventLog;
  lists: SiteLists;
  quotas: QuotaBook;
  prices: StayPrices;
  feedAt: () => number;
}): VisitBook {
  const { visits, events, lists, quotas, prices, feedAt } = parts;

  function record(
    type: 'visit.opened' | 'visit.updated' | 'visit.ended',
    { before, after, deed }: { before: Visit | null; after: Visit; deed: Deed },
  ): Visit {
    const step = visitStep(before, after, deed);
    const seq = events.append({ type, visit: after, step, feedAt: feedAt() }, deed.at);
    visits.save(after, seq);
    quotas.follow(seq, before?.quota ?? null, after.quota);
    return after;
  }

  /** Makes way for a plate: one plate is inside once. */
  function clearPlate(plate: string, forVisitId: string, deed: Deed): void {
    const other = visits.openByPlate(plate);
    if (other && other.id !== forVisitId) loseExit(other, deed);
  }

  function loseExit(visit: Visit, deed: Deed): Visit {
    const lost = lostVisit(visit, deed);
    return record('visit.ended', { before: visit, after: lost, deed: { ...deed, why: 'lost-exit' } });
  }

  function settleKnown(visit: Visit, settlement: SettlementItem, at: UtcTime): Visit {
    const { tariff } = prices.product(visit, visit.endedAt ?? at)?.config ?? {};
    const exitGraceMinutes = tariff?.exitGraceMinutes ?? lists.site().settings.exitGraceMinutes;
    const settled = settledVisit(visit, settlement, { at, exitGraceMinutes });
    const deed = { at, by: settlement.by, why: `settled: ${settlement.paymentStatus}` };
    const ended = visit.endedAt === null && settled.endedAt !== null;
    return record(ended ? 'visit.ended' : 'visit.updated', { before: visit, after: settled, deed });
  }

  return {
    begin(arrival, deed) {
      const id = newId();
      if (arrival.plate !== null) clearPlate(arrival.plate, id, deed);
      return record('visit.opened', { before: null, after: beginVisit(id, arrival, deed), deed });
    },

    askToPay: (visit, demand, deed) =>
      record('visit.updated', { before: visit, after: askedVisit(visit, demand, deed), deed }),

    leave: (visit, departure, deed) =>
      record('visit.ended', { before: visit, after: departedVisit(visit, departure, deed), deed }),

    loseExit,

    correctPlate(visit, plate, deed) {
      if (visit.endedAt === null) clearPlate(plate, visit.id, deed);
      const corrected = replatedVisit(visit, plate, quotas.withPlate(visit, plate, deed.at));
      return record('visit.updated', { before: visit, after: corrected, deed });
    },

    flag(visit, flag, raised, deed) {
      const others = visit.flags.filter((other) => other !== flag);
      const flagged: Visit = { ...visit, flags: raised ? [...others, flag] : others };
      return record('visit.updated', { before: visit, after: flagged, deed });
    },

    settle(settlement, at) {
      if (!visits.saveSettlement(settlement)) return undefined;
      const visit = visits.get(settlement.visitId);
      return visit && settleKnown(visit, settlement, at);
    },

    edit(edit) {
      const visit = visits.get(edit.visitId);
      if (!visit) return undefined;
      const deed = { at: edit.at, by: edit.by, why: edit.reason };
      const edited = editedVisit(visit, edit);
      if (edited.endedAt === null && edited.plate !== null) clearPlate(edited.plate, visit.id, deed);
      if (edit.plate !== undefined) {
        edited.quota = quotas.withPlate({ ...edited, plate: visit.plate }, edit.plate, edit.at);
      }
      if (edited.status === 'need-payment' && edited.price === null) {
        edited.price = pricedAt(prices.price(edited, edited.endedAt ?? edit.at), edit.at);
      }
      return record('visit.updated', { before: visit, after: edited, deed });
    },

    takeOver({ visit, reason, by, at }) {
      if (visits.get(visit.id)) return undefined;
      const deed = { at, by, why: reason };
      if (visit.endedAt === null && visit.plate !== null) clearPlate(visit.plate, visit.id, deed);
      record('visit.opened', { before: null, after: visit, deed });
      // A snapshot brings the settlements of a visit that is told of only after it.
      return visits
        .settlementsOf(visit.id)
        .reduce((known, settlement) => settleKnown(known, settlement, at), visit);
    },
  };
}
