import { readFile } from 'node:fs/promises';
import { buffer } from 'node:stream/consumers';
import { messageOf } from '@hlid/protocol/base/fault';
import { TimeZoneSchema } from '@hlid/protocol/base/site-time';
import { CAMERA_FORMATS, CameraFormatSchema } from '@hlid/protocol/camera/camera-formats';
import { recogniseFormats } from '@hlid/protocol/camera/recognise-format';
import {
  defineCommand,
  EXIT,
  type ExitCode,
  operand,
  option,
  textOption,
} from '@hlid/protocol/command-line/command';
import type { CameraDocument, DocumentContext, PlateRead } from '@hlid/protocol/plate/plate-read';
import { z } from 'zod';
import { type CapturedBody, capturedBody } from './captured-body.ts';
import { type OnvifParsed, parseOnvif } from './parse-onvif.ts';
import type { Shell } from './shell.ts';

/** Documents that cameras post, and those that the daemon pulls from them. */
const PARSED_FORMATS = [...CameraFormatSchema.options, 'onvif'] as const;
type ParsedFormat = (typeof PARSED_FORMATS)[number];

const FormatSchema = z.string().toLowerCase().pipe(z.enum(PARSED_FORMATS));
const ZoneSchema = z
  .string()
  .refine((zone) => TimeZoneSchema.safeParse(zone).success, 'is an IANA zone such as Atlantic/Reykjavik');
const FORMAT_WORDS = PARSED_FORMATS.map((name) => `  ${name.padEnd(12)} ${makerOf(name)}`).join('\n');

/** The name that technicians know. */
function makerOf(format: ParsedFormat): string {
  return format === 'onvif' ? 'notifications of an ONVIF device' : CAMERA_FORMATS[format].maker;
}

export const cameraParse = defineCommand({
  name: 'camera parse',
  operand: operand('FILE', ', or - for standard input'),
  summary: 'Show how the daemon reads a camera’s document: {"reads":[…],"heartbeat":…}',
  about: `FILE is the body that the camera posts, with or without the head of its request, gzip’ed or not; - is standard
input. FORMAT is recognised if it is not given, and is one of
${FORMAT_WORDS}`,
  options: {
    format: option('FORMAT', 'the format of the document', FormatSchema),
    'time-zone': option(
      'ZONE',
      'time zone of times that the camera writes without an offset (Atlantic/Reykjavik); else UTC',
      ZoneSchema,
    ),
    'content-type': textOption('TYPE', 'as the camera sends it; a multipart body contains its own boundary'),
    serial: textOption('NUMBER', 'the header survision-serial-number of a Survision camera'),
  },
  examples: [
    'camera parse anpr.xml',
    'camera parse --format milesight --time-zone Europe/Berlin - < body.json',
  ],
  run: ({ operand: file, options, json }, shell: Shell) =>
    parse(
      {
        file,
        format: options.format,
        serial: options.serial,
        contentType: options['content-type'],
        timeZone: options['time-zone'],
        json,
      },
      shell,
    ),
});

interface ParseRequest {
  /** Null: to be recognised. */
  format: ParsedFormat | null;
  /** `-`: standard input. */
  file: string;
  /** The camera's serial number; Survision sends it in a header. */
  serial: string | null;
  contentType: string | null;
  /** Null: UTC. */
  timeZone: string | null;
  json: boolean;
}

