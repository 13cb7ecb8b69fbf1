import { type QuotaStanding, quotaWithPlate } from '@hlid/protocol/quota-standing';
import type { QuotaItem } from '@hlid/protocol/site-change';
import type { UtcTime } from '@hlid/protocol/utc-time';
import type { Visit } from '@hlid/protocol/visit';
import { matchPermit } from '@hlid/protocol/whitelist';
import type { EventLog } from '../outbox/event-log.ts';
import { custodyAt, type SiteLists } from '../site-lists/site-lists.ts';
import type { QuotaStore } from './quota-store.ts';

type VisitQuota = NonNullable<Visit['quota']>;

/** The customers' quotas as this site knows them, with what it has taken itself and the cloud has not heard of. */
export interface QuotaBook {
  /** Those that the plate's customer has for such a vehicle. @param at when the visit began: whose it is then, pays */
  ofPlate(plate: string, at: UtcTime): QuotaStanding[];
  /** What the visit draws on once it is known by another plate. */
  withPlate(visit: Visit, plate: string, at: UtcTime): Visit['quota'];
  /** Keeps count of what an event took, within its transaction. */
  follow(seq: number, before: Visit['quota'], after: Visit['quota']): void;
}

export function createQuotaBook(parts: {
  lists: SiteLists;
  store: QuotaStore;
  events: Pick<EventLog, 'acknowledged'>;
}): QuotaBook {
  const { lists, store, events } = parts;

  /** By the cloud's numbers, less what it does not know of yet: without the cloud a site never sells a unit twice. */
  function freeOf({ id, total, used }: QuotaItem): number {
    return Math.max(0, total - used - store.takenAfter(events.acknowledged(), id));
  }

  function ofPlate(plate: string, at: UtcTime): QuotaStanding[] {
    const quotas = lists.quotas();
    // Most sites have none, and most cars no customer: an entry looks no vehicle up for nothing.
    if (quotas.length === 0) return [];
    const vehicle = lists.vehicle(plate);
    const customerId = custodyAt(vehicle, at)?.customerId;
    if (vehicle === undefined || customerId === undefined) return [];
    return quotas
      .filter((quota) => quota.customerId === customerId && quota.vehicleCategory === vehicle.category)
      .map((quota) => ({ id: quota.id, free: freeOf(quota) }));
  }

  function hasPermit(plate: string, visitId: string, at: UtcTime): boolean {
    const { timeZone } = lists.site();
    const match = matchPermit({ plate, score: 1 }, lists.permitsLike(plate), at, {
      timeZone,
      confusableScore: 1,
      visitId,
    });
    return match?.foundBy === 'equal';
  }

  return {
    ofPlate,

    withPlate(visit, plate, at) {
      if (plate === visit.plate) return visit.quota;
      return quotaWithPlate(visit, ofPlate(plate, visit.startedAt), hasPermit(plate, visit.id, at));
    },

    follow(seq, before, after) {
      for (const id of new Set([before, after].flatMap((quota) => quota?.id ?? []))) {
        const units = unitsOf(after, id) - unitsOf(before, id);
        if (units !== 0) store.note(seq, id, units);
      }
    },
  };
}

function unitsOf(quota: VisitQuota | null, id: string): number {
  return quota?.id === id ? quota.units : 0;
}
