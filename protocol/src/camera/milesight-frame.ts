import { z } from 'zod';
import type { DocumentContext, DocumentParser, PlateRead } from '../plate/plate-read.ts';
import { arrivalOf } from './arrival.ts';
import { cameraFormat } from './camera-format.ts';
import { cameraTime, epochTime } from './camera-time.ts';
import { confidence } from './confidence.ts';
import { countryCode } from './country-code.ts';
import { foldKeys } from './fold-keys.ts';
import { accept, checkShape, type ParsedDocument, readJson, refuse, withFaults } from './json-border.ts';
import {
  boxBetween,
  GivenPlateSchema,
  GivenTextSchema,
  inZone,
  picture,
  plateParts,
  travel,
  withKeysApart,
} from './read-parts.ts';

const MAX_VEHICLES = 100;

const PictureTextSchema = z.string().nullish();

/** Names as `foldKeys` has them: `time_msec` is `timemsec`. */
const SightingSchema = z.object({
  plate: GivenPlateSchema,
  device: GivenTextSchema,
  time: GivenTextSchema,
  timemsec: GivenTextSchema,
  direction: GivenTextSchema,
  detectionregion: GivenTextSchema,
  region: GivenTextSchema,
  confidence: confidence(100),
  coordinatex1: z.unknown().optional(),
  coordinatey1: z.unknown().optional(),
  coordinatex2: z.unknown().optional(),
  coordinatey2: z.unknown().optional(),
  plateimage: PictureTextSchema,
  fullimage: PictureTextSchema,
  vehicleimage: PictureTextSchema,
  evidenceimage0: PictureTextSchema,
  evidenceimage1: PictureTextSchema,
});
const MessageSchema = z.object({
  plate: z.unknown().optional(),
  event: GivenTextSchema,
});

/**
 * Parses the posts of a Milesight LPR camera: JSON, every value as text, `-` for an unknown one; a
 * recognition, or another kind that names its `event`. Several recognitions may come as an array.
 *
 * Confidence is 0 to 100, where it is given at all; times are of the camera's wall clock. There is no event id: camera,
 * time and plate distinguish events. Sources: evercam/ex_nvr f1c4f05; support.milesight.com.
 */
const parseMilesight: DocumentParser = (body, context) => {
  const json = readJson(body);
  if (!json.ok) return json;
  const folded = foldKeys(json.value);
  const messages = Array.isArray(folded) ? folded : [folded];
  if (messages.length > MAX_VEHICLES) return refuse('wrong-shape', `more than ${MAX_VEHICLES} vehicles`);
  const sightings: z.output<typeof SightingSchema>[] = [];
  const faults: string[] = [];
  let kind = 'recognition';
  let heartbeat = false;
  for (const value of messages) {
    const message = checkShape(MessageSchema, value);
    if (!message.ok) return message;
    const { plate, event } = message.value;
    if (plate === undefined && event === null) {
      return refuse('unknown-kind', 'neither a plate nor an event: not a message of Milesight');
    }
    if (plate === undefined && event !== null) {
      kind = event;
      heartbeat ||= /^(?:heart ?beat|keep ?-?alive)$/i.test(event);
      continue;
    }
    const sighting = checkShape(SightingSchema, value);
    if (!sighting.ok) return sighting;
    sightings.push(sighting.value);
    faults.push(...(sighting.faults ?? []));
  }
  return withFaults(documentOf(kind, heartbeat, sightings, context), faults);
};

export const MILESIGHT = cameraFormat({
  maker: 'Milesight',
  parse: parseMilesight,
  bodies: ['json'],
  recognises: (names) =>
    names.has('plate') &&
    names.has('timemsec') &&
    (names.has('detectionregion') || names.has('coordinatex1')),
});

function documentOf(
  kind: string,
  heartbeat: boolean,
  sightings: readonly z.output<typeof SightingSchema>[],
  context: DocumentContext,
): ParsedDocument {
  const reads: PlateRead[] = [];
  for (const sighting of sightings) {
    const time = sighting.timemsec ?? sighting.time;
    const { plate, device, detectionregion } = sighting;
    const when = time ?? arrivalOf(context, plate);
    if (when === null) {
      return refuse('wrong-shape', 'time_msec: required to identify the recognition');
    }
    reads.push({
      ...plateParts(plate, sighting.confidence, []),
      country: countryCode(sighting.region),
      direction: travel(sighting.direction),
      ...inZone(detectionregion),
      capturedAt: epochTime(time) ?? cameraTime(time, context.timeZone),
      eventKey: [device ?? '-', when, plate.trim(), detectionregion ?? '-'].join('/'),
      relatedKeys: [],
      late: false,
      parked: false,
      ...boxBetween(
        sighting.coordinatex1,
        sighting.coordinatey1,
        sighting.coordinatex2,
        sighting.coordinatey2,
      ),
    });
  }
  const [first] = sightings;
  return accept({
    kind: kind.slice(0, 64),
    heartbeat,
    reads: withKeysApart(reads),
    pictures: first === undefined ? [] : picturesOf(first),
  });
}

function picturesOf(sighting: z.output<typeof SightingSchema>) {
  return [
    ...picture('overview', sighting.fullimage),
    ...picture('vehicle', sighting.vehicleimage),
    ...picture('plate', sighting.plateimage),
    ...picture('overview', sighting.evidenceimage0),
    ...picture('overview', sighting.evidenceimage1),
  ];
}
