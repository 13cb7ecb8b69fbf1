import { readFile } from 'node:fs/promises';
import { buffer } from 'node:stream/consumers';
import { CAMERA_FORMATS } from '@hlid/protocol/camera/camera-formats';
import { recogniseFormats } from '@hlid/protocol/camera/recognise-format';
import {
  defineCommand,
  EXIT,
  type ExitCode,
  operand,
  option,
  textOption,
} from '@hlid/protocol/command-line/command';
import { messageOf } from '@hlid/protocol/fault';
import type { CameraDocument, DocumentContext } from '@hlid/protocol/plate-read';
import { TimeZoneSchema } from '@hlid/protocol/site-time';
import { z } from 'zod';
import { type CapturedBody, capturedBody } from './captured-body.ts';
import { documentWords } from './document-words.ts';
import { type OnvifParsed, parseOnvif } from './parse-onvif.ts';
import { makerOf, PARSED_FORMATS, type ParsedFormat } from './parsed-formats.ts';
import type { Shell } from './shell.ts';

const FormatSchema = z.string().toLowerCase().pipe(z.enum(PARSED_FORMATS));
const ZoneSchema = z
  .string()
  .refine((zone) => TimeZoneSchema.safeParse(zone).success, 'is an IANA zone such as Atlantic/Reykjavik');
const FORMAT_WORDS = PARSED_FORMATS.map((name) => `  ${name.padEnd(12)} ${makerOf(name)}`).join('\n');

export const cameraParse = defineCommand({
  name: 'camera parse',
  operand: operand('FILE', ', or - for standard input'),
  summary: 'Show what the daemon makes of a camera’s document: {"reads":[…],"heartbeat":…}',
  about: `FILE is the body that the camera posts, with the head of its request or without, gzip’ed or not; - is standard
input. FORMAT, which is found out where it is not given, is one of
${FORMAT_WORDS}`,
  options: {
    format: option('FORMAT', 'whose document it is', FormatSchema),
    'time-zone': option(
      'ZONE',
      'of times that the camera writes without an offset (Atlantic/Reykjavik); UTC where not given',
      ZoneSchema,
    ),
    'content-type': textOption('TYPE', 'as the camera sends it; a multipart body shows its own boundary'),
    serial: textOption('NUMBER', 'what a Survision camera sends in its header survision-serial-number'),
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

interface ParseQuestion {
  /** Null: to be found out. */
  format: ParsedFormat | null;
  /** `-`: standard input. */
  file: string;
  /** Of the camera, which Survision sends beside the document. */
  serial: string | null;
  contentType: string | null;
  /** Null: UTC. */
  timeZone: string | null;
  json: boolean;
}

async function parse(
  { format, file, serial, contentType, timeZone, json }: ParseQuestion,
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
  const [whose = null] = format === null ? likely : [format];
  if (whose === null || likely.length > 1) {
    shell.complain(whose === null ? unknownMaker(captured.body, context) : severalMakers(likely));
    return EXIT.failed;
  }
  if (format === null) shell.complain(`Read as ${nameOf(whose)}`);
  const { parsed, note } = parseAs(whose, captured.body, context);
  if (!parsed.ok) {
    const others = recognise(captured.body, context).filter((other) => other !== whose);
    const hint = others.length === 0 ? '' : `; this looks like ${others.map(nameOf).join(' or ')}`;
    shell.complain(`Refused (${parsed.refusal.reason}): ${parsed.refusal.message}${hint}`);
    return EXIT.failed;
  }
  if (note !== null) shell.complain(note);
  const said = json ? [JSON.stringify(outlineOf(parsed.document))] : documentWords(parsed.document);
  for (const line of said) shell.print(line);
  return EXIT.done;
}

function parseAs(format: ParsedFormat, body: Uint8Array, context: DocumentContext): OnvifParsed {
  return format === 'onvif'
    ? parseOnvif(body)
    : { parsed: CAMERA_FORMATS[format].parse(body, context), note: null };
}

/** The formats that the document is of by its looks; what an ONVIF device answers is like nothing else. */
function recognise(body: Uint8Array, context: DocumentContext): ParsedFormat[] {
  const makers = recogniseFormats(body, context);
  return makers.length === 0 && parseAs('onvif', body, context).parsed.ok ? ['onvif'] : makers;
}

/** Nothing is guessed: a document that is read as another maker's has wrong directions, times and scores. */
function unknownMaker(body: Uint8Array, context: DocumentContext): string {
  const readable = PARSED_FORMATS.filter((format) => {
    const { parsed } = parseAs(format, body, context);
    return parsed.ok && parsed.document.reads.length > 0;
  });
  const unknown = 'Refused: this is of no maker that is known here';
  if (readable.length === 0) return `${unknown}; --format shows what one of them misses in it`;
  return `${unknown}. If you know whose it is, say so: it can be read with ${readable.map(nameOf).join(' or ')}`;
}

function severalMakers(formats: readonly ParsedFormat[]): string {
  return `Refused: this may be of several makers; say whose it is: ${formats.map(nameOf).join(' or ')}`;
}

function nameOf(format: ParsedFormat): string {
  return `--format ${format} (${makerOf(format)})`;
}

/** A document without its pictures, and without what only the daemon needs. */
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
