import { foldKeys } from './fold-keys.ts';
import { type Checked, readJson, refuse } from './json-border.ts';

/** An event of a Dahua camera's stream: its members as `foldKeys` has them. */
interface StreamEvent {
  code: string;
  data: unknown;
}

/** One piece of the stream: a sign of life, or events. */
export type StreamPiece = 'heartbeat' | StreamEvent[];

const MAX_LINES = 2000;
const MAX_EVENTS = 100;
const DEEPEST_PATH = 8;

/**
 * A text part of `eventManager.cgi` or `snapManager.cgi`: `Heartbeat`, `Code=TrafficJunction;action=Pulse;index=0;data={…}`,
 * or one `Events[0].TrafficCar.PlateNumber=…` a line. Null where it is none of these.
 */
export function readStreamPiece(body: Uint8Array): Checked<StreamPiece> | null {
  const beginning = String.fromCharCode(...body.subarray(0, 200)).trimStart();
  if (/^Heartbeat\s*$/i.test(beginning)) return { ok: true, value: 'heartbeat' };
  const [, code] = /^Code=([\w-]{1,64});/i.exec(beginning) ?? [];
  if (code !== undefined) return readEventLine(code, body);
  return FLAT_LINE.test(beginning) ? readFlatLines(body) : null;
}

function readEventLine(code: string, body: Uint8Array): Checked<StreamPiece> {
  const dataAt = indexOfText(body, 'data=');
  if (dataAt === -1) return { ok: true, value: [{ code, data: {} }] };
  const json = readJson(body.subarray(dataAt + 'data='.length));
  return json.ok ? { ok: true, value: [{ code, data: foldKeys(json.value) }] } : json;
}

function indexOfText(body: Uint8Array, text: string): number {
  return String.fromCharCode(...body.subarray(0, 1000)).indexOf(text);
}

const FLAT_LINE = /^(?:Return)?Events\[(\d{1,4})\]\.([\w.[\]-]{1,200})=(.*?)\r?$/m;

/** `Events[0].A.B[0]=value` on each line, `ReturnEvents[0]…` on some. */
function readFlatLines(body: Uint8Array): Checked<StreamPiece> {
  const lines = new TextDecoder().decode(body.subarray(0, 256 * 1024)).split('\n');
  if (lines.length > MAX_LINES) return refuse('malformed', `more than ${MAX_LINES} lines`);
  const events = new Map<string, { code: string; data: Record<string, unknown> }>();
  for (const line of lines) {
    const [, index, path, value] = FLAT_LINE.exec(line) ?? [];
    if (index === undefined || path === undefined || value === undefined) continue;
    const event = events.get(index) ?? { code: '', data: {} };
    events.set(index, event);
    if (events.size > MAX_EVENTS) return refuse('malformed', `more than ${MAX_EVENTS} events`);
    if (path === 'EventBaseInfo.Code' || path === 'Code') event.code = value.slice(0, 64);
    putAt(
      event.data,
      path
        .toLowerCase()
        .split(/[^a-z0-9]+/)
        .filter(Boolean),
      value,
    );
  }
  return { ok: true, value: [...events.values()] };
}

function putAt(into: Record<string, unknown>, path: readonly string[], value: string): void {
  if (path.length > DEEPEST_PATH) return;
  let at = into;
  for (const name of path.slice(0, -1)) {
    const inside = Object.hasOwn(at, name) ? at[name] : undefined;
    const next: Record<string, unknown> = isRecord(inside) ? inside : {};
    at[name] = next;
    at = next;
  }
  const last = path.at(-1);
  if (last !== undefined) at[last] = value;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
