import { isIP } from 'node:net';
import { minorUnitDigits } from '@hlid/protocol/base/money';
import type { UtcTime } from '@hlid/protocol/base/utc-time';
import type { ReceiptCard } from '@hlid/protocol/records/payment';
import { receiptBrand } from '../card.ts';
import type { Browser, CardSource, GatewayOrder, GatewayTransaction } from '../gateway.ts';
import type { PaymentAnswer } from './valitor-pay-calls.ts';

/** The last two digits of every amount are decimals, whatever exponent ISO 4217 gives the currency: 100 kr. are 10000. */
const WIRE_DIGITS = 2;

/** Null: its hundredths cannot express the amount. */
export function toWire({ amountMinor, currency }: { amountMinor: number; currency: string }): number | null {
  return whole(amountMinor * 10 ** WIRE_DIGITS, 10 ** minorUnitDigits(currency));
}

/** Null: it is not a whole number of minor units. */
export function fromWire(amount: number, currency: string): number | null {
  return whole(amount * 10 ** minorUnitDigits(currency), 10 ** WIRE_DIGITS);
}

function whole(product: number, divisor: number): number | null {
  const amount = product / divisor;
  return Number.isSafeInteger(amount) ? amount : null;
}

/** The card of a masked number such as `222300******1873`; null: it is none. A payment by token names no brand. */
export function maskedCard(masked: string): ReceiptCard | null {
  const [, first, lastFour] = /^(\d{6,8})[*xX]{4,9}(\d{4})$/.exec(masked) ?? [];
  if (first === undefined || lastFour === undefined) return null;
  return { type: receiptBrand(first), lastFour };
}

/** Null: it is not the approval of this order. */
export function transactionOf(
  order: GatewayOrder,
  source: CardSource,
  sentAt: UtcTime,
  answer: PaymentAnswer,
): GatewayTransaction | null {
  const { transactionID, acquirerReferenceNumber, authorizationCode, maskedCardNumber } = answer;
  const card = maskedCard(maskedCardNumber ?? '');
  if (transactionID == null || card === null) return null;
  if (source.kind === 'card' && source.card.lastFour !== card.lastFour) return null;
  const currency = answer.currency ?? order.currency;
  const { authorizedAmount } = answer;
  const amountMinor = authorizedAmount == null ? order.amountMinor : fromWire(authorizedAmount, currency);
  if (amountMinor === null) return null;
  return {
    transactionId: transactionID,
    authorizationId: authorizationCode || null,
    amountMinor,
    currency,
    card,
    state: {
      sentAt,
      acquirerReferenceNumber: acquirerReferenceNumber ?? null,
      ...(source.kind === 'token'
        ? { virtualCard: source.token }
        : { maskedCardNumber: maskedCardNumber ?? null }),
    },
  };
}

/** EMV 3-D Secure, "Browser Screen Color Depth". */
const COLOR_DEPTHS = [1, 4, 8, 15, 16, 24, 32, 48];
const MAX_SCREEN = 999_999;
const MAX_OFFSET_MINUTES = 840;
const MAX_HEADER = 2048;

/**
 * The data about the browser that 3-D Secure may use, so that banks challenge fewer drivers. Address and
 * screen belong together: without one of them nothing is sent. Values that the provider would refuse are left
 * out, never changed.
 */
export function browserData(browser: Browser): { browserData?: object } {
  const { ip, screenWidth, screenHeight, colorDepth, timeZoneOffset, language, userAgent, acceptHeader } =
    browser;
  if (isIP(ip) === 0 || !isSize(screenWidth) || !isSize(screenHeight)) return {};
  return {
    browserData: {
      ip,
      screenWidth,
      screenHeight,
      javascriptEnabled: true,
      javaEnabled: false,
      ...(colorDepth !== undefined && COLOR_DEPTHS.includes(colorDepth) && { colorDepth }),
      ...(isOffset(timeZoneOffset) && { timeZoneOffset }),
      ...(/^[a-z]{2,3}(?:-[a-z0-9]{2,4})?$/i.test(language) && { language }),
      ...(isHeader(userAgent) && { userAgent }),
      ...(isHeader(acceptHeader) && { acceptHeader }),
    },
  };
}

function isSize(pixels: number | undefined): pixels is number {
  return pixels !== undefined && Number.isInteger(pixels) && pixels >= 0 && pixels <= MAX_SCREEN;
}

function isOffset(minutes: number | undefined): minutes is number {
  return minutes !== undefined && Number.isInteger(minutes) && Math.abs(minutes) <= MAX_OFFSET_MINUTES;
}

function isHeader(text: string): boolean {
  return text !== '' && text.length <= MAX_HEADER;
}
