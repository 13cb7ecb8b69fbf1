import { createContext, runInContext } from 'node:vm';
import type { CardSource, Challenge } from '@hlid/cloud/platform/card-gateways/gateway';
import { VerifoneGateway } from '@hlid/cloud/platform/card-gateways/verifone/verifone-gateway';
import { VerifoneSettingsSchema } from '@hlid/cloud/platform/card-gateways/verifone/verifone-settings';
import { type Clock, systemClock } from '@hlid/node/clock';
import { z } from 'zod';
import { codeForms } from '../harness/secret-forms.ts';
import { type BankAnswer, type GatewayRig, providerFault, type TestCard } from './gateway-rigs.ts';
import { VerifoneSimulator } from './verifone-gateway.ts';
import { VERIFONE_ACCOUNT } from './verifone-gateway-answers.ts';
import { VERIFONE_CARDS, type VerifoneCard } from './verifone-gateway-books.ts';
import { ENCRYPTION_SCRIPT } from './verifone-gateway-scripts.ts';

/** No number begins with a zero. */
const CVV = '074';
const SHOWN_CVV = codeForms(CVV).map((form) => form.toString('latin1'));
const BankAnswerSchema = z.object({ jwt: z.string() });
type EncryptCard = (card: object, publicKey: string) => Promise<string>;

/** The page's script, run here as a browser would. */
const page = createContext({ crypto, TextEncoder, btoa, atob });
runInContext(ENCRYPTION_SCRIPT, page);
const encryptCard: EncryptCard = (page['verifone'] as { encryptCard: EncryptCard }).encryptCard;

export interface VerifoneRig extends GatewayRig {
  readonly gateway: VerifoneGateway;
  readonly sim: VerifoneSimulator;
  /** Encrypts the card, differently each time. */
  encrypt(card: VerifoneCard): Promise<CardSource>;
}

export async function startVerifoneRig({
  settings = {},
  clock = systemClock,
}: {
  settings?: object;
  clock?: Clock;
} = {}): Promise<VerifoneRig> {
  const sim = new VerifoneSimulator();
  await sim.start();
  const { service } = sim;
  service.books.now = () => clock.now();
  const given = { ...sim.settings(), timeoutMs: 1500, ...settings };
  const config = VerifoneSettingsSchema.parse(given);
  const secrets: string[] = [...Object.values(VERIFONE_CARDS), ...SHOWN_CVV, VERIFONE_ACCOUNT.apiKey];
  const encrypted = new Map<TestCard, CardSource>();

  async function encrypt(card: VerifoneCard): Promise<CardSource> {
    const typed = {
      cardNumber: VERIFONE_CARDS[card],
      expiryMonth: '12',
      expiryYear: '30',
      cvv: CVV,
    };
    const encryptedCard = await encryptCard(typed, service.cards.publicKey);
    secrets.push(encryptedCard);
    return { kind: 'encrypted', encryptedCard, publicKeyAlias: VERIFONE_ACCOUNT.publicKeyAlias };
  }

  return {
    gateway: new VerifoneGateway(config, { clock }, { lateMs: 20 }),
    again: () => new VerifoneGateway(config, { clock }, { lateMs: 20 }),
    at(origin) {
      const hosts = { ...given.hosts, api: `${origin}/oidc` };
      const elsewhere = VerifoneSettingsSchema.parse({ ...given, hosts });
      return new VerifoneGateway(elsewhere, { clock }, { lateMs: 20 });
    },
    settings: given,
    sim,
    secrets,
    encrypt,
    async source(card) {
      // The page encrypts a card once for a payment.
      const source = encrypted.get(card) ?? (await encrypt(card));
      encrypted.set(card, source);
      return source;
    },
    sessionId: (tokens) => service.books.openSession(tokens?.['jwt']),
    answerChallenge: (challenge, act) => answerAtBank(challenge, act),
    failNextCharge: (fault) => sim.fail(['pay'], providerFault(fault)),
    holdNextCharge: () => sim.fail(['pay'], { kind: 'held' }),
    release: () => sim.release(),
    ownFaults: [
      () => sim.fail(['pay'], { kind: 'slow', answersAfterMs: 40 }),
      () => sim.fail(['pay'], { kind: 'status', acts: true, status: 500 }),
      () => sim.fail(['pay'], { kind: 'status', acts: false, status: 504 }),
      // A capture that is not settled yet: only the whole goes back.
      () => {
        service.books.isSettled = !service.books.isSettled;
      },
    ],
    loseNextRefund: () => sim.fail(['refund', 'reverse', 'void_capture'], { kind: 'reset', acts: true }),
    misstateNextCharge({ amountMinor }) {
      if (amountMinor !== undefined) service.booksAmount = amountMinor;
    },
    setAway: (away) => (away ? sim.stop() : sim.start()),
    books: () => ({ takenMinor: service.books.taken(), charges: service.books.payments().length }),
    complaints: () => service.complaints,
    close: () => sim.stop(),
  };
}

async function answerAtBank(challenge: Challenge, act: 'accept' | 'refuse'): Promise<BankAnswer> {
  if (challenge.kind !== 'script') throw new Error('Verifone’s challenges are carried out by its script');
  const body = new URLSearchParams({ transactionId: challenge.transactionId, act });
  const answer = await fetch(`${challenge.acsUrl}/answer`, { method: 'POST', body });
  return { kind: 'script', threedsToken: BankAnswerSchema.parse(await answer.json()).jwt };
}
