import type { ReceiptCard } from '@hlid/protocol/records/payment';
import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import type { GatewayState, GatewayTransaction, StoredToken } from '../../platform/card-gateways/gateway.ts';
import { compactId } from '../../platform/db/compact-columns.ts';
import { sql } from '../../platform/db/sql.ts';
import { WorkQueue, workColumns, workIndexes } from '../../platform/jobs/work-queue.ts';
import type { Fee } from '../invoices/fee.ts';

/** How far 3-D Secure is. `tokens`: the browser encrypts the card; `form` and `script`: a challenge is open. */
export type AuthenticationStep = 'begun' | 'tokens' | 'form' | 'script' | 'authenticated';

/**
 * The payer's proof of the stay, weakest first. `typed`: a plate, as anybody can type it. `proved`: a link, a
 * kiosk's code, the time of entry, or an account of the offices. `vehicle`: the card that its driver has
 * stored for the vehicle.
 */
export const PAYER_CLAIMS = ['typed', 'proved', 'vehicle'] as const;
export type PayerClaim = (typeof PAYER_CLAIMS)[number];

/**
 * The data of an online payment beside its row in `payment`, which has its state, amount and visit. No card
 * number, security code or encrypted card is ever stored.
 */
export const onlinePaymentTable = sqliteTable(
  'online_payment',
  {
    id: compactId('id').primaryKey(),
    /** The id of the gateway in the configuration. */
    gatewayId: text('gateway_id').notNull(),
    /** The payer: a caller of the API, or a driver with a pay link. */
    by: text('by').notNull(),
    /** A payment without a charge gives way to one with as good a claim. */
    claim: text('claim').$type<PayerClaim>().notNull(),
    /** Null: the visit's. */
    customerId: text('customer_id'),
    payerName: text('payer_name'),
    email: text('email'),
    inAdvance: integer('in_advance', { mode: 'boolean' }).notNull(),
    /**
     * The units and money that had been met of the visit when the payment was ordered: if it is more by now,
     * the payment is not due.
     */
    unitsMet: integer('units_met').notNull(),
    paidMinor: integer('paid_minor').notNull(),
    fees: text('fees', { mode: 'json' }).$type<Fee[]>().notNull(),
    /** Stands in the signatures of its references. */
    nonce: text('nonce').notNull(),
    /** When its references stop to be valid: a payment that was not sent until then is cancelled. */
    expiresAt: text('expires_at').notNull(),
    /** The path of our own page to go back to after a challenge; null: the page that opened it waits for it. */
    backPath: text('back_path'),
    step: text('step').$type<AuthenticationStep>().notNull(),
    /**
     * The card that was authenticated: only that one is charged. Null: the provider's script has encrypted
     * it.
     */
    card: text('card', { mode: 'json' }).$type<ReceiptCard>(),
    /** `YYYY-MM`. */
    cardExpires: text('card_expires'),
    storeCard: integer('store_card', { mode: 'boolean' }).notNull(),
    /** The data that its adapter must remember. */
    gatewayState: text('gateway_state', { mode: 'json' }).$type<GatewayState>().notNull(),
    /** No request of the charge is sent after this moment; null: the charge has not begun. */
    chargeEndsAt: text('charge_ends_at'),
    /** Null: nothing is known to be booked. */
    booking: text('booking', { mode: 'json' }).$type<GatewayTransaction>(),
    /** The card that the provider has stored, until the account of the driver has it. */
    storedToken: text('stored_token', { mode: 'json' }).$type<StoredToken>(),
    /** Counts up with each change of the steps before the charge: of two at once, one is refused. */
    revision: integer('revision').notNull().default(0),
    // The columns of the resolver. `attempts`: queries to the provider that had no result.
    ...workColumns(),
  },
  (table) => [
    ...workIndexes('online_payment', table),
    // Chargebacks name the provider's transaction.
    index('online_payment_by_transaction').on(table.gatewayId, sql`(booking ->> '$.transactionId')`),
    index('online_payment_unclaimed').on(table.id).where(sql`stored_token IS NOT NULL`),
  ],
);

/**
 * `ordered`: it may have been sent, and the provider is asked. `unclear`: it may have been given, and only a person can find
 * that out. `failed`: the provider gave it, and it came back. Everything but `not-possible` counts as given.
 */
export type RefundState = 'ordered' | 'refunded' | 'not-possible' | 'unclear' | 'failed';

/** Money that goes back, whole or in part: an order that is stored before the provider is called. */
export const onlineRefundTable = sqliteTable(
  'online_refund',
  {
    /** The idempotency key at the provider. */
    id: text('id').primaryKey(),
    paymentId: compactId('payment_id').notNull(),
    amountMinor: integer('amount_minor').notNull(),
    /** Whole: the payment is reversed with it. */
    isWhole: integer('is_whole', { mode: 'boolean' }).notNull(),
    /** The provider's; null: it has not named it. */
    reference: text('reference'),
    state: text('state').$type<RefundState>().notNull(),
    /** A code, or a person's words. */
    reason: text('reason').notNull(),
    by: text('by').notNull(),
    /** The data that its adapter must remember. */
    gatewayState: text('gateway_state', { mode: 'json' }).$type<GatewayState>().notNull(),
    ...workColumns(),
    createdAt: text('created_at').notNull(),
    doneAt: text('done_at'),
    /** When the provider reported that it failed, which is final; null: it did not. */
    failedAt: text('failed_at'),
  },
  (table) => [index('online_refund_by_payment').on(table.paymentId), ...workIndexes('online_refund', table)],
);

export const paymentQueue = new WorkQueue('online_payment', { isCompact: true });
export const refundQueue = new WorkQueue('online_refund');
