import { z } from 'zod';
import type { DocumentParser, PlateRead, ReadPicture } from '../plate-read.ts';
import { accept, checkShape, type ParsedDocument, quoted, readJson, refuse } from './json-border.ts';
import {
  alpha2,
  EpochMsSchema,
  KeyPartSchema,
  PercentSchema,
  PlateTextSchema,
  picture,
  plateParts,
} from './read-parts.ts';

const MOST_PLATES_IN_A_FRAME = 100;

const IndexSchema = z.int().min(0);

const CandidatesSchema = z
  .array(
    z
      .object({ plate: PlateTextSchema, confidence: PercentSchema })
      .transform(({ plate, confidence }) => ({ plate, score: confidence })),
  )
  .nullish();

/** What a group says of any vehicle, with a plate or without. */
const SightingSchema = z.object({
  best_uuid: KeyPartSchema,
  epoch_start: EpochMsSchema.nullish(),
  country: z.string().nullish(),
  is_parked: z.boolean().nullish(),
  is_preview: z.boolean().nullish(),
  overview_jpeg: z.string().nullish(),
  vehicle_crop_jpeg: z.string().nullish(),
});

/** Versions 1 (2015) to 3: version 1 has neither `plate_indexes` nor `candidates` nor `country`. */
const GroupSchema = SightingSchema.extend({
  best_plate_number: PlateTextSchema,
  best_confidence: PercentSchema,
  best_region: z.string().nullish(),
  uuids: z.array(KeyPartSchema).nullish(),
  plate_indexes: z.array(IndexSchema).nullish(),
  candidates: CandidatesSchema,
  best_plate: z
    .object({
      plate_index: IndexSchema.nullish(),
      region: z.string().nullish(),
      candidates: CandidatesSchema,
      plate_crop_jpeg: z.string().nullish(),
    })
    .nullish(),
});

const ResultsSchema = z.object({
  epoch_time: EpochMsSchema,
  uuid: KeyPartSchema.nullish(),
  camera_id: z.int().nullish(),
  country: z.string().nullish(),
  results: z
    .array(
      z.object({
        plate: PlateTextSchema,
        confidence: PercentSchema,
        plate_index: IndexSchema.nullish(),
        region: z.string().nullish(),
        candidates: CandidatesSchema,
        plate_crop_jpeg: z.string().nullish(),
      }),
    )
    .max(MOST_PLATES_IN_A_FRAME),
});

const EnvelopeSchema = z.object({
  data_type: z.string().nullish(),
  group: z.unknown().optional(),
  openalpr_webhook: z.unknown().optional(),
});
const HeartbeatSchema = z.object({ timestamp: EpochMsSchema });
const GroupInsideSchema = z.object({ group: GroupSchema });

/**
 * The JSON documents that an OpenALPR / Rekor agent, Rekor Scout or the open-source `alpr -j` posts, of every
 * `data_type`: `alpr_results`, `alpr_group` (versions 1 to 3), `alpr_alert`, `vehicle`, `heartbeat`, the test stub, and
 * a group inside a wrapper whose `data_type` is null.
 *
 * Confidences are 0 to 100, times are milliseconds UTC. Source: openalpr/doc `source/app_integration.include`.
 */
export const parseOpenAlpr: DocumentParser = (body) => {
  const json = readJson(body);
  if (!json.ok) return json;
  const envelope = checkShape(EnvelopeSchema, json.value);
  if (!envelope.ok) return envelope;
  const { data_type: kind, group, openalpr_webhook: stub } = envelope.value;
  switch (kind) {
    case 'alpr_results':
      return resultsDocument(json.value);
    case 'alpr_group': {
      const checked = checkShape(GroupSchema, json.value);
      return checked.ok ? groupDocument(kind, checked.value) : checked;
    }
    case 'alpr_alert':
      return documentOfGroupInside(kind, json.value);
    case 'vehicle':
      return vehicleDocument(json.value);
    case 'heartbeat':
      return heartbeatDocument(kind, json.value);
    case null:
    case undefined:
      if (group !== null && group !== undefined) return documentOfGroupInside('alpr_group', json.value);
      if (stub === 'test') return accept({ kind: 'openalpr_webhook test' });
      return refuse('unknown-kind', 'no data_type: not a document of OpenALPR');
    default:
      return refuse('unknown-kind', `data_type ${quoted(kind)} is not known`);
  }
};

