import { z } from 'zod';
import { HOUR_MS } from '../base/durations.ts';
import { millis, type UtcTime } from '../base/utc-time.ts';
import type { XmlElement } from '../base/xml.ts';
import type { DocumentContext, DocumentParser, PlateRead, ReadPicture } from '../plate/plate-read.ts';
import { arrivalOf } from './arrival.ts';
import { beginsAsJson, beginsAsXml } from './body-text.ts';
import { cameraFormat } from './camera-format.ts';
import { cameraTime, epochTime } from './camera-time.ts';
import { confidence } from './confidence.ts';
import { countryCode } from './country-code.ts';
import { foldKeys } from './fold-keys.ts';
import {
  accept,
  type Checked,
  checkShape,
  type ParsedDocument,
  readJson,
  refuse,
  withFaults,
} from './json-border.ts';
import { type BodyPart, splitMultipart } from './multipart-frame.ts';
import { partPictures, pictureKind } from './part-picture.ts';
import { pictureType } from './picture-type.ts';
import { readEach } from './read-each.ts';
import {
  boxAt,
  GivenPlateSchema,
  GivenTextSchema,
  inZone,
  oneOrMore,
  picture,
  plateParts,
  travel,
  withKeysApart,
} from './read-parts.ts';
import { requote } from './requote.ts';
import { elementsNamed, readXml } from './xml-tree.ts';

const MAX_EVENTS = 100;

/** Names as `foldKeys` has them: `capture_timestamp` is `capturetimestamp`. */
const EventSchema = z.object({
  plateutf8: GivenPlateSchema,
  plateunicode: GivenPlateSchema,
  platetext: GivenPlateSchema,
  plateascii: GivenPlateSchema,
  platecountry: GivenTextSchema,
  plateiso31662: GivenTextSchema,
  plateconfidence: confidence(1),
  carstate: GivenTextSchema,
  carmovedirection: GivenTextSchema,
  carid: GivenTextSchema,
  platecoordinates: z.array(z.unknown()).max(20).nullish().catch(null),
  roiid: GivenTextSchema,
  packetcounter: GivenTextSchema,
  capturetimestamp: GivenTextSchema,
  capturets: GivenTextSchema,
  datetime: GivenTextSchema,
  camerainfo: z.object({ serialnumber: GivenTextSchema }).nullish().catch(null),
  cameraid: GivenTextSchema,
  sensorproviderid: GivenTextSchema,
  imagetype: GivenTextSchema,
  imagearray: oneOrMore(z.object({ imagetype: GivenTextSchema, binaryimage: z.string().nullish() }), 20),
});
type LpvEvent = z.output<typeof EventSchema>;

const HeartbeatSchema = z.object({ system: z.object({ timestamp: z.string() }) });

const NO_EVENT = 'neither a plate nor a car: not an event of License Plate Verifier';

/** The members that any event has; a document without them is something else. */
const EVENT_MEMBERS = ['carstate', 'carid', 'platetext', 'plateutf8', 'plateunicode', 'plateascii'];

/**
 * Parses the posts of AXIS License Plate Verifier: an event in JSON, or in multipart with its `image` beside;
 * a heartbeat, which the maker prints with single quotes.
 *
 * `new`, `update` (a direction, a better plate) and `lost` of one `carID` share a related key, so they are one passage;
 * `lost` comes ten seconds after the last sight, and is late. Confidence is 0 to 1 and times are milliseconds UTC,
 * both as text. Source: the License plate verifier API of developer.axis.com.
 */
const parseAxis: DocumentParser = (body, context) => {
  const split = splitMultipart(body, context.headers['content-type']);
  if (split !== null && !split.ok) return split;
  if (split === null)
    return beginsAsXml(body) ? notificationDocument(body, context) : documentOf([body], [], context);
  const parts = split.value;
  const events = parts.filter(isJson).map(({ content }) => content);
  if (events.length === 0) return refuse('unknown-kind', 'none of the parts is JSON');
  return documentOf(events, parts, context);
};

