import { Card } from '@hlid/cloud/platform/card-gateways/card';
import type { CardSource } from '@hlid/cloud/platform/card-gateways/gateway';
import { type GatewayConfig, namedGatewaySchema } from '@hlid/cloud/platform/card-gateways/gateway-kinds';
import { TestBook } from '@hlid/cloud/platform/card-gateways/testing/test-book';
import type { Script } from '@hlid/cloud/platform/card-gateways/testing2/scripted-gateway';
import { scriptedCard } from '@hlid/cloud/test/scripted-card';
import type { Clock } from '@hlid/node/clock';
import {
  CHARGE_FAULTS,
  type ChargeFault,
  GATEWAY_RIGS,
  type GatewayRig,
  type PostForm,
  type TestCard,
} from '../sim/gateway-rigs.ts';
import type { SeededRandom } from '../sim/seeded-random.ts';
import type { PayingProvider } from './page-driver.ts';

/** Long enough for an answer, and short enough to be waited for often. */
const TIMEOUT_MS = 300;

/** A provider that keeps books, and can misbehave. */
export interface FaultyProvider extends PayingProvider {
  readonly config: GatewayConfig;
  /** Numbers of its cards, and whatever else must be nowhere. */
  secrets(): readonly string[];
  /** The amount that it has taken and not given back. */
  takenMinor(): number;
  charges(): number;
  /** It refunds a part, and can be asked later whether it has. */
  knowsPartRefunds: boolean;
  misbehave(random: SeededRandom, postForm: PostForm): Promise<void>;
  /** Requests on their way arrive there. */
  release(): void;
  /** It answers again, and nothing more arrives late. */
  heal(): Promise<void>;
  complaints(): readonly string[];
  close(): Promise<void>;
}

const AGAIN = ['authenticate-again'] as const;

type StartProvider = (clock: Clock, folder: string, price: number) => Promise<FaultyProvider>;

/** Every provider that moves money at its simulator, and the scripted one. */
export const PAYING_PROVIDERS: readonly [StartProvider, ...StartProvider[]] = [
  async (_clock, folder) => scriptedProvider(folder),
  ...GATEWAY_RIGS.map(
    ({ kind, start, asksToAuthenticateAgain }): StartProvider =>
      async (clock, _folder, price) => {
        const cards: [TestCard, ...TestCard[]] = ['good', 'good', 'good', 'good', 'challenged', 'challenged'];
        cards.push('refused', 'no-funds', 'stolen', ...(asksToAuthenticateAgain ? AGAIN : []));
        return faultyProvider(await start(clock), { kind, cards, price });
      },
  ),
];

function faultyProvider(
  rig: GatewayRig,
  { kind, cards, price }: { kind: string; cards: [TestCard, ...TestCard[]]; price: number },
): FaultyProvider {
  let isAway = false;
  let moved = Promise.resolve();
  /** Changes run one after the other: healing waits for what began before. */
  const setAway = (away: boolean) => {
    moved = moved.then(async () => {
      if (away !== isAway) await rig.setAway(away);
      isAway = away;
    });
    return moved;
  };
  return {
    config: namedGatewaySchema({}).parse({ ...rig.settings, timeoutMs: TIMEOUT_MS }).config,
    source: (random) => rig.source(random.pick(cards)),
    sessionId: (tokens) => rig.sessionId(tokens),
    answerChallenge: (challenge, act) => rig.answerChallenge(challenge, act),
    secrets: () => rig.secrets,
    takenMinor: () => rig.books().takenMinor,
    charges: () => rig.books().charges,
    // Borgun does not report it: a person must find out whether a part was refunded if its answer was lost.
    knowsPartRefunds: kind !== 'borgun',
    async misbehave(random, postForm) {
      const charge: readonly ChargeFault[] = CHARGE_FAULTS.map(({ fault }) => fault);
      const failCharge = () =>
        rig.failNextCharge(random.pick([charge[0] ?? 'silent-after-booking', ...charge]));
      const faults: [() => void | Promise<void>, ...(() => void | Promise<void>)[]] = [
        failCharge,
        failCharge,
        () => rig.callBackFirst?.(postForm),
        () => rig.loseNextRefund(),
        () => rig.misstateNextCharge({ amountMinor: price + 1 }),
        () => rig.holdNextCharge(),
        () => setAway(true),
        ...rig.ownFaults,
      ];
      await random.pick(faults)();
    },
    release: () => rig.release(),
    async heal() {
      rig.release();
      await setAway(false);
    },
    complaints: () => rig.complaints(),
    async close() {
      rig.release();
      await rig.close();
    },
  };
}

const SCRIPTS: readonly [Script, ...Script[]] = [
  ...(['approve', 'approve', 'approve', 'insufficient-funds', 'form-challenge', 'script-challenge'] as const),
  ...(['timeout-after-booking', 'timeout-before-booking', 'duplicate', 'wrong-amount'] as const),
  ...(['unavailable', 'unavailable-at-charge', 'timeout-then-reversed', 'timeout-then-away'] as const),
];

/** A provider with cards that misbehave by themselves. */
function scriptedProvider(folder: string): FaultyProvider {
  const book = () => new TestBook(folder, 'testing2');
  const sourceOf = (script: Script): CardSource => {
    const card = Card.read({ number: scriptedCard(script), ccv: '981', expire: '12/35' });
    if (!(card instanceof Card)) throw new Error(card.mistakes.join());
    return { kind: 'card', card };
  };
  return {
    config: { kind: 'testing2', cardInput: 'card' },
    source: async (random) => sourceOf(random.pick(SCRIPTS)),
    sessionId: () => null,
    async answerChallenge(challenge, act) {
      if (challenge.kind === 'script') {
        return { kind: 'script', threedsToken: act === 'accept' ? challenge.payload : 'refused' };
      }
      const { url, fields } = challenge.form;
      const sent = Object.fromEntries(fields.map(({ name, value }) => [name, value]));
      return { kind: 'form', url, fields: { ...sent, ...(act === 'refuse' && { result: 'no' }) } };
    },
    secrets: () => SCRIPTS.map(scriptedCard),
    takenMinor: () => book().totalMinor(),
    charges: () => book().charges().size,
    knowsPartRefunds: true,
    async misbehave() {},
    release: () => undefined,
    async heal() {},
    complaints: () => [],
    async close() {},
  };
}
