import type { UtcTime } from '@hlid/protocol/base/utc-time';
import type { Visit } from '@hlid/protocol/records/visit';
import type { SettlementItem } from '@hlid/protocol/site-link/site-change';
import type { VisitTakeOver } from '../epoch/take-over-visits.ts';
import type { LaneOutcome } from '../lane/lane-outcome.ts';
import type { LaneSite } from '../lane/lane-site.ts';
import type { Lanes } from '../lane/lanes.ts';
import type { RetentionRun } from '../retention/retention-run.ts';
import type { FeedEffects, VisitChange } from '../site-lists/feed-store.ts';
import type { PriceHistory } from '../visit/price-history.ts';
import type { SiteStays } from './site-stays.ts';

/** The effects of changes of the feed on visits, prices and waiting cars. */
export class SiteFeedEffects implements FeedEffects<LaneOutcome> {
  readonly #site: LaneSite;
  readonly #lanes: Lanes;
  readonly #stays: SiteStays;
  readonly #prices: PriceHistory;
  readonly #retention: RetentionRun;
  readonly #takeOver: VisitTakeOver;

  constructor(
    site: LaneSite,
    lanes: Lanes,
    parts: { stays: SiteStays; prices: PriceHistory; retention: RetentionRun; takeOver: VisitTakeOver },
  ) {
    this.#site = site;
    this.#lanes = lanes;
    this.#stays = parts.stays;
    this.#prices = parts.prices;
    this.#retention = parts.retention;
    this.#takeOver = parts.takeOver;
  }

  productsChanged(at: UtcTime): void {
    this.#prices.update(at);
  }

  onlinePaymentListed(paymentId: string): void {
    this.#stays.onlinePayments.listed(paymentId);
  }

  visitChanged(change: VisitChange, at: UtcTime): void {
    const { book } = this.#stays;
    switch (change.kind) {
      case 'settlement':
        book.settle(change.item, at);
        break;
      case 'visit-edit':
        book.edit(change.item);
        break;
      case 'visit':
        book.takeOver(change.item);
        break;
      case 'erase':
        this.#retention.requestErasure(change.id, change.item);
        break;
      default:
        change satisfies never;
    }
  }

  reconsider(at: UtcTime): LaneOutcome[] {
    return this.#lanes.reconsider(at);
  }

  takeOver(inCloud: readonly Visit[], at: UtcTime): ReadonlySet<string> {
    return this.#takeOver.run(inCloud, at);
  }

  keepSettlement(settlement: SettlementItem): void {
    this.#stays.visits.saveSettlement(settlement);
  }

  applied(outcomes: readonly LaneOutcome[]): void {
    this.#lanes.setOnlineOff(this.#site.lists.site().onlinePayment === 'off');
    this.#lanes.act(outcomes);
  }
}
