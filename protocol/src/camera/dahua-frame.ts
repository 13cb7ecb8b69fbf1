import { z } from 'zod';
import { type UtcTime, utcTime } from '../base/utc-time.ts';
import type { DocumentContext, DocumentParser, PlateRead } from '../plate/plate-read.ts';
import { arrivalOf } from './arrival.ts';
import { beginsAsXml } from './body-text.ts';
import { cameraFormat } from './camera-format.ts';
import { cameraTime, epochTime } from './camera-time.ts';
import { confidence, UNSTATED_SCORE } from './confidence.ts';
import { countryCode } from './country-code.ts';
import { readStreamPiece } from './dahua-stream.ts';
import { messagesIn } from './dahua-wrapping.ts';
import { foldKeys } from './fold-keys.ts';
import { joinDocuments } from './join-documents.ts';
import {
  accept,
  type Checked,
  checkShape,
  type ParsedDocument,
  readJson,
  refuse,
  withFaults,
} from './json-border.ts';
import { splitMultipart } from './multipart-frame.ts';
import { partPictures } from './part-picture.ts';
import { pictureType } from './picture-type.ts';
import {
  GivenPlateSchema,
  GivenTextSchema,
  inZone,
  oneOrMore,
  picture,
  plateParts,
  travel,
} from './read-parts.ts';
import { readXmlMembers } from './xml-members.ts';

const MAX_MESSAGES = 100;
const TOO_MANY = `more than ${MAX_MESSAGES} messages`;
const HIGHEST_CONFIDENCE = 255;

const ConfidenceSchema = confidence(100, HIGHEST_CONFIDENCE);
const PictureSchema = z.object({ content: z.string().nullish() }).nullish();

/** Names as `foldKeys` has them. */
const TollgateSchema = z.object({
  picture: z.object({
    plate: z
      .object({
        isexist: z.union([z.boolean(), z.number(), z.string()]).nullish(),
        platenumber: GivenPlateSchema,
        confidence: ConfidenceSchema,
        region: GivenTextSchema,
        country: GivenTextSchema,
      })
      .nullish(),
    snapinfo: z
      .object({
        accuratetime: GivenTextSchema,
        snaptime: GivenTextSchema,
        timestamp: GivenTextSchema,
        utc: GivenTextSchema,
        direction: oneOrMore(GivenTextSchema, 10),
        deviceid: GivenTextSchema,
        lanno: GivenTextSchema,
      })
      .nullish(),
    normalpic: PictureSchema,
    vehiclepic: PictureSchema,
    cutoutpic: PictureSchema,
  }),
});
type Tollgate = z.output<typeof TollgateSchema>['picture'];

/** An event as the camera's own event stream has it. */
const TrafficEventSchema = z.object({
  object: z
    .object({
      objecttype: GivenTextSchema,
      text: GivenPlateSchema,
      confidence: ConfidenceSchema,
      objectid: GivenTextSchema,
    })
    .nullish(),
  trafficcar: z
    .object({
      platenumber: GivenPlateSchema,
      // Its lines of text count the members of a list.
      drivingdirection: z
        .union([z.array(GivenTextSchema), z.record(z.string(), GivenTextSchema).transform(Object.values)])
        .nullish(),
      direction: GivenTextSchema.catch(null),
      event: GivenTextSchema,
      utc: GivenTextSchema,
      country: GivenTextSchema,
      deviceaddress: GivenTextSchema,
      lane: GivenTextSchema.catch(null),
    })
    .nullish(),
  plate: z.object({ text: GivenPlateSchema, confidence: ConfidenceSchema }).nullish().catch(null),
  direction: GivenTextSchema.catch(null),
  lane: GivenTextSchema.catch(null),
  code: GivenTextSchema,
  groupid: GivenTextSchema,
  deviceid: GivenTextSchema,
  /** Some firmware shifts `UTC` by the zone of the site, and gives the moment as `RealUTC` beside it. */
  realutc: GivenTextSchema,
  utc: GivenTextSchema,
  utcms: GivenTextSchema,
});

const CodedSchema = z.object({ code: z.string().max(64), data: z.unknown().optional() });

const PlateEventSchema = z.union([
  z.object({ object: z.object({ objecttype: z.string().regex(/^plate$/i) }) }),
  z.object({ plate: z.object({ text: z.string() }), utc: z.union([z.string(), z.number()]) }),
]);

