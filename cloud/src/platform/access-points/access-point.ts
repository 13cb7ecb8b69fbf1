/** A document on its way into the network: an intent that is stored already. */
export interface NetworkDocument {
  /** New for each attempt: the idempotency key at the access point. */
  key: string;
  /** Participants, document type and process as `peppol-ids.ts` writes them. */
  sender: string;
  receiver: string;
  documentType: string;
  process: string;
  /** The sender's country, ISO 3166-1 (corner C1 in Peppol's envelope). */
  country: string;
  xml: string;
}

/** Why an access point, or the receiver's, does not take a document. */
export const REFUSAL_REASONS = [
  /** The network has no such receiver, or it takes no document of this type. */
  'receiver-unknown',
  /** The access point does not send for this sender. */
  'sender-unknown',
  /** It breaks the rules of its type. */
  'document-invalid',
  'other',
] as const;
export type RefusalReason = (typeof REFUSAL_REASONS)[number];

/** The access point has it, and delivers it. `reference`: its own id of it. */
interface Accepted {
  kind: 'accepted';
  reference: string;
}

/** The access point of the receiver has confirmed it. */
interface Delivered {
  kind: 'delivered';
  reference: string;
}

/** It is not delivered, and will not be. `detail`: in the words of the access point; null: it gives none. */
interface Refused {
  kind: 'refused';
  reason: RefusalReason;
  detail: string | null;
}

/** The access point cannot be reached or is busy. Of a submission: it certainly has not taken it. */
interface Unavailable {
  kind: 'unavailable';
  problem: string;
}

export type Submission =
  | Accepted
  | Delivered
  | Refused
  | Unavailable
  /** It may have it: ask, and do not submit it again. */
  | { kind: 'unknown'; problem: string };

export type DocumentStatus =
  | Accepted
  | Delivered
  | Refused
  | Unavailable
  /** It has never seen the key: submit it, under the same key. */
  | { kind: 'never-came' };

/**
 * An adapter to a provider that brings documents into the network (corner C2 in Peppol). No method throws for what the
 * provider or the network does, and none repeats by itself what may have been taken.
 */
export interface AccessPoint {
  /** @param signal once it aborts, nothing is sent, and no answer is awaited */
  submit(document: NetworkDocument, signal?: AbortSignal): Promise<Submission>;
  status(key: string, signal?: AbortSignal): Promise<DocumentStatus>;
}
