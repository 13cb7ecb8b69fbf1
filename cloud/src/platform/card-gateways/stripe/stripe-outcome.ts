import type { ChargeOutcome, Declined, DeclineReason, Unavailable } from '../gateway.ts';
import type { Failure } from '../gateway-http.ts';
import type { Intent } from './stripe-answers.ts';
import type { Refused } from './stripe-calls.ts';

/**
 * "Decline codes" and "Error codes". Codes of suspicion and of lost cards have one reason: they are never explained to a
 * driver. What is in no document is `refused` by the bank.
 */
const REASONS: Readonly<Record<string, DeclineReason>> = {
  ...codes('insufficient-funds', 'insufficient_funds card_velocity_exceeded withdrawal_count_limit_exceeded'),
  ...codes('card-data', 'incorrect_number invalid_number incorrect_cvc invalid_cvc incorrect_zip'),
  ...codes('card-data', 'incorrect_address invalid_account invalid_characters invalid_expiry_month'),
  ...codes('card-data', 'invalid_expiry_year new_account_information_available resource_missing'),
  ...codes('card-data', 'payment_method_invalid_parameter payment_method_unactivated'),
  ...codes('card-expired', 'expired_card'),
  ...codes('card-unsupported', 'card_not_supported currency_not_supported transaction_not_allowed'),
  ...codes('card-unsupported', 'service_not_allowed not_permitted'),
  ...codes('security', 'fraudulent lost_card stolen_card pickup_card restricted_card security_violation'),
  ...codes('security', 'merchant_blacklist pin_try_exceeded highest_risk_level'),
  ...codes('stopped', 'stop_payment_order revocation_of_all_authorizations revocation_of_authorization'),
  ...codes(
    'not-authenticated',
    'payment_intent_authentication_failure mobile_device_authentication_required',
  ),
  ...codes('merchant', 'testmode_decline live_mode_test_card test_mode_live_card invalid_amount'),
  ...codes('merchant', 'amount_too_small amount_too_large idempotency_error api_key_expired'),
};
/** Codes by which the bank requires 3-D Secure. */
const NEEDS_AUTHENTICATION = new Set(['authentication_required', 'online_or_offline_pin_required']);
/** The bank was not reached, or was busy. */
const TRANSIENT = new Set([
  'issuer_not_available',
  'processing_error',
  'reenter_transaction',
  'try_again_later',
]);

function codes(reason: DeclineReason, list: string): Record<string, DeclineReason> {
  return Object.fromEntries(list.split(' ').map((code) => [code, reason]));
}

export type NotCharged = Declined | Unavailable | { kind: 'authenticate-again'; code: string };

export function declined(reason: DeclineReason, code: string): Declined {
  return { kind: 'declined', reason, code };
}

/** Why a card was not charged: by the bank's reason, where there is one, else by Stripe's code. */
export function readDecline(code: string, declineCode: string | null): NotCharged {
  const shown = declineCode ?? code;
  if (NEEDS_AUTHENTICATION.has(shown) || NEEDS_AUTHENTICATION.has(code))
    return { kind: 'authenticate-again', code: shown };
  if (TRANSIENT.has(shown)) return { kind: 'unavailable', problem: `the bank did not decide: ${shown}` };
  return declined(REASONS[shown] ?? REASONS[code] ?? 'refused', shown);
}

/** The refusal of a payment intent without a charged card. */
export function declineOf({ status, last_payment_error: error }: Intent): NotCharged {
  return readDecline(error?.code ?? status, error?.decline_code ?? null);
}

/**
 * The meaning of a request that Stripe has refused: 402 is about the card, and so is a refusal that names a
 * field of it.
 */
function readRefused({ status, code, declineCode, param }: Refused): NotCharged {
  if (status === 402) return readDecline(code, declineCode);
  const isOfCard = param !== null && /payment_method|customer/.test(param);
  return declined(isOfCard ? 'card-data' : (REASONS[code] ?? 'merchant'), code);
}

/** The outcome of a failed call that can book nothing, whatever the failure is. */
export function failedStep(reply: Failure<Refused>): NotCharged {
  return reply.kind === 'refused' ? readRefused(reply) : { kind: 'unavailable', problem: reply.problem };
}

/** The outcome of a failed call that books. */
export function failedCharge(reply: Failure<Refused>): ChargeOutcome {
  if (reply.kind === 'lost') return { kind: 'unknown', problem: reply.problem };
  // Another call has moved it: the intent itself shows its progress.
  if (reply.kind === 'refused' && reply.code === 'payment_intent_unexpected_state')
    return { kind: 'unknown', problem: reply.problem };
  return failedStep(reply);
}
