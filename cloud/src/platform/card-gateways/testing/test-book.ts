import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  statSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import type { ReceiptCard } from '@hlid/protocol/records/payment';
import { z } from 'zod';
import type { CardSource, Finding, GatewayOrder, GatewayTransaction, RefundOutcome } from '../gateway.ts';

const LineSchema = z.union([
  z.strictObject({
    charge: z.string(),
    amountMinor: z.int(),
    currency: z.string(),
    card: z.custom<ReceiptCard>((card) => typeof card === 'object'),
  }),
  z.strictObject({ refund: z.string(), of: z.string(), amountMinor: z.int() }),
  z.strictObject({ token: z.string(), of: z.string() }),
  z.strictObject({ forgotten: z.string() }),
]);
type Line = z.infer<typeof LineSchema>;

/** The booking of an order by a test gateway. */
export interface BookedCharge {
  amountMinor: number;
  currency: string;
  card: ReceiptCard;
  /** The refunds by their ids. */
  refunds: Map<string, number>;
}

/**
 * The books of a test gateway: a file of lines, one for each booking, so that they survive the cloud as those of a
 * provider do.
 */
export class TestBook {
  readonly #path: string;
  readonly #charges = new Map<string, BookedCharge>();
  /** Tokens of stored cards, by the id of the order that stored them. */
  readonly #tokens = new Map<string, string>();
  /** The bytes of the file that are read. */
  #size = 0;

  constructor(dataDir: string, kind: string) {
    this.#path = join(dataDir, `${kind}-gateway.jsonl`);
  }

  charge(order: GatewayOrder, card: ReceiptCard, amountMinor = order.amountMinor): GatewayTransaction {
    this.#read();
    // A provider refuses the same idempotency key for a second payment.
    if (this.#charges.has(order.id)) throw new Error(`order ${order.id} is charged twice`);
    this.#write({ charge: order.id, amountMinor, currency: order.currency, card });
    return transactionOf(order.id, { amountMinor, currency: order.currency, card });
  }

  find(orderId: string): Finding {
    const charge = this.#charge(orderId);
    if (charge === null) return { kind: 'not-booked' };
    if (charge.amountMinor <= refundedMinor(charge)) return { kind: 'reversed' };
    const token = this.#tokens.get(orderId);
    const stored = token !== undefined && { token: { token, card: charge.card, expires: null } };
    return { kind: 'booked', transaction: transactionOf(orderId, charge), ...stored };
  }

  storeCard(orderId: string, token: string): void {
    this.#write({ token, of: orderId });
  }

  /** Forgets a token; repeating it changes nothing. */
  forget(token: string): void {
    this.#read();
    if (this.tokens().includes(token)) this.#write({ forgotten: token });
  }

  /** Tokens of cards that are stored and not forgotten. */
  tokens(): string[] {
    this.#read();
    return [...this.#tokens.values()];
  }

  refund(orderId: string, { id, amountMinor }: { id: string; amountMinor: number }): RefundOutcome {
    const charge = this.#charge(orderId);
    if (charge === null) return { kind: 'not-possible', code: 'not-found' };
    if (charge.refunds.has(id)) return { kind: 'already-refunded' };
    if (refundedMinor(charge) + amountMinor > charge.amountMinor) {
      return { kind: 'not-possible', code: 'too-much' };
    }
    this.#write({ refund: id, of: orderId, amountMinor });
    return { kind: 'refunded' };
  }

  /** The sum of all charges less refunds, in minor units of one currency. */
  totalMinor(): number {
    this.#read();
    let total = 0;
    for (const charge of this.#charges.values()) total += charge.amountMinor - refundedMinor(charge);
    return total;
  }

  /** All that was booked, by the id of the order. */
  charges(): ReadonlyMap<string, BookedCharge> {
    this.#read();
    return this.#charges;
  }

  #charge(orderId: string): BookedCharge | null {
    this.#read();
    return this.#charges.get(orderId) ?? null;
  }

  #read(): void {
    // Another process may have written too.
    const size = existsSync(this.#path) ? statSync(this.#path).size : 0;
    if (size === this.#size) return;
    this.#size = size;
    this.#charges.clear();
    this.#tokens.clear();
    for (const text of readFileSync(this.#path, 'utf8').split('\n')) {
      // A power cut leaves half of the last line.
      if (text.endsWith('}')) this.#apply(LineSchema.parse(JSON.parse(text)));
    }
  }

  #write(line: Line): void {
    mkdirSync(join(this.#path, '..'), { recursive: true });
    const file = openSync(this.#path, 'a', 0o600);
    try {
      writeSync(file, `${JSON.stringify(line)}\n`);
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    this.#read();
  }

  #apply(line: Line): void {
    if ('charge' in line) {
      const { charge: id, ...booked } = line;
      this.#charges.set(id, { ...booked, refunds: new Map() });
    } else if ('refund' in line) {
      this.#charges.get(line.of)?.refunds.set(line.refund, line.amountMinor);
    } else if ('token' in line) {
      this.#tokens.set(line.of, line.token);
    } else {
      const [order] = [...this.#tokens].find(([, token]) => token === line.forgotten) ?? [];
      if (order !== undefined) this.#tokens.delete(order);
    }
  }
}

function refundedMinor({ refunds }: BookedCharge): number {
  return [...refunds.values()].reduce((sum, amountMinor) => sum + amountMinor, 0);
}

function transactionOf(
  orderId: string,
  { amountMinor, currency, card }: Pick<BookedCharge, 'amountMinor' | 'currency' | 'card'>,
): GatewayTransaction {
  const authorizationId = orderId.replaceAll(/\D/g, '').slice(0, 6).padStart(6, '0');
  return { transactionId: `test-${orderId}`, authorizationId, amountMinor, currency, card, state: {} };
}

/** The card as a receipt shows it; null: only the provider's own script could decrypt it. */
export function receiptCardOf(source: CardSource): ReceiptCard | null {
  switch (source.kind) {
    case 'card':
      return source.card.receiptCard();
    case 'token':
      return { type: 'other', lastFour: null };
    case 'encrypted':
      return null;
    default:
      return source satisfies never;
  }
}
