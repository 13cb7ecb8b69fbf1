import { z } from 'zod';
import type { DocumentParser, PlateRead, ReadPicture, Travel } from '../plate-read.ts';
import { accept, checkShape, type ParsedDocument, readJson, refuse } from './json-border.ts';
import {
  alpha2,
  EpochMsSchema,
  KeyPartSchema,
  PercentSchema,
  PlateTextSchema,
  picture,
  plateParts,
} from './read-parts.ts';

/** The messages are XML written as JSON, so every attribute is text. */
const MsAttributeSchema = z
  .string()
  .regex(/^\d{1,15}$/, 'expected milliseconds since 1970 in digits')
  .transform(Number)
  .pipe(EpochMsSchema);
const PercentAttributeSchema = z
  .string()
  .regex(/^\d{1,4}(?:\.\d{1,10})?$/, 'expected a number from 0 to 100 in digits')
  .transform(Number)
  .pipe(PercentSchema);

/** XML elements that may be repeated come as nothing, as one or as an array. */
function repeated<S extends z.ZodType>(element: S) {
  return z.preprocess(
    (value) => (Array.isArray(value) ? value : value === null || value === undefined ? [] : [value]),
    z.array(element),
  );
}

/** Text of an element: plain in the cameras seen, under `#text` in the simulator. */
const ElementTextSchema = z.preprocess(
  (value) => (typeof value === 'object' && value !== null && '#text' in value ? value['#text'] : value),
  z.string(),
);

const DecisionSchema = z.object({
  '@plate': PlateTextSchema.nullish(),
  '@reliability': PercentAttributeSchema.nullish(),
  '@direction': z.string().nullish(),
  '@context_isoAlpha2': z.string().nullish(),
  jpeg: repeated(ElementTextSchema),
  contextJpeg: repeated(ElementTextSchema),
});

const EventSchema = z
  .object({
    '@date': MsAttributeSchema.nullish(),
    '@session': KeyPartSchema.nullish(),
    '@id': KeyPartSchema.nullish(),
    '@triggerId': KeyPartSchema.nullish(),
    decision: repeated(DecisionSchema),
  })
  .refine((event) => event.decision.length === 0 || typeof event['@date'] === 'string', {
    path: ['@date'],
    message: 'a decision needs its date, which tells it from others',
  })
  .nullable();

const MessageSchema = z.object({
  anpr: EventSchema.optional(),
  triggerResult: EventSchema.optional(),
  infos: z.unknown().optional(),
});

const TRAVEL_BY_END_SEEN = new Map<string, Travel>([
  ['front', 'approaching'],
  ['rear', 'leaving'],
]);

/**
 * A message of a Survision camera (Micropak, Nanopak, Visipark), as it comes by HTTP Push or from its own API:
 * `anpr` or `triggerResult`, of which only a `decision` is a read, and `infos`, the answer of a living camera.
 *
 * Header `survision-serial-number` names the camera. Reliability is 0 to 100, dates are milliseconds UTC, all as text.
 * Sources: a captured push body (parkpow/deep-license-plate-recognition 71a596e) and the documentation of
 * enexflow/survision-sim; the maker publishes no text.
 */
export const parseSurvision: DocumentParser = (body, { headers }) => {
  const json = readJson(body);
  if (!json.ok) return json;
  const message = checkShape(MessageSchema, json.value);
  if (!message.ok) return message;
  const { anpr, triggerResult, infos } = message.value;
  const serial = headers['survision-serial-number'] ?? '-';
  if (anpr !== undefined) {
    return eventDocument('anpr', anpr, [serial, anpr?.['@session'] ?? '-', anpr?.['@id'] ?? '-']);
  }
  if (triggerResult !== undefined) {
    const key = [serial, 'trigger', triggerResult?.['@triggerId'] ?? '-'];
    return eventDocument('triggerResult', triggerResult, key);
  }
  if (infos !== undefined) return accept({ kind: 'infos', heartbeat: true });
  return refuse('unknown-kind', 'neither anpr nor triggerResult nor infos: not a message that is acted upon');
};

function eventDocument(
  kind: string,
  event: z.output<typeof EventSchema>,
  keyParts: readonly string[],
): ParsedDocument {
  const decisions = event?.decision ?? [];
  const capturedAt = event?.['@date'] ?? null;
  const key = [...keyParts, capturedAt ?? '-'].join('/');
  const reads = decisions.map((decision, position): PlateRead => {
    return {
      ...plateParts(decision['@plate'] ?? '', decision['@reliability'] ?? 0, []),
      country: alpha2(decision['@context_isoAlpha2']),
      direction: TRAVEL_BY_END_SEEN.get(decision['@direction'] ?? '') ?? 'unknown',
      capturedAt,
      eventKey: position === 0 ? key : `${key}#${position}`,
      relatedKeys: [],
      late: false,
      parked: false,
    };
  });
  const [first] = decisions;
  return accept({ kind, reads, pictures: first === undefined ? [] : decisionPictures(first) });
}

/** The camera's own frame is the overview, unless a context camera, which sees more, gave one. */
function decisionPictures(decision: z.output<typeof DecisionSchema>): ReadPicture[] {
  const context = picture('overview', decision.contextJpeg[0]);
  return [...context, ...picture(context.length === 0 ? 'overview' : 'vehicle', decision.jpeg[0])];
}
