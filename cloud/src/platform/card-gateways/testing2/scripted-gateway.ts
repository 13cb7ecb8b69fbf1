import { newId } from '@hlid/node/new-id';
import type { ReceiptCard } from '@hlid/protocol/records/payment';
import { z } from 'zod';
import { Card } from '../card.ts';
import type {
  Authentication,
  Beginning,
  CardGateway,
  CardSource,
  ChargeOutcome,
  Declined,
  Finding,
  GatewayDiagnosis,
  GatewayOrder,
  GatewayState,
  GatewayTransaction,
  RefundOutcome,
} from '../gateway.ts';
import { receiptCardOf, TestBook } from '../testing/test-book.ts';

export const ScriptedSchema = z.strictObject({
  kind: z.literal('testing2'),
  /**
   * `encrypted`: as a provider with a script that encrypts the card in the browser; here it is base64 of the
   * card in JSON.
   */
  cardInput: z.enum(['card', 'encrypted']).default('card'),
});
export type ScriptedOptions = z.infer<typeof ScriptedSchema>;

/** The outcomes of cards, by their last four digits. Every other card is approved. */
export const CARD_SCRIPTS = {
  /** Declined by the bank at the charge. */
  '0002': 'insufficient-funds',
  '0010': 'security',
  /** Declined when 3-D Secure begins. */
  '0028': 'not-authenticated',
  '0036': 'form-challenge',
  '0044': 'script-challenge',
  /** Booked, and the answer is lost; a later question finds it. */
  '0051': 'timeout-after-booking',
  '0069': 'timeout-before-booking',
  /** Booked, and the answer is that the order is a duplicate. */
  '0077': 'duplicate',
  /** Approved for one minor unit more than was ordered. */
  '0085': 'wrong-amount',
  /** The provider cannot be reached when the payment begins. */
  '0093': 'unavailable',
  /** The provider cannot be reached when the card is charged. */
  '0101': 'unavailable-at-charge',
  /** Booked, the answer is lost, and the provider can only take it back. */
  '0119': 'timeout-then-reversed',
  /** Booked, the answer is lost, and the provider has no way to find it out. */
  '0127': 'timeout-for-person',
  /** Approved, and cannot be refunded. */
  '0135': 'no-refund',
  /** The bank requires 3-D Secure again. */
  '0143': 'authenticate-again',
  /** The same as `timeout-after-booking`, and the provider cannot be reached for the first queries. */
  '0150': 'timeout-then-away',
} as const;
export type Script = (typeof CARD_SCRIPTS)[keyof typeof CARD_SCRIPTS] | 'approve';

/** The number of queries for which a provider that is away stays away. */
const QUESTIONS_AWAY = 2;

/** Plays the script of the card: see `CARD_SCRIPTS`. It moves no money. */
export class ScriptedGateway implements CardGateway {
  readonly kind = 'testing2';
  readonly cardInput: 'card' | 'encrypted';
  readonly storesCards = true;
  readonly pageSources = { script: [], connect: [], frame: [], form: ["'self'"] };
  readonly #book: TestBook;
  readonly #questions = new Map<string, number>();

  constructor({ cardInput }: ScriptedOptions, { dataDir }: { dataDir: string }) {
    this.cardInput = cardInput;
    this.#book = new TestBook(dataDir, this.kind);
  }

  async begin(
    _order: GatewayOrder,
    { source, returnUrl }: { source: CardSource | null; returnUrl: string },
  ): Promise<Beginning> {
    if (source === null) {
      if (this.cardInput === 'card') return NO_CARD;
      const tokens = { jwt: newId(), publicKey: 'base64', publicKeyAlias: 'testing2' };
      return { kind: 'tokens', tokens, state: { returnUrl } };
    }
    return this.#start(source, returnUrl);
  }

  async authenticate(
    _order: GatewayOrder,
    { state, source }: { state: GatewayState; source: CardSource },
  ): Promise<Authentication> {
    return this.#start(source, String(state['returnUrl'] ?? ''));
  }

  async readReturn(
    _order: GatewayOrder,
    { state, fields }: { state: GatewayState; fields: Readonly<Record<string, string>> },
  ): Promise<Authentication> {
    if (fields['challenge'] !== state['challenge'] || fields['result'] !== 'authenticated') {
      return NOT_AUTHENTICATED;
    }
    return { kind: 'authenticated', state: { script: 'approve' } };
  }

  async verify(
    _order: GatewayOrder,
    { state, threedsToken }: { state: GatewayState; threedsToken: string },
  ): Promise<Authentication> {
    if (threedsToken !== state['challenge']) return NOT_AUTHENTICATED;
    return { kind: 'authenticated', state: { script: 'approve' } };
  }

