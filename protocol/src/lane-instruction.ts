import { z } from 'zod';
import { type DecisionReason, DecisionReasonSchema } from './decision.ts';

/** What the driver who stands at a lane should do. Stable: displays build on it. */
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
  /** Why: as it was decided, or what does not work. Null as long as nothing is decided. */
  reason: z.enum([...DecisionReasonSchema.options, 'gate-not-answering', 'out-of-order']).nullable(),
});
export type LaneInstruction = z.infer<typeof LaneInstructionSchema>;

/** What is known of a lane at which somebody stands. */
export interface LaneScene {
  /** Of the car that stands there; null as long as nothing is decided. */
  decision: { open: boolean; reason: DecisionReason } | null;
  /** `failing`: it did not do as it was told, or has not answered for longer than a driver waits. */
  gate: 'closed' | 'opening' | 'open' | 'kept-closed' | 'failing';
  /** The lane opened without deciding, since it could not. */
  openedOnFault: boolean;
  /** Ways to pay that work now. */
  pay: { kiosk: boolean; online: boolean };
}

/** What the driver is told. Never nothing: whoever stands at a gate learns what to do. */
export function instructionFor({ decision, gate, openedOnFault, pay }: LaneScene): LaneInstruction {
  // It may be open for the car before: whoever is not let through himself waits for his own turn.
  if (gate === 'open' && (openedOnFault || decision?.open)) {
    return { code: 'drive-on', reason: openedOnFault ? 'out-of-order' : (decision?.reason ?? null) };
  }
  if (gate === 'kept-closed') return { code: 'call-for-help', reason: 'closed-by-operator' };
  if (gate === 'failing' && (openedOnFault || decision?.open)) {
    return { code: 'call-for-help', reason: 'gate-not-answering' };
  }
  if (decision === null || decision.open) return { code: 'wait', reason: decision?.reason ?? null };
  return { code: whenClosed(decision.reason, pay), reason: decision.reason };
}

function whenClosed(reason: DecisionReason, pay: LaneScene['pay']): InstructionCode {
  if (reason === 'need-payment') {
    if (pay.kiosk) return 'pay-at-kiosk';
    // Without a way to pay on site, or none that works, somebody has to let the driver out.
    return pay.online ? 'pay-online' : 'call-for-help';
  }
  return reason === 'full' || reason === 'permits-only' ? 'turn-round' : 'call-for-help';
}
