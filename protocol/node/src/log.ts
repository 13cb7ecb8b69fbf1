import { hideUrlLogins } from '@hlid/protocol/base/url-login';
import { type DestinationStream, type Logger, pino } from 'pino';

export const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

const HIDDEN = '[hidden]';
/** The depth below which nothing is logged. A circular value ends there too. */
const MAX_DEPTH = 12;
/** Fields that are hidden at every level. */
const SECRETS = ['token', 'secret', 'password', 'apiKey', 'authorization', 'secretHash', 'brokerHash'];
/** Fields with personal data: shown at `debug` and `trace` only. */
const PERSONAL = ['plate', 'plates', 'plateRaw', 'plateFolded', 'candidates'];

/** Logs JSON lines to standard output, or to `destination`. */
export function createLog(
  program: 'edge' | 'cloud',
  level: LogLevel,
  destination?: DestinationStream,
): Logger {
  const showsPlates = level === 'debug' || level === 'trace';
  const hidden = new Set(showsPlates ? SECRETS : [...SECRETS, ...PERSONAL]);
  const options = {
    level,
    base: { program, pid: process.pid },
    timestamp: pino.stdTimeFunctions.isoTime,
    // The whole line: an error's message and its trace may have an address in them too.
    hooks: { streamWrite: hideUrlLogins },
    formatters: {
      level: (label: string) => ({ level: label }),
      log: (fields: Record<string, unknown>) => hideFields(fields, hidden),
    },
  };
  return destination ? pino(options, destination) : pino(options);
}

/** The fields of a line of any level, as `info` would show them. */
export function withoutPersonalFields(fields: Record<string, unknown>): Record<string, unknown> {
  return hideFields(fields, new Set([...SECRETS, ...PERSONAL]));
}

/** A copy of the fields in which the values of these names are hidden at every depth. Errors are kept as they are. */
function hideFields(
  fields: Record<string, unknown>,
  names: ReadonlySet<string>,
  depth = 0,
): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [
      name,
      names.has(name) && value !== null && value !== undefined ? HIDDEN : hideIn(value, names, depth + 1),
    ]),
  );
}

function hideIn(value: unknown, names: ReadonlySet<string>, depth: number): unknown {
  if (typeof value !== 'object' || value === null || value instanceof Error) return value;
  if (depth > MAX_DEPTH) return HIDDEN;
  if (Array.isArray(value)) return value.map((item) => hideIn(item, names, depth + 1));
  // Dates and others that have their own JSON form.
  return 'toJSON' in value ? value : hideFields({ ...value }, names, depth);
}
