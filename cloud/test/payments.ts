import { randomBytes, randomUUID } from 'node:crypto';
import type { Payment, PaymentState } from '@hlid/protocol/records/payment';
import { ingestPayment } from '../src/money/payments/ingest-payment.ts';
import type { TestApi } from './api.ts';

/** A payment as a site reports it; 1000 kr. by a Visa card by default. */
export function samplePayment(fields: Partial<Payment> = {}): Payment {
  return {
    id: randomUUID(),
    visitId: randomUUID(),
    terminalId: 'kiosk-1',
    state: 'settled',
    amountMinor: 1000,
    currency: 'ISK',
    units: 1,
    transaction: {
      reference: '0042',
      authorisation: '123456',
      card: { type: 'visa', lastFour: '4242' },
    },
    reason: null,
    needsPerson: false,
    receipt: ['KVITTUN', 'VISA ************4242'],
    lines: [{ rule: 'unit', units: 1, amountMinor: 1000 }],
    receiptKey: randomBytes(16).toString('base64url'),
    language: 'is',
    createdAt: '2026-11-21T11:00:00.000Z',
    changedAt: '2026-11-21T11:00:30.000Z',
    ...fields,
  };
}

/** The site reports a payment. @returns the reason why it was refused, or null */
export async function reportPayment(
  api: TestApi,
  payment: Payment,
  siteId = api.site.id,
): Promise<string | null> {
  return await api.db.write((tx) => ingestPayment(tx, { siteId, at: api.now() }, payment));
}

/** The site reports a payment's states in order, a second between them. */
export async function reportStates(api: TestApi, payment: Payment, ...states: PaymentState[]): Promise<void> {
  for (const [second, state] of states.entries()) {
    await reportPayment(api, { ...payment, state, changedAt: `2026-11-21T11:00:${30 + second}.000Z` });
  }
}
