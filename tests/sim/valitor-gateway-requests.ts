import { z } from 'zod';

/** The owner of a key: a merchant, or a payment facilitator for one of its merchants. */
export interface ValitorAgreement {
  agreementNumber: string;
  terminalId: string;
}

const AmountSchema = z.int().min(1).max(999_999_999_999);
const CurrencySchema = z.string().regex(/^[A-Z]{3}$/);
const CARD = {
  cardNumber: z.string().regex(/^\d{13,19}$/),
  expirationMonth: z.int().min(1).max(12),
  expirationYear: z.int().min(2000).max(2099),
};
const CvcSchema = z.string().regex(/^\d{3,4}$/);
const ReferenceSchema = z.strictObject({ merchantReferenceData: z.string().regex(/^[a-zA-Z0-9]{1,50}$/) });
const CallerSchema = {
  /** A name, a blank, a version. */
  systemCalling: z.string().regex(/^\S+( \S+)+$/),
  correlationId: z.uuid(),
};

const BrowserSchema = z.strictObject({
  ip: z.union([z.ipv4(), z.ipv6()]),
  screenHeight: z.int().min(0).max(999_999),
  screenWidth: z.int().min(0).max(999_999),
  javascriptEnabled: z.boolean(),
  javaEnabled: z.boolean(),
  colorDepth: z.union([1, 4, 8, 15, 16, 24, 32, 48].map((bits) => z.literal(bits))).optional(),
  timeZoneOffset: z.int().min(-840).max(840).optional(),
  language: z.string().min(1).max(8).optional(),
  userAgent: z.string().min(1).max(2048).optional(),
  acceptHeader: z.string().min(1).max(2048).optional(),
});

/** A number in the samples of one document, a name in those of the other. */
const MdStatusSchema = z.union([z.int().min(0).max(99), z.string().regex(/^(\d{1,2}|Md[A-Za-z]+)$/)]);
const VerificationDataSchema = z.strictObject({
  mdStatus: MdStatusSchema,
  cavv: z.base64().min(28).max(40).optional(),
  xid: z.base64().min(1).max(40).optional(),
  dsTransId: z.uuid().optional(),
});

const VerificationSchema = z.strictObject({
  ...CARD,
  cardholderDeviceType: z.enum(['WWW', 'MobileSdk', 'ThreeRIFlow']),
  amount: AmountSchema,
  currency: CurrencySchema,
  authenticationUrl: z.url(),
  MD: z.base64().min(1).max(254),
  browserData: BrowserSchema.optional(),
  cardHolderData: z.strictObject({ cardholderName: z.string().min(2).max(45) }).optional(),
  ...CallerSchema,
});

const SALE = {
  operation: z.literal('Sale'),
  amount: AmountSchema,
  currency: CurrencySchema,
  ...CallerSchema,
};
const REFUND = {
  operation: z.literal('Refund'),
  amount: AmountSchema,
  currency: CurrencySchema,
  acquirerReferenceNumber: z.string().regex(/^\d{6}$/),
  ...CallerSchema,
};

const CardPaymentSchema = z.discriminatedUnion('operation', [
  z.strictObject({
    ...SALE,
    ...CARD,
    transactionType: z.literal('ECommerce'),
    cvc: CvcSchema.optional(),
    cardVerificationData: VerificationDataSchema.optional(),
    additionalData: ReferenceSchema.optional(),
    firstTransactionData: z
      .strictObject({ initiationReason: z.enum(['CredentialOnFile', 'Recurring', 'Installment']) })
      .optional(),
  }),
  z.strictObject({
    ...REFUND,
    transactionType: z.literal('ECommerce'),
    maskedCardNumber: z.string().regex(/^\d{6}\*{6}\d{4}$/),
    additionalData: ReferenceSchema.optional(),
  }),
]);

const VirtualCardPaymentSchema = z.discriminatedUnion('operation', [
  z.strictObject({
    ...SALE,
    virtualCardNumber: z.uuid(),
    virtualCardPaymentAdditionalData: ReferenceSchema.optional(),
    cardVerificationData: VerificationDataSchema.optional(),
  }),
  z.strictObject({ ...REFUND, virtualCardNumber: z.uuid() }),
]);

