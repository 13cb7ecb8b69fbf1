import { z } from 'zod';
import type { DocumentContext, DocumentParser, PlateRead, Travel } from '../plate/plate-read.ts';
import { arrivalOf } from './arrival.ts';
import { beginsAsXml } from './body-text.ts';
import { cameraFormat } from './camera-format.ts';
import { cameraTime, epochTime } from './camera-time.ts';
import { confidence } from './confidence.ts';
import { countryCode } from './country-code.ts';
import { foldKeys } from './fold-keys.ts';
import { joinDocuments } from './join-documents.ts';
import { accept, checkShape, type ParsedDocument, readJson, refuse, withFaults } from './json-border.ts';
import { GivenPlateSchema, GivenTextSchema, inZone, picture, plateParts, travel } from './read-parts.ts';
import { readXmlMembers } from './xml-members.ts';

const MAX_READS = 100;

const PictureTextSchema = z.string().nullish().catch(null);

/** The variables of the maker's report, by their names. */
const ReportSchema = z.object({
  plate: GivenPlateSchema,
  plateutf8: GivenPlateSchema,
  date: GivenTextSchema,
  country: GivenTextSchema,
  confidence: confidence(100),
  roiid: GivenTextSchema,
  cameraid: GivenTextSchema,
  direction: GivenTextSchema,
  plateimage: PictureTextSchema,
  overviewimage: PictureTextSchema,
});

/** 3 means that the vehicle stands, as one before a gate does. */
const TRAVEL_BY_NUMBER: Readonly<Record<string, Travel>> = {
  '0': 'unknown',
  '1': 'approaching',
  '2': 'leaving',
  '3': 'unknown',
};

/**
 * Parses the report of VaxALPR (Vaxtor), on a camera of any maker: JSON or XML with a form that is set up
 * there. Each member has the name of its variable, as in
 * `{"plate":"$plate$","date":"$date$","country":"$country$","confidence":"$confidence$","roiid":"$roiid$","direction":"$direction$","plateimage":"$plateimage$","overviewimage":"$overviewimage$"}`.
 *
 * Confidence is 0 to 100, `date` is ISO 8601. There is no event id: camera, region, time and plate
 * distinguish reads. Source: the maker's list of variables (community.mobotix.com, topic 4671); no capture
 * was found.
 */
const parseVaxtor: DocumentParser = (body, context) => {
  const given = beginsAsXml(body) ? readXmlMembers(body) : readJson(body);
  if (!given.ok) return given;
  const folded = foldKeys(given.value);
  const reports = Array.isArray(folded) ? folded : [folded];
  if (reports.length > MAX_READS) return refuse('wrong-shape', `more than ${MAX_READS} reports`);
  return joinDocuments(reports, (report) => reportDocument(reportIn(report), context));
};

export const VAXTOR = cameraFormat({
  maker: 'Vaxtor VaxALPR',
  parse: parseVaxtor,
  bodies: ['json', 'xml'],
  recognises: (names) =>
    names.has('plate') &&
    names.has('date') &&
    ['roiid', 'multiplate', 'processingtime', 'charheight', 'plateutf8'].some((name) => names.has(name)),
});

/** XML has a root around it, and so may JSON. */
function reportIn(folded: unknown): unknown {
  if (typeof folded !== 'object' || folded === null || 'plate' in folded) return folded;
  const [inside, ...others] = Object.values(folded);
  return others.length === 0 ? inside : folded;
}

function reportDocument(folded: unknown, context: DocumentContext): ParsedDocument {
  if (typeof folded !== 'object' || folded === null || !('plate' in folded || 'plateutf8' in folded)) {
    return refuse('unknown-kind', 'no plate: not a report of VaxALPR');
  }
  const checked = checkShape(ReportSchema, folded);
  if (!checked.ok) return checked;
  const { date, roiid, cameraid, direction, ...report } = checked.value;
  const plate = report.plateutf8.trim() === '' ? report.plate : report.plateutf8;
  const when = date ?? arrivalOf(context, plate);
  if (when === null) return refuse('wrong-shape', 'date: required to identify the report');
  const read: PlateRead = {
    ...plateParts(plate, report.confidence, []),
    country: countryCode(report.country),
    direction: TRAVEL_BY_NUMBER[direction ?? ''] ?? travel(direction),
    ...inZone(roiid),
    capturedAt: epochTime(date) ?? cameraTime(date, context.timeZone),
    eventKey: [cameraid ?? '-', roiid ?? '-', when, plate.trim()].join('/'),
    relatedKeys: [],
    late: false,
    parked: false,
  };
  const pictures = [...picture('overview', report.overviewimage), ...picture('plate', report.plateimage)];
  return withFaults(accept({ kind: 'report', reads: [read], pictures }), checked.faults);
}
