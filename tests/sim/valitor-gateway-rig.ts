import { Card } from '@hlid/cloud/card-gateways/card';
import type { CardSource, Challenge } from '@hlid/cloud/card-gateways/gateway';
import { ValitorPayGateway } from '@hlid/cloud/card-gateways/valitor-pay/valitor-pay-gateway';
import {
  type ValitorPayOptions,
  ValitorPayOptionsSchema,
} from '@hlid/cloud/card-gateways/valitor-pay/valitor-pay-options';
import type { Clock } from '@hlid/node/clock';
import { systemClock } from '@hlid/node/clock';
import type { BankAnswer, GatewayRig, TestCard } from './gateway-rigs.ts';
import { ValitorGatewaySimulator } from './valitor-gateway.ts';
import { readForm } from './valitor-gateway-bank.ts';
import { VALITOR_CARDS } from './valitor-gateway-books.ts';

const API_KEY = 'Test.c2ltdWxhdG9yLWtleQ==';
/** ISK has none, the wire has two. */
const HUNDREDTHS = 100;
const CARDS: Readonly<Record<TestCard, string>> = {
  good: VALITOR_CARDS.frictionless,
  challenged: VALITOR_CARDS.challenged,
  refused: VALITOR_CARDS.refused,
  'no-funds': VALITOR_CARDS.noFunds,
  expired: VALITOR_CARDS.expired,
  stolen: VALITOR_CARDS.stolen,
  'authenticate-again': VALITOR_CARDS.authenticateAgain,
};

export interface ValitorRig extends GatewayRig {
  readonly gateway: ValitorPayGateway;
  readonly simulator: ValitorGatewaySimulator;
  /** The form of a challenge, as the bank posts it in the end. */
  answerForm(challenge: Challenge, act: 'accept' | 'refuse'): Promise<Record<string, string>>;
}

/** The adapter at its simulator, with short deadlines. */
export async function startValitorRig(
  change: Partial<ValitorPayOptions> = {},
  clock: Clock = systemClock,
): Promise<ValitorRig> {
  const { agreementNumber, terminalId } = change;
  const agreement =
    agreementNumber === undefined || terminalId === undefined ? null : { agreementNumber, terminalId };
  const simulator = new ValitorGatewaySimulator({ apiKey: API_KEY, agreement, now: () => clock.now() });
  await simulator.start();
  const options = ValitorPayOptionsSchema.parse({
    ...{ kind: 'valitor-pay', url: simulator.url, apiKey: API_KEY, timeoutMs: 2000, lateMs: 0 },
    ...change,
  });
  const gateway = new ValitorPayGateway(options, { clock, retryPausesMs: [1, 1] });
  const answerForm = (challenge: Challenge, act: 'accept' | 'refuse') => atBank(challenge, act);
  return {
    ...{ gateway, simulator, answerForm },
    secrets: Object.values(VALITOR_CARDS),
    source: async (card) => cardSource(CARDS[card]),
    sessionId: () => null,
    answerChallenge: async (challenge, act): Promise<BankAnswer> => ({
      kind: 'form',
      fields: await answerForm(challenge, act),
    }),
    failNextCharge(fault) {
      simulator.faults.charge = fault;
    },
    loseNextRefund() {
      simulator.faults.losesRefund = true;
    },
    misstateNextCharge({ amountMinor, currency }) {
      simulator.faults.lie = {
        ...(amountMinor !== undefined && { authorizedAmount: amountMinor * HUNDREDTHS }),
        ...(currency !== undefined && { currency, authorizedAmount: 150_000 }),
      };
    },
    setAway: (away) => (away ? simulator.stop() : simulator.start()),
    books: () => ({
      takenMinor: simulator.books.taken() / HUNDREDTHS,
      charges: simulator.books.payments.length,
    }),
    complaints: () => simulator.complaints,
    close: () => simulator.stop(),
  };
}

export function cardSource(number: string): CardSource {
  const card = Card.read({ number, expire: `12/${new Date().getFullYear() + 2}`, ccv: '123' });
  if (!(card instanceof Card)) throw new Error(`It is no card: ${card.mistakes.join(', ')}`);
  return { kind: 'card', card };
}

/** As the driver's browser does it: posts the form, decides where the bank wants that, and ends with the form for us. */
async function atBank(challenge: Challenge, act: 'accept' | 'refuse'): Promise<Record<string, string>> {
  if (challenge.kind !== 'form') throw new Error('ValitorPay’s challenges are forms');
  const { url, fields } = challenge.form;
  const sent = Object.fromEntries(fields.map(({ name, value }) => [name, value]));
  const first = readForm(await post(url, sent));
  if (!first.action.startsWith('/')) return first.fields;
  return readForm(await post(new URL(first.action, url).href, { ...first.fields, act })).fields;
}

async function post(url: string, fields: Record<string, string>): Promise<string> {
  const response = await fetch(url, { method: 'POST', body: new URLSearchParams(fields) });
  if (!response.ok) throw new Error(`The bank answers with HTTP ${response.status}`);
  return response.text();
}
