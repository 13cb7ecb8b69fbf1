import type { UtcTime } from '@hlid/protocol/base/utc-time';
import type { Visit } from '@hlid/protocol/records/visit';
import { matchPermit } from '@hlid/protocol/records/whitelist';
import { type QuotaStanding, quotaWithPlate } from '@hlid/protocol/rules/quota-standing';
import type { QuotaItem } from '@hlid/protocol/site-link/site-change';
import type { SiteDb } from '../db/site-db.ts';
import type { EventLog } from '../outbox/event-log.ts';
import { custodyAt, type SiteLists } from '../site-lists/site-lists.ts';
import { QuotaStore } from './quota-store.ts';

type VisitQuota = NonNullable<Visit['quota']>;

/** The customers' quotas as this site knows them, with the units that it has used and the cloud does not know of yet. */
export class QuotaLedger {
  readonly #lists: SiteLists;
  readonly #store: QuotaStore;
  readonly #events: Pick<EventLog, 'acknowledged'>;

  constructor(context: { db: SiteDb; events: Pick<EventLog, 'acknowledged'> }, lists: SiteLists) {
    this.#store = new QuotaStore(context.db);
    this.#events = context.events;
    this.#lists = lists;
  }

  /** The quotas of the plate's customer for such a vehicle. @param at when the visit began: its owner then pays */
  ofPlate(plate: string, at: UtcTime): QuotaStanding[] {
    const quotas = this.#lists.quotas();
    // Most sites have none, and most cars no customer: an entry looks up no vehicle without need.
    if (quotas.length === 0) return [];
    const vehicle = this.#lists.vehicle(plate);
    const customerId = custodyAt(vehicle, at)?.customerId;
    if (vehicle === undefined || customerId === undefined) return [];
    return quotas
      .filter((quota) => quota.customerId === customerId && quota.vehicleCategory === vehicle.category)
      .map((quota) => ({ id: quota.id, free: this.#freeOf(quota) }));
  }

  /** The quota of the visit after its plate was corrected. */
  withPlate(visit: Visit, plate: string | null, at: UtcTime): Visit['quota'] {
    if (plate === visit.plate) return visit.quota;
    if (plate === null) return quotaWithPlate(visit, [], false);
    const quotas = this.ofPlate(plate, visit.startedAt);
    return quotaWithPlate(visit, quotas, this.#hasPermit(plate, visit.id, at));
  }

  /** Records the units that an event used, within its transaction. */
  record(seq: number, before: Visit['quota'], after: Visit['quota']): void {
    for (const id of new Set([before, after].flatMap((quota) => quota?.id ?? []))) {
      const units = unitsOf(after, id) - unitsOf(before, id);
      if (units !== 0) this.#store.add(seq, id, units);
    }
  }

  /** The cloud's numbers, less what it does not know of yet: without the cloud a site never sells a unit twice. */
  #freeOf({ id, total, used }: QuotaItem): number {
    return Math.max(0, total - used - this.#store.usedAfter(this.#events.acknowledged(), id));
  }

  #hasPermit(plate: string, visitId: string, at: UtcTime): boolean {
    const { timeZone } = this.#lists.site();
    const conditions = { timeZone, confusableScore: 1, visitId };
    const match = matchPermit({ plate, score: 1 }, this.#lists.permitsLike(plate), at, conditions);
    return match?.foundBy === 'equal';
  }
}

function unitsOf(quota: VisitQuota | null, id: string): number {
  return quota?.id === id ? quota.units : 0;
}