/** The messages that are only signs of life, and those about other things than plates on a lane. */
const SIGNS_OF_LIFE = [
  ['active', 'KeepAlive'],
  ['manufacturer', 'DeviceInfo'],
  ['devicename', 'DeviceInfo'],
  ['devicemodel', 'DeviceInfo'],
  ['devicetype', 'DeviceInfo'],
  ['deviceinfo', 'DeviceInfo'],
  ['keepalive', 'KeepAlive'],
] as const;
const OF_SPACES = /^TrafficParkingSpace/i;
const OTHER_KINDS = [
  ['alarminfo', 'AlarmInfo'],
  ['spacemodeinfo', 'TimedParkingSpaceInfo'],
] as const;

/**
 * Parses the posts of a Dahua (or Intelbras) camera by ITSAPI: `TollgateInfo` with a plate, `KeepAlive` and
 * `DeviceInfo`, one or an array; also the events of its own stream (`TrafficCar`), whole or in part.
 *
 * Confidence is 0 to 100, in some firmware to 255. `AccurateTime` is of the camera's wall clock; its
 * `TimeZone` counts lines of a table and is not taken. There is no event id: camera, time and plate
 * distinguish events. Sources: public integrations; no byte-exact capture was found.
 */
const parseDahua: DocumentParser = (body, context) => {
  const split = splitMultipart(body, context.headers['content-type']);
  if (split !== null && !split.ok) return split;
  if (split === null) return pieceDocument(body, context);
  const parts = split.value;
  const documents = parts.filter(({ content }) => pictureType(content) === null);
  const together = joinDocuments(documents, ({ content }) => pieceDocument(content, context));
  if (!together.ok || together.document.reads.length === 0) return together;
  const { document } = together;
  return accept({ ...document, pictures: [...document.pictures, ...partPictures(parts)] });
};

export const DAHUA = cameraFormat({
  maker: 'Dahua / Intelbras ITSAPI',
  parse: parseDahua,
  bodies: ['json', 'multipart', 'xml'],
  recognises: (names) =>
    names.has('snapinfo') ||
    names.has('trafficcar') ||
    names.has('tollgateinfo') ||
    // A KeepAlive has nothing else.
    (names.size === 2 && names.has('active') && names.has('deviceid')),
  pathSuffix: /^NotificationInfo\/[^/]*$/,
  // The camera sends again if there is no `Result`, or no `Active` for a KeepAlive.
  answer: (result) => {
    if (!result.ok) return { Result: false, messages: result.messages };
    return result.kind === 'KeepAlive' ? { Result: true, Active: true } : { Result: true };
  },
});

/** A body, or a part of one. */
function pieceDocument(body: Uint8Array, context: DocumentContext): ParsedDocument {
  const piece = readStreamPiece(body);
  if (piece !== null) {
    if (!piece.ok) return piece;
    if (piece.value === 'heartbeat') return accept({ kind: 'Heartbeat', heartbeat: true });
    return joinDocuments(piece.value, ({ code, data }) => codedDocument(code, data, context));
  }
  const given = beginsAsXml(body) ? readXmlMembers(body) : readJson(body);
  if (!given.ok) return given;
  const messages = messagesIn(foldKeys(given.value), MAX_MESSAGES);
  if (messages === null) return refuse('wrong-shape', TOO_MANY);
  return joinDocuments(messages, (message) => documentOf(message, context));
}

/** Whether an event is about traffic, by its car, or by the seen object, which some events have alone. */
function isTrafficEvent(folded: unknown): boolean {
  if (typeof folded !== 'object' || folded === null) return false;
  return 'trafficcar' in folded || PlateEventSchema.safeParse(folded).success;
}

/** An event with its name beside; its content may be in a separate car member, or not. */
function codedDocument(code: string, data: unknown, context: DocumentContext): ParsedDocument {
  if (typeof data !== 'object' || data === null) return accept({ kind: code });
  const isBare = /^traffic/i.test(code) && 'platenumber' in data && !('trafficcar' in data);
  const whole = { ...data, ...(isBare && { trafficcar: data }), ...(code !== '' && { code }) };
  return isTrafficEvent(whole) ? documentOf(whole, context) : accept({ kind: code });
}

function documentOf(folded: unknown, context: DocumentContext): ParsedDocument {
  const members = typeof folded === 'object' && folded !== null ? folded : {};
  if ('picture' in members) {
    const inside = members.picture;
    if (typeof inside === 'object' && inside !== null && 'parkinginfo' in inside) {
      return accept({ kind: 'ParkingInfo' });
    }
    const checked = checkShape(TollgateSchema, folded);
    return checked.ok
      ? withFaults(tollgateDocument(checked.value.picture, context), checked.faults)
      : checked;
  }
  if (isTrafficEvent(members)) {
    const checked = checkShape(TrafficEventSchema, folded);
    return checked.ok ? withFaults(trafficDocument(checked.value, context), checked.faults) : checked;
  }
  if ('code' in members) {
    const coded = checkShape(CodedSchema, members);
    if (!coded.ok) return coded;
    return codedDocument(coded.value.code, coded.value.data, context);
  }
  for (const [member, kind] of SIGNS_OF_LIFE) if (member in members) return accept({ kind, heartbeat: true });
  for (const [member, kind] of OTHER_KINDS) if (member in members) return accept({ kind });
  return refuse(
    'unknown-kind',
    'neither Picture nor TrafficCar nor Active nor a device: not a message of Dahua',
  );
}

