import type { PaymentState } from '@hlid/protocol/payment';

/** How a payment stands, as its receipt says it. */
export type Standing = 'paid' | 'refunded' | 'checking' | 'not-paid';

export const STANDINGS: Record<PaymentState, Standing> = {
  created: 'checking',
  sent: 'checking',
  approved: 'checking',
  unknown: 'checking',
  settled: 'paid',
  reversed: 'refunded',
  declined: 'not-paid',
  cancelled: 'not-paid',
};

export const RECEIPT_WORDS = {
  is: {
    locale: 'is-IS',
    other: 'English',
    title: 'Kvittun',
    standing: {
      paid: 'Greitt',
      refunded: 'Endurgreitt',
      checking: 'Við erum að athuga greiðsluna. Ekki greiða aftur.',
      'not-paid': 'Ekki greitt',
    },
    site: 'Bílastæði',
    plate: 'Bílnúmer',
    from: 'Ekið inn',
    paidAt: 'Greitt',
    refundedAt: 'Endurgreitt',
    number: 'Kvittun nr.',
    card: 'Kort',
    reference: 'Tilvísun',
    authorisation: 'Heimild',
    terminal: 'Posi',
    seller: 'Seljandi',
    ssn: 'Kennitala',
    vatNumber: 'VSK-númer',
    parking: 'Bílastæði',
    what: 'Skýring',
    amount: 'Upphæð',
    total: 'Samtals',
    vat: (rate: string) => `Þar af VSK ${rate} %`,
    missing: 'Kvittunin finnst ekki',
    missingWhy:
      'Ef greitt var fyrir stuttu birtist hún hér um leið og bílastæðið nær netsambandi. Reyndu aftur eftir nokkrar mínútur.',
    again: 'Reyna aftur',
  },
  en: {
    locale: 'en-GB',
    other: 'Íslenska',
    title: 'Receipt',
    standing: {
      paid: 'Paid',
      refunded: 'Refunded',
      checking: 'We are checking your payment. Please do not pay again.',
      'not-paid': 'Not paid',
    },
    site: 'Car park',
    plate: 'Number plate',
    from: 'Arrived',
    paidAt: 'Paid on',
    refundedAt: 'Refunded on',
    number: 'Receipt no.',
    card: 'Card',
    reference: 'Reference',
    authorisation: 'Authorisation',
    terminal: 'Card terminal',
    seller: 'Seller',
    ssn: 'National ID',
    vatNumber: 'VAT number',
    parking: 'Parking',
    what: 'Description',
    amount: 'Amount',
    total: 'Total',
    vat: (rate: string) => `VAT included, ${rate}%`,
    missing: 'Receipt not found',
    missingWhy:
      'If you have just paid, it will appear here as soon as the car park is online. Try again in a few minutes.',
    again: 'Try again',
  },
} as const;

export const CARD_BRANDS: Record<string, string> = {
  visa: 'Visa',
  mastercard: 'Mastercard',
  amex: 'American Express',
  discover: 'Discover',
  electron: 'Visa Electron',
  maestro: 'Maestro',
};
