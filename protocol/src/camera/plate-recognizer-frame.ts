import { z } from 'zod';
import type { DocumentContext, DocumentParser, PlateRead } from '../plate/plate-read.ts';
import { arrivalOf } from './arrival.ts';
import { beginsAsJson } from './body-text.ts';
import { cameraFormat } from './camera-format.ts';
import { cameraTime, epochTime } from './camera-time.ts';
import { confidence, scoreOf } from './confidence.ts';
import { countryCode } from './country-code.ts';
import { accept, checkShape, type ParsedDocument, readJson, refuse, withFaults } from './json-border.ts';
import { splitMultipart } from './multipart-frame.ts';
import { partPictures } from './part-picture.ts';
import { pictureType } from './picture-type.ts';
import {
  boxBetween,
  GivenPlateSchema,
  GivenTextSchema,
  inZone,
  listOrNone,
  oneOrMore,
  plateParts,
  withKeysApart,
} from './read-parts.ts';

const MAX_VEHICLES = 100;
const MAX_GUESSES = 1000;

const GuessSchema = z
  .object({
    plate: GivenPlateSchema,
    value: GivenPlateSchema,
    score: z.union([z.number(), z.string().max(40)]).nullish(),
  })
  // A guess without a score is not by itself enough for anything.
  .transform(({ plate, value, score }) => ({ plate: plate || value, score: scoreOf(score ?? 0, 1) }));

/** A plate as a text, or as newer versions write it, with all that it may be. */
const PlateSchema = z
  .union([
    z.string().max(64),
    z.object({
      props: z
        .object({
          plate: oneOrMore(GuessSchema, MAX_GUESSES),
          region: oneOrMore(z.object({ value: GivenTextSchema }), MAX_GUESSES),
        })
        .nullish(),
    }),
  ])
  .nullish();

const BoxSchema = z
  .object({ xmin: z.number(), ymin: z.number(), xmax: z.number(), ymax: z.number() })
  .nullish()
  .catch(null);

const ResultSchema = z.object({
  plate: PlateSchema,
  score: confidence(1),
  region: z.object({ code: GivenTextSchema }).nullish().catch(null),
  candidates: listOrNone(GuessSchema, MAX_GUESSES),
  box: BoxSchema,
});

const DataSchema = z.object({
  camera_id: GivenTextSchema,
  timestamp: GivenTextSchema,
  results: oneOrMore(ResultSchema, MAX_VEHICLES),
});
const EnvelopeSchema = z.object({
  hook: z.object({ event: GivenTextSchema }).nullish().catch(null),
  data: z.unknown().optional(),
  results: z.unknown().optional(),
});

/**
 * Parses the webhook of Plate Recognizer Stream (and Snapshot): JSON, or multipart with the JSON in the field
 * `json` and a picture in `upload`.
 *
 * Scores are 0 to 1, plates in small letters; `timestamp` is UTC. `direction` is an angle in the picture and
 * does not show the lane. One Stream posts for all its cameras, which `camera_id` distinguishes. Sources: a
 * captured webhook (gist.github.com/danleyb2), and the guides of platerecognizer.com.
 */
const parsePlateRecognizer: DocumentParser = (body, context) => {
  const split = splitMultipart(body, context.headers['content-type']);
  if (split !== null && !split.ok) return split;
  if (split === null) return webhookDocument(body, context);
  const parts = split.value;
  const webhook = parts.find(({ content }) => pictureType(content) === null && beginsAsJson(content));
  if (webhook === undefined) return refuse('unknown-kind', 'none of the parts is JSON');
  const parsed = webhookDocument(webhook.content, context);
  if (!parsed.ok || parsed.document.reads.length === 0) return parsed;
  return accept({ ...parsed.document, pictures: partPictures(parts) });
};

export const PLATE_RECOGNIZER = cameraFormat({
  maker: 'Plate Recognizer Stream',
  parse: parsePlateRecognizer,
  bodies: ['json', 'multipart'],
  recognises: (names) =>
    names.has('cameraid') &&
    names.has('results') &&
    (names.has('dscore') || (names.has('hook') && names.has('data'))),
});

function webhookDocument(body: Uint8Array, context: DocumentContext): ParsedDocument {
  const json = readJson(body);
  if (!json.ok) return json;
  const envelope = checkShape(EnvelopeSchema, json.value);
  if (!envelope.ok) return envelope;
  const { hook, data, results } = envelope.value;
  const event = hook?.event ?? 'recognition';
  if (/heart ?beat|alive/i.test(event)) return accept({ kind: event.slice(0, 64), heartbeat: true });
  const inside = data ?? (results === undefined ? undefined : json.value);
  if (typeof inside !== 'object' || inside === null || !('results' in inside)) {
    return refuse('unknown-kind', 'no results: not a webhook of Plate Recognizer');
  }
  const checked = checkShape(DataSchema, inside);
  if (!checked.ok) return checked;
  const { camera_id: camera, timestamp, results: vehicles } = checked.value;
  const reads: PlateRead[] = [];
  for (const vehicle of vehicles) {
    const { plate, score, region, others } = plateOf(vehicle);
    const { box } = vehicle;
    const when = timestamp ?? arrivalOf(context, plate);
    if (when === null) return refuse('wrong-shape', 'timestamp: required to identify the event, but missing');
    reads.push({
      ...plateParts(plate, score, others),
      country: countryCode(region?.split('-')[0]),
      direction: 'unknown',
      ...inZone(camera),
      capturedAt: epochTime(timestamp) ?? cameraTime(timestamp, 'UTC'),
      eventKey: [camera ?? '-', when, plate.trim()].join('/'),
      relatedKeys: [],
      late: false,
      parked: false,
      ...(box && boxBetween(box.xmin, box.ymin, box.xmax, box.ymax)),
    });
  }
  return withFaults(accept({ kind: event.slice(0, 64), reads: withKeysApart(reads) }), checked.faults);
}

/** The plate of a vehicle, which may have none, with what else it may be. */
function plateOf({ plate, score, region, candidates }: z.output<typeof ResultSchema>) {
  const others = candidates ?? [];
  if (typeof plate === 'string' || !plate?.props) {
    return { plate: plate && typeof plate === 'string' ? plate : '', score, region: region?.code, others };
  }
  const [best] = plate.props.plate;
  const [place] = plate.props.region;
  return {
    plate: best?.plate ?? '',
    score: best?.score ?? 0,
    region: place?.value,
    others: plate.props.plate,
  };
}
