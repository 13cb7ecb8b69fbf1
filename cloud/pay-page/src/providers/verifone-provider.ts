import type { PayCard, PayEncryptedCard } from '@hlid/protocol/pages/pay-api';
import type { CardProvider, LoadScripts, ScriptChallenge, Tokens } from './card-provider.ts';

/** Cardinal answers in seconds, or not at all; without its session the provider may still approve. */
const SESSION_TIMEOUT_MS = 8000;

/** The scripts of Verifone (`verifone.js`) and Cardinal (`songbird.js`), as far as the page uses them. */
interface ProviderWindow {
  verifone?: { encryptCard(card: object, publicKey: string): Promise<string> };
  Cardinal?: {
    configure(options: object): void;
    on(event: string, listener: (data: CardinalData, jwt?: string) => void): void;
    off(event: string): void;
    setup(step: 'init', options: { jwt: string }): void;
    continue(what: 'cca', acs: object, order: object): void;
  };
}

interface CardinalData {
  sessionId?: string;
  ActionCode?: string;
}

/**
 * The scripts of Verifone: they encrypt the card and show the bank's challenge. Their calls and the names of the tokens
 * (`jwt`, `publicKey`, `publicKeyAlias`) are those that Verifone documents.
 */
export class VerifoneProvider implements CardProvider {
  readonly #loadScripts: LoadScripts;
  #tokens: Tokens = {};

  constructor(loadScripts: LoadScripts) {
    this.#loadScripts = loadScripts;
  }

  async encrypt(card: PayCard, tokens: Tokens): Promise<PayEncryptedCard & { sessionId: string | null }> {
    this.#tokens = tokens;
    const { encryptionScript, authenticationScript } = tokens;
    await this.#loadScripts(
      [encryptionScript, authenticationScript].filter((address) => address !== undefined),
    );
    const { verifone } = providerWindow();
    if (!verifone) throw new Error('The script that encrypts cards is missing.');
    const [expiryMonth = '', expiryYear = ''] = card.expire.split('/');
    const details = {
      cardNumber: card.number,
      expiryMonth,
      expiryYear,
      cvv: card.ccv,
      captureTime: new Date().toISOString(),
    };
    const [encryptedCard, sessionId] = await Promise.all([
      verifone.encryptCard(details, tokens['publicKey'] ?? ''),
      this.#session(),
    ]);
    return { encryptedCard, publicKeyAlias: tokens['publicKeyAlias'] ?? '', sessionId };
  }

  challenge({ acsUrl, payload, transactionId }: ScriptChallenge): Promise<string | null> {
    const { Cardinal } = providerWindow();
    if (!Cardinal) return Promise.resolve(null);
    return new Promise((resolve) => {
      Cardinal.off('payments.validated');
      Cardinal.on('payments.validated', (_data, jwt) => resolve(jwt ?? null));
      // The script drops its session after `setupComplete`; without this, `continue` does nothing.
      Cardinal.setup('init', { jwt: this.#tokens['jwt'] ?? '' });
      Cardinal.continue(
        'cca',
        { AcsUrl: acsUrl, Payload: payload },
        { OrderDetails: { TransactionId: transactionId } },
      );
    });
  }

  #session(): Promise<string | null> {
    const { Cardinal } = providerWindow();
    const jwt = this.#tokens['jwt'];
    if (!Cardinal || jwt === undefined) return Promise.resolve(null);
    return new Promise((resolve) => {
      const timer = setTimeout(() => resolve(null), SESSION_TIMEOUT_MS);
      Cardinal.off('payments.setupComplete');
      Cardinal.on('payments.setupComplete', ({ sessionId }) => {
        clearTimeout(timer);
        resolve(sessionId ?? null);
      });
      Cardinal.configure({ logging: { level: 'off' } });
      Cardinal.setup('init', { jwt });
    });
  }
}

/** The scripts add themselves to the window, which has no types for them. */
function providerWindow(): ProviderWindow {
  return window as unknown as ProviderWindow;
}
