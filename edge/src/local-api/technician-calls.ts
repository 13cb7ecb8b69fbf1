import { ReasonSchema } from '@hlid/protocol/base/typed-text';
import { DeviceKindSchema } from '@hlid/protocol/records/device';
import { CommandActionSchema } from '@hlid/protocol/site-link/commands';
import { z } from 'zod';

/** The body of `POST /api/gates`: moves gates. */
export const GateCallSchema = z.strictObject({
  action: CommandActionSchema,
  /** Null: every lane. */
  laneId: z.string().min(1).nullable(),
  reason: ReasonSchema,
});
export type GateCall = z.infer<typeof GateCallSchema>;

/** The body of `POST /api/devices`: logs in again where a device has refused the login. */
export const DeviceCallSchema = z.strictObject({
  action: z.literal('try-again'),
  /** Null: every device that has refused. */
  device: z.strictObject({ kind: DeviceKindSchema, id: z.string().min(1) }).nullable(),
});
export type DeviceCall = z.infer<typeof DeviceCallSchema>;

/**
 * The body of `POST /api/upgrade`: may the daemon be restarted now? If so, no payment can begin for a while.
 */
export const UpgradeCallSchema = z.strictObject({ action: z.literal('begin') });

/** The entry in the terminal's own list for a payment of unknown outcome, as a person found it. */
export const FindingSchema = z.enum(['booked', 'not-booked', 'given-back']);
export type Finding = z.infer<typeof FindingSchema>;

/** The body of `POST /api/payments`: lists the payments that wait for a person, and resolves one. */
export const PaymentCallSchema = z.discriminatedUnion('action', [
  z.strictObject({ action: z.literal('list') }),
  /** A driver reads the code of an online payment to an operator on site. */
  z.strictObject({
    action: z.literal('code'),
    plate: z.string().min(1).max(40),
    code: z.string().min(1).max(40),
  }),
  z.strictObject({ action: z.literal('found'), payment: z.string().min(1), finding: FindingSchema }),
]);
export type PaymentCall = z.infer<typeof PaymentCallSchema>;
