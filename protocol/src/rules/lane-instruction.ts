import { z } from 'zod';
import { type DecisionReason, DecisionReasonSchema } from '../records/decision.ts';

/** The instruction for the driver who stands at a lane. Stable: displays build on it. */
export const InstructionCodeSchema = z.enum([
  'wait',
  'drive-on',
  'pay-at-kiosk',
  'pay-online',
  'call-for-help',
  'turn-round',
]);
export type InstructionCode = z.infer<typeof InstructionCodeSchema>;

export const LaneInstructionSchema = z.strictObject({
  code: InstructionCodeSchema,
  /** The reason of the decision, or the fault. Null while nothing is decided. */
  reason: z.enum([...DecisionReasonSchema.options, 'gate-not-answering', 'out-of-order']).nullable(),
});
export type LaneInstruction = z.infer<typeof LaneInstructionSchema>;

/** The state of a lane where a car stands. */
export interface LaneScene {
  /** The decision for that car; null while nothing is decided. */
  decision: { open: boolean; reason: DecisionReason } | null;
  /** `failing`: it refused a command, or has not answered for longer than a driver waits. */
  gate: 'closed' | 'opening' | 'open' | 'kept-closed' | 'failing';
  /** The lane opened without a decision because it could not decide. */
  openedOnFault: boolean;
  /** A payment does not open the exit for that car any more: it has stood there for too long, or has gone. */
  waitIsOver: boolean;
  /** Ways to pay that work now. */
  pay: { kiosk: boolean; online: boolean };
}

/**
 * The instruction for the driver. There is always one: a driver must not stand at a gate without knowing what
 * to do.
 */
export function instructionFor({
  decision,
  gate,
  openedOnFault,
  waitIsOver,
  pay,
}: LaneScene): LaneInstruction {
  // The gate may be open for the car in front; this car must wait for its own decision.
  if (gate === 'open' && (openedOnFault || decision?.open)) {
    return { code: 'drive-on', reason: openedOnFault ? 'out-of-order' : (decision?.reason ?? null) };
  }
  if (gate === 'kept-closed') return { code: 'call-for-help', reason: 'closed-by-operator' };
  if (gate === 'failing' && (openedOnFault || decision?.open)) {
    return { code: 'call-for-help', reason: 'gate-not-answering' };
  }
  if (decision === null || decision.open) return { code: 'wait', reason: decision?.reason ?? null };
  const ways = waitIsOver ? { kiosk: false, online: false } : pay;
  return { code: whenClosed(decision.reason, ways), reason: decision.reason };
}

function whenClosed(reason: DecisionReason, pay: LaneScene['pay']): InstructionCode {
  if (reason === 'need-payment') {
    if (pay.kiosk) return 'pay-at-kiosk';
    // If there is no working way to pay on site, a person must let the driver out.
    return pay.online ? 'pay-online' : 'call-for-help';
  }
  return reason === 'full' || reason === 'permits-only' ? 'turn-round' : 'call-for-help';
}
