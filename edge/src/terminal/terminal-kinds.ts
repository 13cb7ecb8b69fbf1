import { z } from 'zod';
import { type LocallinkOptions, LocallinkTerminalSchema } from './locallink/locallink-options.ts';
import { LocallinkTerminal } from './locallink/locallink-terminal.ts';
import { ScaledTerminal } from './scaled-terminal.ts';
import type { Terminal } from './terminal.ts';
import { TerminalAmount } from './terminal-amount.ts';
import type { TerminalParts } from './terminal-parts.ts';
import { type ZvtOptions, ZvtTerminalSchema } from './zvt/zvt-options.ts';
import { ZvtTerminal } from './zvt/zvt-terminal.ts';

interface TerminalKind<Config> {
  schema: z.ZodType<Config>;
  create(config: Config, parts: TerminalParts): Terminal;
}

/**
 * Terminal drivers by kind: how each is configured and made. A new one is a separate folder and an entry
 * here.
 */
const TERMINAL_KINDS = {
  zvt: {
    schema: ZvtTerminalSchema,
    create(config: ZvtOptions, parts: TerminalParts) {
      const terminal = new ZvtTerminal(config, parts);
      const { amountDigits } = config;
      if (amountDigits === undefined) return terminal;
      return new ScaledTerminal(terminal, new TerminalAmount(parts.currency, amountDigits));
    },
  },
  locallink: {
    schema: LocallinkTerminalSchema,
    create: (config: LocallinkOptions, parts: TerminalParts) => new LocallinkTerminal(config, parts),
  },
};

type TerminalConfigs = {
  [Kind in keyof typeof TERMINAL_KINDS]: z.infer<(typeof TERMINAL_KINDS)[Kind]['schema']>;
};

export const TerminalConfigSchema = z.discriminatedUnion(
  'kind',
  [TERMINAL_KINDS.zvt.schema, TERMINAL_KINDS.locallink.schema],
  { error: 'a card terminal has a kind: zvt, or locallink (Rapyd)' },
);
export type TerminalConfig = z.infer<typeof TerminalConfigSchema>;

export function createTerminal<Kind extends keyof TerminalConfigs>(
  config: TerminalConfigs[Kind] & { kind: Kind },
  parts: TerminalParts,
): Terminal {
  const kinds: { [Each in keyof TerminalConfigs]: TerminalKind<TerminalConfigs[Each]> } = TERMINAL_KINDS;
  return kinds[config.kind].create(config, parts);
}
