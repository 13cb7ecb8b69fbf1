import { z } from 'zod';
import type { DocumentContext, DocumentParser, PlateRead, ReadPicture } from '../plate/plate-read.ts';
import { arrivalOf } from './arrival.ts';
import { cameraFormat } from './camera-format.ts';
import { EpochMsSchema } from './camera-time.ts';
import { confidence, scoreOf } from './confidence.ts';
import { countryCode } from './country-code.ts';
import { joinDocuments } from './join-documents.ts';
import {
  accept,
  type Checked,
  checkShape,
  type ParsedDocument,
  quoted,
  readJson,
  refuse,
  withFaults,
} from './json-border.ts';
import {
  boxBetween,
  FlagSchema,
  GivenPlateSchema,
  GivenTextSchema,
  inZone,
  KeyPartSchema,
  listOf,
  listOrNone,
  PlateTextSchema,
  picture,
  plateParts,
} from './read-parts.ts';

const MAX_DOCUMENTS = 100;
const MAX_PLATES_IN_A_FRAME = 100;
/** The limit of a list: a parked car is in thousands of frames. */
const MAX_MEMBERS = 20_000;

const IndexSchema = z.union([
  z.int().min(0),
  z
    .string()
    .regex(/^\d{1,9}$/)
    .transform(Number),
]);
const UuidSchema = KeyPartSchema.nullish();
const PercentSchema = confidence(100);
const OptionalPlateSchema = z.union([PlateTextSchema, z.number().transform(String)]).nullish();

const CandidatesSchema = listOrNone(
  z
    .object({ plate: GivenPlateSchema, confidence: z.union([z.number(), z.string().max(40)]).nullish() })
    // The other plates that it may be, without a likelihood: not enough for anything alone.
    .transform(({ plate, confidence: sure }) => ({ plate, score: scoreOf(sure ?? 0, 100) })),
  MAX_MEMBERS,
);

/** The corners of a plate in the picture. */
const CornersSchema = z
  .array(z.object({ x: z.number(), y: z.number() }))
  .length(4)
  .nullish()
  .catch(null);

/** The members of a group for any vehicle, with a plate or without. */
const SightingSchema = z.object({
  best_uuid: UuidSchema,
  agent_uid: GivenTextSchema,
  camera_id: GivenTextSchema,
  epoch_start: EpochMsSchema.nullish(),
  country: z.string().nullish(),
  is_parked: FlagSchema,
  is_preview: FlagSchema,
  overview_jpeg: z.string().nullish(),
  vehicle_crop_jpeg: z.string().nullish(),
});

/** Versions 1 (2015) to 3: version 1 has neither `plate_indexes` nor `candidates` nor `country`. */
const GroupSchema = SightingSchema.extend({
  best_plate_number: OptionalPlateSchema,
  best_confidence: PercentSchema,
  best_region: z.string().nullish(),
  uuids: listOrNone(KeyPartSchema, MAX_MEMBERS),
  plate_indexes: listOrNone(IndexSchema, MAX_MEMBERS),
  candidates: CandidatesSchema,
  best_plate: z
    .object({
      plate: OptionalPlateSchema,
      confidence: PercentSchema,
      plate_index: IndexSchema.nullish(),
      region: z.string().nullish(),
      candidates: CandidatesSchema,
      plate_crop_jpeg: z.string().nullish(),
    })
    .nullish(),
});

const ResultsSchema = z.object({
  epoch_time: EpochMsSchema.nullish(),
  uuid: UuidSchema,
  camera_id: GivenTextSchema,
  country: z.string().nullish(),
  results: listOf(
    z.object({
      plate: GivenPlateSchema,
      confidence: PercentSchema,
      plate_index: IndexSchema.nullish(),
      region: z.string().nullish(),
      candidates: CandidatesSchema,
      plate_crop_jpeg: z.string().nullish(),
      coordinates: CornersSchema,
    }),
    MAX_PLATES_IN_A_FRAME,
  ),
});

const EnvelopeSchema = z.object({
  data_type: z.string().nullish(),
  group: z.unknown().optional(),
  results: z.unknown().optional(),
  openalpr_webhook: z.unknown().optional(),
});
const HeartbeatSchema = z.object({ timestamp: EpochMsSchema });
const GroupInsideSchema = z.object({ group: GroupSchema });

/**
 * The JSON documents (or arrays of them) that an OpenALPR / Rekor agent, Rekor Scout or the open-source `alpr
 * -j` posts, of every `data_type`: `alpr_results`, `alpr_group` (versions 1 to 3), `alpr_alert`, `vehicle`,
 * `heartbeat`, the test stub, and a group inside a wrapper with the `data_type` null.
 *
 * Confidences are 0 to 100, times are milliseconds UTC. Source: openalpr/doc
 * `source/app_integration.include`.
 */
