import { bankOf, type SimTransaction } from './verifone-gateway-books.ts';

/** The merchant's account in the simulator. */
export const VERIFONE_ACCOUNT = {
  userId: '7b3a1b0e-5a4a-4f3c-9a51-31f3fe0a8c55',
  apiKey: 'sim-api-key-2fb1c0d9',
  paymentProviderContract: '0d4f3d0c-6a3e-4d0e-8a0a-5f6cb5b0f001',
  threedsContract: '0d4f3d0c-6a3e-4d0e-8a0a-5f6cb5b0f002',
  tokenScope: '0d4f3d0c-6a3e-4d0e-8a0a-5f6cb5b0f003',
  publicKeyAlias: 'K1042',
} as const;
export interface Answer {
  status: number;
  body: object | null;
}

/** The answer to a payment, a refund or a void. */
export function paymentResult({
  id,
  status,
  amount,
  reference,
  number,
  authorization,
  code,
}: SimTransaction): object {
  return {
    id,
    payment_provider_contract: VERIFONE_ACCOUNT.paymentProviderContract,
    amount,
    blocked: false,
    merchant_reference: reference,
    payment_product: 'Card',
    payment_product_type: brandOf({ number }),
    status: status === 'DECLINED' ? 'DECLINED' : status === 'SETTLED' ? 'AUTHORIZED' : status,
    ...(code === '00' && { authorization_code: authorization }),
    reason_code: code.padStart(4, '0'),
    rrn: '632615000001',
    stan: '000001',
    reversal_status: 'NONE',
    additional_data: { acquirer_response_code: code },
    card_details: { masked_card_number: masked(number), expiry_year: 2030, expiry_month: 12 },
    cvv_present: true,
    cvv_result: '1',
    shopper_interaction: 'ECOMMERCE',
  };
}

/** Lists have amounts as numbers, one transaction has it as a text; both in major units. */
export function transactionRow(each: SimTransaction, amounts: 'number' | 'text'): object {
  const digits = each.currency === 'ISK' ? 0 : 2;
  const amount = each.amount / 10 ** digits;
  return {
    id: each.id,
    amount: amounts === 'text' ? amount.toFixed(digits) : amount,
    currency_code: each.currency,
    created_at: each.at.toISOString(),
    merchant_reference: each.reference,
    transaction_type: each.type,
    transaction_status: each.status,
    status: `${each.type} ${each.status}`,
    reason_code: each.code,
    ...(each.parentId && { parent_id: each.parentId }),
    ...(each.description && { description: each.description }),
    ...(each.code === '00' && { authorization_code: each.authorization }),
    masked_card_number: masked(each.number),
    card_brand: brandOf(each).toUpperCase(),
    payment_product_type: brandOf(each),
  };
}

export function brandOf({ number }: { number: string }): string {
  return bankOf(number)?.brand ?? 'Visa';
}

function masked(number: string): string {
  return `${number.slice(0, 6)}******${number.slice(-4)}`;
}

/** An answer in the form of Verifone's `BadRequestV2Docs`. */
export function badRequest(fields: readonly string[]): Answer {
  const details = Object.fromEntries(fields.map((field) => [`body.${field}`, { message: 'is invalid' }]));
  const message = 'At least one parameter is invalid. Examine the details property for more information.';
  return {
    status: 400,
    body: { code: 400, message, details, timestamp: Date.now(), reversal_status: 'NONE' },
  };
}

export function notFound(): Answer {
  const message = "The requested resource, or one of its sub-resources, can't be found.";
  return { status: 404, body: { code: 404, message, timestamp: Date.now(), reversal_status: 'NONE' } };
}