export const AXIS = cameraFormat({
  maker: 'AXIS License Plate Verifier',
  parse: parseAxis,
  bodies: ['json', 'xml', 'multipart'],
  recognises: (names) =>
    (names.has('carid') && (names.has('carstate') || names.has('platetext') || names.has('plateutf8'))) ||
    (names.has('alpv') && names.has('identify')),
});

function isJson({ contentType, name, content }: BodyPart): boolean {
  if (pictureType(content) !== null) return false;
  return /\bjson$/.test(contentType) || name.toLowerCase() === 'event' || beginsAsJson(content);
}

/** The same events as ONVIF notifications (`ALPV.*`): their items have the names of the members, but for some. */
function notificationDocument(body: Uint8Array, context: DocumentContext): ParsedDocument {
  const xml = readXml(body);
  if (!xml.ok) return xml;
  const notifications = elementsNamed(xml.value, 'Data').slice(0, MAX_EVENTS).map(membersOf);
  if (notifications.length === 0) return refuse('unknown-kind', 'the XML has no notification with Data');
  // Other events report that a list matched (`active`), or follow a plate through the picture (`lpText`).
  const withPlate = notifications.filter((members) => members !== null);
  if (withPlate.length > 0) return eventsDocument(withPlate, [], context);
  const topics = elementsNamed(xml.value, 'Topic');
  return topics.some(({ text }) => text.includes('CameraApplicationPlatform'))
    ? accept({ kind: 'notification' })
    : refuse('unknown-kind', NO_EVENT);
}

/** Null if the notification contains no plate. */
function membersOf(data: XmlElement): unknown {
  const { text, country, lpConfidence, lpImage, ...items } = itemsOf(data);
  if (text === undefined) return null;
  return foldKeys({
    plateConfidence: lpConfidence,
    ...items,
    plateText: text,
    plateCountry: country,
    ImageArray: { ImageType: 'plate', BinaryImage: lpImage },
  });
}

function itemsOf(data: XmlElement): Record<string, string | undefined> {
  return Object.fromEntries(
    elementsNamed(data, 'SimpleItem').map(({ attributes }) => [
      attributes['Name'] ?? '',
      attributes['Value'],
    ]),
  );
}

function documentOf(
  bodies: readonly Uint8Array[],
  parts: readonly BodyPart[],
  context: DocumentContext,
): ParsedDocument {
  const { timeZone } = context;
  const jsons = readEach(bodies, readJson);
  if (!jsons.ok) return bodies.flatMap((body) => leniently(body, timeZone) ?? [])[0] ?? jsons;
  const folded = jsons.value.map(foldKeys);
  const beat = folded.find(isHeartbeat);
  if (beat !== undefined) return heartbeat(beat, timeZone);
  const members = folded.flatMap((value) => (Array.isArray(value) ? value : [value])).map(insideOf);
  if (members.length > MAX_EVENTS) return refuse('wrong-shape', `more than ${MAX_EVENTS} events`);
  return withFaults(eventsDocument(members, partPictures(parts), context), jsons.faults);
}

/** @param members of each event, with their names folded */
function eventsDocument(
  members: readonly unknown[],
  besides: readonly ReadPicture[],
  context: DocumentContext,
): ParsedDocument {
  const events = readEach(members, eventOf);
  if (!events.ok) return events;
  const reads = readEach(events.value, (event) => readOf(event, context));
  if (!reads.ok) return reads;
  const [first] = events.value;
  const document = accept({
    kind: (first?.carstate ?? 'event').slice(0, 64),
    reads: withKeysApart(reads.value),
    pictures: [...(first === undefined ? [] : eventPictures(first)), ...besides],
  });
  return withFaults(document, [...(events.faults ?? []), ...(reads.faults ?? [])]);
}

