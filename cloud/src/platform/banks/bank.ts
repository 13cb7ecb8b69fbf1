/** The key of a claim at a bank. The claimant chooses it, so a claim that is sent twice is one claim. */
export interface ClaimKey {
  /** The national id of whom the claim belongs to. */
  claimantId: string;
  /** Branch (4 digits), ledger 66 and number (6 digits). */
  account: string;
  /** `YYYY-MM-DD`. */
  dueOn: string;
}

/** A deduction or a charge that begins some days after the due date, in the minor unit. */
export interface DayAmount {
  days: number;
  amountMinor: number;
}

/** What a claim asks for, and how. */
export interface ClaimTerms {
  amountMinor: number;
  currency: string;
  /** The last day on which it is paid in time. */
  finalDueOn: string;
  /** Off the amount until so many days after the due date; null: none. */
  discount: DayAmount | null;
  /** The charge for a late payment (regulation 37/2009); null: none. */
  defaultCharge: DayAmount | null;
  /** Interest for a late payment, at the maximum of the Central Bank. */
  hasInterest: boolean;
  /** The day from which it counts; absent: the due date. */
  interestFrom?: 'final-due';
  takesPartPayments: boolean;
}

/** A claim that is to be made: an intent that is stored already. */
export interface NewClaim extends ClaimTerms {
  key: ClaimKey;
  payorId: string;
  /** The code of the contract with the bank, three characters. */
  templateCode: string;
  /** Our own mark of it, at most 16 characters: it shows that a claim at the bank is this one. */
  reference: string;
  /** On the payer's statement, at most 7 characters. */
  billNumber: string;
  /** For the payer to read, at most 200 characters. */
  text: string;
}

/** Why a bank does not do what it is asked. */
export const BANK_REFUSALS = ['exists', 'paid', 'cancelled', 'not-found', 'other'] as const;
export type BankRefusal = (typeof BANK_REFUSALS)[number];

/** The bank cannot be reached, or has not looked at the request: certainly nothing was done. */
interface Unavailable {
  kind: 'unavailable';
  problem: string;
}

/** The outcome of a request that changes a claim. */
export type ClaimOutcome =
  | { kind: 'done' }
  /** Nothing was done. `detail`: in the words of the bank; null: it gives none. */
  | { kind: 'refused'; reason: BankRefusal; detail: string | null }
  | Unavailable
  /** It may have been done: ask by the key, and do not repeat it before. */
  | { kind: 'unknown'; problem: string };

export const CLAIM_STATUSES = ['unpaid', 'paid', 'cancelled'] as const;
export type ClaimStatus = (typeof CLAIM_STATUSES)[number];

export const COLLECTION_STATES = ['primary', 'waiting', 'secondary', 'legal'] as const;
export type CollectionState = (typeof COLLECTION_STATES)[number];

/** A claim as the bank has it. */
export interface ClaimAtBank {
  key: ClaimKey;
  payorId: string;
  reference: string | null;
  status: ClaimStatus;
  collection: CollectionState;
  amountMinor: number;
  currency: string;
  finalDueOn: string;
  isPartlyPaid: boolean;
  /** What it asks for now, with interest and costs; null: the bank does not say. */
  dueMinor: number | null;
}

export type FoundClaim =
  | { kind: 'found'; claim: ClaimAtBank }
  /** The bank has no claim with this key. */
  | { kind: 'never-came' }
  | Unavailable;

/** Money of a claim: paid, or taken back (`reversal`, with the same amounts above zero). */
export interface ClaimPayment {
  kind: 'payment' | 'reversal';
  /** When the bank did it. */
  at: string;
  /** `YYYY-MM-DD`. */
  bookedOn: string;
  valueOn: string;
  /** What it takes off the claim. The whole payment is principal − discount + interest + costs. */
  principalMinor: number;
  discountMinor: number;
  interestMinor: number;
  costsMinor: number;
  /** What reaches our account: the bank may keep its own part of the costs. */
  depositedMinor: number;
}

export type ClaimPayments = { kind: 'found'; payments: ClaimPayment[] } | Unavailable;

/**
 * An adapter to a bank that collects claims. No method throws for what the bank or the network does, and none repeats by
 * itself what may have been done.
 */
export interface Bank {
  /** @param signal once it aborts, nothing is sent, and no answer is awaited */
  create(claim: NewClaim, signal?: AbortSignal): Promise<ClaimOutcome>;
  change(key: ClaimKey, terms: ClaimTerms, signal?: AbortSignal): Promise<ClaimOutcome>;
  cancel(key: ClaimKey, signal?: AbortSignal): Promise<ClaimOutcome>;
  find(key: ClaimKey, signal?: AbortSignal): Promise<FoundClaim>;
  /** All money that was paid or taken back, in the order in which the bank has it: entries are only added. */
  payments(key: ClaimKey, currency: string, signal?: AbortSignal): Promise<ClaimPayments>;
}