/** The read of the group itself, with its keys, so that an alert is one event with its group's own posting. */
function documentOfGroupInside(kind: string, value: unknown): ParsedDocument {
  const checked = checkShape(GroupInsideSchema, value);
  return checked.ok ? groupDocument(kind, checked.value.group) : checked;
}

function groupDocument(kind: string, group: z.output<typeof GroupSchema>): ParsedDocument {
  const bestPlate = group.best_plate ?? undefined;
  const uuids = group.uuids ?? [];
  const indexes = group.plate_indexes ?? [];
  const at = uuids.indexOf(group.best_uuid);
  const key = frameKey(group.best_uuid, indexes[at] ?? bestPlate?.plate_index ?? 0);
  const frames = uuids.map((uuid, position) => frameKey(uuid, indexes[position] ?? 0));
  const read: PlateRead = {
    ...plateParts(
      group.best_plate_number,
      group.best_confidence,
      group.candidates ?? bestPlate?.candidates ?? [],
    ),
    ...sightingParts(group),
    country: countryOf(group.country, group.best_region ?? bestPlate?.region),
    eventKey: group.is_preview ? `${key}#preview` : key,
    relatedKeys: [...new Set([...frames, key])],
  };
  const pictures = [...sightingPictures(group), ...picture('plate', bestPlate?.plate_crop_jpeg)];
  return accept({ kind, reads: [read], pictures });
}

/** Its time is a help and no more: a heartbeat without one still says that the agent is alive. */
function heartbeatDocument(kind: string, value: unknown): ParsedDocument {
  const told = HeartbeatSchema.safeParse(value);
  return accept({ kind, heartbeat: true, ...(told.success && { sentAt: told.data.timestamp }) });
}

function vehicleDocument(value: unknown): ParsedDocument {
  const checked = checkShape(SightingSchema, value);
  if (!checked.ok) return checked;
  const vehicle = checked.value;
  const key = `${vehicle.best_uuid}#vehicle`;
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
  return accept({ kind: 'vehicle', reads: [read], pictures: sightingPictures(vehicle) });
}

function resultsDocument(value: unknown): ParsedDocument {
  const checked = checkShape(ResultsSchema, value);
  if (!checked.ok) return checked;
  const { epoch_time: capturedAt, uuid, camera_id: cameraId, country, results } = checked.value;
  const reads = results.map((result, position): PlateRead => {
    const index = result.plate_index ?? position;
    return {
      ...plateParts(result.plate, result.confidence, result.candidates ?? []),
      country: countryOf(country, result.region),
      direction: 'unknown',
      capturedAt,
      // The open-source program gives no uuid.
      eventKey: uuid ? frameKey(uuid, index) : [capturedAt, cameraId ?? '-', index, result.plate].join('/'),
      relatedKeys: [],
      late: false,
      parked: false,
    };
  });
  return accept({ kind: 'alpr_results', reads, pictures: picture('plate', results[0]?.plate_crop_jpeg) });
}

/** A uuid names a frame, and two cars can stand in one frame: the plate's index in it tells them apart. */
function frameKey(uuid: string, plateIndex: number): string {
  return plateIndex === 0 ? uuid : `${uuid}#${plateIndex}`;
}

function sightingParts(
  sighting: z.output<typeof SightingSchema>,
): Pick<PlateRead, 'direction' | 'capturedAt' | 'late' | 'parked'> {
  return {
    // `travel_direction` is an angle in the picture, and says nothing of the lane.
    direction: 'unknown',
    capturedAt: sighting.epoch_start ?? null,
    // Final groups are sent up to ten seconds after the vehicle has passed.
    late: sighting.is_preview !== true,
    parked: sighting.is_parked ?? false,
  };
}

function sightingPictures(sighting: z.output<typeof SightingSchema>): ReadPicture[] {
  return [...picture('overview', sighting.overview_jpeg), ...picture('vehicle', sighting.vehicle_crop_jpeg)];
}

/**
 * `country` names the set of plates the agent was told to look for (`us`, `eu`, `br2`, `auwide`), `region` what it
 * found: `us-ma`, `eu-is`, and in agents before 2.7 a bare `ma` or `is`.
 */
function countryOf(country: string | null | undefined, region: string | null | undefined): string | null {
  const [, set, place] = /^(?:([a-z]{2})-)?([a-z0-9]*)$/i.exec(region ?? '') ?? [];
  const [, configured] = /^([a-z]{2})(?:\d|wide)?$/i.exec(country ?? '') ?? [];
  const found = alpha2(set ?? configured);
  return found === 'EU' ? alpha2(place) : found;
}
