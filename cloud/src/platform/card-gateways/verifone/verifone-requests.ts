import type { CardSource, GatewayOrder } from '../gateway.ts';
import { readStoredCard, type StoredCard } from './stored-card.ts';
import { type ThreedsResult, threedAuthentication } from './verifone-authentication.ts';
import type { VerifoneSettings } from './verifone-settings.ts';

/** A card that this gateway can send on. */
export type SendableCard =
  | { kind: 'encrypted'; encryptedCard: string; publicKeyAlias: string }
  | { kind: 'stored'; stored: StoredCard };

/** Null: a bare card, which never goes to Verifone from here, or a token of another gateway. */
export function sendableCard(source: CardSource): SendableCard | null {
  switch (source.kind) {
    case 'encrypted':
      return source;
    case 'token': {
      const stored = readStoredCard(source.token);
      return stored && { kind: 'stored', stored };
    }
    case 'card':
      return null;
    default:
      return source satisfies never;
  }
}

function cardFields(card: SendableCard): Record<string, string> {
  return card.kind === 'encrypted'
    ? { encrypted_card: card.encryptedCard, public_key_alias: card.publicKeyAlias }
    : { reuse_token: card.stored.reuseToken };
}

/** `POST /3ds-service/v2/lookup`. Amounts are in minor units by the currency's exponent, as everywhere but in lists. */
export function lookupRequest(
  settings: VerifoneSettings,
  order: GatewayOrder,
  { card, sessionId }: { card: SendableCard; sessionId: string },
): object {
  const { billing } = settings;
  return {
    ...cardFields(card),
    threeds_contract_id: settings.threedsContract,
    amount: order.amountMinor,
    currency_code: order.currency,
    merchant_reference: order.id,
    device_info_id: sessionId,
    email: order.email ?? billing.email,
    billing_first_name: billing.firstName,
    billing_last_name: billing.lastName,
    billing_address_1: billing.address,
    billing_city: billing.city,
    ...(billing.postalCode !== undefined && { billing_postal_code: billing.postalCode }),
    billing_country_code: billing.countryCode,
  };
}

/**
 * `POST /api/v2/transactions/card`. It is captured at once.
 *
 * "Stored Credentials": SIGNUP at the payment with the driver, then CHARGE. Parking is charged when a car leaves, so the
 * processing model is UNSCHEDULED_CREDENTIAL_ON_FILE. The document also has an SCA exemption for such payments
 * (`sca_exemption` 5); it is not sent, since its own example of a charge does without.
 */
export function paymentRequest(
  settings: VerifoneSettings,
  order: GatewayOrder,
  payment: {
    card: SendableCard;
    result: ThreedsResult | null;
    storeCard: boolean;
    initiator: 'driver' | 'merchant';
  },
): object {
  const { card, result, initiator } = payment;
  const { tokenScope } = settings;
  const storesCard = payment.storeCard && card.kind === 'encrypted' && tokenScope !== undefined;
  return {
    ...cardFields(card),
    payment_provider_contract: settings.paymentProviderContract,
    amount: order.amountMinor,
    currency_code: order.currency,
    merchant_reference: order.id,
    auth_type: 'FINAL_AUTH',
    capture_now: true,
    shopper_interaction: 'ECOMMERCE',
    ...(order.email !== null && { customer_details: { email_address: order.email } }),
    ...(result && { threed_authentication: threedAuthentication(result) }),
    ...(storesCard && {
      token_preference: { token_scope: tokenScope, token_type: 'REUSE' },
      stored_credential: {
        stored_credential_type: 'SIGNUP',
        processing_model_details: { processing_model: 'UNSCHEDULED_CREDENTIAL_ON_FILE' },
        first_payment: true,
      },
    }),
    ...(card.kind === 'stored' && { stored_credential: chargeOf(card.stored, initiator) }),
  };
}

function chargeOf({ reference, schemeReference }: StoredCard, initiator: 'driver' | 'merchant'): object {
  const model = initiator === 'merchant' ? 'UNSCHEDULED_CREDENTIAL_ON_FILE' : 'CREDENTIAL_ON_FILE';
  return {
    stored_credential_type: 'CHARGE',
    processing_model_details: { processing_model: model },
    ...(reference !== null && { reference }),
    ...(schemeReference !== null && { scheme_reference: schemeReference }),
  };
}
