import { readFile } from 'node:fs/promises';
import { buffer } from 'node:stream/consumers';
import { CAMERA_FORMATS } from '@hlid/protocol/camera/camera-formats';
import type { ParsedDocument } from '@hlid/protocol/camera/json-border';
import { messageOf } from '@hlid/protocol/fault';
import type { CameraDocument, DocumentContext } from '@hlid/protocol/plate-read';
import { type CapturedBody, capturedBody } from './captured-body.ts';
import type { Command } from './command.ts';
import { documentWords } from './document-words.ts';
import { type OnvifParsed, parseOnvif } from './parse-onvif.ts';
import { makerOf, PARSED_FORMATS, type ParsedFormat } from './parsed-formats.ts';
import type { ExitCode, Shell } from './shell.ts';

/** Prints what the daemon makes of a camera's document. */
export async function cameraParse(
  { format, file, serial, contentType, timeZone, json }: Extract<Command, { kind: 'camera-parse' }>,
  shell: Shell,
): Promise<ExitCode> {
  let captured: CapturedBody;
  try {
    captured = capturedBody(file === '-' ? await buffer(shell.input) : await readFile(file));
  } catch (error) {
    shell.complain(`${file} cannot be read: ${messageOf(error)}`);
    return 1;
  }
  const headers = {
    ...captured.headers,
    ...(serial !== null && { 'survision-serial-number': serial }),
    ...(contentType !== null && { 'content-type': contentType }),
  };
  const context = { headers, ...(timeZone !== null && { timeZone }) };
  const whose = format ?? formatOf(captured.body, context);
  if (whose === null) {
    shell.complain('Refused: no format is known in which this says anything; --format says why not');
    return 1;
  }
  if (format === null) shell.complain(`Read as ${nameOf(whose)}`);
  const { parsed, note } = parseAs(whose, captured.body, context);
  if (!parsed.ok) {
    const others = looksLike(whose, captured.body, context);
    const hint = others.length === 0 ? '' : `; this looks like ${others.map(nameOf).join(' or ')}`;
    shell.complain(`Refused (${parsed.refusal.reason}): ${parsed.refusal.message}${hint}`);
    return 1;
  }
  if (note !== null) shell.complain(note);
  const said = json ? [JSON.stringify(outlineOf(parsed.document))] : documentWords(parsed.document);
  for (const line of said) shell.print(line);
  return 0;
}

function parseAs(format: ParsedFormat, body: Uint8Array, context: DocumentContext): OnvifParsed {
  return format === 'onvif'
    ? parseOnvif(body)
    : { parsed: CAMERA_FORMATS[format].parse(body, context), note: null };
}

/** The format in which a document says most: more vehicles, a sign of life, or at least something known; null: none. */
function formatOf(body: Uint8Array, context: DocumentContext): ParsedFormat | null {
  let best: { format: ParsedFormat; says: number } | null = null;
  for (const format of PARSED_FORMATS) {
    const { parsed } = parseAs(format, body, context);
    if (!parsed.ok) continue;
    const { reads, heartbeat } = parsed.document;
    const says = reads.length > 0 ? reads.length + 1 : heartbeat ? 1 : 0;
    if (best === null || says > best.says) best = { format, says };
  }
  return best?.format ?? null;
}

/** The other formats in which the document says something. */
function looksLike(format: ParsedFormat, body: Uint8Array, context: DocumentContext): ParsedFormat[] {
  return PARSED_FORMATS.filter((other) => {
    if (other === format) return false;
    const { parsed }: { parsed: ParsedDocument } = parseAs(other, body, context);
    return parsed.ok && (parsed.document.reads.length > 0 || parsed.document.heartbeat);
  });
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
