import type { UtcTime } from '@hlid/protocol/base/utc-time';
import type { Visit } from '@hlid/protocol/records/visit';
import type { DoubtfulCar } from '@hlid/protocol/rules/doubtful-car';
import { closeLost, isEndLost, visitChange } from '@hlid/protocol/rules/visit-transitions';
import type { FactFinder } from '../decision/gather-facts.ts';
import type { LaneOutcome } from '../lane/lane-outcome.ts';
import type { LaneSite } from '../lane/lane-site.ts';
import type { Lanes } from '../lane/lanes.ts';
import { OnlinePayments } from '../visit/online-payments.ts';
import type { StayPrices } from '../visit/price-stay.ts';
import type { VisitService } from '../visit/visit-service.ts';
import type { VisitStore } from '../visit/visit-store.ts';

/** Visits that are closed in one transaction; the next hour closes more. */
const MAX_CLOSED_AT_ONCE = 200;

/** The visits of the site, with the cars that wait for them, for the code that charges for them. */
export class SiteStays {
  readonly visits: VisitStore;
  readonly book: VisitService;
  readonly facts: FactFinder;
  readonly prices: StayPrices;
  readonly onlinePayments: OnlinePayments;
  readonly #site: LaneSite;
  readonly #lanes: Lanes;

  constructor(site: LaneSite, lanes: Lanes, prices: StayPrices) {
    this.visits = site.visits;
    this.book = site.visitService;
    this.facts = site.facts;
    this.prices = prices;
    this.onlinePayments = new OnlinePayments(site.lists);
    this.#site = site;
    this.#lanes = lanes;
  }

  /** Whether the site takes a tip beside the amount that is due. */
  takesTips(): boolean {
    return this.#site.settings().takesTips === true;
  }

  /** Decides again on the cars that wait at exits, within the running transaction. */
  reconsider(at: UtcTime): LaneOutcome[] {
    return this.#lanes.reconsider(at);
  }

  /** The visits of the cars that wait at closed exits. */
  waiting(at: UtcTime): Visit[] {
    return this.#lanes.waiting(at).flatMap(({ visitId }) => this.#visitOf(visitId) ?? []);
  }

  /** Cars that wait at exits for visits that may not be their own. */
  inDoubt(at: UtcTime): DoubtfulCar[] {
    return this.#lanes.inDoubt(at).flatMap(({ visitId, votes }) => {
      const visit = this.#visitOf(visitId);
      if (!visit || visit.plate === null) return [];
      const readPlates = votes.map(({ plate }) => plate);
      return [{ visitId: visit.id, visitPlate: visit.plate, readPlates }];
    });
  }

  /**
   * The driver of such a car denies the visit, within the running transaction. No outcomes: no such car waits for it.
   *
   * @param typed the plate that the driver types as his own
   */
  disown(visitId: string, typed: string, at: UtcTime): LaneOutcome[] {
    return this.#lanes.disown(visitId, typed, at);
  }

  /** Moves the gates for what was decided again, once that is on the disk. */
  act(outcomes: readonly LaneOutcome[]): void {
    this.#lanes.act(outcomes);
  }

  /** Closes visits that never ended, past the retention of visits: their cars cannot be here any more. */
  closeLost(before: UtcTime, at: UtcTime): void {
    const oldest = this.visits.oldestStart();
    if (oldest === null || oldest >= before) return;
    const waits = new Set(this.waiting(at).map(({ id }) => id));
    const lost = this.visits.open().filter((visit) => isEndLost(visit, before, at) && !waits.has(visit.id));
    const context = { at, by: 'retention', reason: 'lost-exit' };
    for (const visit of lost.slice(0, MAX_CLOSED_AT_ONCE)) {
      this.book.record(visitChange(visit, closeLost(visit, context), context));
    }
  }

  #visitOf(visitId: string | null): Visit | undefined {
    return visitId === null ? undefined : this.visits.get(visitId);
  }
}
