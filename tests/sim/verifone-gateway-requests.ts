import { z } from 'zod';

/** Requests as Verifone's OpenAPI descriptions have them: the fields that a merchant like us may send, and no others. */
const ContractSchema = z.string().regex(/^[\w-]{1,64}$/);
const AmountSchema = z.int().min(0);
const CurrencySchema = z.string().regex(/^[A-Z]{3}$/);
const ReferenceSchema = z.string().min(1).max(50);

export const JwtCreateRequest = z.strictObject({ threeds_contract_id: ContractSchema });

export const LookupRequest = z
  .strictObject({
    threeds_contract_id: ContractSchema,
    amount: AmountSchema,
    currency_code: CurrencySchema,
    merchant_reference: z.string().min(1),
    device_info_id: z.string().min(1),
    email: z.email(),
    billing_first_name: z.string().min(1).max(22),
    billing_last_name: z.string().min(1).max(22),
    billing_address_1: z.string().min(1).max(50),
    billing_city: z.string().min(1).max(50),
    billing_postal_code: z.string().min(1).max(16).optional(),
    billing_country_code: z.string().regex(/^[A-Z]{2}$/),
    encrypted_card: z.base64().optional(),
    public_key_alias: z.string().optional(),
    reuse_token: z.string().min(16).max(255).optional(),
  })
  .refine((body) => (body.encrypted_card === undefined) !== (body.reuse_token === undefined), {
    path: ['encrypted_card'],
  });

export const ValidateRequest = z.strictObject({
  authentication_id: z.string().min(1),
  jwt: z.string().min(1),
  threeds_contract_id: ContractSchema,
});

const ThreedAuthentication = z.strictObject({
  eci_flag: z.enum(['05', '06', '07', '02', '01', '00']).optional(),
  enrolled: z.enum(['Y', 'N', 'U', 'B']),
  cavv: z.string().min(28).max(48).optional(),
  pares_status: z.enum(['Y', 'N', 'U', 'A', 'C', 'R']).optional(),
  xid: z.string().optional(),
  threeds_version: z.enum(['1.0.2', '2.1.0', '2.2.0']).optional(),
  ds_transaction_id: z.string().optional(),
  signature_verification: z.enum(['Y', 'N']).optional(),
});

const StoredCredential = z.strictObject({
  stored_credential_type: z.enum(['SIGNUP', 'CHARGE']),
  processing_model_details: z.strictObject({
    processing_model: z.enum(['UNSCHEDULED_CREDENTIAL_ON_FILE', 'CREDENTIAL_ON_FILE', 'RECURRING']),
  }),
  first_payment: z.boolean().optional(),
  reference: z.string().optional(),
  scheme_reference: z.string().optional(),
});

export const PaymentRequest = z
  .strictObject({
    payment_provider_contract: ContractSchema,
    amount: AmountSchema,
    currency_code: CurrencySchema,
    merchant_reference: ReferenceSchema,
    auth_type: z.enum(['PRE_AUTH', 'FINAL_AUTH']),
    capture_now: z.literal(true),
    shopper_interaction: z.literal('ECOMMERCE'),
    customer_details: z.strictObject({ email_address: z.email() }).optional(),
    threed_authentication: ThreedAuthentication.optional(),
    stored_credential: StoredCredential.optional(),
    token_preference: z
      .strictObject({ token_scope: ContractSchema, token_type: z.literal('REUSE') })
      .optional(),
    encrypted_card: z.base64().optional(),
    public_key_alias: z.string().optional(),
    reuse_token: z.string().min(14).max(255).optional(),
  })
  .refine((body) => (body.encrypted_card === undefined) !== (body.reuse_token === undefined), {
    path: ['encrypted_card'],
  });
export type PaymentBody = z.infer<typeof PaymentRequest>;

export const RefundRequest = z.strictObject({ amount: z.int().min(1), reason: z.string().optional() });

export const ListQuery = z.strictObject({
  'x-vfi-api-idempotencykey': z.uuid().optional(),
  merchant_reference: ReferenceSchema.optional(),
  transaction_type: z.string().optional(),
  created_start: z.iso.datetime().optional(),
  created_end: z.iso.datetime().optional(),
  _limit: z.coerce.number().int().min(1).max(10_000).optional(),
});

/** The card that the browser encrypts ("Secure Card Capture Key"). */
export const CapturedCard = z.strictObject({
  cardNumber: z.string().regex(/^\d{12,19}$/),
  expiryMonth: z.string().regex(/^\d{2}$/),
  expiryYear: z.string().regex(/^\d{2,4}$/),
  cvv: z.string().regex(/^\d{3,4}$/),
  cardholderName: z.string().optional(),
  captureTime: z.iso.datetime({ offset: true }),
});
