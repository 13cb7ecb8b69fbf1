import type { Price } from '@hlid/protocol/price-visit';
import type { SettlementItem, VisitEditItem } from '@hlid/protocol/site-change';
import { MINUTE_MS, millis, type UtcTime, utcTime } from '@hlid/protocol/utc-time';
import type { PaymentStatus, ReviewFlag, Visit, VisitStep } from '@hlid/protocol/visit';
import { moveBetween, moveVisit, type VisitMove } from '@hlid/protocol/visit-state';
import { newId } from '../new-id.ts';
import type { EventLog } from '../outbox/event-log.ts';
import type { SiteLists } from '../site-lists/site-lists.ts';
import { priceStay } from './price-stay.ts';
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
}

export interface Departure {
  laneId: string;
  readId: string;
  foundBy: NonNullable<Visit['exitFoundBy']>;
  settlement: PaymentStatus | null;
  settled: boolean;
  flags: readonly ReviewFlag[];
  price: Price | null;
  permitId: string | null;
}

/** Everything that happens to a visit, each with its event, within the running transaction. */
export interface VisitBook {
  begin(arrival: Arrival, deed: Deed): Visit;
  /** It wants to leave and something is due. */
  askToPay(visit: Visit, price: Price | null, flags: readonly ReviewFlag[], deed: Deed): Visit;
  leave(visit: Visit, departure: Departure, deed: Deed): Visit;
  /** Seen coming in again: its exit was missed. It ends unbilled and waits for a person. */
  loseExit(visit: Visit, deed: Deed): Visit;
  correctPlate(visit: Visit, plate: string, deed: Deed): Visit;
  flag(visit: Visit, flag: ReviewFlag, raised: boolean, deed: Deed): Visit;
  settle(settlement: SettlementItem, at: UtcTime): Visit | undefined;
  edit(edit: VisitEditItem): Visit | undefined;
}

