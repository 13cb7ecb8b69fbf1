import type { Language } from '@hlid/protocol/base/language';
import type { PayCard, PayEncryptedCard, PayNext } from '@hlid/protocol/pages/pay-api';
import { loadScripts } from './load-scripts.ts';

export type ScriptChallenge = Extract<PayNext, { kind: 'script' }>;
/** The data for a provider's script: public keys and addresses. */
export type Tokens = Readonly<Record<string, string>>;

/** The place and the contents of a provider's own card field. */
export interface CardFieldOptions {
  place: HTMLElement;
  /** The tokens of the site's gateway: `cardField`. */
  tokens: Tokens;
  amountMinor: number;
  currency: string;
  language: Language;
}

/** A field of the provider, in a separate frame: the page never has what is typed there. */
export interface CardField {
  /**
   * Makes of what was typed what stands for the card. It must be called at once when the driver presses the button,
   * since wallets open only then.
   *
   * @returns null: something is missing, and the field itself shows what
   */
  encrypt(wishes: { storeCard: boolean }): Promise<PayEncryptedCard | null>;
  close(): void;
}

export type LoadScripts = typeof loadScripts;

/** The scripts of a provider in the page. */
export interface CardProvider {
  /** The card field of the provider, if it has one. Rejects where it cannot be loaded. */
  openField?(options: CardFieldOptions): Promise<CardField>;
  /** Present: the card is typed into the page, and encrypted here. Rejects where the script does not work. */
  encrypt?(card: PayCard, tokens: Tokens): Promise<PayEncryptedCard & { sessionId: string | null }>;
  /** Shows the bank's challenge. @returns the token to verify; null: the driver gave up, or the script failed */
  challenge(next: ScriptChallenge): Promise<string | null>;
}

/**
 * The providers by kind of gateway. Each is a separate file, which loads when a payment needs it. It receives
 * the parts that the page has already, since a shared file would be one more to load.
 */
const PROVIDERS: Readonly<Record<string, () => Promise<CardProvider>>> = {
  stripe: async () => new (await import('./stripe-provider.ts')).StripeProvider(loadScripts),
  verifone: async () => new (await import('./verifone-provider.ts')).VerifoneProvider(loadScripts),
};

/** The providers of this page. One holds its state from the card to the end of the challenge. */
export class CardProviders {
  readonly #made = new Map<string, Promise<CardProvider>>();

  /** Rejects where there is none of that kind, or it cannot be loaded. */
  async get(kind: string): Promise<CardProvider> {
    const made = this.#made.get(kind) ?? PROVIDERS[kind]?.();
    if (!made) throw new Error('The page has no script for this provider.');
    this.#made.set(kind, made);
    try {
      return await made;
    } catch (error) {
      this.#made.delete(kind);
      throw error;
    }
  }
}
