import { randomUUID } from 'node:crypto';
import type { CardSource, Challenge } from '@hlid/cloud/platform/card-gateways/gateway';
import { type PayNext, PayNextSchema } from '@hlid/protocol/pages/pay-api';
import { PAY_PATHS } from '@hlid/protocol/pages/pay-paths';
import { deadline } from '@hlid/protocol/test/deadline';
import { z } from 'zod';
import type { GatewayRig, PostForm } from '../sim/gateway-rigs.ts';
import type { SeededRandom } from '../sim/seeded-random.ts';

/** A driver's browser at a cloud. Both calls return null if there is no answer. */
export interface Browser {
  post(path: string, body: object): Promise<unknown>;
  postForm: PostForm;
}

/** The parts of a provider that the driver and the browser see. */
export interface PayingProvider extends Pick<GatewayRig, 'sessionId' | 'answerChallenge'> {
  /** A card, as the page sends it. */
  source(random: SeededRandom): Promise<CardSource>;
}

const ANSWER_WITHIN_MS = 20_000;
let browsers = 0;

/**
 * A separate browser at a cloud that trusts a proxy on this machine. It has a separate address, for the
 * limits of attempts.
 *
 * @param onCall runs before each call
 */
export function browserAt(cloudUrl: string, onCall: (path: string) => void = () => undefined): Browser {
  browsers += 1;
  const headers = { 'x-forwarded-for': `10.0.${browsers >> 8}.${browsers & 255}` };
  const signal = () => AbortSignal.timeout(deadline(ANSWER_WITHIN_MS));
  return {
    async post(path, body) {
      onCall(path);
      const json = { ...headers, 'content-type': 'application/json' };
      const sent = { method: 'POST', headers: json, body: JSON.stringify(body), signal: signal() };
      return await fetch(new URL(path, cloudUrl), sent)
        .then((answer) => answer.json())
        .catch(() => null);
    },
    async postForm(url, fields) {
      onCall(url);
      const sent = { method: 'POST', headers, body: new URLSearchParams(fields), signal: signal() };
      await fetch(url, sent).catch(() => null);
    },
  };
}

const StaysSchema = z.object({ stays: z.array(z.looseObject({ key: z.string() })).min(1) });
const DueSchema = z.looseObject({ amountMinor: z.int(), standing: z.literal('due') });
const NextSchema = z.looseObject({ next: PayNextSchema });
const BROWSER = { language: 'is', screenWidth: 390, screenHeight: 844, colorDepth: 24, timeZoneOffset: 0 };
/** Numbers of equal calls that the browser sends at once; one of them is picked at random. */
const HOW_OFTEN = [0, 1, 1, 1, 1, 2, 3] as const;

/**
 * A driver on the payment page, with everything that browsers do twice, too early or not at all.
 *
 * @returns whether the page had something to pay for
 */
export async function payOnPage(
  browser: Browser,
  provider: PayingProvider,
  random: SeededRandom,
  { siteCode, plate }: { siteCode: string; plate: string },
): Promise<boolean> {
  const { post } = browser;
  const found = StaysSchema.safeParse(await post(PAY_PATHS.find, { siteCode, plate }));
  const stay = found.data?.stays[0]?.key;
  if (stay === undefined) return false;
  const due = DueSchema.safeParse(await post(PAY_PATHS.due, { stay }));
  if (!due.success) return false;
  const payment = randomUUID();
  const source = await provider.source(random);
  const card = sentCard(source);
  const order = { payment, stay, amountMinor: due.data.amountMinor, language: 'is', browser: BROWSER };
  if (random.chance(0.05)) void post(PAY_PATHS.finish, { payment, ...card });
  const ordered = await Promise.all(
    Array.from({ length: random.chance(0.2) ? 2 : 1 }, () =>
      post(PAY_PATHS.order, { ...order, ...('card' in card && card) }),
    ),
  );
  let next = nextOf(ordered);
  if (next?.kind === 'encrypt' && source.kind === 'encrypted') {
    const { encryptedCard, publicKeyAlias } = source;
    const sessionId = provider.sessionId(next.tokens);
    const step = { payment, encryptedCard, publicKeyAlias, sessionId, browser: BROWSER };
    if (random.chance(0.05)) void post(PAY_PATHS.finish, { payment, ...card });
    next = nextOf([await post(PAY_PATHS.authenticate, step)]);
  }
  const threedsToken = await answerBank(browser, provider, random, next);
  if (random.chance(0.05)) void post(PAY_PATHS.cancel, { payment });
  const finish = { payment, ...card, ...(threedsToken !== null && { threedsToken }) };
  const finishes = random.pick(HOW_OFTEN);
  await Promise.all(Array.from({ length: finishes }, () => post(PAY_PATHS.finish, finish)));
  return true;
}

/** Acts at the bank; its answer comes never, once or several times. @returns the token of a script */
async function answerBank(
  { postForm }: Browser,
  provider: PayingProvider,
  random: SeededRandom,
  next: PayNext | null,
): Promise<string | null> {
  const challenge = next && challengeOf(next);
  if (challenge === null) return null;
  const act = random.chance(0.9) ? 'accept' : 'refuse';
  // The bank may be away, as its provider is.
  const answer = await provider.answerChallenge(challenge, act).catch(() => null);
  if (answer?.kind === 'script') return random.chance(0.95) ? answer.threedsToken : 'a.guessed.token';
  if (answer === null) return null;
  await Promise.all(
    Array.from({ length: random.pick(HOW_OFTEN) }, () => postForm(answer.url, answer.fields)),
  );
  return null;
}

function sentCard(source: CardSource): { card: object } | { encrypted: object } {
  if (source.kind === 'encrypted') {
    const { encryptedCard, publicKeyAlias } = source;
    return { encrypted: { encryptedCard, publicKeyAlias } };
  }
  if (source.kind === 'token') throw new Error('The page has no tokens');
  const { number, securityCode, expiryMonth, expiryYear } = source.card;
  const expire = `${String(expiryMonth).padStart(2, '0')}/${expiryYear}`;
  return { card: { number, expire, ccv: securityCode ?? '' } };
}

/** Finds the next step: one of the simultaneous calls is answered with it. */
function nextOf(answers: readonly unknown[]): PayNext | null {
  const next = answers.map((answer) => NextSchema.safeParse(answer).data?.next);
  return next.find((one) => one !== undefined && one.kind !== 'wait') ?? null;
}

function challengeOf(next: PayNext): Challenge | null {
  if (next.kind === 'script') return next;
  if (next.kind !== 'form') return null;
  const { url, fields, scripts } = next;
  return { kind: 'form', form: { html: null, url, fields, scripts } };
}
