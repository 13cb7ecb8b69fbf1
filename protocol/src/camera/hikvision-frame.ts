import type { UtcTime } from '../base/utc-time.ts';
import type { XmlElement } from '../base/xml.ts';
import type { CameraDocument, DocumentContext, DocumentParser, PlateRead } from '../plate/plate-read.ts';
import { arrivalOf } from './arrival.ts';
import { beginsAsJson, beginsAsXml } from './body-text.ts';
import { cameraFormat } from './camera-format.ts';
import { cameraTime, epochTime } from './camera-time.ts';
import { scoreOf } from './confidence.ts';
import { hikvisionCountry } from './hikvision-country.ts';
import { readJsonAlerts } from './hikvision-json.ts';
import { accept, type Checked, checkShape, type ParsedDocument, refuse, withFaults } from './json-border.ts';
import { type BodyPart, splitMultipart } from './multipart-frame.ts';
import { partPictures } from './part-picture.ts';
import { pictureType } from './picture-type.ts';
import { readEach } from './read-each.ts';
import {
  boxAt,
  inZone,
  KeyPartSchema,
  PlateTextSchema,
  plateParts,
  travel,
  withKeysApart,
} from './read-parts.ts';
import { childrenNamed, childText, elementsNamed, isNamed, readXml, rootName } from './xml-tree.ts';

const ALERT = 'EventNotificationAlert';
const MAX_ALERTS = 50;
const MAX_VEHICLES = 100;
/** The limit for all alerts together; one has about eighty. */
const MAX_ELEMENTS = 6000;

const PLATE_NAMES = ['licensePlate', 'plateNumber', 'plateNo'] as const;

/** Chinese plates come with their colour before them: one or two characters, then the province. */
const PLATE_COLOUR = /^(?:黄绿|[蓝黄白黑绿])(?=\p{Script=Han})/u;

/**
 * Parses the posts of a Hikvision camera to an alarm server, and its `alertStream`: `EventNotificationAlert`
 * in XML, or in JSON of the same names, bare or as a part of `multipart/form-data` (or `mixed`) beside its
 * JPEGs. Elements go by their local names, under any namespace; firmware's misspellings are understood.
 * Alerts of other kinds are no reads; the idle `videoloss` and `heartBeat` are signs of life.
 *
 * Confidence is 0 to 100. What is sent again (`isDataRetransmission`) or out of its history (`alarmDataType` 1) is
 * late. Sources: captured alerts (tests/fixtures/cameras/hikvision) and public receivers of this format.
 */
const parseHikvision: DocumentParser = (body, context) => {
  const split = splitMultipart(body, context.headers['content-type']);
  if (split !== null && !split.ok) return split;
  if (split === null) return documentOf([body], [], context);
  const parts = split.value;
  const documents = parts.filter(isAlertText).map(({ content }) => content);
  if (documents.length === 0) return refuse('unknown-kind', 'none of the parts is XML or JSON');
  return documentOf(documents, parts, context);
};

export const HIKVISION = cameraFormat({
  maker: 'Hikvision ISAPI',
  parse: parseHikvision,
  bodies: ['multipart', 'xml', 'json'],
  recognises: (names) =>
    names.has('eventnotificationalert') ||
    (names.has('eventtype') && names.has('anpr') && names.has('licenseplate')),
});

/** Whether a part is an alert, by its headers or by its beginning. */
function isAlertText({ contentType, fileName, name, content }: BodyPart): boolean {
  if (/\b(?:xml|json)$/.test(contentType) || /\.(?:xml|json)$/i.test(fileName) || /\.xml$/i.test(name))
    return true;
  return pictureType(content) === null && (beginsAsXml(content) || beginsAsJson(content));
}

function documentOf(
  documents: readonly Uint8Array[],
  parts: readonly BodyPart[],
  context: DocumentContext,
): ParsedDocument {
  // A stream begins with a `SubscribeEventResponse`, which is no alert.
  const found = readEach(documents, (bytes) => (beginsAsJson(bytes) ? jsonAlerts(bytes) : xmlAlerts(bytes)));
  if (!found.ok) return found;
  const alerts = found.value.flat();
  if (alerts.length > MAX_ALERTS) return refuse('wrong-shape', `more than ${MAX_ALERTS} alerts`);
  const elements = alerts.reduce((sum, alert) => sum + elementsIn(alert), 0);
  if (elements > MAX_ELEMENTS) return refuse('wrong-shape', `more than ${MAX_ELEMENTS} elements`);
  const read = readEach(alerts, (alert) => readsOf(alert, context));
  if (!read.ok) return read;
  const reads = read.value.flat();
  if (reads.length > MAX_VEHICLES) return refuse('wrong-shape', `more than ${MAX_VEHICLES} vehicles`);
  const [first] = alerts;
  const kind = (first && childText(first, 'eventType')) ?? 'ANPR';
  const document = accept({
    kind: kind.slice(0, 64),
    reads: withKeysApart(reads),
    pictures: reads.length === 0 ? [] : partPictures(parts),
    ...lifeSign(reads.length === 0 ? alerts : [], context.timeZone),
  });
  return withFaults(document, [...(found.faults ?? []), ...(read.faults ?? [])]);
}

function elementsIn({ children }: XmlElement): number {
  return children.reduce((sum, child) => sum + elementsIn(child), 1);
}

function xmlAlerts(bytes: Uint8Array): Checked<readonly XmlElement[]> {
  const xml = readXml(bytes);
  if (!xml.ok) return xml;
  const alerts = isNamed(xml.value, ALERT) ? [xml.value] : childrenNamed(xml.value, ALERT);
  if (alerts.length > 0) return { ok: true, value: alerts };
  return refuse('unknown-kind', `the XML is ${rootName(xml.value)}, not an ${ALERT}`);
}

