import { utcTime } from '@hlid/protocol/base/utc-time';
import { arrivalMinute } from '@hlid/protocol/camera/arrival';
import { scoreOf, UNSTATED_SCORE } from '@hlid/protocol/camera/confidence';
import { countryCode } from '@hlid/protocol/camera/country-code';
import { inZone, picture, plateParts, travel } from '@hlid/protocol/camera/read-parts';
import { isUnstated } from '@hlid/protocol/camera/unstated';
import type { CameraDocument, PlateRead } from '@hlid/protocol/plate/plate-read';
import { z } from 'zod';
import { type OnvifEvent, topicFits } from './event-message.ts';
import { descendants, find, textAt, type XmlElement } from './xml-element.ts';

/** The names of the SimpleItems in a maker's own event, in any case. */
const VendorPlatesSchema = z.strictObject({
  /** The topic with its usual prefix; `*` stands for any characters. */
  topic: z.string().min(1),
  plate: z.string().min(1),
  /** The confidence and its scale: `full` is the value of full certainty. */
  score: z.strictObject({ item: z.string().min(1), full: z.number().positive().default(1) }).optional(),
  country: z.string().min(1).optional(),
  direction: z.string().min(1).optional(),
  /** The camera's own zone, by which it may be split into lanes. */
  zone: z.string().min(1).optional(),
  /** An item with a picture of the plate, in base64. */
  picture: z.string().min(1).optional(),
  /** The value that all events of one vehicle share, and no other vehicle has. */
  vehicle: z.string().min(1).optional(),
  /** The item that reports that the vehicle has gone, and its value then. */
  gone: z.strictObject({ item: z.string().min(1), value: z.string() }).optional(),
});
export type VendorPlates = z.infer<typeof VendorPlatesSchema>;

/**
 * AXIS License Plate Verifier (`ALPV.*`), and the same engine under its maker's name (`LPR`, `LPR.*`). Only
 * the latter reports a confidence; the former applies its own threshold.
 */
const AXIS: VendorPlates = {
  topic: 'tnsaxis:CameraApplicationPlatform/*LP*',
  plate: 'text',
  score: { item: 'lpConfidence', full: 1 },
  country: 'country',
  direction: 'carMoveDirection',
  zone: 'roiID',
  picture: 'lpImage',
  vehicle: 'carID',
  gone: { item: 'carState', value: 'lost' },
};

/** The events of Hikvision's plate cameras; the topic's last step has a Hikvision namespace. */
const HIKVISION: VendorPlates = {
  topic: 'tns1:RuleEngine/VehicleDetector/*Vehicle',
  plate: 'PlateNumber',
  score: { item: 'Likelihood', full: 100 },
  country: 'Country',
  direction: 'VehicleDirection',
};

/**
 * The place of the plates in a camera's events: the topic of Profile M, that of a maker known here, or a
 * described one.
 */
export const PlateMapSchema = z
  .union([
    z.literal('axis').transform(() => AXIS),
    z.literal('hikvision').transform(() => HIKVISION),
    VendorPlatesSchema,
  ])
  .array()
  .default([]);

const STANDARD = 'tns1:RuleEngine/Recognition/LicensePlate';
/** An event that is as old as this when it is pulled happened while no pull was open. */
const LATE_MS = 15_000;
/** Less than that may be the network, and devices send whole seconds. */
const CLOCK_OFF_MS = 5000;

/** The state of the device when its events came. */
export interface EventsCame {
  vendor: readonly VendorPlates[];
  /** The device's clock when it handed the events out. */
  deviceTime: Date | null;
  /** Ours, at the same moment. */
  receivedAt: Date;
}

/** The plates in the events, one document for each vehicle's event. Pure. */
export function plateDocuments(events: readonly OnvifEvent[], came: EventsCame): CameraDocument[] {
  return events.flatMap((event) => {
    if (event.operation === 'Deleted') return [];
    if (event.topic === STANDARD) return [standardDocument(event, came)];
    const map = came.vendor.find(({ topic }) => topicFits(event.topic, topic));
    return map && event.data.has(map.plate.toLowerCase()) ? [vendorDocument(event, map, came)] : [];
  });
}

/** The topics to subscribe to. */
export function plateTopics(vendor: readonly VendorPlates[]): string[] {
  // A filter matches whole steps of a path only: what varies within one is covered by the step above.
  return [STANDARD, ...vendor.map(({ topic }) => topic.replace(/\/[^/]*\*.*$/, '//.'))];
}