  async charge(
    order: GatewayOrder,
    { state, source, storeCard }: { state: GatewayState; source: CardSource; storeCard: boolean },
  ): Promise<ChargeOutcome> {
    const card = cardOf(source);
    if (card === null) return NO_CARD;
    const script = typeof state['script'] === 'string' ? state['script'] : scriptOf(source);
    switch (script as Script) {
      case 'insufficient-funds':
        return { kind: 'declined', reason: 'insufficient-funds', code: '51' };
      case 'security':
        return { kind: 'declined', reason: 'security', code: '43' };
      case 'unavailable-at-charge':
        return { kind: 'unavailable', problem: 'no connection' };
      case 'authenticate-again':
        return { kind: 'authenticate-again', code: 'AD' };
      case 'timeout-before-booking':
        return { kind: 'unknown', problem: 'timeout' };
      case 'timeout-after-booking':
      case 'timeout-then-reversed':
      case 'timeout-for-person':
      case 'timeout-then-away':
        this.#book.charge(order, card);
        return { kind: 'unknown', problem: 'timeout' };
      case 'duplicate':
        this.#book.charge(order, card);
        return { kind: 'unknown', problem: 'duplicate' };
      case 'wrong-amount':
        return { kind: 'approved', transaction: this.#book.charge(order, card, order.amountMinor + 1) };
      default:
        return this.#approve(order, { card, script: String(script), storeCard });
    }
  }

  async findOut(
    order: GatewayOrder,
    { state, refundId }: { state: GatewayState; refundId: string },
  ): Promise<Finding> {
    const asked = (this.#questions.get(order.id) ?? 0) + 1;
    this.#questions.set(order.id, asked);
    const { script } = state;
    if (script === 'timeout-for-person') return { kind: 'needs-person', problem: 'no way to find out' };
    if (script === 'timeout-then-away' && asked <= QUESTIONS_AWAY) {
      return { kind: 'unavailable', problem: 'no connection' };
    }
    const finding = this.#book.find(order.id);
    if (script !== 'timeout-then-reversed' || finding.kind !== 'booked') return finding;
    this.#book.refund(order.id, { id: refundId, amountMinor: finding.transaction.amountMinor });
    return { kind: 'reversed' };
  }

  async refund(
    order: GatewayOrder,
    transaction: GatewayTransaction,
    refund: { id: string; amountMinor: number },
  ): Promise<RefundOutcome> {
    if (transaction.state['script'] === 'no-refund') return { kind: 'not-possible', code: 'T2' };
    return this.#book.refund(order.id, refund);
  }

  async forget(token: string): Promise<void> {
    this.#book.forget(token);
  }

  async diagnose(): Promise<GatewayDiagnosis> {
    return {
      problem: null,
      lines: ['It plays what the last four digits of a card say, and moves no money.'],
    };
  }

  #start(source: CardSource, returnUrl: string): Authentication {
    if (cardOf(source) === null) return NO_CARD;
    const script = scriptOf(source);
    const challenge = newId();
    switch (script) {
      case 'not-authenticated':
        return NOT_AUTHENTICATED;
      case 'unavailable':
        return { kind: 'unavailable', problem: 'no connection' };
      case 'form-challenge': {
        const form = { html: null, url: returnUrl, fields: challengeFields(challenge), scripts: [] };
        return { kind: 'challenge', challenge: { kind: 'form', form }, state: { script, challenge } };
      }
      case 'script-challenge': {
        const step = {
          kind: 'script',
          acsUrl: returnUrl,
          payload: challenge,
          transactionId: challenge,
        } as const;
        return { kind: 'challenge', challenge: step, state: { script, challenge } };
      }
      default:
        return { kind: 'authenticated', state: { script } };
    }
  }

  #approve(
    order: GatewayOrder,
    { card, script, storeCard }: { card: ReceiptCard; script: string; storeCard: boolean },
  ): ChargeOutcome {
    const booked = this.#book.charge(order, card);
    const transaction = { ...booked, state: { script } };
    if (!storeCard) return { kind: 'approved', transaction };
    const token = { token: `testing2 ${script} ${newId()}`, card, expires: null };
    this.#book.storeCard(order.id, token.token);
    return { kind: 'approved', transaction, token };
  }
}

const NO_CARD: Declined = { kind: 'declined', reason: 'card-data', code: 'no-card' };
const NOT_AUTHENTICATED: Declined = { kind: 'declined', reason: 'not-authenticated', code: null };

/** A browser that posts the form as it is has passed the challenge. */
function challengeFields(challenge: string) {
  return [
    { name: 'challenge', value: challenge },
    { name: 'result', value: 'authenticated' },
  ];
}

/** A token carries its script: `testing2 <script> <id>`. */
function scriptOf(source: CardSource): Script {
  if (source.kind === 'token') return (source.token.split(' ')[1] ?? 'approve') as Script;
  const ending = cardOf(source)?.lastFour ?? '';
  return Object.entries(CARD_SCRIPTS).find(([digits]) => digits === ending)?.[1] ?? 'approve';
}

function cardOf(source: CardSource): ReceiptCard | null {
  if (source.kind !== 'encrypted') return receiptCardOf(source);
  const card = decrypted(source.encryptedCard);
  return card && receiptCardOf({ kind: 'card', card });
}

const TypedCardSchema = z.object({ number: z.string(), expire: z.string(), ccv: z.string().optional() });

function decrypted(encryptedCard: string): Card | null {
  try {
    const typed = TypedCardSchema.parse(JSON.parse(Buffer.from(encryptedCard, 'base64').toString()));
    const card = Card.read(typed);
    return card instanceof Card ? card : null;
  } catch {
    return null;
  }
}
