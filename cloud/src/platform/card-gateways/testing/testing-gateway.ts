import { z } from 'zod';
import type {
  Authentication,
  Beginning,
  CardGateway,
  CardSource,
  ChargeOutcome,
  Finding,
  GatewayDiagnosis,
  GatewayOrder,
  GatewayTransaction,
  RefundOutcome,
} from '../gateway.ts';
import { receiptCardOf, TestBook } from './test-book.ts';

export const TestingSchema = z.strictObject({ kind: z.literal('testing') });
export type TestingOptions = z.infer<typeof TestingSchema>;

/** Approves every card without 3-D Secure, and moves no money. */
export class TestingGateway implements CardGateway {
  readonly kind = 'testing';
  readonly cardInput = 'card';
  readonly storesCards = true;
  readonly pageSources = { script: [], connect: [], frame: [], form: [] };
  readonly #book: TestBook;

  constructor(_options: TestingOptions, { dataDir }: { dataDir: string }) {
    this.#book = new TestBook(dataDir, this.kind);
  }

  async begin(
    _order: GatewayOrder,
    { source }: { source: CardSource | null },
  ): Promise<Beginning & Authentication> {
    if (source === null || source.kind === 'encrypted') return NO_CARD;
    return { kind: 'authenticated', state: {} };
  }

  async charge(
    order: GatewayOrder,
    { source, storeCard }: { source: CardSource; storeCard: boolean },
  ): Promise<ChargeOutcome> {
    const card = receiptCardOf(source);
    if (card === null) return NO_CARD;
    const transaction = this.#book.charge(order, card);
    const token = { token: `testing-${transaction.transactionId}`, card, expires: null };
    return { kind: 'approved', transaction, ...(storeCard && { token }) };
  }

  async findOut(order: GatewayOrder): Promise<Finding> {
    return this.#book.find(order.id);
  }

  async refund(
    order: GatewayOrder,
    _transaction: GatewayTransaction,
    refund: { id: string; amountMinor: number },
  ): Promise<RefundOutcome> {
    return this.#book.refund(order.id, refund);
  }

  async diagnose(): Promise<GatewayDiagnosis> {
    return { problem: null, lines: ['It approves every card, and moves no money.'] };
  }
}

const NO_CARD = { kind: 'declined', reason: 'card-data', code: 'no-card' } as const;
