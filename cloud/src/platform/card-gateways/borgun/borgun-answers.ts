import { z } from 'zod';

/** Numbers come with and without quotation marks. */
const CodeSchema = z.union([z.string(), z.number().transform(String)]);
const TextSchema = z
  .string()
  .nullish()
  .transform((text) => text || null);

export const EnrollmentSchema = z
  .object({
    MdStatus: CodeSchema,
    /** Public clients write its name in two ways. */
    MpiToken: TextSchema,
    MPIToken: TextSchema,
    MD: TextSchema,
    XId: TextSchema,
    TxId: CodeSchema.nullish().transform((id) => id || null),
    RedirectToACSForm: TextSchema,
    RedirectToACSData: z.array(z.object({ Name: z.string(), Value: z.string() })).nullish(),
    /** HTML with a form that the browser posts to the bank before the challenge. */
    TDSMethodContent: TextSchema,
  })
  .transform((answer) => ({ ...answer, mpiToken: answer.MpiToken ?? answer.MPIToken }));
export type EnrollmentAnswer = z.infer<typeof EnrollmentSchema>;

export const ValidationSchema = z.object({ MdStatus: CodeSchema, XId: TextSchema });

export const TransactionSchema = z
  .object({
    TransactionId: z.string().regex(/^[\w-]{1,64}$/),
    TransactionStatus: z.string(),
    ActionCode: CodeSchema,
    AuthCode: TextSchema,
    Amount: z.int(),
    Currency: CodeSchema,
    OrderId: z.string(),
    PaymentMethod: z.object({ PAN: TextSchema, CardType: TextSchema }).nullish(),
  })
  .transform(({ PaymentMethod, ...rest }) => ({
    ...rest,
    pan: PaymentMethod?.PAN ?? null,
    cardType: PaymentMethod?.CardType ?? null,
  }));
export type TransactionAnswer = z.infer<typeof TransactionSchema>;

/** The answer to a refund, a cancellation or a capture. */
export const ChangeSchema = z.object({
  TransactionId: z.string(),
  ActionCode: CodeSchema,
  /** The amount of a capture; the documents do not mention it. */
  Amount: z.int().nullish(),
  Currency: CodeSchema.nullish(),
});

/** A token stands in addresses. */
const TokenSchema = z.string().regex(/^[\w-]{1,128}$/);

export const MultiTokenSchema = z.object({
  Token: TokenSchema,
  PAN: TextSchema,
  CardType: TextSchema,
  ExpMonth: CodeSchema.nullish(),
  ExpYear: CodeSchema.nullish(),
});
