import type { Logger } from 'pino';
import { z } from 'zod';
import type { Clock } from '../clock.ts';
import { LocallinkTerminalSchema } from './locallink/locallink-options.ts';
import { createLocallinkTerminal } from './locallink/locallink-terminal.ts';
import { ScaledTerminal } from './scaled-terminal.ts';
import type { Terminal } from './terminal.ts';
import { createTerminalAmount } from './terminal-amount.ts';
import { ZvtTerminalSchema } from './zvt/zvt-options.ts';
import { createZvtTerminal } from './zvt/zvt-terminal.ts';

/** Terminal drivers by kind: how each is configured and made. A new one is a folder of its own and a line in both places. */
export const TerminalConfigSchema = z.discriminatedUnion(
  'kind',
  [ZvtTerminalSchema, LocallinkTerminalSchema],
  {
    error: 'a card terminal has a kind: zvt, or locallink (Rapyd)',
  },
);
export type TerminalConfig = z.infer<typeof TerminalConfigSchema>;

export interface TerminalParts {
  /** ISO 4217: of the site, which the terminal is told at login. */
  currency: string;
  /** Where a driver keeps what it must not forget. */
  dataDir: string;
  clock: Clock;
  log: Logger;
}

export function createTerminal(config: TerminalConfig, parts: TerminalParts): Terminal {
  switch (config.kind) {
    case 'zvt': {
      const terminal = createZvtTerminal(config, parts);
      const { amountDigits } = config;
      if (amountDigits === undefined) return terminal;
      return new ScaledTerminal(terminal, createTerminalAmount(parts.currency, amountDigits));
    }
    case 'locallink':
      return createLocallinkTerminal(config, parts);
    default:
      return config satisfies never;
  }
}