function standardDocument(event: OnvifEvent, came: EventsCame): CameraDocument {
  const info = event.elements.get('licenseplateinfo') ?? null;
  const [number] = info ? descendants(info, 'PlateNumber') : [];
  const [whole] = info ? descendants(info, 'LicensePlateInfo') : [];
  const { source, data, elements } = event;
  const likelihoods = [
    number?.attributes['Likelihood'],
    whole?.attributes['Likelihood'],
    data.get('likelihood'),
  ];
  const scores = likelihoods.flatMap((text) => (text === undefined ? [] : scoreOf(text, 1)));
  // Some put the plate among the items, where the standard has an element.
  const plateRaw =
    number?.text ?? data.get('platenumber') ?? data.get('licenseplate') ?? data.get('plate') ?? '';
  const [country] = info ? descendants(info, 'CountryCode') : [];
  const objectId = [...(elements.get('objectid')?.children ?? [])][0];
  const object = objectId?.attributes['ObjectId'] ?? objectId?.text ?? data.get('objectid') ?? '';
  const read: PlateRead = {
    ...plateParts(plateRaw, scores.length > 0 ? Math.min(...scores) : UNSTATED_SCORE, []),
    ...timing(event, came),
    country: countryCode(country?.text),
    direction: travel(data.get('direction') ?? directionIn(elements.get('direction'))),
    // A rule is set up for each zone.
    ...inZone(source.get('rule')),
    eventKey: keyOf(['plate', source.get('rule'), object, momentOf(event, came), plateRaw]),
    // Object ids begin again with every start of the camera, and some cameras have one for all.
    relatedKeys: [],
  };
  return {
    kind: 'onvif plate',
    reads: [read],
    heartbeat: false,
    pictures: [
      ...picture('vehicle', pictureIn(elements.get('vehicleimage'))),
      ...picture('plate', pictureIn(elements.get('image'))),
    ],
  };
}

function vendorDocument(event: OnvifEvent, map: VendorPlates, came: EventsCame): CameraDocument {
  const itemValue = (name: string | undefined) => (name ? event.data.get(name.toLowerCase()) : undefined);
  const plateRaw = itemValue(map.plate) ?? '';
  const score = map.score ? vendorScore(itemValue(map.score.item) ?? '', map.score.full) : UNSTATED_SCORE;
  const vehicle = itemValue(map.vehicle);
  const { late, ...times } = timing(event, came);
  const read: PlateRead = {
    ...plateParts(plateRaw, score, []),
    ...times,
    country: countryCode(itemValue(map.country)),
    direction: travel(itemValue(map.direction)),
    ...inZone(itemValue(map.zone)),
    eventKey: keyOf([event.topic, ...event.source.values(), vehicle, momentOf(event, came), plateRaw]),
    relatedKeys: vehicle ? [keyOf([event.topic, 'vehicle', vehicle])] : [],
    late:
      late ||
      (map.gone !== undefined && itemValue(map.gone.item)?.toLowerCase() === map.gone.value.toLowerCase()),
  };
  const pictures = picture('plate', itemValue(map.picture));
  return { kind: `onvif ${event.topic}`, reads: [read], heartbeat: false, pictures };
}

/**
 * The event's time as the device wrote it; else the minute in which it came, which distinguishes it from
 * others.
 */
function momentOf({ utcTime: written }: OnvifEvent, { receivedAt }: EventsCame): string {
  return written || arrivalMinute(utcTime(receivedAt));
}

function timing(
  { at, operation }: OnvifEvent,
  { deviceTime, receivedAt }: EventsCame,
): Pick<PlateRead, 'capturedAt' | 'late' | 'parked'> {
  // The device's clock against itself: right whatever it shows.
  const ageMs = at && deviceTime ? deviceTime.getTime() - at.getTime() : 0;
  // The clock's difference is measured here, so that it need not be learned from the reads.
  const aheadMs = deviceTime ? deviceTime.getTime() - receivedAt.getTime() : 0;
  const off = Math.abs(aheadMs) > CLOCK_OFF_MS ? aheadMs : 0;
  return {
    capturedAt: at && utcTime(new Date(at.getTime() - off)),
    late: operation === 'Initialized' || ageMs > LATE_MS,
    parked: false,
  };
}

/** The score on the maker's own scale; values outside of it are not believed. */
function vendorScore(text: string, full: number): number {
  if (isUnstated(text)) return UNSTATED_SCORE;
  const score = Number(text.replace(',', '.').replace(/ ?%$/, '')) / full;
  return score >= 0 && score <= HIGHEST_SCORE ? Math.min(score, 1) : 0;
}

/** Certain, and a crumb of arithmetic. */
const HIGHEST_SCORE = 1.0001;

/** The picture within the ElementItem, under a name that differs from maker to maker. */
function pictureIn(item: XmlElement | undefined): string | null {
  if (!item) return null;
  return item.text || (item.children[0]?.text ?? null);
}

function directionIn(item: XmlElement | undefined): string | null {
  return textAt(item, 'Direction') ?? find(item)?.text ?? null;
}

const LONGEST_KEY = 200;

function keyOf(parts: readonly (string | undefined)[]): string {
  return `onvif/${parts.map((part) => part ?? '').join('/')}`.slice(0, LONGEST_KEY);
}
