import { PAYMENT_REASON_WORDS } from '../payment-words.ts';

const { 'not-found': _visit, ...PAYMENT_REASONS } = PAYMENT_REASON_WORDS.en;

/** Payments, invoices, refunds, products, quotas and reports. */
export const MONEY_EN = {
  ...PAYMENT_REASONS,
  'see-invoice': ({ id }: { id: string }) => `Invoice: ${id}`,
  'ask-status': ({ path }: { path: string }) => `Ask ${path}`,
  'provider-away': 'Nothing was charged. Try again soon.',
  'provider-not-answered': 'The provider has not answered yet.',
  'card-not-authenticated': 'The card has to be authenticated first: /payments/process/3dSecure',
  'challenge-not-answered': 'The bank has not answered the challenge yet.',
  'challenge-token-needed': 'The token of the challenge is needed.',
  'step-taken': 'Another call has taken this step.',
  'reversal-not-connected': 'Not begun: the site is not connected.',
  'reversal-unknown':
    'Not known to have begun: the site did not answer within a second. If it has, the payment will change.',
  'reversal-not-begun': ({ reason }: { reason: string }) =>
    `Not begun: ${REVERSAL_FAULTS[reason] ?? 'the site refused it'}.`,
  'refund-not-possible': 'The provider cannot refund it: give the money back by another way.',
  'whole-refund-under-way': 'The whole payment is being refunded.',
  'invoice-refunded': 'The invoice has been refunded.',
  'no-cards-online': 'The site takes no cards on the payment page.',
  'product-taken': ({ type, vehicleCategory }: { type: string; vehicleCategory: string }) =>
    `There is a ${type} product for ${vehicleCategory} vehicles already.`,
  'units-used': ({ used }: { used: number }) => `${used} units are used already`,
  'quota-in-use': 'units are used already',
  'quota-taken': ({ name }: { name: string }) =>
    `The customer has a quota “${name}” of that product already; change its quantity.`,
};

const REVERSAL_FAULTS: Readonly<Record<string, string>> = {
  'terminal-busy': 'the terminal is in use',
  'terminal-away': 'the terminal cannot be reached',
  'no-terminal': 'the site has no such terminal any more',
  'not-found': 'the terminal that is there now did not take the payment',
  'no-refund': 'the provider cannot refund it: give the money back by another way',
  'not-reversible': 'the site does not have it as settled',
};
