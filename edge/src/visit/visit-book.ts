import type { SettlementItem, VisitEditItem, VisitItem } from '@hlid/protocol/site-change';
import { settingsUnder } from '@hlid/protocol/stay-price';
import type { UtcTime } from '@hlid/protocol/utc-time';
import type { ReviewFlag, Visit } from '@hlid/protocol/visit';
import { editedVisit, needsPrice } from '@hlid/protocol/visit-edit';
import { priceToSettle, settledVisit } from '@hlid/protocol/visit-settlement';
import {
  type ChangeContext,
  changePlate,
  changesToClear,
  type Demand,
  markExitMissed,
  pricedAt,
  requestPayment,
  type VisitChange,
  visitChange,
  visitStep,
} from '@hlid/protocol/visit-transitions';
import type { EventLog } from '../outbox/event-log.ts';
import type { QuotaLedger } from '../quota/quota-ledger.ts';
import type { SiteLists } from '../site-lists/site-lists.ts';
import type { StayPrices } from './price-stay.ts';
import type { VisitStore } from './visit-store.ts';

/** Everything that happens to a visit, each with its event, within the running transaction. */
export interface VisitBook {
  /** Writes a change down, such as one that a decision came to. */
  record(change: VisitChange): Visit;
  /** It wants to leave and something is due. */
  askToPay(visit: Visit, demand: Demand, context: ChangeContext): Visit;
  /** Seen coming in again: its exit was missed. It ends unbilled and waits for a person. */
  loseExit(visit: Visit, context: ChangeContext): Visit;
  correctPlate(visit: Visit, plate: string, context: ChangeContext): Visit;
  flag(visit: Visit, flag: ReviewFlag, raised: boolean, context: ChangeContext): Visit;
  settle(settlement: SettlementItem, at: UtcTime): Visit | undefined;
  edit(edit: VisitEditItem): Visit | undefined;
  /** Takes over a visit that was begun in the cloud, so that its exit finds it; one that is here already stays. */
  takeOver(item: VisitItem): Visit | undefined;
}

export function createVisitBook(parts: {
  visits: VisitStore;
  events: EventLog;
  lists: SiteLists;
  quotas: QuotaLedger;
  prices: StayPrices;
  feedAt: () => number;
}): VisitBook {
  const { visits, events, lists, quotas, prices, feedAt } = parts;

  function record({ type, before, after, context }: VisitChange): Visit {
    const step = visitStep(before, after, context);
    const seq = events.append({ type, visit: after, step, feedAt: feedAt() }, context.at);
    visits.save(after, seq);
    quotas.record(seq, before?.quota ?? null, after.quota);
    return after;
  }

  /** Makes way for a plate: one plate is inside once. */
  function clearPlate(plate: string, forVisitId: string, context: ChangeContext): void {
    for (const change of changesToClear(visits.openByPlate(plate), forVisitId, context)) record(change);
  }

  function settleKnown(visit: Visit, settlement: SettlementItem, at: UtcTime): Visit {
    const until = visit.endedAt ?? at;
    const { exitGraceMinutes } = settingsUnder(lists.site().settings, prices.product(visit, until));
    const price = priceToSettle(visit, () => prices.price(visit, until), at);
    const settled = settledVisit(visit, settlement, { price, at, exitGraceMinutes });
    const isBack = settlement.units < 0 || settlement.amountMinor < 0;
    const why = `${isBack ? 'taken back' : 'settled'}: ${settlement.paymentStatus}`;
    const context = { at, by: settlement.by, why };
    return record(visitChange(visit, settled, context));
  }

  return {
    record,

    askToPay: (visit, demand, context) =>
      record(visitChange(visit, requestPayment(visit, demand, context), context)),

    loseExit: (visit, context) =>
      record(visitChange(visit, markExitMissed(visit, context), { ...context, why: 'lost-exit' })),

    correctPlate(visit, plate, context) {
      if (visit.endedAt === null) clearPlate(plate, visit.id, context);
      const corrected = changePlate(visit, plate, quotas.withPlate(visit, plate, context.at));
      return record(visitChange(visit, corrected, context));
    },

    flag(visit, flag, raised, context) {
      const others = visit.flags.filter((other) => other !== flag);
      const flagged: Visit = { ...visit, flags: raised ? [...others, flag] : others };
      return record(visitChange(visit, flagged, context));
    },

    settle(settlement, at) {
      if (!visits.saveSettlement(settlement)) return undefined;
      const visit = visits.get(settlement.visitId);
      return visit && settleKnown(visit, settlement, at);
    },

    edit(edit) {
      const visit = visits.get(edit.visitId);
      if (!visit) return undefined;
      const context = { at: edit.at, by: edit.by, why: edit.reason };
      const edited = editedVisit(visit, edit);
      if (edited.endedAt === null && edited.plate !== null) clearPlate(edited.plate, visit.id, context);
      if (edit.plate !== undefined) {
        edited.quota = quotas.withPlate({ ...edited, plate: visit.plate }, edit.plate, edit.at);
      }
      if (needsPrice(edited)) {
        edited.price = pricedAt(prices.price(edited, edited.endedAt ?? edit.at), edit.at);
      }
      return record(visitChange(visit, edited, context));
    },

    takeOver({ visit, reason, by, at }) {
      if (visits.get(visit.id)) return undefined;
      const context = { at, by, why: reason };
      if (visit.endedAt === null && visit.plate !== null) clearPlate(visit.plate, visit.id, context);
      record(visitChange(null, visit, context));
      // A snapshot brings the settlements of a visit that is told of only after it.
      return visits
        .settlementsOf(visit.id)
        .reduce((known, settlement) => settleKnown(known, settlement, at), visit);
    },
  };
}