const parseOpenAlpr: DocumentParser = (body, context) => {
  const json = readJson(body);
  if (!json.ok) return json;
  if (!Array.isArray(json.value)) return documentOf(json.value, context);
  const values: unknown[] = json.value;
  if (values.length > MAX_DOCUMENTS) return refuse('wrong-shape', `more than ${MAX_DOCUMENTS} documents`);
  return joinDocuments(values, (value) => documentOf(value, context));
};

export const OPEN_ALPR = cameraFormat({
  maker: 'OpenALPR / Rekor Scout',
  parse: parseOpenAlpr,
  bodies: ['json'],
  recognises: (names) =>
    names.has('openalprwebhook') ||
    names.has('bestplatenumber') ||
    (names.has('datatype') && ['agentuid', 'epochstart', 'epochtime'].some((name) => names.has(name))) ||
    (names.has('results') && names.has('matchestemplate')),
});

function documentOf(value: unknown, context: DocumentContext): ParsedDocument {
  const envelope = checkShape(EnvelopeSchema, value);
  if (!envelope.ok) return envelope;
  const { data_type: kind, group, results, openalpr_webhook: stub } = envelope.value;
  switch (kind?.toLowerCase()) {
    case 'alpr_results':
      return resultsDocument(value, context);
    case 'alpr_group': {
      const checked = checkShape(GroupSchema, value);
      return checked.ok
        ? withFaults(groupDocument('alpr_group', checked.value, context), checked.faults)
        : checked;
    }
    case 'alpr_alert':
      return documentOfGroupInside('alpr_alert', value, context);
    case 'vehicle':
      return vehicleDocument(value, context);
    case 'heartbeat':
      return heartbeatDocument(value);
    case undefined:
      if (group !== null && group !== undefined) return documentOfGroupInside('alpr_group', value, context);
      // The open-source program of old gives its results no name.
      if (results !== null && results !== undefined) return resultsDocument(value, context);
      if (typeof stub === 'string' && /^test/i.test(stub)) return accept({ kind: 'openalpr_webhook test' });
      return refuse('unknown-kind', 'no data_type: not a document of OpenALPR');
    default:
      return refuse('unknown-kind', `data_type ${quoted(kind ?? '')} is not known`);
  }
}

/** Identifies a sighting: the uuid of its best frame, or else agent, camera and time. */
function sightingKey(
  sighting: z.output<typeof SightingSchema>,
  plate: string,
  context: DocumentContext,
): Checked<string> {
  const { best_uuid: uuid, epoch_start: start, agent_uid: agent, camera_id: camera } = sighting;
  if (uuid) return { ok: true, value: uuid };
  const when = start ?? arrivalOf(context, plate);
  if (when === null)
    return refuse('wrong-shape', 'best_uuid: this or epoch_start is required to identify the event');
  return { ok: true, value: [agent ?? '-', camera ?? '-', when, plate].join('/') };
}

/** The read of the group itself, with its keys, so that an alert is one event with its group's own posting. */
function documentOfGroupInside(kind: string, value: unknown, context: DocumentContext): ParsedDocument {
  const checked = checkShape(GroupInsideSchema, value);
  return checked.ok ? withFaults(groupDocument(kind, checked.value.group, context), checked.faults) : checked;
}

function groupDocument(
  kind: string,
  group: z.output<typeof GroupSchema>,
  context: DocumentContext,
): ParsedDocument {
  const bestPlate = group.best_plate ?? undefined;
  const uuids = group.uuids ?? [];
  const indexes = group.plate_indexes ?? [];
  // The plate for which the frames voted; a group without a vote has its best frame's alone.
  const voted = group.best_plate_number ?? null;
  const plate = voted ?? bestPlate?.plate ?? '';
  const sure = voted === null && bestPlate ? bestPlate.confidence : group.best_confidence;
  const best = sightingKey(group, plate, context);
  if (!best.ok) return best;
  const at = uuids.indexOf(best.value);
  const bestFrame = frameKey(best.value, indexes[at] ?? bestPlate?.plate_index ?? 0);
  const frames = uuids.map((uuid, position) => frameKey(uuid, indexes[position] ?? 0));
  const read: PlateRead = {
    ...plateParts(plate, sure, group.candidates ?? bestPlate?.candidates ?? []),
    ...sightingParts(group),
    country: countryOf(group.country, group.best_region ?? bestPlate?.region),
    // The key is not that of its best frame: the group is another event than that frame, whichever of the two
    // comes first.
    eventKey: `${bestFrame}#${group.is_preview ? 'preview' : 'group'}`,
    relatedKeys: [...new Set([...frames, bestFrame])],
  };
  const pictures = [...sightingPictures(group), ...picture('plate', bestPlate?.plate_crop_jpeg)];
  return accept({ kind, reads: [read], pictures, ...(!group.is_preview && { summary: true }) });
}

