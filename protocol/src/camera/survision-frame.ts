import { z } from 'zod';
import { readablePlate } from '../plate/plate.ts';
import type { DocumentContext, DocumentParser, PlateRead, ReadPicture } from '../plate/plate-read.ts';
import { arrivalOf } from './arrival.ts';
import { beginsAsXml } from './body-text.ts';
import { cameraFormat } from './camera-format.ts';
import { EpochMsSchema } from './camera-time.ts';
import { confidence } from './confidence.ts';
import { countryCode, countryOfSign } from './country-code.ts';
import { foldKeys } from './fold-keys.ts';
import { joinDocuments } from './join-documents.ts';
import { accept, checkShape, type ParsedDocument, readJson, refuse, withFaults } from './json-border.ts';
import {
  boxAt,
  GivenPlateSchema,
  GivenTextSchema,
  KeyPartSchema,
  oneOrMore,
  picture,
  plateParts,
  travel,
} from './read-parts.ts';
import { readXmlMembers } from './xml-members.ts';

const MAX_MESSAGES = 100;
const MAX_EVENTS = 20;
const MAX_DECISIONS = 20;
const MAX_PICTURES = 20;

/** The messages are XML written as JSON, so every attribute is text; a number is understood too. */
const AttributeSchema = z.union([KeyPartSchema, z.number()]).nullish();

/** Text of an element: plain in the cameras seen, under `#text` in the simulator. */
const ElementTextSchema = z.preprocess(
  (value) => (typeof value === 'object' && value !== null && 'text' in value ? value.text : value),
  z.string(),
);

/** Names as `foldKeys` has them: `@context_isoAlpha2` is `contextisoalpha2`. */
const DecisionSchema = z.object({
  plate: GivenPlateSchema,
  reliability: confidence(100),
  direction: GivenTextSchema,
  context: GivenTextSchema,
  contextisoalpha2: GivenTextSchema,
  contextisoalpha3: GivenTextSchema,
  x: z.unknown().optional(),
  y: z.unknown().optional(),
  width: z.unknown().optional(),
  height: z.unknown().optional(),
  jpeg: oneOrMore(ElementTextSchema, MAX_PICTURES),
  contextjpeg: oneOrMore(ElementTextSchema, MAX_PICTURES),
});

const EventSchema = z
  .object({
    date: EpochMsSchema.nullish(),
    session: AttributeSchema,
    id: AttributeSchema,
    triggerid: AttributeSchema,
    decision: oneOrMore(DecisionSchema, MAX_DECISIONS),
  })
  .refine(({ date, decision }) => date || decision.every(({ plate }) => readablePlate(plate) !== null), {
    path: ['date'],
    message: 'required to identify a decision without a plate',
  });
type Event = z.output<typeof EventSchema>;

const MessageSchema = z.object({
  anpr: oneOrMore(EventSchema, MAX_EVENTS),
  triggerresult: oneOrMore(EventSchema, MAX_EVENTS),
});

/**
 * The other messages of a camera: answers to requests, and what else it streams. Nothing is done about them;
 * each is a sign of life.
 */
const OTHER_KINDS = [
  'infos',
  'answer',
  'triggerAnswer',
  'date',
  'config',
  'database',
  'log',
  'currentLog',
  'ioState',
  'dgpr',
  'keepAlive',
  'image',
  'video',
  'traces',
];
/** The names of known members, as `foldKeys` writes them. */
const NAMES = new Set(['anpr', 'triggerresult', ...OTHER_KINDS.map((kind) => kind.toLowerCase())]);

/**
 * A message of a Survision camera (Micropak, Nanopak, Visipark), as it comes by HTTP Push or from its own API, or an
 * array of them: `anpr` or `triggerResult`, of which only a `decision` is a read, and others, which are signs of life.
 * A frame in JSON, or in the XML from which the JSON is made.
 *
 * Header `survision-serial-number` names the camera. Reliability is 0 to 100, dates are milliseconds UTC, all as text.
 * Sources: a captured push body (parkpow/deep-license-plate-recognition 71a596e) and the documentation of
 * enexflow/survision-sim; the maker publishes no text.
 */
