import { Card } from '@hlid/cloud/platform/card-gateways/card';
import type { CardSource, Challenge } from '@hlid/cloud/platform/card-gateways/gateway';
import { ValitorPayGateway } from '@hlid/cloud/platform/card-gateways/valitor-pay/valitor-pay-gateway';
import {
  type ValitorPayOptions,
  ValitorPayOptionsSchema,
} from '@hlid/cloud/platform/card-gateways/valitor-pay/valitor-pay-options';
import { type Clock, systemClock } from '@hlid/node/clock';
import { type BankAnswer, type GatewayRig, providerFault, type TestCard } from './gateway-rigs.ts';
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
  const base = { kind: 'valitor-pay' as const, url: simulator.origin, apiKey: API_KEY };
  const settings = { ...base, timeoutMs: 2000, ...change };
  const options = ValitorPayOptionsSchema.parse({ lateMs: 0, ...settings });
  const again = () => new ValitorPayGateway(options, { clock, retryPausesMs: [1, 1] });
  const gateway = again();
  const answerForm = async (challenge: Challenge, act: 'accept' | 'refuse') =>
    (await atBank(challenge, act)).fields;
  const answersWith = (code: string, books: boolean) => () =>
    void simulator.faults.codes.push({ code, books });
  return {
    gateway,
    again,
    at: (origin) => new ValitorPayGateway({ ...options, url: origin }, { clock, retryPausesMs: [1, 1] }),
    settings,
    simulator,
    answerForm,
    secrets: Object.values(VALITOR_CARDS),
    source: async (card) => cardSource(CARDS[card]),
    sessionId: () => null,
    answerChallenge: async (challenge, act): Promise<BankAnswer> => ({
      kind: 'form',
      ...(await atBank(challenge, act)),
    }),
    failNextCharge: (fault) => simulator.fail(['sale'], providerFault(fault)),
    holdNextCharge: () => simulator.fail(['sale'], { kind: 'held' }),
    release: () => simulator.release(),
    callBackFirst(post) {
      simulator.faults.callsBackFirst = post;
    },
    // A duplicate, an error of the system, and a bank that is away.
    ownFaults: [answersWith('T3', true), answersWith('96', true), answersWith('91', false)],
    loseNextRefund: () => simulator.fail(['refund'], { kind: 'reset', acts: true }),
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

/**
 * Answers the bank like the driver's browser: posts the form, decides if the bank asks, and ends with the
 * form for us.
 */
async function atBank(challenge: Challenge, act: 'accept' | 'refuse') {
  if (challenge.kind !== 'form') throw new Error('ValitorPay’s challenges are forms');
  const { url, fields } = challenge.form;
  const sent = Object.fromEntries(fields.map(({ name, value }) => [name, value]));
  const first = readForm(await post(url, sent));
  const last = first.action.startsWith('/')
    ? readForm(await post(new URL(first.action, url).href, { ...first.fields, act }))
    : first;
  return { url: last.action, fields: last.fields };
}

async function post(url: string, fields: Record<string, string>): Promise<string> {
  const response = await fetch(url, { method: 'POST', body: new URLSearchParams(fields) });
  if (!response.ok) throw new Error(`The bank answers with HTTP ${response.status}`);
  return response.text();
}
