import type { CardBrand, ReceiptCard } from '@hlid/protocol/records/payment';
import { z } from 'zod';
import { ThreedsResultSchema } from './verifone-authentication.ts';

/**
 * The id of a transaction or an authentication. It is part of paths and states, so the pattern admits nothing
 * else.
 */
const IdSchema = z.string().regex(/^[\w-]{1,100}$/);
const TextSchema = z
  .string()
  .nullish()
  .transform((text) => text?.trim() || null);
/** The end of a card number, masked or not. Nothing else of it leaves the parser. */
const LastFourSchema = z
  .string()
  .nullish()
  .transform((number) => /(\d{4})\s*$/.exec(number ?? '')?.[1] ?? null);

export const JwtCreatedSchema = z.object({ jwt: z.string().min(1).max(5000) });

/** `lookup`. A challenge needs all of `acs_url`, `payload` and `transaction_id`. */
export const LookupSchema = ThreedsResultSchema.extend({
  authentication_id: IdSchema,
  transaction_id: TextSchema,
  acs_url: TextSchema,
  payload: TextSchema,
});

/** `jwt/validate`. Names as in Verifone's own client: `action_code` is Cardinal's word for the end of the challenge. */
export const ValidatedSchema = z.object({
  authentication_id: IdSchema,
  action_code: z.enum(['SUCCESS', 'NOACTION', 'FAILURE', 'ERROR', 'CANCEL', 'TIMEOUT']).catch('ERROR'),
  validation_result: ThreedsResultSchema.nullish(),
});

const CardDetailsSchema = z
  .object({ masked_card_number: LastFourSchema })
  .nullish()
  .transform((card) => card?.masked_card_number ?? null);

const TokenDetailsSchema = z
  .object({
    reuse_token: z.string().min(14).max(255).nullish(),
    last_four: LastFourSchema,
    brand: TextSchema,
    expiry_month: z.int().min(1).max(12).nullish(),
    expiry_year: z.int().min(2000).max(9999).nullish(),
  })
  .nullish();

/** A payment, a refund or a void, as it stands ("Ecommerce Payment Result"). Amounts are in minor units. */
export const PaymentResultSchema = z
  .object({
    id: IdSchema,
    status: z.string(),
    amount: z.int(),
    blocked: z.boolean().nullish(),
    merchant_reference: TextSchema,
    payment_product: TextSchema,
    payment_product_type: TextSchema,
    authorization_code: TextSchema,
    reason_code: TextSchema,
    arn: TextSchema,
    rrn: TextSchema,
    reversal_status: TextSchema,
    additional_data: z.object({ acquirer_response_code: TextSchema }).nullish(),
    card_details: CardDetailsSchema,
    token_details: TokenDetailsSchema,
    stored_credential: z.object({ reference: TextSchema, scheme_reference: TextSchema }).nullish(),
    scheme_reference: TextSchema,
  })
  .transform(({ card_details, additional_data, ...result }) => ({
    ...result,
    code: additional_data?.acquirer_response_code ?? result.reason_code,
    card: {
      type: brandOf(result.token_details?.brand ?? result.payment_product_type ?? result.payment_product),
      lastFour: card_details ?? result.token_details?.last_four ?? null,
    } satisfies ReceiptCard,
  }));
export type PaymentResult = z.infer<typeof PaymentResultSchema>;

/** The answer to a refund or a void. */
export const ModificationSchema = z.object({ id: IdSchema, status: z.string(), reason_code: TextSchema });

/**
 * The answer to `transactions/reverse`: the documents leave open which transaction `id` and `status` belong
 * to.
 */
export const ReversedSchema = z.object({ id: IdSchema, status: z.string() });

/** A row of the list of transactions: enough to find one. */
const TransactionRowSchema = z.object({
  id: IdSchema,
  parent_id: TextSchema,
  merchant_reference: TextSchema,
  transaction_type: TextSchema,
  transaction_status: TextSchema,
  description: TextSchema,
});
export type TransactionRow = z.infer<typeof TransactionRowSchema>;
export const TransactionListSchema = z.array(TransactionRowSchema);

/** One transaction. Unlike everywhere else, its amount is in major units: `15.00`, or `1500` for ISK. */
export const TransactionSchema = z
  .object({
    id: IdSchema,
    amount: z.union([z.string().regex(/^\d+(\.\d+)?$/), z.number().nonnegative().transform(String)]),
    currency_code: z.string().regex(/^[A-Z]{3}$/),
    merchant_reference: TextSchema,
    transaction_status: TextSchema,
    authorization_code: TextSchema,
    payment_product_type: TextSchema,
    card_brand: TextSchema,
    masked_card_number: LastFourSchema,
    arn: TextSchema,
    rrn: TextSchema,
  })
  .transform(({ masked_card_number, card_brand, payment_product_type, ...transaction }) => ({
    ...transaction,
    card: {
      type: brandOf(card_brand ?? payment_product_type),
      lastFour: masked_card_number,
    } satisfies ReceiptCard,
  }));
export type Transaction = z.infer<typeof TransactionSchema>;

/** `DELETE` answers 204 without a body. */
export const NothingSchema = z.null();

const BRANDS: Readonly<Record<string, CardBrand>> = {
  visa: 'visa',
  mastercard: 'mastercard',
  maestro: 'maestro',
  amex: 'amex',
  'american express': 'amex',
  discover: 'discover',
  'visa electron': 'electron',
};

/** `Visa`, `VISA` or `visa`, by the call. */
function brandOf(product: string | null): CardBrand {
  return BRANDS[product?.toLowerCase().replaceAll('_', ' ') ?? ''] ?? 'other';
}
