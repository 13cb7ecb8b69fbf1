import { BorgunGateway, BorgunSchema } from '@hlid/cloud/platform/card-gateways/borgun/borgun-gateway';
import { Card } from '@hlid/cloud/platform/card-gateways/card';
import type { CardSource, Challenge } from '@hlid/cloud/platform/card-gateways/gateway';
import { cardNumber, type SimCardName } from './borgun-books.ts';
import { BORGUN_SIM_KEY, BorgunSimulator } from './borgun-gateway.ts';
import type { BorgunCall } from './borgun-service.ts';
import { type GatewayRig, providerFault } from './gateway-rigs.ts';

const CODE = '012';
/** Short enough for a test, and long enough for a busy machine. */
const TIMEOUT_MS = 1500;
/** The calls that take money. */
const BOOKINGS: readonly BorgunCall[] = ['sale', 'capture'];

export interface BorgunRig extends GatewayRig {
  readonly sim: BorgunSimulator;
  readonly gateway: BorgunGateway;
  card(name: SimCardName): CardSource;
  /** The same merchant after a restart, in another cloud, or with other settings. */
  again(settings?: object): BorgunGateway;
}

export async function startBorgunRig(): Promise<BorgunRig> {
  const sim = new BorgunSimulator();
  await sim.start();
  const { address } = sim;
  const base = { kind: 'borgun' as const, address, privateKey: BORGUN_SIM_KEY, timeoutMs: TIMEOUT_MS };
  const again = (settings: object = {}) => new BorgunGateway(BorgunSchema.parse({ ...base, ...settings }));
  const used = new Set<SimCardName>();
  const card = (name: SimCardName): CardSource => {
    used.add(name);
    const read = Card.read({ number: cardNumber(name), ccv: CODE, expire: nextYear() });
    if (!(read instanceof Card)) throw new Error(`no card: ${read.mistakes}`);
    return { kind: 'card', card: read };
  };
  return {
    sim,
    gateway: again(),
    settings: base,
    card,
    again,
    at: (origin) => again({ address: `${origin}/rpg` }),
    get secrets() {
      return [...used].map(cardNumber);
    },
    async source(name) {
      if (name === 'authenticate-again') throw new Error('Borgun has no such result');
      return card(name);
    },
    sessionId: () => null,
    async answerChallenge(challenge, act) {
      return { kind: 'form', ...(await answerBank(challenge, act)) };
    },
    failNextCharge: (fault) => sim.fail(BOOKINGS, providerFault(fault)),
    holdNextCharge: () => sim.fail(BOOKINGS, { kind: 'held' }),
    release: () => sim.release(),
    callBackFirst: (post) => sim.callBackFirst(post),
    ownFaults: [
      () => sim.fail(BOOKINGS, { kind: 'cut', acts: true }),
      () => sim.fail(BOOKINGS, { kind: 'cut', acts: false }),
      () => sim.fail(BOOKINGS, { kind: 'unauthorized', acts: false }),
    ],
    loseNextRefund: () => sim.fail(['refund'], { kind: 'reset', acts: true }),
    misstateNextCharge({ amountMinor, currency }) {
      const lie = {
        ...(amountMinor !== undefined && { Amount: amountMinor * 100 }),
        ...(currency === 'EUR' && { Currency: '978' }),
      };
      sim.fail(BOOKINGS, { kind: 'says', body: lie });
    },
    setAway: (away) => (away ? sim.stop() : sim.start()),
    books: () => ({ takenMinor: sim.books.takenMinor(), charges: sim.books.charges() }),
    complaints: () => sim.complaints,
    close: () => sim.stop(),
  };
}

/**
 * Answers the bank like a browser: posts the form, the driver decides, and the bank's page posts the result
 * to us.
 */
async function answerBank(challenge: Challenge, act: 'accept' | 'refuse') {
  if (challenge.kind !== 'form') throw new Error('a script');
  const { url, fields } = challenge.form;
  const sent = Object.fromEntries(fields.map(({ name, value }) => [name, value]));
  const first = formOf(await post(url, sent));
  return first.hasButtons ? formOf(await post(url, { ...first.fields, act })) : first;
}

async function post(url: string, fields: Record<string, string>): Promise<string> {
  const response = await fetch(url, { method: 'POST', body: new URLSearchParams(fields) });
  return response.text();
}

function formOf(html: string) {
  const fields = [...html.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)">/g)];
  return {
    url: /<form[^>]* action="([^"]*)"/.exec(html)?.[1] ?? '',
    fields: Object.fromEntries(fields.map(([, name = '', value = '']) => [name, value])),
    hasButtons: html.includes('<button'),
  };
}

function nextYear(): string {
  return `12/${new Date().getFullYear() + 1}`;
}
