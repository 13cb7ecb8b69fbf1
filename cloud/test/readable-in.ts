import { millis } from '@hlid/protocol/base/utc-time';

/** Words of letters, digits and the signs of base64 and UUIDs, as they stand in addresses and bodies. */
const WORD = /[\w+/=-]{8,}/g;
/** A time in a text is this near to the time of entry. */
const NEAR_MS = 20 * 60_000;

/**
 * The parts of a visit that a reader can find in a text that is not the visit's own: its id, its plate, and
 * any time near its entry. The search covers plain text, base64 at any alignment, UUIDs of version 7, and
 * milliseconds or seconds of 32 or 48 bits.
 */
export function readableIn(
  text: string,
  visit: { id: string; plate: string | null; startedAt: string },
): string[] {
  const found: string[] = [];
  const id = Buffer.from(visit.id.replaceAll('-', ''), 'hex');
  const texts = [text];
  for (const [word] of text.matchAll(WORD)) {
    for (const part of [word, ...word.split(/[.-]/)]) {
      for (let skip = 0; skip < 4; skip++) {
        const bytes = Buffer.from(part.slice(skip), 'base64');
        texts.push(bytes.toString('latin1'));
        if (bytes.includes(id) || bytes.includes(id.subarray(0, 6)))
          found.push(`the id of the visit in ${word}`);
      }
    }
  }
  for (const readable of texts) {
    if (readable.includes(visit.id)) found.push(`the id of the visit in ${readable}`);
    if (readable !== text && visit.plate !== null && readable.includes(visit.plate))
      found.push(`the plate in ${readable}`);
    for (const [uuid] of readable.matchAll(/[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f-]{17}/g)) {
      const time = Number.parseInt(uuid.replaceAll('-', '').slice(0, 12), 16);
      if (Math.abs(time - millis(visit.startedAt)) < NEAR_MS) found.push(`the time of entry in ${uuid}`);
    }
    for (const [time] of readable.matchAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g)) {
      if (Math.abs(Date.parse(time) - millis(visit.startedAt)) < NEAR_MS)
        found.push(`the time of entry as ${time}`);
    }
  }
  return found;
}
