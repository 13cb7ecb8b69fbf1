import type { LineFaults } from './zvt-port.ts';

/** Where a payment is; faults strike there. In their order. */
export type ZvtStep =
  /** 06 01 has come, and is not answered yet. */
  | 'command'
  | 'accepted'
  /** A card was held to it; the bank is being asked. */
  | 'card'
  /** The bank has approved; the till does not know it yet. */
  | 'approval'
  /** 04 0F is out. */
  | 'approval-sent'
  /** The till has answered it with 80 00 00; nothing is stored yet. */
  | 'answered'
  /** The sale is in the turnover store; no completion yet. */
  | 'stored'
  | 'completed';

/** What the terminal does wrong. Steps strike once and are null again; numbers count down. */
export interface ZvtFaults extends LineFaults {
  /** It is without power, and comes back with what it had stored; nothing else. */
  powerCutAt: ZvtStep | null;
  /** TCP: the connection breaks; the terminal goes on by itself. */
  lineCutAt: ZvtStep | null;
  /** It says nothing any more until there is a new connection, or `heal`. */
  silentAt: ZvtStep | null;
  /** It answers an abort with 80 00 00, and the bank approves all the same. */
  approvesAfterAbort: boolean;
  /** Sent in the next approval instead of what was ordered. */
  currency: number | null;
  amountMinor: number | null;
  terminalId: string | null;
  /** Receipts come before the approval. */
  printsFirst: boolean;
  /** 06 20 is answered with a completion and no status-information. */
  hidesNewest: boolean;
  /** So many commands are answered with 84 9C. */
  busy: number;
  /** Refuses registrations. */
  refusesLogin: boolean;
  /** Of 05 01. */
  status: number;
}

export const NO_FAULTS: Readonly<ZvtFaults> = {
  ...{ loseAcks: 0, nak: 0, double: 0, byteByByte: false },
  ...{ powerCutAt: null, lineCutAt: null, silentAt: null, approvesAfterAbort: false },
  ...{ currency: null, amountMinor: null, terminalId: null, printsFirst: false, hidesNewest: false },
  ...{ busy: 0, refusesLogin: false, status: 0 },
};
