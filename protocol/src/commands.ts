import { z } from 'zod';
import { MessageVersionSchema } from './envelope.ts';
import { TerminalViewSchema } from './kiosk-api.ts';
import { PaymentSchema } from './payment.ts';
import { GateOutcomeSchema } from './site-event.ts';
import { UtcTimeSchema } from './utc-time.ts';

const version = MessageVersionSchema;

/** What a person may want of a gate: `open` once, `hold` it open, keep it `close`d, `release`: back to automatic. */
export const CommandActionSchema = z.enum(['open', 'hold', 'close', 'release']);
export type CommandAction = z.infer<typeof CommandActionSchema>;

/** So long a command is good for, and so long the one who gave it waits. */
export const COMMAND_LIFE_MS = 1000;

/**
 * `cmd`, not retained: a wish of a person, to be taken once and at once, or not at all. Its times are by the cloud's
 * clock. A site whose clock says that it is too late (or too early) answers `expired` with an `echo` that it has made
 * up; a cloud that still waits says the same command again with that echo. So the site knows that it was said just
 * now, whatever the clocks say, and how far they are apart.
 */
export const CommandSchema = z
  .strictObject({
    v: version,
    id: z.uuid(),
    action: CommandActionSchema,
    /** Null: every lane of the site. */
    laneId: z.string().min(1).nullable(),
    /** `account:<id>`. */
    by: z.string().min(1),
    why: z.string().max(1000),
    sentAt: UtcTimeSchema,
    expiresAt: UtcTimeSchema,
    /** Of the answer that said `expired`. */
    echo: z.uuid().nullable(),
  })
  .meta({ id: 'Command' });
export type Command = z.infer<typeof CommandSchema>;

const terminalCommand = {
  v: version,
  id: z.uuid(),
  terminalId: z.string().min(1),
  /** `token:<id>`. */
  by: z.string().min(1),
  sentAt: UtcTimeSchema,
  expiresAt: UtcTimeSchema,
  echo: z.uuid().nullable(),
};

/** `cmd` too: what a kiosk that works by the cloud wants of a card terminal. */
export const TerminalCommandSchema = z
  .discriminatedUnion('action', [
    /** Begin a payment, whose id is the command's: said again it is the same one. What is due, the site knows. */
    z.strictObject({
      ...terminalCommand,
      action: z.literal('pay'),
      visitId: z.uuid(),
      /** Units of 24 hours to buy; null: what is due now. */
      units: z.int().min(1).max(365).nullable(),
      language: z.enum(['is', 'en']),
    }),
    z.strictObject({ ...terminalCommand, action: z.literal('terminal-status') }),
  ])
  .meta({ id: 'TerminalCommand' });
export type TerminalCommand = z.infer<typeof TerminalCommandSchema>;

/** `cmd` too: a driver at a kiosk that works by the cloud says that a visit is not his for which an exit keeps him. */
export const NotMineCommandSchema = z
  .strictObject({
    ...{ v: version, id: z.uuid(), action: z.literal('not-mine'), visitId: z.uuid() },
    /** What he types as his own, normalised. */
    plate: z.string().min(1).max(40),
    /** `token:<id>`. */
    by: z.string().min(1),
    ...{ sentAt: UtcTimeSchema, expiresAt: UtcTimeSchema, echo: z.uuid().nullable() },
  })
  .meta({ id: 'NotMineCommand' });
export type NotMineCommand = z.infer<typeof NotMineCommandSchema>;

export const SiteCommandSchema = z.union([CommandSchema, TerminalCommandSchema, NotMineCommandSchema]);
export type SiteCommand = z.infer<typeof SiteCommandSchema>;

/** What became of a command: of the movement, or why there was none. */
export const CommandOutcomeSchema = z
  .enum([...GateOutcomeSchema.options, 'expired', 'unknown-lane'])
  .meta({ id: 'CommandOutcome' });
export type CommandOutcome = z.infer<typeof CommandOutcomeSchema>;

/** `cmd/reply`: said once the movement is recorded. */
export const CommandReplySchema = z
  .strictObject({
    v: version,
    id: z.uuid(),
    /** Of several lanes: the worst. */
    outcome: CommandOutcomeSchema,
    lanes: z.array(z.strictObject({ laneId: z.string(), outcome: GateOutcomeSchema })),
    /** Of a payment that was `refused`: why, in the words of the kiosk's faults. */
    reason: z.string().optional(),
    /** Of a payment that has begun, which is on the site's disk. */
    payment: PaymentSchema.optional(),
    /** How the terminal stands that was asked for. */
    terminal: TerminalViewSchema.optional(),
    /** With `expired`: to be said back by who still wants it. */
    echo: z.uuid().nullable(),
    /** By the site's clock. */
    at: UtcTimeSchema,
  })
  .meta({ id: 'CommandReply' });
export type CommandReply = z.infer<typeof CommandReplySchema>;
