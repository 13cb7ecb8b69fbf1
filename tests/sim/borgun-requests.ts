import { z } from 'zod';

/** The requests that Borgun's documents describe, and nothing else. */
const month = z.string().regex(/^(?:0[1-9]|1[0-2])$/);
const year = z.string().regex(/^20\d\d$/);
const pan = z.string().regex(/^\d{13,19}$/);
const currency = z.enum(['352', '978', '840', '826', '208', '578', '752']);
const card = { PAN: pan, ExpMonth: month, ExpYear: year };
const metadata = z.strictObject({ Payload: z.string() }).optional();

const MethodSchema = z.discriminatedUnion('PaymentType', [
  z.strictObject({
    PaymentType: z.literal('Card'),
    ...card,
    CVC2: z
      .string()
      .regex(/^\d{3,4}$/)
      .optional(),
  }),
  z.strictObject({ PaymentType: z.literal('TokenSingle'), Token: z.string() }),
  z.strictObject({ PaymentType: z.literal('TokenMulti'), Token: z.string() }),
]);
export const SingleTokenSchema = z.strictObject({
  ...card,
  TokenLifetime: z.int().min(1),
  Metadata: metadata,
});
export const MultiTokenSchema = z.union([
  z.strictObject({ ...card, Metadata: metadata }),
  z.strictObject({ TokenSingle: z.string(), Metadata: metadata }),
]);
export const EnrollmentSchema = z.strictObject({
  CardDetails: MethodSchema,
  PurchAmount: z.int().min(1),
  Exponent: z.union([z.literal(0), z.literal(2)]),
  Currency: currency,
  // Borgun refuses addresses with a query.
  TermUrl: z.url().regex(/^[^?]+$/),
  MD: z.string().min(1).max(254),
  Description: z.string().max(125).optional(),
  TDS2ThreeDSMethodNotificationURL: z.url().optional(),
});
export const SecondEnrollmentSchema = z.strictObject({
  XId: z.string(),
  TxId: z.string(),
  TDS2ThreeDSCompInd: z.enum(['Y', 'N', 'U']),
});
export const ValidationSchema = z.union([
  z.strictObject({ PARes: z.string() }),
  z.strictObject({ CRes: z.string() }),
]);
export const PaymentSchema = z.strictObject({
  TransactionType: z.enum(['Sale', 'PreAuthorization']),
  // Two decimals, and krónur have none.
  Amount: z.int().min(100).multipleOf(100),
  Currency: currency,
  TransactionDate: z.string().regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/),
  OrderId: z.string().regex(/^[A-Z\d]{12}$/),
  PaymentMethod: MethodSchema,
  ThreeDSecure: z.strictObject({ DataType: z.literal('Token'), MpiToken: z.string() }).optional(),
  Metadata: metadata,
});
export const RefundSchema = z.strictObject({ PartialAmount: z.int().min(1).optional() });
