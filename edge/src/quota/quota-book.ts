import type { QuotaItem } from '@hlid/protocol/site-change';
import type { UtcTime } from '@hlid/protocol/utc-time';
import type { Visit } from '@hlid/protocol/visit';
import { givenBack } from '@hlid/protocol/visit-course';
import { matchPermit } from '@hlid/protocol/whitelist';
import type { EventLog } from '../outbox/event-log.ts';
import { custodyAt, type SiteLists } from '../site-lists/site-lists.ts';
import type { QuotaStore } from './quota-store.ts';

type VisitQuota = NonNullable<Visit['quota']>;

/** What a visit may take from a quota. */
export interface QuotaStanding {
  id: string;
  /** Beyond what the visit has taken. */
  free: number;
}

/** The customers' quotas as this site knows them, with what it has taken itself and the cloud has not heard of. */
export interface QuotaBook {
  /** For a car that comes in. */
  atEntry(plate: string, at: UtcTime): QuotaStanding | null;
  /** For a visit that leaves; null where its plate has no customer with a quota, and it has taken none. */
  ofVisit(visit: Pick<Visit, 'plate' | 'quota'>, at: UtcTime): QuotaStanding | null;
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

  function quotasOf(plate: string | null, at: UtcTime): QuotaItem[] {
    const quotas = lists.quotas();
    // Most sites have none, and most cars no customer: an entry looks no vehicle up for nothing.
    if (plate === null || quotas.length === 0) return [];
    const vehicle = lists.vehicle(plate);
    const customerId = custodyAt(vehicle, at)?.customerId;
    if (vehicle === undefined || customerId === undefined) return [];
    return quotas.filter(
      (quota) => quota.customerId === customerId && quota.vehicleCategory === vehicle.category,
    );
  }

  function atEntry(plate: string | null, at: UtcTime): QuotaStanding | null {
    for (const quota of quotasOf(plate, at)) {
      const free = freeOf(quota);
      if (free > 0) return { id: quota.id, free };
    }
    return null;
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
    atEntry,

    ofVisit({ plate, quota }, at) {
      if (quota === null || quota.units === 0) return atEntry(plate, at);
      const drawnOn = quotasOf(plate, at).find(({ id }) => id === quota.id);
      // Taken is taken: only more of it needs a quota that is there, and a customer whose it is.
      return { id: quota.id, free: drawnOn === undefined ? 0 : freeOf(drawnOn) };
    },

    withPlate(visit, plate, at) {
      const { quota } = visit;
      if (plate === visit.plate) return quota;
      const drawn = quota !== null && quota.units > 0;
      if (drawn && quotasOf(plate, at).some(({ id }) => id === quota.id)) return quota;
      const other = visit.endedAt === null && !hasPermit(plate, visit.id, at) ? atEntry(plate, at) : null;
      return other === null ? givenBack(quota) : { id: other.id, units: 1 };
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
