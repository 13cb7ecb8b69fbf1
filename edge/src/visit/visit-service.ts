import type { UtcTime } from '@hlid/protocol/base/utc-time';
import type { ReviewFlag, Visit } from '@hlid/protocol/records/visit';
import { settingsUnder } from '@hlid/protocol/rules/stay-price';
import { editedVisit, needsPrice } from '@hlid/protocol/rules/visit-edit';
import { priceToSettle, settledVisit } from '@hlid/protocol/rules/visit-settlement';
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
} from '@hlid/protocol/rules/visit-transitions';
import type { SettlementItem, VisitEditItem, VisitItem } from '@hlid/protocol/site-link/site-change';
import type { EventLog } from '../outbox/event-log.ts';
import type { QuotaLedger } from '../quota/quota-ledger.ts';
import type { SiteLists } from '../site-lists/site-lists.ts';
import { BY_CODE, codeIdOf } from './code-settlement.ts';
import type { StayPrices } from './price-stay.ts';
import type { VisitStore } from './visit-store.ts';

/** Everything that happens to a visit, each with its event, within the running transaction. */
export class VisitService {
  readonly #parts: {
    visits: VisitStore;
    events: EventLog;
    lists: SiteLists;
    quotas: QuotaLedger;
    prices: StayPrices;
    feedAt: () => number;
  };

  constructor(parts: {
    visits: VisitStore;
    events: EventLog;
    lists: SiteLists;
    quotas: QuotaLedger;
    prices: StayPrices;
    feedAt: () => number;
  }) {
    this.#parts = parts;
  }

  /** Stores a change, such as that of a decision. */
  record({ type, before, after, context }: VisitChange): Visit {
    const { visits, events, quotas, feedAt } = this.#parts;
    const step = visitStep(before, after, context);
    const seq = events.append({ type, visit: after, step, feedAt: feedAt() }, context.at);
    visits.save(after, seq);
    quotas.record(seq, before?.quota ?? null, after.quota);
    return after;
  }

  /** The car is about to leave, and an amount is due. */
  askToPay(visit: Visit, demand: Demand, context: ChangeContext): Visit {
    return this.record(visitChange(visit, requestPayment(visit, demand, context), context));
  }

  /** Seen coming in again: its exit was missed. It ends unbilled and waits for a person. */
  loseExit(visit: Visit, context: ChangeContext): Visit {
    const lost = markExitMissed(visit, context);
    return this.record(visitChange(visit, lost, { ...context, reason: 'lost-exit' }));
  }

  correctPlate(visit: Visit, plate: string, context: ChangeContext): Visit {
    if (visit.endedAt === null) this.#clearPlate(plate, visit.id, context);
    const quota = this.#parts.quotas.withPlate(visit, plate, context.at);
    return this.record(visitChange(visit, changePlate(visit, plate, quota), context));
  }

  flag(visit: Visit, flag: ReviewFlag, raised: boolean, context: ChangeContext): Visit {
    const others = visit.flags.filter((other) => other !== flag);
    const flagged: Visit = { ...visit, flags: raised ? [...others, flag] : others };
    return this.record(visitChange(visit, flagged, context));
  }

  /** Raises or clears a flag where that changes the visit, if there is one. */
  setFlag(visitId: string | null, flag: ReviewFlag, raised: boolean, context: ChangeContext): void {
    const visit = visitId === null ? undefined : this.#parts.visits.get(visitId);
    if (visit && visit.flags.includes(flag) !== raised) this.flag(visit, flag, raised, context);
  }

  /** @param paidAt when the time to leave begins */
  settle(settlement: SettlementItem, at: UtcTime, paidAt = at): Visit | undefined {
    const { visits } = this.#parts;
    const earlier = visits.settlementsOf(settlement.visitId);
    if (!visits.saveSettlement(settlement)) return undefined;
    const visit = visits.get(settlement.visitId);
    if (!visit) return undefined;
    const codeId = codeIdOf(settlement);
    if (!earlier.some(({ id, by }) => by === BY_CODE && id === codeId)) {
      return this.#settleKnown(visit, settlement, at, paidAt);
    }
    // Its code was typed here before the cloud could send it. The cloud learns that this is the same payment.
    const context = { at, by: settlement.by, reason: `settled-before: ${settlement.paymentStatus}` };
    return this.record(visitChange(visit, visit, context));
  }

  edit(edit: VisitEditItem): Visit | undefined {
    const { visits, quotas, prices } = this.#parts;
    const visit = visits.get(edit.visitId);
    if (!visit) return undefined;
    const context = { at: edit.at, by: edit.by, reason: edit.reason };
    const edited = editedVisit(visit, edit);
    if (edited.endedAt === null && edited.plate !== null) this.#clearPlate(edited.plate, visit.id, context);
    if (edit.plate !== undefined) {
      edited.quota = quotas.withPlate({ ...edited, plate: visit.plate }, edit.plate, edit.at);
    }
    if (needsPrice(edited)) {
      edited.price = pricedAt(prices.price(edited, edited.endedAt ?? edit.at), edit.at);
    }
    return this.record(visitChange(visit, edited, context));
  }

  /** Takes over a visit that was begun in the cloud, so that its exit finds it; one that is here already stays. */
  takeOver({ visit, reason, by, at }: VisitItem): Visit | undefined {
    const { visits } = this.#parts;
    if (visits.get(visit.id)) return undefined;
    const context = { at, by, reason };
    if (visit.endedAt === null && visit.plate !== null) this.#clearPlate(visit.plate, visit.id, context);
    this.record(visitChange(null, visit, context));
    // A snapshot brings the settlements of a visit before the visit.
    return visits
      .settlementsOf(visit.id)
      .reduce((known, settlement) => this.#settleKnown(known, settlement, at), visit);
  }

  #leftByCode(visitId: string): boolean {
    return this.#parts.visits.settlementsOf(visitId).some(({ by }) => by === BY_CODE);
  }

  /** Makes way for a plate: one plate is inside once. */
  #clearPlate(plate: string, forVisitId: string, context: ChangeContext): void {
    const inside = this.#parts.visits.openByPlate(plate);
    for (const change of changesToClear(inside, forVisitId, context)) this.record(change);
  }

  #settleKnown(visit: Visit, settlement: SettlementItem, at: UtcTime, paidAt = at): Visit {
    const { lists, prices } = this.#parts;
    const until = visit.endedAt ?? paidAt;
    const { exitGraceMinutes } = settingsUnder(lists.site().settings, prices.product(visit, until));
    const price = priceToSettle(visit, () => prices.price(visit, until), at);
    const settled = settledVisit(visit, settlement, { price, at: paidAt, exitGraceMinutes });
    const isReversal = settlement.units < 0 || settlement.amountMinor < 0;
    if (isReversal && visit.endedAt !== null && this.#leftByCode(visit.id)) {
      // The money went back before the code was typed: it left without paying.
      settled.flags = [...new Set([...settled.flags, 'payment-unknown' as const])];
    }
    const reason = `${isReversal ? 'taken back' : 'settled'}: ${settlement.paymentStatus}`;
    return this.record(visitChange(visit, settled, { at, by: settlement.by, reason }));
  }
}