function tollgateDocument(tollgate: Tollgate, context: DocumentContext): ParsedDocument {
  const { plate, snapinfo: snap } = tollgate;
  const time = snap?.accuratetime ?? snap?.snaptime ?? snap?.timestamp ?? snap?.utc ?? null;
  const when = time ?? arrivalOf(context, plate?.platenumber ?? '');
  if (when === null) {
    return refuse(
      'wrong-shape',
      'Picture.SnapInfo.AccurateTime: required to identify the event, but missing',
    );
  }
  const exists = !/^(?:false|0)$/i.test(String(plate?.isexist ?? ''));
  const plateRaw = plate?.platenumber ?? '';
  const read: PlateRead = {
    ...plateParts(plateRaw, plate?.confidence ?? 0, [], exists ? plateRaw : ''),
    country: countryCode(plate?.region) ?? countryCode(plate?.country),
    direction: travel(snap?.direction[0]),
    ...inZone(snap?.lanno),
    capturedAt: epochTime(time) ?? cameraTime(time, context.timeZone),
    eventKey: [snap?.deviceid ?? '-', snap?.lanno ?? '-', when, plateRaw.trim()].join('/'),
    relatedKeys: [],
    late: false,
    parked: false,
  };
  return accept({
    kind: 'TollgateInfo',
    reads: [read],
    pictures: [
      ...picture('overview', tollgate.normalpic?.content),
      ...picture('vehicle', tollgate.vehiclepic?.content),
      ...picture('plate', tollgate.cutoutpic?.content),
    ],
  });
}

function trafficDocument(
  event: z.output<typeof TrafficEventSchema>,
  context: DocumentContext,
): ParsedDocument {
  const { object, trafficcar: car, plate } = event;
  const isPlate = object?.objecttype?.toLowerCase() === 'plate';
  const texts = [isPlate ? object.text : '', car?.platenumber ?? '', plate?.text ?? ''];
  const plateRaw = texts.find((text) => text.trim() !== '') ?? '';
  // The confidence of a vehicle object is that there is a vehicle, so the plate's own confidence is used
  // then.
  const withConfidence = object && (isPlate || object.objecttype === null) ? object : plate;
  const score = withConfidence?.confidence ?? UNSTATED_SCORE;
  const capturedAt = streamTime(event);
  if (!capturedAt.ok) return capturedAt;
  const when = capturedAt.value ?? arrivalOf(context, plateRaw);
  if (when === null) return refuse('wrong-shape', 'UTC: required to identify the event, but missing');
  const id = event.groupid ?? object?.objectid ?? plateRaw.trim();
  const device = event.deviceid ?? car?.deviceaddress ?? '-';
  return accept({
    kind: 'TrafficJunction',
    reads: [
      {
        ...plateParts(plateRaw, score, []),
        country: countryCode(car?.country),
        direction: travel(car?.drivingdirection?.[0] ?? car?.direction ?? event.direction),
        ...inZone(car?.lane ?? event.lane),
        capturedAt: capturedAt.value,
        eventKey: [device, id, when].join('/'),
        relatedKeys: [],
        late: false,
        // Events of a parking space are about cars that stand there or have left: no car is at a gate.
        parked: OF_SPACES.test(event.code ?? car?.event ?? ''),
      },
    ],
  });
}

/** Seconds since 1970, with the milliseconds beside; or milliseconds in all. Null where there are none. */
function streamTime({
  realutc,
  utc: shifted,
  utcms,
  trafficcar,
}: z.output<typeof TrafficEventSchema>): Checked<UtcTime | null> {
  const utc = realutc ?? shifted ?? trafficcar?.utc ?? null;
  if (utc === null) return { ok: true, value: null };
  const whole = utc !== null && utc.length > 10 ? epochTime(utc) : null;
  if (whole !== null) return { ok: true, value: whole };
  const ms = Number(utc) * 1000 + Number(utcms ?? 0);
  const checked = z.number().min(0).max(253_402_300_799_999).safeParse(ms);
  if (!checked.success) return refuse('wrong-shape', 'UTC: expected seconds since 1970');
  return { ok: true, value: utcTime(checked.data) };
}
