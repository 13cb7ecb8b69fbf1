import { z } from 'zod';
import { MessageVersionSchema } from './envelope.ts';
import { GateReasonSchema, MAX_LAPSE_MINUTES } from './gate-reason.ts';
import { TerminalViewSchema } from './kiosk-api.ts';
import { LanguageSchema } from './language.ts';
import { PaymentSchema } from './payment.ts';
import { GateOutcomeSchema } from './site-event.ts';
import { UtcTimeSchema } from './utc-time.ts';

const version = MessageVersionSchema;

/** Commands for a gate: `open` once, `hold` open, keep `close`d, `release` back to automatic. */
export const CommandActionSchema = z.enum(['open', 'hold', 'close', 'release']);
export type CommandAction = z.infer<typeof CommandActionSchema>;

/** How long a command is valid, and how long its sender waits. */
export const COMMAND_LIFE_MS = 1000;

/**
 * `cmd`, not retained: a command of a person, executed once and immediately, or not at all. Its times are by the
 * cloud's clock. If a command is expired by the site's clock, the site answers `expired` with a random `echo`. A cloud
 * that still waits sends the command again with this echo. The echo proves to the site that the command is fresh,
 * whatever the clocks show, and by how much they differ.
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
    /** The person's name, for those at the site; null: not known. */
    name: z.string().max(200).nullable(),
    reasonCode: GateReasonSchema.nullable(),
    /** What the person adds. */
    reason: z.string().max(1000),
    /** The car that is meant: the command is `stale` if another car stands there by now. Null: whichever. */
    passageId: z.uuid().nullable(),
    /** After so long a hold or a closing lapses by itself; null: not before it is released. */
    lapseMinutes: z.int().min(1).max(MAX_LAPSE_MINUTES).nullable(),
    sentAt: UtcTimeSchema,
    expiresAt: UtcTimeSchema,
    /** From an `expired` reply. */
    echo: z.uuid().nullable(),
  })
  .meta({ id: 'Command' });
export type Command = z.infer<typeof CommandSchema>;

const terminalCommand = {
  v: version,
  id: z.uuid(),
  terminalId: z.string().min(1),
  /** `token:<id>` or `account:<id>`. */
  by: z.string().min(1),
  sentAt: UtcTimeSchema,
  expiresAt: UtcTimeSchema,
  echo: z.uuid().nullable(),
};

/** `cmd` too: a command for a card terminal, from a kiosk that uses the cloud or an operator. */
export const TerminalCommandSchema = z
  .discriminatedUnion('action', [
    /** Begin a payment with the id of the command, so a repeated command is the same payment. The site knows the amount. */
    z.strictObject({
      ...terminalCommand,
      action: z.literal('pay'),
      visitId: z.uuid(),
      /** Units of 24 hours to buy; null: what is due now. */
      units: z.int().min(1).max(365).nullable(),
      language: LanguageSchema,
    }),
    z.strictObject({ ...terminalCommand, action: z.literal('terminal-status') }),
    /** An operator has a settled payment reversed. The reply says that it has begun, the payment's events how it ends. */
    z.strictObject({ ...terminalCommand, action: z.literal('reverse-payment'), paymentId: z.uuid() }),
  ])
  .meta({ id: 'TerminalCommand' });
export type TerminalCommand = z.infer<typeof TerminalCommandSchema>;

/** `cmd` too: a driver who is held at an exit denies the visit, at a kiosk that uses the cloud. */
export const NotMineCommandSchema = z
  .strictObject({
    ...{ v: version, id: z.uuid(), action: z.literal('not-mine'), visitId: z.uuid() },
    /** The driver's own plate as typed, normalised. */
    plate: z.string().min(1).max(40),
    /** `token:<id>`. */
    by: z.string().min(1),
    ...{ sentAt: UtcTimeSchema, expiresAt: UtcTimeSchema, echo: z.uuid().nullable() },
  })
  .meta({ id: 'NotMineCommand' });
export type NotMineCommand = z.infer<typeof NotMineCommandSchema>;

export const SiteCommandSchema = z.union([CommandSchema, TerminalCommandSchema, NotMineCommandSchema]);
export type SiteCommand = z.infer<typeof SiteCommandSchema>;

/** The outcome of a command: of the movement, or the reason why there was none. */
export const CommandOutcomeSchema = z
  .enum([...GateOutcomeSchema.options, 'expired', 'unknown-lane', 'stale'])
  .meta({ id: 'CommandOutcome' });
export type CommandOutcome = z.infer<typeof CommandOutcomeSchema>;

/** The car that stands at a lane now. */
export const CarAtGateSchema = z
  .strictObject({
    passageId: z.uuid(),
    visitId: z.uuid().nullable(),
    plate: z.string().nullable(),
    since: UtcTimeSchema,
  })
  .meta({ id: 'CarAtGate' });
export type CarAtGate = z.infer<typeof CarAtGateSchema>;

/** `cmd/reply`: sent once the movement is recorded. */
export const CommandReplySchema = z
  .strictObject({
    v: version,
    id: z.uuid(),
    /** The worst outcome if there are several lanes. */
    outcome: CommandOutcomeSchema,
    lanes: z.array(z.strictObject({ laneId: z.string(), outcome: GateOutcomeSchema })),
    /** Why a payment or its reversal was `refused`: a fault code of the kiosk API, or `not-reversible`. */
    reason: z.string().optional(),
    /** State of the payment, which is on the site's disk. */
    payment: PaymentSchema.optional(),
    /** State of the terminal. */
    terminal: TerminalViewSchema.optional(),
    /** With `stale`: the car that stands there now; null: none does. */
    car: CarAtGateSchema.nullable().optional(),
    /** With `expired`: to be sent with the repeated command. */
    echo: z.uuid().nullable(),
    /** By the site's clock. */
    at: UtcTimeSchema,
  })
  .meta({ id: 'CommandReply' });
export type CommandReply = z.infer<typeof CommandReplySchema>;