/** Quotes of the wrong kind are forgiven to a heartbeat, and to nothing that could open a gate. */
function leniently(body: Uint8Array, timeZone: string | undefined): ParsedDocument | null {
  const json = requote(body);
  const folded = json === null ? null : foldKeys(json);
  return isHeartbeat(folded) ? heartbeat(folded, timeZone) : null;
}

function isHeartbeat(folded: unknown): boolean {
  if (typeof folded !== 'object' || folded === null || EVENT_MEMBERS.some((name) => name in folded))
    return false;
  return 'alpv' in folded || ('system' in folded && 'identify' in folded);
}

function heartbeat(folded: unknown, timeZone: string | undefined): ParsedDocument {
  const parsed = HeartbeatSchema.safeParse(folded);
  const sentAt = parsed.success ? cameraTime(parsed.data.system.timestamp, timeZone) : null;
  return accept({ kind: 'heartbeat', heartbeat: true, ...(sentAt !== null && { sentAt }) });
}

/** The TCP sender puts an event into a `buffer`. */
function insideOf(folded: unknown): unknown {
  const isWrapper = typeof folded === 'object' && folded !== null && 'buffer' in folded;
  return isWrapper ? folded.buffer : folded;
}

function eventOf(folded: unknown): Checked<LpvEvent> {
  const isEvent =
    typeof folded === 'object' && folded !== null && EVENT_MEMBERS.some((name) => name in folded);
  if (!isEvent) return refuse('unknown-kind', NO_EVENT);
  return checkShape(EventSchema, folded);
}

function readOf(event: LpvEvent, context: DocumentContext): Checked<PlateRead> {
  const texts = [event.plateutf8, event.plateunicode, event.platetext, event.plateascii];
  const plate = texts.find((text) => text.trim() !== '') ?? '';
  const state = event.carstate?.toLowerCase() ?? '-';
  const serial = event.camerainfo?.serialnumber ?? event.cameraid ?? event.sensorproviderid ?? '-';
  const time = event.capturetimestamp ?? event.capturets ?? event.datetime;
  const car = event.carid ?? event.packetcounter;
  const when = time ?? arrivalOf(context, plate);
  if (when === null) {
    return refuse('wrong-shape', 'capture_timestamp: required to identify the event');
  }
  const capturedAt = captureTime(event, context.timeZone);
  const [left, top, width, height] = event.platecoordinates ?? [];
  const value = {
    ...plateParts(plate, event.plateconfidence, []),
    country: countryCode(event.platecountry) ?? countryCode(event.plateiso31662?.split('-')[0]),
    direction: travel(event.carmovedirection),
    ...inZone(event.roiid),
    capturedAt,
    eventKey: [serial, car ?? '-', state, when].join('/'),
    relatedKeys: event.carid === null || capturedAt === null ? [] : carKeys(serial, event.carid, capturedAt),
    late: state === 'lost',
    parked: false,
    ...boxAt(left, top, width, height),
  };
  return { ok: true, value };
}

/**
 * The keys that the events of one car have in common. Cameras count their cars from 1 again after a start, so
 * the hour goes with the number, and the one before: a car may stand there while the hour turns.
 */
function carKeys(serial: string, carId: string, at: UtcTime): string[] {
  const hour = Math.floor(millis(at) / HOUR_MS);
  return [hour, hour - 1].map((when) => `${serial}/car/${carId}/${when}`);
}

function captureTime(event: LpvEvent, timeZone: string | undefined): UtcTime | null {
  return (
    epochTime(event.capturetimestamp) ??
    epochTime(event.capturets) ??
    cameraTime(event.capturetimestamp ?? event.datetime, timeZone)
  );
}

function eventPictures(event: LpvEvent): ReadPicture[] {
  return event.imagearray.flatMap((image) => {
    const kind = pictureKind(image.imagetype ?? '') ?? pictureKind(event.imagetype ?? '');
    return picture(kind ?? 'overview', image.binaryimage);
  });
}
