import { z } from 'zod';
import { MailAddressSchema, TypedTextSchema } from '../base/card-number.ts';
import { LanguageSchema } from '../base/language.ts';
import { AmountMinorSchema, CurrencySchema } from '../base/money.ts';
import { UtcTimeSchema } from '../base/utc-time.ts';
import { PlateReadSchema } from '../plate/plate-read.ts';
import { DecisionSchema } from '../records/decision.ts';
import { DeviceKindSchema, DeviceStateSchema } from '../records/device.ts';
import { GateReasonSchema } from '../records/gate-reason.ts';
import { DirectionSchema } from '../records/lane.ts';
import { CardBrandSchema, PaymentSchema } from '../records/payment.ts';
import { VisitSchema, VisitStepSchema } from '../records/visit.ts';

/** A read as the site stored it. */
export const StoredReadSchema = z
  .strictObject({
    ...PlateReadSchema.shape,
    id: z.uuid(),
    cameraId: z.string(),
    laneId: z.string(),
    receivedAt: UtcTimeSchema,
    standing: z.enum(['counts', 'late', 'parked', 'wrong-way', 'filtered', 'low-score', 'camera-inactive']),
    passageId: z.uuid().nullable(),
  })
  .meta({ id: 'StoredRead' });
export type StoredRead = z.infer<typeof StoredReadSchema>;

/** `release`: back to automatic, after a hold or a close. */
export const GateActionSchema = z.enum(['pulse', 'hold', 'release', 'close']);
export type GateAction = z.infer<typeof GateActionSchema>;

/** The outcome of a command to a gate; `unknown`: there was no answer, and it may have moved. */
export const GateOutcomeSchema = z.enum(['done', 'refused', 'unreachable', 'unknown']);
export type GateOutcome = z.infer<typeof GateOutcomeSchema>;

/** Card payments of a day, by brand. */
export const DaySumSchema = z
  .strictObject({
    type: z.enum([...CardBrandSchema.options, 'all']),
    /** Null: the terminal does not count them. */
    count: z.int().min(0).nullable(),
    amountMinor: AmountMinorSchema,
  })
  .meta({ id: 'DaySum' });
export type DaySum = z.infer<typeof DaySumSchema>;

const visitEvent = <Type extends string>(type: Type) =>
  z.strictObject({
    type: z.literal(type),
    /** The whole visit after the event. */
    visit: VisitSchema,
    step: VisitStepSchema.nullable(),
    /** How much of the change feed the site had applied: an edit made in the cloud after that is newer. */
    feedAt: z.int().min(0),
  });

/** The conditions that a lane reports to operators. */
export const LaneAlertSchema = z.enum([
  'tailgating',
  'blocklisted',
  'blocklist-lookalike',
  'wrong-way',
  'not-mine',
  /**
   * A car may stand before a gate that the lane does not open any more, or its driver is shown no number to
   * call.
   */
  'needs-help',
  /** A car, or any text, stands still in view of the lane's camera: it is read again and again, and opens nothing. */
  'stands-still',
]);
export type LaneAlert = z.infer<typeof LaneAlertSchema>;

/** An event that a site reports to the cloud: a fact, once and in order. */
export const SiteEventBodySchema = z
  .discriminatedUnion('type', [
    visitEvent('visit.opened'),
    visitEvent('visit.updated'),
    visitEvent('visit.ended'),
    /** A read without a decision. */
    z.strictObject({ type: z.literal('read.stored'), read: StoredReadSchema }),
    z.strictObject({
      type: z.literal('passage.decided'),
      passageId: z.uuid(),
      laneId: z.string(),
      direction: DirectionSchema,
      plate: z.string().nullable(),
      decision: DecisionSchema,
      visitId: z.uuid().nullable(),
      /** The change feed's number that the lists stood at. */
      feedAt: z.int().min(0),
      /** The read that was decided on; null: another event has it, or there was none. */
      read: StoredReadSchema.nullable(),
      alerts: z.array(LaneAlertSchema).max(LaneAlertSchema.options.length),
    }),
    z.strictObject({
      type: z.literal('gate.moved'),
      movementId: z.uuid(),
      laneId: z.string(),
      action: GateActionSchema,
      outcome: GateOutcomeSchema,
      /** `lane:<id>`, `account:<id>`, `technician`, or `on-site:<loopback or network>`: a person on the lanes page. */
      by: z.string(),
      reason: TypedTextSchema,
      /** A person's; absent: the lane moved it, or a technician. */
      reasonCode: GateReasonSchema.optional(),
      /** When a hold or a closing lapses by itself; absent: it does not. */
      lapsesAt: UtcTimeSchema.optional(),
      passageId: z.uuid().nullable(),
      tookMs: z.number().min(0),
    }),
    /** An alert without a decision. */
    z.strictObject({
      type: z.literal('lane.alert'),
      laneId: z.string(),
      alert: LaneAlertSchema,
      plate: z.string().nullable(),
      passageId: z.uuid().nullable(),
    }),
    z.strictObject({
      type: z.literal('device.changed'),
      deviceId: z.string(),
      kind: DeviceKindSchema,
      /** The name that people at the site use; absent: none was given. */
      name: z.string().max(200).optional(),
      state: DeviceStateSchema,
      /** The fault, for a technician; empty: none. */
      detail: TypedTextSchema,
      /** The time since which the device has been in this state. */
      since: UtcTimeSchema,
    }),
    /** The whole payment after each change. */
    z.strictObject({ type: z.literal('payment.changed'), payment: PaymentSchema }),
    /** A driver orders the receipt of a payment by mail. */
    z.strictObject({
      type: z.literal('receipt.wanted'),
      paymentId: z.uuid(),
      email: MailAddressSchema,
      language: LanguageSchema,
    }),
    /** A driver at a kiosk calls for help. */
    z.strictObject({
      type: z.literal('help.wanted'),
      callId: z.uuid(),
      /** The terminal beside the kiosk; null: the site has none. */
      terminalId: z.string().nullable(),
      /** The visit that the driver was looking at; null: none. */
      visitId: z.uuid().nullable(),
      language: LanguageSchema,
    }),
    /** A card terminal has closed its day. */
    z.strictObject({
      type: z.literal('terminal.day-closed'),
      terminalId: z.string().min(1),
      currency: CurrencySchema,
      /** The card payments as the terminal reports them; `all`: it does not distinguish brands. */
      cards: z.array(DaySumSchema),
      /** The same by the site's own journal. */
      booked: z.array(DaySumSchema),
      agrees: z.boolean(),
    }),
  ])
  .meta({ id: 'SiteEventBody' });
export type SiteEventBody = z.infer<typeof SiteEventBodySchema>;

export const SiteEventSchema = z
  .strictObject({
    /** The number, from 1, without gaps within an epoch. */
    seq: z.int().min(1),
    at: UtcTimeSchema,
    body: SiteEventBodySchema,
  })
  .meta({ id: 'SiteEvent' });
export type SiteEvent = z.infer<typeof SiteEventSchema>;
