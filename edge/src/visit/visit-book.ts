import type { Price } from '@hlid/protocol/price-visit';
import type { SettlementItem, VisitEditItem, VisitItem } from '@hlid/protocol/site-change';
import type { UtcTime } from '@hlid/protocol/utc-time';
import type { PaymentStatus, ReviewFlag, Visit, VisitStep } from '@hlid/protocol/visit';
import { newId } from '../new-id.ts';
import type { EventLog } from '../outbox/event-log.ts';
import type { QuotaBook } from '../quota/quota-book.ts';
import type { SiteLists } from '../site-lists/site-lists.ts';
import { priceStay } from './price-stay.ts';
import { editedVisit, settledVisit, statusAfter, withFlags } from './visit-effects.ts';
import type { VisitStore } from './visit-store.ts';

/** Who did something to a visit, when, and why. */
export interface Deed {
  at: UtcTime;
  by: string;
  why: string;
}

export interface Arrival {
  plate: string | null;
  status: 'new' | 'need-plate';
  laneId: string;
  readId: string;
  flags: readonly ReviewFlag[];
  permitId: string | null;
  quota: Visit['quota'];
}

export interface Departure {
  laneId: string;
  readId: string;
  foundBy: NonNullable<Visit['exitFoundBy']>;
  settlement: PaymentStatus | null;
  settled: boolean;
  flags: readonly ReviewFlag[];
  price: Price | null;
  quota: Visit['quota'];
  permitId: string | null;
}

/** Everything that happens to a visit, each with its event, within the running transaction. */
export interface VisitBook {
  begin(arrival: Arrival, deed: Deed): Visit;
  /** It wants to leave and something is due. */
  askToPay(visit: Visit, due: Pick<Departure, 'price' | 'quota' | 'flags'>, deed: Deed): Visit;
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
  feedAt: () => number;
}): VisitBook {
  const { visits, events, lists, quotas, feedAt } = parts;

  function record(
    type: 'visit.opened' | 'visit.updated' | 'visit.ended',
    { before, after, deed }: { before: Visit | null; after: Visit; deed: Deed },
  ): Visit {
    const step: VisitStep = { from: before?.status ?? null, to: after.status, ...deed };
    visits.save(after);
    const seq = events.append({ type, visit: after, step, feedAt: feedAt() }, deed.at);
    quotas.follow(seq, before?.quota ?? null, after.quota);
    return after;
  }

  /** Makes way for a plate: one plate is inside once. */
  function clearPlate(plate: string, forVisitId: string, deed: Deed): void {
    const other = visits.openByPlate(plate);
    if (other && other.id !== forVisitId) loseExit(other, deed);
  }

  function loseExit(visit: Visit, deed: Deed): Visit {
    const lost: Visit = { ...visit, endedAt: deed.at, flags: withFlags(visit.flags, ['lost-exit']) };
    return record('visit.ended', { before: visit, after: lost, deed: { ...deed, why: 'lost-exit' } });
  }

  function priced(price: Price | null, at: UtcTime): Visit['price'] {
    if (price === null) return null;
    const { amountMinor, currency, lines, product } = price;
    return { amountMinor, currency, lines, product, pricedAt: at };
  }

  function settleKnown(visit: Visit, settlement: SettlementItem, at: UtcTime): Visit {
    const { exitGraceMinutes } = lists.site().settings;
    const settled = settledVisit(visit, settlement, { at, exitGraceMinutes });
    const deed = { at, by: settlement.by, why: `settled: ${settlement.paymentStatus}` };
    const ended = visit.endedAt === null && settled.endedAt !== null;
    return record(ended ? 'visit.ended' : 'visit.updated', { before: visit, after: settled, deed });
  }

  return {
    begin(arrival, deed) {
      const id = newId();
      if (arrival.plate !== null) clearPlate(arrival.plate, id, deed);
      const visit: Visit = {
        id,
        plate: arrival.plate,
        status: arrival.status,
        paymentStatus: null,
        startedAt: deed.at,
        endedAt: null,
        createdAt: deed.at,
        price: null,
        unitsMet: 0,
        paidUntil: null,
        flags: [...arrival.flags],
        entryLaneId: arrival.laneId,
        exitLaneId: null,
        entryReadId: arrival.readId,
        exitReadId: null,
        exitFoundBy: null,
        permitId: arrival.permitId,
        quota: arrival.quota,
      };
      return record('visit.opened', { before: null, after: visit, deed });
    },

    askToPay(visit, { price, quota, flags }, deed) {
      const asked: Visit = {
        ...visit,
        status: statusAfter(visit, 'asked-to-leave'),
        price: priced(price, deed.at),
        flags: withFlags(visit.flags, flags),
        quota,
      };
      return record('visit.updated', { before: visit, after: asked, deed });
    },

    leave(visit, departure, deed) {
      const left: Visit = {
        ...visit,
        status: statusAfter(visit, departure.settled ? 'left-settled' : 'asked-to-leave'),
        paymentStatus: departure.settlement ?? visit.paymentStatus,
        endedAt: deed.at,
        price: priced(departure.price, deed.at) ?? visit.price,
        flags: withFlags(visit.flags, departure.flags),
        exitLaneId: departure.laneId,
        exitReadId: departure.readId,
        exitFoundBy: departure.foundBy,
        permitId: departure.permitId ?? visit.permitId,
        quota: departure.quota,
      };
      return record('visit.ended', { before: visit, after: left, deed });
    },

    loseExit,

    correctPlate(visit, plate, deed) {
      if (visit.endedAt === null) clearPlate(plate, visit.id, deed);
      const corrected: Visit = {
        ...visit,
        plate,
        status: visit.status === 'need-plate' ? statusAfter(visit, 'plate-given') : visit.status,
        flags: visit.flags.filter((flag) => flag !== 'unreadable-plate'),
        quota: quotas.withPlate(visit, plate, deed.at),
      };
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
        edited.price = priced(priceStay(edited, edited.endedAt ?? edit.at, lists), edit.at);
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
