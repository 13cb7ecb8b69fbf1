import type { Clock } from '@hlid/node/clock';
import type { Logger } from 'pino';

export interface TerminalParts {
  /** ISO 4217: of the site, which the terminal gets at login. */
  currency: string;
  /** Where a driver keeps what it must not forget. */
  dataDir: string;
  clock: Clock;
  log: Logger;
}
