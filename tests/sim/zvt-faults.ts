import type { LineFaults } from './zvt-port.ts';
import { PowerCut } from './zvt-talk.ts';

/** The steps of a payment, in their order; faults strike there. */
export const ZVT_STEPS = [
  /** 06 01 has come, and is not answered yet. */
  'command',
  'accepted',
  /** A card was held to it; the bank is being asked. */
  'card',
  /** The bank has approved; the till has not received it yet. */
  'approval',
  /** 04 0F is out. */
  'approval-sent',
  /** The till has answered it with 80 00 00; nothing is stored yet. */
  'answered',
  /** The sale is in the turnover store; no completion yet. */
  'stored',
  'completed',
] as const;
export type ZvtStep = (typeof ZVT_STEPS)[number];

/** The faults of the terminal. Steps strike once and are null again; numbers count down. */
export interface ZvtFaults extends LineFaults {
  /** It is without power, and comes back with what it had stored; nothing else. */
  powerCutAt: ZvtStep | null;
  /** The connection breaks, or the cable is pulled out for a moment; the terminal goes on by itself. */
  lineCutAt: ZvtStep | null;
  /** It is silent from this step until there is a new connection, or `heal`. */
  silentAt: ZvtStep | null;
  /**
   * The same at its n-th message (`number`) from now on, counting answers and prompts: that one is not sent.
   */
  atMessage: { number: number; fault: 'silence' | 'line-cut' | 'power-cut' } | null;
  /** It answers an abort with 80 00 00, and the bank approves all the same. */
  approvesAfterAbort: boolean;
  /** Sent in the next approval instead of what was ordered. */
  currency: number | null;
  amountMinor: number | null;
  terminalId: string | null;
  /** The next holder gives so much more at the terminal: it is booked with the amount. */
  tipMinor: number;
  /** The next reversal is given up with this code. */
  reversalCode: number | null;
  /** Receipts come before the approval. */
  printsFirst: boolean;
  /** 06 20 is answered with a completion and no status-information. */
  hidesNewest: boolean;
  /** The number of commands that are answered with 84 9C. */
  busy: number;
  /** Refuses registrations. */
  refusesLogin: boolean;
  /** The status in the answer to 05 01. */
  status: number;
}

export const NO_FAULTS: Readonly<ZvtFaults> = {
  loseAcks: 0,
  nak: 0,
  double: 0,
  byteByByte: false,
  powerCutAt: null,
  lineCutAt: null,
  silentAt: null,
  atMessage: null,
  approvesAfterAbort: false,
  currency: null,
  amountMinor: null,
  terminalId: null,
  tipMinor: 0,
  reversalCode: null,
  printsFirst: false,
  hidesNewest: false,
  busy: 0,
  refusesLogin: false,
  status: 0,
};

/** Makes what is to go wrong do so, once. */
export function createStrikes(
  faults: ZvtFaults,
  can: { fallSilent(): void; cutLine(): void; cutPower(): void },
) {
  return {
    /** Throws PowerCut. */
    async atStep(step: ZvtStep): Promise<void> {
      const { silentAt, lineCutAt, powerCutAt } = faults;
      if (silentAt === step) {
        faults.silentAt = null;
        can.fallSilent();
      }
      if (lineCutAt === step) {
        faults.lineCutAt = null;
        can.cutLine();
      }
      if (powerCutAt !== step) return;
      faults.powerCutAt = null;
      can.cutPower();
      throw new PowerCut();
    },
    /** Called before it sends a message. */
    atMessage(): void {
      const { atMessage } = faults;
      if (atMessage === null) return;
      atMessage.number--;
      if (atMessage.number > 0) return;
      faults.atMessage = null;
      if (atMessage.fault === 'silence') can.fallSilent();
      else if (atMessage.fault === 'line-cut') can.cutLine();
      else can.cutPower();
    },
  };
}
