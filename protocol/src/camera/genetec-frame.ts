import { z } from 'zod';
import { millis, type UtcTime } from '../base/utc-time.ts';
import type { DocumentContext, DocumentParser, PlateRead, ReadPicture, Travel } from '../plate/plate-read.ts';
import { arrivalOf } from './arrival.ts';
import { beginsAsXml } from './body-text.ts';
import { cameraFormat } from './camera-format.ts';
import { cameraTime, epochTime } from './camera-time.ts';
import { scoreOf } from './confidence.ts';
import { countryCode } from './country-code.ts';
import { foldKeys } from './fold-keys.ts';
import { joinDocuments } from './join-documents.ts';
import { accept, checkShape, type ParsedDocument, readJson, refuse, withFaults } from './json-border.ts';
import { GivenPlateSchema, GivenTextSchema, inZone, oneOrMore, picture, plateParts } from './read-parts.ts';
import { readXmlMembers } from './xml-members.ts';

const MAX_READS = 100;
const MAX_ANALYTICS = 100;

const PictureTextSchema = z.string().nullish().catch(null);
const AnalyticSchema = z.object({ key: GivenTextSchema, value: GivenTextSchema });

/** Names as `foldKeys` has them. */
const ReadSchema = z.object({
  plateread: GivenPlateSchema,
  plate: GivenPlateSchema,
  id: GivenTextSchema,
  vehicleid: GivenTextSchema,
  guid: GivenTextSchema,
  sourceurl: GivenTextSchema,
  sharpname: GivenTextSchema,
  sourcename: GivenTextSchema,
  timestamp: GivenTextSchema,
  dateutc: GivenTextSchema,
  timeutc: GivenTextSchema,
  utcdate: GivenTextSchema,
  utctime: GivenTextSchema,
  datelocal: GivenTextSchema,
  timelocal: GivenTextSchema,
  confidencescore: GivenTextSchema,
  relativemotion: GivenTextSchema,
  lane: GivenTextSchema,
  plateanalytics: z.preprocess(analyticsIn, oneOrMore(AnalyticSchema, MAX_ANALYTICS)),
  attributes: z
    .object({
      confidencescore: GivenTextSchema,
      relativemotion: GivenTextSchema,
      lane: GivenTextSchema,
      context: GivenTextSchema,
    })
    .nullish()
    .catch(null),
  contextimage: PictureTextSchema,
  overviewimage: PictureTextSchema,
  plateimage: PictureTextSchema,
});
type SharpRead = z.output<typeof ReadSchema>;

/**
 * Parses the posts of a Genetec Sharp camera: the events of the SharpV HTTP extension (`PlateRead`, in JSON
 * or XML), the reads of AutoVu's third-party data exporter (`Plate`, `DateUtc`; also inside `Read` or
 * `Vehicle`), and the XML template of SharpV (`AutoVu`).
 *
 * Confidence is 0 to 100. `Timestamp` is of the camera's wall clock; the exporter writes dates as it is set up. `State`
 * is a state of the United States, not a country. Sources: a captured export, and techdocs.genetec.com (SharpV
 * Administrator Guide 14.2, Metadata reference for license plate reads).
 */
const parseGenetec: DocumentParser = (body, context) => {
  const given = beginsAsXml(body) ? readXmlMembers(body) : readJson(body);
  if (!given.ok) return given;
  const reads = readsIn(foldKeys(given.value));
  if (reads.length > MAX_READS) return refuse('wrong-shape', `more than ${MAX_READS} reads`);
  return joinDocuments(reads, (read) => readDocument(read, context));
};

export const GENETEC = cameraFormat({
  maker: 'Genetec Sharp (AutoVu)',
  parse: parseGenetec,
  bodies: ['json', 'xml'],
  recognises: (names) =>
    (names.has('plateread') && names.has('plateanalytics')) ||
    (names.has('plate') && names.has('sharpname')) ||
    (names.has('autovu') && names.has('plate')),
});

const WRAPPINGS = ['reads', 'read', 'vehicle', 'autovu', 'plate'] as const;

