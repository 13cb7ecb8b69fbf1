import { withoutTypedPlate } from '@hlid/protocol/plate/plate';
import type { SiteEventBody, StoredRead } from '@hlid/protocol/site-link/site-event';

/** An event's body with a plate removed, all else unchanged; null where it does not contain the plate. */
export function withoutPlate(body: SiteEventBody, plate: string): SiteEventBody | null {
  const named = (other: string | null) => other === plate;
  switch (body.type) {
    case 'visit.opened':
    case 'visit.updated':
    case 'visit.ended': {
      const { visit, step } = body;
      const reason = step && withoutTypedPlate(step.reason, plate);
      if (!named(visit.plate) && reason === step?.reason) return null;
      return {
        ...body,
        visit: named(visit.plate) ? { ...visit, plate: null } : visit,
        step: step && { ...step, reason: reason ?? '' },
      };
    }
    case 'read.stored': {
      const read = readWithout(body.read, plate);
      return read && { ...body, read };
    }
    case 'passage.decided': {
      const read = body.read && readWithout(body.read, plate);
      if (!named(body.plate) && !read) return null;
      return { ...body, plate: named(body.plate) ? null : body.plate, read: read ?? body.read };
    }
    case 'lane.alert':
      return named(body.plate) ? { ...body, plate: null } : null;
    case 'gate.moved': {
      // Text of an operator.
      const reason = withoutTypedPlate(body.reason, plate);
      return reason === body.reason ? null : { ...body, reason };
    }
    default:
      return null;
  }
}

/** Keeps only the read's existence, because some cameras put the plate into the event's key too. */
function readWithout(read: StoredRead, plate: string): StoredRead | null {
  if (read.plate === plate) {
    const eventKey = erasedKey(read.id);
    return { ...read, plate: null, plateRaw: '', score: 0, candidates: [], eventKey, relatedKeys: [] };
  }
  const candidates = read.candidates.filter((candidate) => candidate.plate !== plate);
  return candidates.length === read.candidates.length ? null : { ...read, candidates };
}

/** Replaces the key of an event that may contain its plate. */
export function erasedKey(readId: string): string {
  return `erased/${readId}`;
}
