import type {
  CardSource,
  ChargeOutcome,
  GatewayOrder,
  GatewayState,
} from '@hlid/cloud/platform/card-gateways/gateway';
import { utcTime } from '@hlid/protocol/base/utc-time';
import { afterEach, beforeEach, expect } from 'vitest';
import type { VerifoneCard } from './verifone-gateway-books.ts';
import { startVerifoneRig, type VerifoneRig } from './verifone-gateway-rig.ts';

export const AMOUNT = 1500;

export function newOrder(fields: Partial<GatewayOrder> = {}): GatewayOrder {
  return {
    id: crypto.randomUUID(),
    amountMinor: AMOUNT,
    currency: 'ISK',
    language: 'is',
    email: 'driver@example.is',
    createdAt: utcTime(Date.now()),
    ...fields,
  };
}

interface Paying {
  state: GatewayState;
  source: CardSource;
}

/** A driver who pays with a simulated Verifone, which is new for each test. */
class VerifoneDriver {
  /** The time of the gateway's clock. */
  now = Date.now();
  #rig: VerifoneRig | null = null;

  get rig(): VerifoneRig {
    if (!this.#rig) throw new Error('Nothing is started');
    return this.#rig;
  }

  /** Again, with other settings. */
  async start(settings: object = {}): Promise<void> {
    await this.#rig?.close();
    this.#rig = await startVerifoneRig({ settings, clock: { now: () => new Date(this.now) } });
  }

  async begin(order: GatewayOrder) {
    const begun = await this.rig.gateway.begin(order);
    if (begun.kind !== 'tokens') throw new Error(JSON.stringify(begun));
    return begun;
  }

  async authenticate(order: GatewayOrder, card: VerifoneCard | CardSource) {
    const { state } = await this.begin(order);
    const source = typeof card === 'string' ? await this.rig.encrypt(card) : card;
    const sessionId = this.rig.sessionId();
    return { step: await this.rig.gateway.authenticate(order, { state, source, sessionId }), source };
  }

  async authenticated(order: GatewayOrder, card: VerifoneCard = 'good'): Promise<Paying> {
    const { step, source } = await this.authenticate(order, card);
    if (step.kind !== 'authenticated') throw new Error(JSON.stringify(step));
    return { state: step.state, source };
  }

  async challenged(order: GatewayOrder, act: 'accept' | 'refuse' = 'accept') {
    const { step, source } = await this.authenticate(order, 'challenged');
    if (step.kind !== 'challenge') throw new Error(JSON.stringify(step));
    const answer = await this.rig.answerChallenge(step.challenge, act);
    return { state: step.state, source, threedsToken: answer.kind === 'script' ? answer.threedsToken : '' };
  }

  charge(order: GatewayOrder, paying: Paying, storeCard = false): Promise<ChargeOutcome> {
    return this.rig.gateway.charge(order, { ...paying, storeCard, initiator: 'driver' });
  }

  async paid(order = newOrder(), storeCard = false) {
    const outcome = await this.charge(order, await this.authenticated(order), storeCard);
    if (outcome.kind !== 'approved') throw new Error(JSON.stringify(outcome));
    return outcome;
  }

  /** How many payments have been sent. */
  sentPayments(): number {
    return this.rig.sim.calls.filter((call) => call === 'pay').length;
  }
}

export function useVerifone(): VerifoneDriver {
  const driver = new VerifoneDriver();
  beforeEach(async () => {
    driver.now = Date.now();
    await driver.start();
  });
  afterEach(async () => {
    await driver.rig.close();
    expect(driver.rig.complaints()).toEqual([]);
  });
  return driver;
}
