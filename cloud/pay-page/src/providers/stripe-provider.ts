import type { PayEncryptedCard } from '@hlid/protocol/pages/pay-api';
import type {
  CardField,
  CardFieldOptions,
  CardProvider,
  LoadScripts,
  ScriptChallenge,
  Tokens,
} from './card-provider.ts';

/** Stripe.js, as far as the page uses it ("Finalize payments on the server", "Payment Element"). */
interface StripeJs {
  elements(options: object): StripeElements;
  createPaymentMethod(of: { elements: StripeElements }): Promise<{ paymentMethod?: { id: string } }>;
  handleNextAction(of: { clientSecret: string }): Promise<object>;
}

interface StripeElements {
  create(type: 'payment', options: object): StripeElement;
  update(options: object): void;
  /** Checks what was typed, and opens the sheet of a wallet. */
  submit(): Promise<{ error?: object }>;
}

interface StripeElement {
  on(event: 'ready' | 'loaderror', listener: () => void): void;
  mount(place: HTMLElement): void;
  destroy(): void;
}

interface StripeWindow {
  Stripe?: (publishableKey: string) => StripeJs;
}

/**
 * Stripe's card field and its challenges. The field is the Payment Element, for cards only: it is a frame of Stripe's, and
 * shows Apple Pay and Google Pay where browser and account have them. Nothing of what is typed there comes to this page,
 * only the id of a payment method.
 */
export class StripeProvider implements CardProvider {
  readonly #loadScripts: LoadScripts;
  #stripe: StripeJs | null = null;

  constructor(loadScripts: LoadScripts) {
    this.#loadScripts = loadScripts;
  }

  async openField({ place, tokens, amountMinor, currency, language }: CardFieldOptions): Promise<CardField> {
    const stripe = await this.#load(tokens);
    const elements = stripe.elements({
      mode: 'payment',
      amount: Math.round(amountMinor * Number(tokens['scale'])),
      currency: currency.toLowerCase(),
      paymentMethodCreation: 'manual',
      paymentMethodTypes: ['card'],
      // Stripe has no Icelandic; `auto` is the browser's language.
      locale: language === 'is' ? 'auto' : language,
      appearance: { theme: matchMedia('(prefers-color-scheme: dark)').matches ? 'night' : 'stripe' },
    });
    const wallets = { applePay: 'auto', googlePay: 'auto', link: 'never' };
    const element = elements.create('payment', { wallets, terms: { card: 'never' } });
    const isReady = new Promise<void>((resolve, reject) => {
      element.on('ready', resolve);
      element.on('loaderror', () => reject(new Error('The card field cannot be loaded.')));
    });
    element.mount(place);
    await isReady;
    return {
      encrypt: ({ storeCard }) => encrypt(stripe, elements, tokens, storeCard),
      close: () => element.destroy(),
    };
  }

  /** The cloud reads the result from Stripe, so the token only means that the challenge is over. */
  async challenge({ payload, transactionId }: ScriptChallenge): Promise<string | null> {
    if (this.#stripe === null) return null;
    await this.#stripe.handleNextAction({ clientSecret: payload });
    return transactionId;
  }

  async #load({ script = '', publishableKey = '' }: Tokens): Promise<StripeJs> {
    await this.#loadScripts([script]);
    // The script adds itself to the window, which has no type for it.
    const { Stripe } = window as unknown as StripeWindow;
    if (!Stripe) throw new Error('Stripe’s script is missing.');
    this.#stripe ??= Stripe(publishableKey);
    return this.#stripe;
  }
}

async function encrypt(
  stripe: StripeJs,
  elements: StripeElements,
  { publishableKey = '' }: Tokens,
  storeCard: boolean,
): Promise<PayEncryptedCard | null> {
  if (storeCard) elements.update({ setupFutureUsage: 'off_session' });
  const { error } = await elements.submit();
  if (error) return null;
  const { paymentMethod } = await stripe.createPaymentMethod({ elements });
  return paymentMethod ? { encryptedCard: paymentMethod.id, publicKeyAlias: publishableKey } : null;
}