const RefundWithCorrelationIdSchema = z.strictObject({
  originalCorrelationId: z.uuid(),
  originalTransactionDate: z.iso.datetime(),
  ...CallerSchema,
});

const CreateVirtualCardSchema = z.strictObject({
  ...CARD,
  cvc: CvcSchema,
  subsequentTransactionType: z.enum([
    'CardholderInitiatedCredentialOnFile',
    'MerchantInitiatedCredentialOnFile',
    'MerchantInitiatedRecurring',
  ]),
  cardVerificationData: VerificationDataSchema.optional(),
  currency: CurrencySchema.optional(),
  ...CallerSchema,
});

const VirtualCardDataSchema = z.strictObject({
  virtualCard: z.uuid(),
  systemCalling: CallerSchema.systemCalling,
});

/** The calls of API version 2.0 that we use, by their path in small letters. Unknown fields are refused. */
export const VALITOR_CALLS = {
  '/cardverification': VerificationSchema,
  '/payment/cardpayment': CardPaymentSchema,
  '/payment/virtualcardpayment': VirtualCardPaymentSchema,
  '/payment/refundwithcorrelationid': RefundWithCorrelationIdSchema,
  '/virtualcard/createvirtualcard': CreateVirtualCardSchema,
  '/virtualcard/getvirtualcarddata': VirtualCardDataSchema,
} as const;

export type Verification = z.infer<typeof VerificationSchema>;
type CardPayment = z.infer<typeof CardPaymentSchema>;
type VirtualCardPayment = z.infer<typeof VirtualCardPaymentSchema>;
export type CardSale = Extract<CardPayment, { operation: 'Sale' }>;
export type VirtualCardSale = Extract<VirtualCardPayment, { operation: 'Sale' }>;
export type PartRefund = Extract<CardPayment | VirtualCardPayment, { operation: 'Refund' }>;
export type RefundWithCorrelationId = z.infer<typeof RefundWithCorrelationIdSchema>;
export type CreateVirtualCard = z.infer<typeof CreateVirtualCardSchema>;

export type ValitorRequest =
  | ValitorSale
  | { path: '/cardverification'; body: Verification }
  | { path: '/payment/cardpayment' | '/payment/virtualcardpayment'; body: PartRefund }
  | { path: '/payment/refundwithcorrelationid'; body: RefundWithCorrelationId }
  | { path: '/virtualcard/createvirtualcard'; body: CreateVirtualCard }
  | { path: '/virtualcard/getvirtualcarddata'; body: z.infer<typeof VirtualCardDataSchema> };

export type ValitorSale =
  | { path: '/payment/cardpayment'; body: CardSale }
  | { path: '/payment/virtualcardpayment'; body: VirtualCardSale };

/** Reads a request as strictly as the documents describe it; or which fields are wrong. */
export function readValitorRequest(
  path: string,
  json: unknown,
  agreement: ValitorAgreement | null,
): ValitorRequest | { errors: Record<string, string[]> } {
  const { agreementNumber, terminalId, ...rest } =
    typeof json === 'object' && json !== null ? (json as Record<string, unknown>) : {};
  if (agreementNumber !== agreement?.agreementNumber) return wrong('AgreementNumber', 'is not this key’s');
  if (terminalId !== agreement?.terminalId) return wrong('TerminalId', 'is not this key’s');
  const schema = VALITOR_CALLS[path as keyof typeof VALITOR_CALLS];
  const parsed = schema.safeParse(rest);
  if (parsed.success) return { path, body: parsed.data } as ValitorRequest;
  const errors: Record<string, string[]> = {};
  for (const issue of parsed.error.issues) {
    const names = issue.code === 'unrecognized_keys' ? issue.keys : [issue.path.join('.')];
    for (const name of names) errors[name] = [...(errors[name] ?? []), issue.message];
  }
  return { errors };
}

function wrong(field: string, message: string) {
  return { errors: { [field]: [message] } };
}

export function isSale(request: ValitorRequest): request is ValitorSale {
  return 'operation' in request.body && request.body.operation === 'Sale';
}
