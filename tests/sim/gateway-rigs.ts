import type { CardGateway, CardSource, Challenge } from '@hlid/cloud/platform/card-gateways/gateway';
import type { GatewayKindName } from '@hlid/cloud/platform/card-gateways/gateway-kinds';
import type { Clock } from '@hlid/node/clock';
import { startBorgunRig } from './borgun-rig.ts';
import type { ProviderFault } from './provider-server.ts';
import { startStripeRig } from './stripe-rig.ts';
import { startValitorRig } from './valitor-gateway-rig.ts';
import { startVerifoneRig } from './verifone-gateway-rig.ts';

/** A card in the driver's hand. */
export type TestCard =
  /** Approved; its bank makes no challenge, if the provider learns that beforehand. */
  | 'good'
  /** Approved, after a challenge. */
  | 'challenged'
  | 'refused'
  | 'no-funds'
  | 'expired'
  /** Reported as stolen. */
  | 'stolen'
  /** Its bank authenticates the driver, and demands it again at the payment. */
  | 'authenticate-again';

/** The faults of the next charge, and whether the provider books it. */
export const CHARGE_FAULTS = [
  { fault: 'silent-after-booking', books: true },
  { fault: 'silent-before-booking', books: false },
  { fault: 'reset-after-booking', books: true },
  { fault: 'reset-before-booking', books: false },
  { fault: 'error-after-booking', books: true },
  { fault: 'error-before-booking', books: false },
  { fault: 'garbage-after-booking', books: true },
  { fault: 'garbage-before-booking', books: false },
  { fault: 'cut-after-booking', books: true },
  { fault: 'cut-before-booking', books: false },
  { fault: 'endless-after-booking', books: true },
  { fault: 'endless-before-booking', books: false },
] as const;
export type ChargeFault = (typeof CHARGE_FAULTS)[number]['fault'];

/** The same at every provider. */
export function providerFault(fault: ChargeFault | ProviderFault): ProviderFault {
  if (typeof fault !== 'string') return fault;
  const [kind, when] = fault.split('-', 2);
  const acts = when === 'after';
  switch (kind) {
    case 'silent':
    case 'reset':
    case 'error':
    case 'garbage':
    case 'cut':
    case 'endless':
      return { kind, acts };
    default:
      throw new Error(`no such fault: ${fault}`);
  }
}

/** Posts a form of the bank to us, as the browser does. */
export type PostForm = (url: string, fields: Readonly<Record<string, string>>) => Promise<void>;

/** The bank's answer to the browser at the end of a challenge. */
export type BankAnswer =
  /** The form that it posts to `url`, which is our `returnUrl`. */
  | { kind: 'form'; url: string; fields: Record<string, string> }
  /** The token of the provider's script. */
  | { kind: 'script'; threedsToken: string };

interface GatewayBooks {
  /** Taken and not given back. */
  takenMinor: number;
  /** Payments that it has booked. */
  charges: number;
}

/** An adapter at its simulated provider: what every provider can be made to do. */
export interface GatewayRig {
  readonly gateway: CardGateway;
  /** The same merchant's adapter in another process. */
  again(): CardGateway;
  /**
   * The settings in cloud.yaml of a gateway at this provider, with the secrets that are otherwise in the
   * environment.
   */
  readonly settings: Readonly<Record<string, unknown>> & { kind: GatewayKindName };
  /** Numbers of the cards in use, and their security codes where they are long enough to be searched for. */
  readonly secrets: readonly string[];
  /** The card as the page sends it to us. */
  source(card: TestCard): Promise<CardSource>;
  /**
   * The session of the provider's script on the page that got these tokens, or else the newest; null: there
   * is none.
   */
  sessionId(tokens?: Readonly<Record<string, string>>): string | null;
  /** The driver at the bank's page. */
  answerChallenge(challenge: Challenge, act: 'accept' | 'refuse'): Promise<BankAnswer>;
  failNextCharge(fault: ChargeFault | ProviderFault): void;
  /** The same merchant's adapter, which looks for the provider at another address. */
  at(origin: string): CardGateway;
  /** The next charge is delayed until it is released, even if its answer is no longer awaited. */
  holdNextCharge(): void;
  release(): void;
  /** The bank's form for the next challenge comes before the provider has answered us. Absent: it has no such form. */
  callBackFirst?(post: PostForm): void;
  /** Other faults of this provider at the next charge. */
  readonly ownFaults: readonly (() => void)[];
  /** The next refund, or reversal, is booked and its answer lost. */
  loseNextRefund(): void;
  /** The next charge is booked by another amount, or its approval names another amount or currency. */
  misstateNextCharge(lie: { amountMinor?: number; currency?: string }): void;
  /** Closes the provider's address from now on, or opens it again. */
  setAway(away: boolean): Promise<void>;
  books(): GatewayBooks;
  /** The faults that the provider found in requests: in their format, not their content. */
  complaints(): readonly string[];
  /** All that the adapter has logged; absent: it has no log. */
  log?(): string;
  close(): Promise<void>;
}

/** The abilities of a provider: without one, the contract expects the honest answer instead. */
export interface GatewayAbilities {
  storesCards: boolean;
  refundsParts: boolean;
  /** Its approvals name amount and currency. */
  statesAmounts: boolean;
  /** Its results distinguish a payment that needs authentication from a refused one. */
  asksToAuthenticateAgain: boolean;
}

/** One line for each provider. */
export const GATEWAY_RIGS: readonly (GatewayAbilities & {
  kind: string;
  /** @param clock of the provider and of the rig's gateway */
  start(clock?: Clock): Promise<GatewayRig>;
})[] = [
  {
    kind: 'borgun',
    start: () => startBorgunRig(),
    storesCards: true,
    refundsParts: true,
    statesAmounts: true,
    asksToAuthenticateAgain: false,
  },
  {
    kind: 'stripe',
    start: (clock?: Clock) => startStripeRig(clock && { clock }),
    storesCards: true,
    refundsParts: true,
    statesAmounts: true,
    asksToAuthenticateAgain: true,
  },
  {
    kind: 'valitor-pay',
    start: (clock?: Clock) => startValitorRig({}, clock),
    storesCards: true,
    refundsParts: true,
    statesAmounts: true,
    asksToAuthenticateAgain: true,
  },
  {
    kind: 'verifone',
    start: (clock?: Clock) => startVerifoneRig(clock && { clock }),
    storesCards: true,
    refundsParts: true,
    asksToAuthenticateAgain: true,
    // Its approvals name the amount, but no currency.
    statesAmounts: false,
  },
];