const parseSurvision: DocumentParser = (body, context) => {
  const given = beginsAsXml(body) ? readXmlMembers(body) : readJson(body);
  if (!given.ok) return given;
  const folded = foldKeys(given.value);
  const messages = Array.isArray(folded) ? folded : [folded];
  if (messages.length > MAX_MESSAGES) return refuse('wrong-shape', `more than ${MAX_MESSAGES} messages`);
  return joinDocuments(messages, (message) => messageDocument(message, context));
};

export const SURVISION = cameraFormat({
  maker: 'Survision',
  parse: parseSurvision,
  bodies: ['json', 'xml'],
  recognises: (names) =>
    ((names.has('anpr') || names.has('triggerresult')) &&
      names.has('decision') &&
      names.has('reliability')) ||
    (names.has('infos') && names.has('sensor')),
});

function messageDocument(folded: unknown, context: DocumentContext): ParsedDocument {
  const members = membersOf(folded);
  if (!('anpr' in members) && !('triggerresult' in members)) {
    const kind = OTHER_KINDS.find((name) => name.toLowerCase() in members);
    // A document with other members, such as a date beside a plate, is another maker's, and no sign that all
    // is well.
    const isOwn = Object.keys(members).every((name) => NAMES.has(name));
    if (kind !== undefined && isOwn) return accept({ kind, heartbeat: true });
    return refuse(
      'unknown-kind',
      'neither anpr nor triggerResult nor anything else that a Survision camera says',
    );
  }
  const message = checkShape(MessageSchema, members);
  if (!message.ok) return message;
  const { anpr, triggerresult: triggered } = message.value;
  const reads = [
    ...anpr.flatMap((event) => readsOf(event, context, [event.session ?? '-', event.id ?? '-'])),
    ...triggered.flatMap((event) => readsOf(event, context, ['trigger', event.triggerid ?? '-'])),
  ];
  const [decision] = [...anpr, ...triggered].flatMap((event) => event.decision);
  const kind = 'anpr' in members ? 'anpr' : 'triggerResult';
  const pictures = decision === undefined ? [] : decisionPictures(decision);
  return withFaults(accept({ kind, reads, pictures }), message.faults);
}

/** The members of the message, which XML may wrap in an element of another name. */
function membersOf(folded: unknown): object {
  if (typeof folded !== 'object' || folded === null || Array.isArray(folded)) return {};
  const [[name, inside] = [], ...others] = Object.entries(folded);
  const isMessage = others.length > 0 || NAMES.has(name ?? '');
  return isMessage || typeof inside !== 'object' || inside === null ? folded : inside;
}

function readsOf(
  { decision: decisions, date }: Event,
  context: DocumentContext,
  keyParts: readonly (string | number)[],
): PlateRead[] {
  const serial = context.headers['survision-serial-number'] ?? '-';
  return decisions.map((decision, position): PlateRead => {
    const { plate, contextisoalpha2: alpha2, contextisoalpha3: alpha3, context: sign, direction } = decision;
    const key = [serial, ...keyParts, date ?? arrivalOf(context, plate) ?? '-'].join('/');
    return {
      ...plateParts(plate, decision.reliability, []),
      country: countryCode(alpha2) ?? countryCode(alpha3) ?? countryOfSign(sign),
      // The end of the vehicle that was seen: `front`, `rear`.
      direction: travel(direction),
      capturedAt: date ?? null,
      eventKey: position === 0 ? key : `${key}#${position}`,
      relatedKeys: [],
      late: false,
      parked: false,
      ...boxAt(decision.x, decision.y, decision.width, decision.height),
    };
  });
}

/** The camera's own frame is the overview, unless a context camera, which sees more, gave one. */
function decisionPictures(decision: z.output<typeof DecisionSchema>): ReadPicture[] {
  const context = picture('overview', decision.contextjpeg[0]);
  return [...context, ...picture(context.length === 0 ? 'overview' : 'vehicle', decision.jpeg[0])];
}
