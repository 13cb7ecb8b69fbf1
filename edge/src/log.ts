import { hideFields } from '@hlid/protocol/hidden-fields';
import { type DestinationStream, type Logger, pino } from 'pino';

export const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

/** Never shown, at whatever level. */
const SECRETS = ['token', 'secret', 'password', 'authorization'];
/** Personal data: shown only to somebody who asks for `debug` or `trace`. */
const PERSONAL = ['plate', 'plates', 'plateRaw', 'candidates'];

/** JSON lines on standard output, or wherever else. */
export function createLog(level: LogLevel, destination?: DestinationStream): Logger {
  const shown = level === 'debug' || level === 'trace';
  const hidden = new Set(shown ? SECRETS : [...SECRETS, ...PERSONAL]);
  const options = {
    level,
    base: { program: 'edge', pid: process.pid },
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: {
      level: (label: string) => ({ level: label }),
      log: (fields: Record<string, unknown>) => hideFields(fields, hidden),
    },
  };
  return destination ? pino(options, destination) : pino(options);
}
