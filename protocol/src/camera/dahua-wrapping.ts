import { z } from 'zod';

/** Names as `foldKeys` has them. */
const WrappingSchema = z.object({
  tollgateinfo: z.unknown().optional(),
  events: z.unknown().optional(),
  params: z.unknown().optional(),
  eventlist: z.unknown().optional(),
});
const WRAPPINGS = ['tollgateinfo', 'events', 'params', 'eventlist'] as const;
const DEEPEST_WRAPPING = 4;
/** Members by which a message is known that stands in no wrapping. */
const BARE = ['picture', 'trafficcar', 'object', 'code'];

/**
 * The messages of a document, each by itself: out of lists, and out of the wrappers of some firmware and
 * gateways. A wrapper is the maker's name (the root in XML), `Events`, or `params` with an `eventList` in the
 * notifications of a session. Several pictures, or several plates in one, are a message each. Null: there are
 * more than `most`.
 */
export function messagesIn(folded: unknown, most: number): unknown[] | null {
  const found: unknown[] = [];
  const waiting = [folded];
  while (waiting.length > 0) {
    const inside = withoutWrapping(waiting.pop());
    const several = Array.isArray(inside) ? inside : picturesIn(inside);
    if (found.length + waiting.length + (several?.length ?? 1) > most) return null;
    if (several) waiting.push(...several.toReversed());
    else found.push(inside);
  }
  return found;
}

/** A picture that lacks the name `Picture` gets it. */
function withoutWrapping(folded: unknown, deepest = DEEPEST_WRAPPING): unknown {
  if (!isObject(folded) || Array.isArray(folded)) return folded;
  if (BARE.some((name) => name in folded)) return folded;
  if ('plate' in folded && ('snapinfo' in folded || hasNumber(folded.plate))) return { picture: folded };
  const members = WrappingSchema.safeParse(folded);
  const inside = members.success ? WRAPPINGS.map((name) => members.data[name]).find(isObject) : undefined;
  return inside === undefined || deepest === 0 ? folded : withoutWrapping(inside, deepest - 1);
}

/** A message for each of several pictures, or of several plates in one; null where there is one. */
function picturesIn(message: unknown): object[] | null {
  if (!isObject(message) || !('picture' in message)) return null;
  const { picture } = message;
  if (Array.isArray(picture)) return picture.map((one: unknown) => ({ picture: one }));
  if (!isObject(picture) || !('plate' in picture) || !Array.isArray(picture.plate)) return null;
  return picture.plate.map((one: unknown) => ({ picture: { ...picture, plate: one } }));
}

/** The plate of a vehicle that is posted, unlike that of the event stream, which has a `Text`. */
function hasNumber(plate: unknown): boolean {
  return isObject(plate) && 'platenumber' in plate;
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
