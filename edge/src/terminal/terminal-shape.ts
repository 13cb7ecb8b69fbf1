import { z } from 'zod';

/** The terminal's address in the network; its port is a separate setting. */
export const TerminalHostSchema = z
  .string('the terminal’s address or name')
  .regex(
    /^(?![^:]+:\d+$)[^\s/]+$/,
    'an address or a name alone, without https:// before or a port behind it',
  );

/** The settings of every kind of terminal. */
export const TERMINAL_SHAPE = {
  /** Ours; it stands in addresses, events and logs. */
  id: z
    .string('a name for it, such as kiosk-1')
    .regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/, 'letters, digits, dots, dashes and underscores, at most 64'),
  /** The name that people use, in the console and in mails of alarms. */
  name: z.string().min(1).max(200).optional(),
};
