import { z } from 'zod';
import type { DocumentContext, DocumentParser, PlateRead } from '../plate/plate-read.ts';
import { arrivalOf } from './arrival.ts';
import { beginsAsXml } from './body-text.ts';
import { cameraFormat } from './camera-format.ts';
import { cameraTime } from './camera-time.ts';
import { confidence } from './confidence.ts';
import { countryCode } from './country-code.ts';
import { foldKeys } from './fold-keys.ts';
import { joinDocuments } from './join-documents.ts';
import { accept, checkShape, type ParsedDocument, readJson, refuse, withFaults } from './json-border.ts';
import {
  FlagSchema,
  GivenPlateSchema,
  GivenTextSchema,
  inZone,
  picture,
  plateParts,
  travel,
} from './read-parts.ts';
import { readXmlMembers } from './xml-members.ts';

const MAX_READS = 100;

const PictureTextSchema = z.string().nullish().catch(null);

/** Names as `foldKeys` has them: `PLATE_STRING` is `platestring`. */
const TransitSchema = z.object({
  platestring: GivenPlateSchema,
  platenotread: FlagSchema,
  date: GivenTextSchema,
  time: GivenTextSchema,
  devicesn: GivenTextSchema,
  transitid: GivenTextSchema,
  ocrscore: confidence(100),
  direction: GivenTextSchema,
  laneid: GivenTextSchema,
  platecountrycode: GivenTextSchema,
  platecountry: GivenTextSchema,
  imagectx: PictureTextSchema,
  imageocr: PictureTextSchema,
});

/**
 * Parses the posts of a Tattile camera (Vega): one transit in XML, or in JSON of the same names, under a root
 * of any name.
 *
 * `OCRSCORE` is 0 to 100; `DATE` and `TIME` (`12-34-56-789`) are of the camera's wall clock. Sources: public receivers of
 * this format and their tests; the maker's document is not public, and no capture was found.
 */
const parseTattile: DocumentParser = (body, context) => {
  const given = beginsAsXml(body) ? readXmlMembers(body) : readJson(body);
  if (!given.ok) return given;
  const folded = foldKeys(given.value);
  const transits = Array.isArray(folded) ? folded : [folded];
  if (transits.length > MAX_READS) return refuse('wrong-shape', `more than ${MAX_READS} transits`);
  return joinDocuments(transits, (transit) => transitDocument(transitIn(transit), context));
};

export const TATTILE = cameraFormat({
  maker: 'Tattile Vega',
  parse: parseTattile,
  bodies: ['xml', 'json'],
  recognises: (names) => names.has('platestring') && (names.has('devicesn') || names.has('ocrscore')),
});

function transitIn(folded: unknown): unknown {
  if (typeof folded !== 'object' || folded === null || 'platestring' in folded) return folded;
  const [inside, ...others] = Object.values(folded);
  return others.length === 0 ? inside : folded;
}

function transitDocument(folded: unknown, context: DocumentContext): ParsedDocument {
  if (
    typeof folded !== 'object' ||
    folded === null ||
    !('platestring' in folded || 'platenotread' in folded)
  ) {
    return refuse('unknown-kind', 'neither PLATE_STRING nor PLATE_NOT_READ: not a transit of Tattile');
  }
  const checked = checkShape(TransitSchema, folded);
  if (!checked.ok) return checked;
  const transit = checked.value;
  const plateRaw = transit.platestring;
  const written =
    transit.date === null || transit.time === null ? null : `${transit.date} ${clockTime(transit.time)}`;
  const { transitid: id } = transit;
  const when = id ?? written ?? arrivalOf(context, plateRaw);
  if (when === null) {
    return refuse('wrong-shape', 'DATE and TIME: these or TRANSIT_ID are required to identify the transit');
  }
  const read: PlateRead = {
    ...plateParts(plateRaw, transit.ocrscore, [], transit.platenotread ? '' : plateRaw),
    country: countryCode(transit.platecountrycode) ?? countryCode(transit.platecountry),
    direction: travel(transit.direction),
    ...inZone(transit.laneid),
    capturedAt: cameraTime(written, context.timeZone),
    // Transits are counted from 1 again after a start.
    eventKey: [
      transit.devicesn ?? '-',
      transit.laneid ?? '-',
      ...(id === null ? [when] : [id, written ?? '-']),
      plateRaw.trim(),
    ].join('/'),
    relatedKeys: [],
    late: false,
    parked: false,
  };
  const pictures = [...picture('overview', transit.imagectx), ...picture('vehicle', transit.imageocr)];
  return withFaults(accept({ kind: 'transit', reads: [read], pictures }), checked.faults);
}

/** `12-34-56-789` as `12:34:56.789`. */
function clockTime(text: string): string {
  return text.replace(
    /^(\d{1,2})[-:.](\d{1,2})[-:.](\d{1,2})(?:[-:.,](\d{1,6}))?$/,
    (_, h, m, s, fraction) => (fraction === undefined ? `${h}:${m}:${s}` : `${h}:${m}:${s}.${fraction}`),
  );
}
