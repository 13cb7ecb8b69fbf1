/** The ways to identify: by the SIM card of a phone, or by Auðkenni's app. */
export const ELECTRONIC_ID_METHODS = ['sim', 'app'] as const;
export type ElectronicIdMethod = (typeof ELECTRONIC_ID_METHODS)[number];

/** The most that a phone shows of a message (`binding_message` of CIBA); what a SIM card shows includes the code. */
export const MAX_PHONE_TEXT = 60;

/** The request that a provider sends to a person's phone. */
export interface Identification {
  method: ElectronicIdMethod;
  /** The phone's number (seven digits) for `sim`, the kennitala (ten digits) for `app`. */
  user: string;
  /** The text on the phone: at most `MAX_PHONE_TEXT` characters, no line breaks. */
  text: string;
  /**
   * The hash (base64) from which the app derives the code that it shows; null for a SIM card: its text
   * contains the code.
   */
  hash: string | null;
}

/**
 * The data that an adapter must remember between two calls. It is stored encrypted, and any cloud may
 * continue with it.
 */
export type ProviderState = Readonly<Record<string, string | number>>;

/** Why an identification has ended without a person. */
export type FailureReason =
  /** The phone was not answered. */
  | 'timeout'
  /** The person refused. */
  | 'cancelled'
  /** The provider knows no electronic identity of that phone or kennitala. */
  | 'no-identity'
  /** It cannot go on: a blocked PIN or card, wrong settings, or a provider that cannot be reached. */
  | 'error'
  /** The outcome is not known. */
  | 'unknown';

export type Progress =
  /** Call `check` with this state, after `waitSeconds` at the earliest. */
  | { kind: 'pending'; state: ProviderState; waitSeconds: number }
  /** @property ssn as the provider writes it */
  | { kind: 'identified'; ssn: string; name: string | null }
  /** @property code the provider's own, for the log; it never contains who it is about */
  | { kind: 'failed'; reason: FailureReason; code: string | null };

/**
 * An adapter to a provider of electronic identities. No method throws for what a provider or the network does.
 * `start` makes a phone ring, so it is never repeated.
 */
export interface ElectronicId {
  readonly kind: string;
  readonly methods: readonly ElectronicIdMethod[];
  start(identification: Identification, signal: AbortSignal): Promise<Progress>;
  check(state: ProviderState, signal: AbortSignal): Promise<Progress>;
}