export function createVisitBook(parts: {
  visits: VisitStore;
  events: EventLog;
  lists: SiteLists;
  feedAt: () => number;
}): VisitBook {
  const { visits, events, lists, feedAt } = parts;

  function record(
    type: 'visit.opened' | 'visit.updated' | 'visit.ended',
    visit: Visit,
    step: VisitStep,
  ): Visit {
    visits.save(visit);
    events.append({ type, visit, step, feedAt: feedAt() }, step.at);
    return visit;
  }

  function stepOf(from: Visit | null, to: Visit, deed: Deed): VisitStep {
    return { from: from?.status ?? null, to: to.status, ...deed };
  }

  /** The status after a move; where the rules forbid the move, what happened on the ground still stands. */
  function statusAfter(visit: Visit, move: VisitMove): Visit['status'] {
    const moved = moveVisit(visit.status, move);
    return moved.ok ? moved.status : visit.status;
  }

  /** Makes way for a plate: one plate is inside once. */
  function clearPlate(plate: string, forVisitId: string, deed: Deed): void {
    const other = visits.openByPlate(plate);
    if (other && other.id !== forVisitId) loseExit(other, deed);
  }

  function loseExit(visit: Visit, deed: Deed): Visit {
    const lost: Visit = { ...visit, endedAt: deed.at, flags: withFlags(visit.flags, ['lost-exit']) };
    return record('visit.ended', lost, stepOf(visit, lost, { ...deed, why: 'lost-exit' }));
  }

  function priced(price: Price | null, at: UtcTime): Visit['price'] {
    if (price === null) return null;
    const { amountMinor, currency, lines, product } = price;
    return { amountMinor, currency, lines, product, pricedAt: at };
  }

  function settlementEffect(visit: Visit, settlement: SettlementItem, at: UtcTime): Visit {
    const graceMs = lists.site().settings.exitGraceMinutes * MINUTE_MS;
    const voided = settlement.paymentStatus === 'void';
    const move = voided ? 'voided' : visit.endedAt === null ? 'paid' : 'left-settled';
    return {
      ...visit,
      paymentStatus: settlement.paymentStatus,
      unitsMet: visit.unitsMet + settlement.units,
      paidUntil: utcTime(millis(at) + graceMs),
      status: statusAfter(visit, move),
      endedAt: voided ? (visit.endedAt ?? at) : visit.endedAt,
      price: visit.price && { ...visit.price, amountMinor: dueAfter(visit.price.amountMinor, settlement) },
    };
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
      };
      return record('visit.opened', visit, stepOf(null, visit, deed));
    },

    askToPay(visit, price, flags, deed) {
      const asked: Visit = {
        ...visit,
        status: statusAfter(visit, 'asked-to-leave'),
        price: priced(price, deed.at),
        flags: withFlags(visit.flags, flags),
      };
      return record('visit.updated', asked, stepOf(visit, asked, deed));
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
      };
      return record('visit.ended', left, stepOf(visit, left, deed));
    },

    loseExit,

    correctPlate(visit, plate, deed) {
      if (visit.endedAt === null) clearPlate(plate, visit.id, deed);
      const corrected: Visit = {
        ...visit,
        plate,
        status: visit.status === 'need-plate' ? statusAfter(visit, 'plate-given') : visit.status,
        flags: visit.flags.filter((flag) => flag !== 'unreadable-plate'),
      };
      return record('visit.updated', corrected, stepOf(visit, corrected, deed));
    },

    flag(visit, flag, raised, deed) {
      const others = visit.flags.filter((other) => other !== flag);
      const flagged: Visit = { ...visit, flags: raised ? [...others, flag] : others };
      return record('visit.updated', flagged, stepOf(visit, flagged, deed));
    },

    settle(settlement, at) {
      if (!visits.saveSettlement(settlement)) return undefined;
      const visit = visits.get(settlement.visitId);
      if (!visit) return undefined;
      const settled = settlementEffect(visit, settlement, at);
      const deed = { at, by: settlement.by, why: `settled: ${settlement.paymentStatus}` };
      const ended = visit.endedAt === null && settled.endedAt !== null;
      return record(ended ? 'visit.ended' : 'visit.updated', settled, stepOf(visit, settled, deed));
    },

    edit(edit) {
      const visit = visits.get(edit.visitId);
      if (!visit) return undefined;
      const deed = { at: edit.at, by: edit.by, why: edit.reason };
      const endedAt = edit.endedAt === undefined ? visit.endedAt : edit.endedAt;
      const plate = edit.plate ?? visit.plate;
      if (endedAt === null && plate !== null) clearPlate(plate, visit.id, deed);
      const move = edit.status === undefined ? null : moveBetween(visit.status, edit.status);
      const edited: Visit = {
        ...visit,
        plate,
        endedAt: move === 'voided' ? (endedAt ?? edit.at) : endedAt,
        status: move ? statusAfter(visit, move) : visit.status,
        flags:
          edit.plate === undefined ? visit.flags : visit.flags.filter((flag) => flag !== 'unreadable-plate'),
        // Opened again, it is unsettled again: whatever let it leave does so no more.
        ...(visit.status === 'completed' &&
          move !== null && { paymentStatus: null, paidUntil: null, price: null }),
      };
      if (edited.status === 'need-plate' && edit.plate !== undefined) edited.status = 'new';
      if (edited.status === 'need-payment' && edited.price === null) {
        edited.price = priced(priceStay(edited, edit.at, lists), edit.at);
      }
      return record('visit.updated', edited, stepOf(visit, edited, deed));
    },
  };
}

/** What is left of a due after a settlement: nothing where it was waived, else what was not paid. */
function dueAfter(amountMinor: number, settlement: SettlementItem): number {
  const waived = settlement.paymentStatus === 'void' || settlement.paymentStatus === 'whitelisted';
  return waived ? 0 : Math.max(0, amountMinor - settlement.amountMinor);
}

function withFlags(flags: readonly ReviewFlag[], more: readonly ReviewFlag[]): ReviewFlag[] {
  return [...new Set([...flags, ...more])];
}