function jsonAlerts(bytes: Uint8Array): Checked<readonly XmlElement[]> {
  const found = readJsonAlerts(bytes, ALERT);
  if (!found.ok) return found;
  const isAlert = ({ children }: XmlElement) =>
    children.some((child) => isNamed(child, 'eventType') || (isNamed(child, 'ANPR') && hasPlate(child)));
  if (found.value.length > 0 && found.value.every(isAlert)) return found;
  return refuse('unknown-kind', `the JSON has neither an eventType nor an ANPR: not an ${ALERT}`);
}

function lifeSign(
  alerts: readonly XmlElement[],
  timeZone: string | undefined,
): Pick<CameraDocument, 'heartbeat' | 'sentAt'> {
  const beat = alerts.find((alert) => {
    const type = childText(alert, 'eventType')?.toLowerCase();
    const idle = childText(alert, 'eventState')?.toLowerCase() === 'inactive';
    return type === 'heartbeat' || (type === 'videoloss' && idle);
  });
  if (beat === undefined) return { heartbeat: false };
  const sentAt = momentOf(childText(beat, 'dateTime'), timeZone);
  return sentAt === null ? { heartbeat: true } : { heartbeat: true, sentAt };
}

/** One read for each `ANPR` of an alert; some senders write its members among those of the alert. */
function readsOf(alert: XmlElement, context: DocumentContext): Checked<PlateRead[]> {
  const inside = alert.children.filter((child) => isNamed(child, 'ANPR'));
  const blocks = inside.length === 0 && hasPlate(alert) ? [alert] : inside;
  const type = childText(alert, 'eventType');
  if (blocks.length === 0) {
    if (type === undefined) return refuse('wrong-shape', 'neither an eventType nor an ANPR');
    if (type.toLowerCase() === 'anpr') return refuse('wrong-shape', 'ANPR: the alert has none');
    return { ok: true, value: [] };
  }
  if (blocks.length > MAX_VEHICLES) return refuse('wrong-shape', `more than ${MAX_VEHICLES} vehicles`);
  const event = eventOf(alert);
  return readEach(blocks, (block) => readOf(event, block, context));
}

function hasPlate({ children }: XmlElement): boolean {
  return children.some((child) => PLATE_NAMES.some((name) => isNamed(child, name)));
}

/** The members that all vehicles of an alert have in common. */
interface AlertEvent {
  /** The device's own id of the event; old firmware has none. */
  uuid: string | undefined;
  time: string | undefined;
  source: string;
  late: boolean;
}

function eventOf(alert: XmlElement): AlertEvent {
  const uuid = childText(alert, 'UUID');
  return {
    uuid: uuid !== undefined && /^[0-]*$/.test(uuid) ? undefined : uuid,
    time: childText(alert, 'dateTime'),
    source: sourceOf(alert),
    late: isSentAgain(alert),
  };
}

function sourceOf(alert: XmlElement): string {
  const device = childText(alert, 'deviceID', 'macAddress', 'ipAddress') ?? '-';
  const channel = childText(alert, 'channelID', 'dynChannelID') ?? '-';
  return `${device}/${channel}`;
}

function readOf(event: AlertEvent, block: XmlElement, context: DocumentContext): Checked<PlateRead> {
  const plateRaw = childText(block, ...PLATE_NAMES) ?? '';
  const plate = checkShape(PlateTextSchema, plateRaw, 'ANPR.licensePlate');
  if (!plate.ok) return plate;
  const score = scoreOf(childText(block, 'confidenceLevel', 'confidence'), 100);
  const time = event.time ?? childText(block, 'dateTime');
  const when = time ?? arrivalOf(context, plateRaw);
  if (event.uuid === undefined && when === null) {
    return refuse('wrong-shape', 'UUID or dateTime: one is required to identify the alert');
  }
  const key = checkShape(
    KeyPartSchema,
    event.uuid ?? [event.source, when, plateRaw].join('/'),
    event.uuid === undefined ? 'dateTime' : 'UUID',
  );
  if (!key.ok) return key;
  const original = childText(block, 'originalLicensePlate');
  const others = original === undefined ? [] : [{ plate: withoutColour(original), score }];
  return {
    ok: true,
    value: {
      ...plateParts(plateRaw, score, others, withoutColour(plateRaw)),
      country: hikvisionCountry(childText(block, 'country', 'CRIndex')),
      direction: travel(childText(block, 'direction')),
      ...inZone(childText(block, 'line', 'laneNo')),
      capturedAt: momentOf(time, context.timeZone),
      eventKey: key.value,
      relatedKeys: [],
      late: event.late || isSentAgain(block),
      parked: false,
      ...boxIn(block),
    },
  };
}

/** The first of its pictures that has the plate's box. */
function boxIn(block: XmlElement): Pick<PlateRead, 'box'> {
  const [rect] = elementsNamed(block, 'plateRect');
  if (rect === undefined) return {};
  const side = (name: string) => childText(rect, name);
  return boxAt(side('X'), side('Y'), side('width'), side('height'));
}

function momentOf(written: string | undefined, timeZone: string | undefined): UtcTime | null {
  return epochTime(written) ?? cameraTime(written, timeZone);
}

function isSentAgain(element: XmlElement): boolean {
  return isTrue(childText(element, 'isDataRetransmission')) || isTrue(childText(element, 'alarmDataType'));
}

function isTrue(text: string | undefined): boolean {
  return text !== undefined && /^(?:true|1|yes|history)$/i.test(text);
}

function withoutColour(plate: string): string {
  return plate.replace(PLATE_COLOUR, '');
}