async function parse(
  { format, file, serial, contentType, timeZone, json }: ParseRequest,
  shell: Shell,
): Promise<ExitCode> {
  let captured: CapturedBody;
  try {
    captured = capturedBody(file === '-' ? await buffer(shell.input) : await readFile(file));
  } catch (error) {
    shell.complain(`${file} cannot be read: ${messageOf(error)}`);
    return EXIT.failed;
  }
  const headers = {
    ...captured.headers,
    ...(serial !== null && { 'survision-serial-number': serial }),
    ...(contentType !== null && { 'content-type': contentType }),
  };
  const context = { headers, ...(timeZone !== null && { timeZone }) };
  const likely = format === null ? recognise(captured.body, context) : [];
  const [found = null] = format === null ? likely : [format];
  if (found === null || likely.length > 1) {
    shell.complain(found === null ? unknownMaker(captured.body, context) : severalMakers(likely));
    return EXIT.failed;
  }
  if (format === null) shell.complain(`Read as ${nameOf(found)}`);
  const { parsed, note } = parseAs(found, captured.body, context);
  if (!parsed.ok) {
    const others = recognise(captured.body, context).filter((other) => other !== found);
    const hint = others.length === 0 ? '' : `; this looks like ${others.map(nameOf).join(' or ')}`;
    shell.complain(`Refused (${parsed.refusal.reason}): ${parsed.refusal.message}${hint}`);
    return EXIT.failed;
  }
  if (note !== null) shell.complain(note);
  const lines = json ? [JSON.stringify(outlineOf(parsed.document))] : documentLines(parsed.document);
  for (const line of lines) shell.print(line);
  return EXIT.done;
}

function parseAs(format: ParsedFormat, body: Uint8Array, context: DocumentContext): OnvifParsed {
  return format === 'onvif'
    ? parseOnvif(body)
    : { parsed: CAMERA_FORMATS[format].parse(body, context), note: null };
}

/** The formats that the document may have; an answer of an ONVIF device is like no other. */
function recognise(body: Uint8Array, context: DocumentContext): ParsedFormat[] {
  const makers = recogniseFormats(body, context);
  return makers.length === 0 && parseAs('onvif', body, context).parsed.ok ? ['onvif'] : makers;
}

/** No guess: read in another maker's format, a document has wrong directions, times and scores. */
function unknownMaker(body: Uint8Array, context: DocumentContext): string {
  const readable = PARSED_FORMATS.filter((format) => {
    const { parsed } = parseAs(format, body, context);
    return parsed.ok && parsed.document.reads.length > 0;
  });
  const unknown = 'Refused: the format of this document is not recognised';
  if (readable.length === 0) return `${unknown}; --format FORMAT shows what it lacks`;
  return `${unknown}. If you know the maker, set it: it can be read with ${readable.map(nameOf).join(' or ')}`;
}

function severalMakers(formats: readonly ParsedFormat[]): string {
  return `Refused: this may be from several makers; set one: ${formats.map(nameOf).join(' or ')}`;
}

function nameOf(format: ParsedFormat): string {
  return `--format ${format} (${makerOf(format)})`;
}

/** A document without pictures, and without what only the daemon needs. */
function outlineOf({ reads, heartbeat }: CameraDocument): object {
  return {
    reads: reads.map((read) => ({
      plate: read.plate,
      score: read.score,
      country: read.country,
      direction: read.direction,
      capturedAt: read.capturedAt,
      eventKey: read.eventKey,
      candidates: read.candidates,
      late: read.late,
      parked: read.parked,
    })),
    heartbeat,
  };
}

/** A camera's document in lines for people. */
function documentLines({ reads, heartbeat }: CameraDocument): string[] {
  const alive = heartbeat ? ['a heartbeat'] : [];
  return reads.length === 0 && !heartbeat ? ['no read'] : [...alive, ...reads.flatMap(readLines)];
}

function readLines({ plate, score, country, direction, late, parked, ...read }: PlateRead): string[] {
  const traits = [country, direction, late && 'late', parked && 'parked'].filter(Boolean);
  const candidates = read.candidates.map((other) => `${other.plate} (${percent(other.score)})`);
  return [
    `${plate ?? 'no plate'}  ${percent(score)}  ${traits.join(', ')}`,
    `  at          ${read.capturedAt ?? 'not known'}`,
    `  candidates  ${candidates.join(', ') || 'none'}`,
    `  event key   ${read.eventKey}`,
  ];
}

function percent(score: number): string {
  return `${Math.round(score * 100)} %`;
}
