import type { Clock } from '@hlid/node/clock';
import type { Logger } from 'pino';

export interface TerminalParts {
  /** ISO 4217: of the site, which the terminal gets at login. */
  currency: string;
  /** The folder in which a driver keeps what must survive a restart. */
  dataDir: string;
  clock: Clock;
  log: Logger;
}
