import type { CardBrand, ReceiptCard } from '@hlid/protocol/records/payment';
import { z } from 'zod';
import type { GatewayTransaction } from '../gateway.ts';
import { fromStripeAmount } from './stripe-amount.ts';

/** The id is part of paths and states, so the pattern admits nothing else. */
const IdSchema = z.string().regex(/^\w{1,255}$/);
const CodeSchema = z.string().max(100).nullish();
const CurrencySchema = z
  .string()
  .regex(/^[a-z]{3}$/)
  .transform((currency) => currency.toUpperCase());

const ChargeSchema = z.object({
  refunded: z.boolean(),
  payment_method_details: z
    .object({
      card: z
        .object({
          brand: z.string().nullish(),
          last4: z
            .string()
            .regex(/^\d{4}$/)
            .nullish(),
          exp_month: z.int().min(1).max(12).nullish(),
          exp_year: z.int().min(2000).max(9999).nullish(),
          authorization_code: z.string().max(100).nullish(),
        })
        .nullish(),
    })
    .nullish(),
});

/** A payment intent, with its latest charge (`EXPAND`). */
export const IntentSchema = z.object({
  id: IdSchema,
  status: z.string(),
  amount: z.int(),
  amount_received: z.int(),
  currency: CurrencySchema,
  client_secret: z.string().max(500).nullish(),
  customer: IdSchema.nullish(),
  payment_method: IdSchema.nullish(),
  metadata: z.record(z.string(), z.string()),
  latest_charge: z.union([ChargeSchema, IdSchema]).nullish(),
  last_payment_error: z.object({ code: CodeSchema, decline_code: CodeSchema }).nullish(),
});
export type Intent = z.infer<typeof IntentSchema>;

/** The parameter that `IntentSchema` needs: without it, a charge is an id only. */
export const EXPAND = { expand: ['latest_charge'] };

/** A page of a list. */
const listOf = <Row extends z.ZodType>(row: Row) => z.object({ data: z.array(row), has_more: z.boolean() });
export const IntentListSchema = listOf(
  z.object({ id: IdSchema, status: z.string(), metadata: z.record(z.string(), z.string()) }),
);

/** `failed` and `canceled` have given nothing back; `pending` will. */
export const RefundSchema = z.object({
  status: z.string().nullish(),
  metadata: z.record(z.string(), z.string()).nullish(),
  failure_reason: CodeSchema,
});
export const RefundListSchema = listOf(RefundSchema);

export const CustomerSchema = z.object({ id: IdSchema });
export const DomainListSchema = listOf(
  z.object({
    domain_name: z.string(),
    apple_pay: z.object({ status: z.string() }),
    google_pay: z.object({ status: z.string() }),
  }),
);

const BRANDS: readonly CardBrand[] = ['visa', 'mastercard', 'amex', 'discover', 'maestro'];

/** The card of a charge, as far as it is shown. */
export function cardOf(intent: Intent): ReceiptCard {
  const card = cardDetails(intent);
  const type = BRANDS.find((brand) => brand === card?.brand) ?? 'other';
  return { type, lastFour: card?.last4 ?? null };
}

/** `YYYY-MM`; null: it is not given. */
export function expiryOf(intent: Intent): string | null {
  const { exp_month: month, exp_year: year } = cardDetails(intent) ?? {};
  return month && year ? `${year}-${String(month).padStart(2, '0')}` : null;
}

/** The booked transaction; null: its amount is none of the currency. */
export function transactionOf(intent: Intent): GatewayTransaction | null {
  const { id, amount_received, currency } = intent;
  const amountMinor = fromStripeAmount(amount_received, currency);
  if (amountMinor === null) return null;
  const authorizationId = cardDetails(intent)?.authorization_code ?? null;
  return { transactionId: id, authorizationId, amountMinor, currency, card: cardOf(intent), state: {} };
}

/** Whether the whole was given back. */
export function isRefunded({ latest_charge: charge }: Intent): boolean {
  return typeof charge === 'object' && charge?.refunded === true;
}

function cardDetails({ latest_charge: charge }: Intent) {
  return typeof charge === 'object' ? (charge?.payment_method_details?.card ?? null) : null;
}
