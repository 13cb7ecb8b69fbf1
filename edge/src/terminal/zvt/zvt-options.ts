import { MINUTE_MS } from '@hlid/protocol/base/durations';
import { z } from 'zod';
import { TERMINAL_SHAPE, TerminalHostSchema } from '../terminal-shape.ts';

const SerialLineSchema = z.strictObject({
  /** The path, such as `/dev/serial/by-id/usb-…`. */
  path: z.string('the device of the serial line, such as /dev/serial/by-id/usb-…').min(1),
  baudRate: z.int().min(1200).max(921_600).default(9600),
  /** PA00P016 demands two; some terminals take one. */
  stopBits: z.union([z.literal(1), z.literal(2)]).default(2),
});
export type SerialLine = z.infer<typeof SerialLineSchema>;

const TcpLineSchema = z.strictObject({
  host: TerminalHostSchema,
  port: z.int().min(1).max(65_535).default(20_007),
});
export type TcpLine = z.infer<typeof TcpLineSchema>;

const PASSWORD = 'six digits in quotes, such as "000000"';
const TERMINAL_ID = 'the terminal’s own id (TID), eight digits in quotes';

/** A terminal that speaks ZVT (PA00P015, PA00P016) over a serial line or TCP; over TCP nothing is secret. */
export const ZvtTerminalSchema = z
  .strictObject({
    kind: z.literal('zvt'),
    ...TERMINAL_SHAPE,
    serial: SerialLineSchema.optional(),
    tcp: TcpLineSchema.optional(),
    /** The password of the till at the terminal. */
    password: z
      .string(PASSWORD)
      .regex(/^\d{6}$/, PASSWORD)
      .default('000000'),
    /** The terminal's own id (TID): another one at this line is refused. */
    terminalId: z
      .string(TERMINAL_ID)
      .regex(/^\d{8}$/, TERMINAL_ID)
      .optional(),
    /** The character set of its texts, if the terminal does not name it; `auto` guesses by the letters. */
    charset: z.enum(['auto', 'cp437', 'latin1', 'utf-8']).default('auto'),
    /** The terminal sends its receipts as text. Fewer messages, and a smaller chance to be cut off, without. */
    receipts: z.boolean().default(true),
    /** It names amount and currency again in its answer, as it should. `false` only for one that is known not to. */
    repeatsAmount: z.boolean().default(true),
    /**
     * Decimal places of its amounts, where they are not the currency's own: some count ISK with two. A small sale at
     * installation proves it: a mistake is a hundredfold.
     */
    amountDigits: z.int().min(0).max(3).optional(),
    /** T3: how long it may take to answer a command. */
    replyTimeoutMs: z.int().min(500).max(MINUTE_MS).default(5000),
    /** T4: the longest silence while it is at work. */
    completionTimeoutMs: z
      .int()
      .min(1000)
      .max(15 * MINUTE_MS)
      .default(3 * MINUTE_MS),
  })
  .refine(({ serial, tcp }) => (serial === undefined) !== (tcp === undefined), {
    message: 'serial (its path) or tcp (its host), one of both',
    path: ['tcp'],
  });
export type ZvtOptions = z.infer<typeof ZvtTerminalSchema>;
