import { typedPlateInText } from '@hlid/protocol/plate';
import type { SiteEventBody, StoredRead } from '@hlid/protocol/site-event';

/** An event's body with a plate taken out of it, all else as it was; null where it does not stand there. */
export function withoutPlate(body: SiteEventBody, plate: string): SiteEventBody | null {
  const named = (other: string | null) => other === plate;
  switch (body.type) {
    case 'visit.opened':
    case 'visit.updated':
    case 'visit.ended': {
      const { visit, step } = body;
      const why = step?.why.replace(typedPlateInText(plate), '–');
      if (!named(visit.plate) && why === step?.why) return null;
      return {
        ...body,
        visit: named(visit.plate) ? { ...visit, plate: null } : visit,
        step: step && { ...step, why: why ?? '' },
      };
    }
    case 'read.stored': {
      const read = readWithout(body.read, plate);
      return read && { ...body, read };
    }
    case 'passage.decided':
    case 'lane.alert':
      return named(body.plate) ? { ...body, plate: null } : null;
    case 'gate.moved': {
      // An operator has said why.
      const why = body.why.replace(typedPlateInText(plate), '–');
      return why === body.why ? null : { ...body, why };
    }
    default:
      return null;
  }
}

/** Of a read of that plate only that there was one is left: makers put the plate into the event's key, too. */
function readWithout(read: StoredRead, plate: string): StoredRead | null {
  if (read.plate === plate) {
    const eventKey = erasedKey(read.id);
    return { ...read, plate: null, plateRaw: '', score: 0, candidates: [], eventKey, relatedKeys: [] };
  }
  const candidates = read.candidates.filter((candidate) => candidate.plate !== plate);
  return candidates.length === read.candidates.length ? null : { ...read, candidates };
}

/** What stands for the key of an event whose own may spell its plate. */
export function erasedKey(readId: string): string {
  return `erased/${readId}`;
}
