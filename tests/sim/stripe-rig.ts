import type { CardSource } from '@hlid/cloud/platform/card-gateways/gateway';
import { StripeGateway } from '@hlid/cloud/platform/card-gateways/stripe/stripe-gateway';
import { StripeSettingsSchema } from '@hlid/cloud/platform/card-gateways/stripe/stripe-settings';
import { type Clock, systemClock } from '@hlid/node/clock';
import { type GatewayRig, providerFault, type TestCard } from './gateway-rigs.ts';
import { STRIPE_ACCOUNT, STRIPE_CARDS, type StripeTestCard } from './stripe-books.ts';
import { StripeSimulator } from './stripe-gateway.ts';

/** ISK has none, the wire has two. */
const HUNDREDTHS = 100;

/** Either of them takes the money. */
const CHARGES = ['confirm', 'capture'] as const;

export interface StripeRig extends GatewayRig {
  readonly gateway: StripeGateway;
  readonly sim: StripeSimulator;
  /** A payment method for one payment. */
  typed(card: StripeTestCard): Extract<CardSource, { kind: 'encrypted' }>;
}

export async function startStripeRig({
  settings = {},
  clock = systemClock,
}: {
  settings?: object;
  clock?: Clock;
} = {}): Promise<StripeRig> {
  const sim = new StripeSimulator();
  await sim.start();
  const { books } = sim.service;
  const given = { ...sim.settings(), timeoutMs: 1500, ...settings };
  const config = StripeSettingsSchema.parse(given);
  books.now = () => clock.now();
  const newest = new Map<TestCard, string>();

  const typed = (card: StripeTestCard) => ({
    kind: 'encrypted' as const,
    encryptedCard: books.createMethod(STRIPE_CARDS[card]).id,
    publicKeyAlias: STRIPE_ACCOUNT.publishableKey,
  });

  return {
    gateway: new StripeGateway(config, { clock }),
    again: () => new StripeGateway(config, { clock }),
    at(origin) {
      const hosts = { ...given.hosts, api: origin };
      return new StripeGateway(StripeSettingsSchema.parse({ ...given, hosts }), { clock });
    },
    settings: given,
    sim,
    typed,
    secrets: [...Object.values(STRIPE_CARDS), STRIPE_ACCOUNT.secretKey, STRIPE_ACCOUNT.webhookSecret],
    async source(card) {
      const known = newest.get(card) ?? '';
      const isOver = books.intents.some(
        ({ method, status }) => method === known && /succeeded|canceled|payment_method/.test(status),
      );
      // The page makes a payment method once for a payment.
      if (known !== '' && !isOver) return { ...typed(card), encryptedCard: known };
      const source = typed(card);
      newest.set(card, source.encryptedCard);
      return source;
    },
    sessionId: () => null,
    async answerChallenge(challenge, act) {
      if (challenge.kind !== 'script') throw new Error('Stripe’s challenges are carried out by its script');
      books.answerChallenge(challenge.transactionId, act);
      return { kind: 'script', threedsToken: challenge.transactionId };
    },
    failNextCharge: (fault) => sim.fail(CHARGES, providerFault(fault)),
    holdNextCharge: () => sim.fail(CHARGES, { kind: 'held' }),
    release: () => sim.release(),
    ownFaults: [
      () => sim.fail(CHARGES, { kind: 'status', acts: true, status: 504 }),
      () => sim.fail(CHARGES, { kind: 'status', acts: false, status: 429 }),
    ],
    loseNextRefund: () => sim.fail(['refund', 'cancel'], { kind: 'reset', acts: true }),
    misstateNextCharge({ amountMinor, currency }) {
      if (amountMinor !== undefined) sim.service.receives = amountMinor * HUNDREDTHS;
      if (currency !== undefined)
        sim.fail(CHARGES, { kind: 'says', body: { currency: currency.toLowerCase() } });
    },
    setAway: (away) => (away ? sim.stop() : sim.start()),
    books: () => ({ takenMinor: books.taken() / HUNDREDTHS, charges: books.captured().length }),
    complaints: () => sim.service.complaints,
    close: () => sim.stop(),
  };
}