/** The reads of a document, out of lists and out of what stands around one. */
function readsIn(folded: unknown, deepest = 4): unknown[] {
  if (Array.isArray(folded)) return folded.flatMap((one) => readsIn(one, deepest - 1));
  if (!isObject(folded) || deepest <= 0) return [folded];
  const inside = WRAPPINGS.map((name) => folded[name]).find(isObject);
  return inside === undefined ? [folded] : readsIn(inside, deepest - 1);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

/** The list in XML stands in an element with the name of its members. */
function analyticsIn(given: unknown): unknown {
  return isObject(given) && 'plateanalytics' in given ? given['plateanalytics'] : given;
}

function readDocument(value: unknown, context: DocumentContext): ParsedDocument {
  if (!isObject(value) || !('plateread' in value || 'plate' in value)) {
    return refuse('unknown-kind', 'neither a PlateRead nor a Plate: not a read of Genetec');
  }
  const checked = checkShape(ReadSchema, value);
  if (!checked.ok) return checked;
  const read = checked.value;
  const plate = [read.plateread, read.plate].find((text) => text.trim() !== '') ?? '';
  const capturedAt = captureTime(read, context);
  const id =
    [read.id, read.vehicleid, read.guid].find((text) => text !== null && !/^[0-]*$/.test(text)) ?? null;
  const when = id ?? capturedAt ?? arrivalOf(context, plate);
  if (when === null) return refuse('wrong-shape', 'Id: this or a time is required to identify the read');
  const source = read.sourceurl ?? read.sharpname ?? read.sourcename ?? '-';
  const { attributes } = read;
  const score = analytic(read, 'confidence score') ?? read.confidencescore ?? attributes?.confidencescore;
  const plateRead: PlateRead = {
    ...plateParts(plate, scoreOf(score, 100), []),
    country: countryCode(analytic(read, 'context') ?? attributes?.context),
    direction: motion(analytic(read, 'relative motion') ?? read.relativemotion ?? attributes?.relativemotion),
    ...inZone(analytic(read, 'lane') ?? read.lane ?? attributes?.lane),
    capturedAt,
    eventKey: (id === null ? [source, when, plate.trim()] : [source, id]).join('/'),
    relatedKeys: [],
    late: false,
    parked: false,
  };
  return withFaults(accept({ kind: 'read', reads: [plateRead], pictures: picturesOf(read) }), checked.faults);
}

function analytic({ plateanalytics }: SharpRead, name: string): string | null {
  return plateanalytics.find(({ key }) => key?.toLowerCase() === name)?.value ?? null;
}

function motion(words: string | null | undefined): Travel {
  if (/away/i.test(words ?? '')) return 'leaving';
  return /approach|closer|toward/i.test(words ?? '') ? 'approaching' : 'unknown';
}

function picturesOf(read: SharpRead): ReadPicture[] {
  return [
    ...picture('overview', read.contextimage),
    ...picture('overview', read.overviewimage),
    ...picture('plate', read.plateimage),
  ];
}

function captureTime(read: SharpRead, { timeZone, receivedAt }: DocumentContext): UtcTime | null {
  const written = epochTime(read.timestamp) ?? cameraTime(read.timestamp, timeZone);
  if (written !== null) return written;
  const utc = dateAndTime(read.dateutc ?? read.utcdate, read.timeutc ?? read.utctime, 'UTC', receivedAt);
  return utc ?? dateAndTime(read.datelocal, read.timelocal, timeZone, receivedAt);
}

/** The exporter is set to write the month or the day first: the one is meant that is nearer to when the read came. */
function dateAndTime(
  date: string | null,
  time: string | null,
  timeZone: string | undefined,
  receivedAt: UtcTime | undefined,
): UtcTime | null {
  if (date === null || time === null) return null;
  const [, first = '', second = '', year = ''] = /^(\d{1,2})[/.-](\d{1,2})[/.-](\d{4})$/.exec(date) ?? [];
  const dates =
    year === ''
      ? [date.replace(/[:/.]/g, '-')]
      : [`${year}-${two(first)}-${two(second)}`, `${year}-${two(second)}-${two(first)}`];
  const moments = dates.flatMap((day) => cameraTime(`${day} ${time}`, timeZone) ?? []);
  if (receivedAt === undefined) return moments[0] ?? null;
  const far = (moment: UtcTime) => Math.abs(millis(moment) - millis(receivedAt));
  return moments.toSorted((a, b) => far(a) - far(b))[0] ?? null;
}

function two(digits: string): string {
  return digits.padStart(2, '0');
}