/** Its time is optional: a heartbeat without one is still a sign of life of the agent. */
function heartbeatDocument(value: unknown): ParsedDocument {
  const parsed = HeartbeatSchema.safeParse(value);
  return accept({
    kind: 'heartbeat',
    heartbeat: true,
    ...(parsed.success && { sentAt: parsed.data.timestamp }),
  });
}

function vehicleDocument(value: unknown, context: DocumentContext): ParsedDocument {
  const checked = checkShape(SightingSchema, value);
  if (!checked.ok) return checked;
  const vehicle = checked.value;
  const best = sightingKey(vehicle, '', context);
  if (!best.ok) return best;
  const key = `${best.value}#vehicle`;
  const read: PlateRead = {
    ...plateParts('', 0, []),
    ...sightingParts(vehicle),
    // `country` is what the agent looks for, and here nothing was found.
    country: null,
    eventKey: vehicle.is_preview ? `${key}#preview` : key,
    relatedKeys: [key],
    // The only word that an agent has of a car which it could not read: such a car still waits at the gate.
    late: false,
  };
  return withFaults(
    accept({ kind: 'vehicle', reads: [read], pictures: sightingPictures(vehicle) }),
    checked.faults,
  );
}

function resultsDocument(value: unknown, context: DocumentContext): ParsedDocument {
  const checked = checkShape(ResultsSchema, value);
  if (!checked.ok) return checked;
  const { epoch_time: epoch, uuid, camera_id: cameraId, country, results } = checked.value;
  const capturedAt = epoch ?? null;
  const when = capturedAt ?? arrivalOf(context, results.map(({ plate }) => plate).join());
  if (!uuid && when === null)
    return refuse('wrong-shape', 'uuid: this or epoch_time is required to identify the event');
  const reads = results.map((result, position): PlateRead => {
    const index = result.plate_index ?? position;
    return {
      ...plateParts(result.plate, result.confidence, result.candidates ?? []),
      country: countryOf(country, result.region),
      direction: 'unknown',
      ...inZone(cameraId),
      capturedAt,
      // The open-source program gives no uuid.
      eventKey: uuid ? frameKey(uuid, index) : [when, cameraId ?? '-', index, result.plate].join('/'),
      relatedKeys: [],
      late: false,
      parked: false,
      ...boxOf(result.coordinates),
    };
  });
  const pictures = picture('plate', results[0]?.plate_crop_jpeg);
  return withFaults(accept({ kind: 'alpr_results', reads, pictures }), checked.faults);
}

function boxOf(corners: z.output<typeof CornersSchema>): Pick<PlateRead, 'box'> {
  if (!corners) return {};
  const xs = corners.map(({ x }) => x);
  const ys = corners.map(({ y }) => y);
  return boxBetween(Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys));
}

/** A uuid names a frame, and two cars can stand in one frame: the plate's index in it distinguishes them. */
function frameKey(uuid: string, plateIndex: number): string {
  return plateIndex === 0 ? uuid : `${uuid}#${plateIndex}`;
}

function sightingParts(
  sighting: z.output<typeof SightingSchema>,
): Pick<PlateRead, 'direction' | 'cameraZone' | 'capturedAt' | 'late' | 'parked'> {
  return {
    // `travel_direction` is an angle in the picture, and does not show the lane.
    direction: 'unknown',
    // An agent posts for all its cameras.
    ...inZone(sighting.camera_id),
    capturedAt: sighting.epoch_start ?? null,
    // Final groups are sent up to ten seconds after the vehicle has passed.
    late: !sighting.is_preview,
    parked: sighting.is_parked,
  };
}

function sightingPictures(sighting: z.output<typeof SightingSchema>): ReadPicture[] {
  return [...picture('overview', sighting.overview_jpeg), ...picture('vehicle', sighting.vehicle_crop_jpeg)];
}

/**
 * `country` names the set of plates that the agent is configured for (`us`, `eu`, `br2`, `auwide`). `region`
 * names what it found, such as `us-ma` or `eu-is`; agents before 2.7 write a bare `ma` or `is`.
 */
function countryOf(country: string | null | undefined, region: string | null | undefined): string | null {
  const [, set, place] = /^(?:([a-z]{2})-)?([a-z0-9]*)$/i.exec(region ?? '') ?? [];
  const [, configured] = /^([a-z]{2})(?:\d|wide)?$/i.exec(country ?? '') ?? [];
  const found = set ?? configured;
  return countryCode(found?.toLowerCase() === 'eu' ? place : found);
}
