import type { InvoiceStatus, PaymentState, RemoteStatus } from '../../statuses.ts';
import { PAYMENT_REASONS_EN } from '../payment-reasons/en.ts';

const { 'not-found': _visit, ...PAYMENT_REASONS } = PAYMENT_REASONS_EN;

/** Payments, invoices, refunds, products, quotas and reports. */
export const MONEY_EN = {
  ...PAYMENT_REASONS,
  'see-invoice': 'Invoice: {id}',
  'ask-status': 'Ask {path}',
  'provider-away': 'Nothing was charged. Try again soon.',
  'provider-not-answered': 'The provider has not answered yet.',
  'card-not-authenticated': 'The card has to be authenticated first: /payments/process/3dSecure',
  'challenge-not-answered': 'The bank has not answered the challenge yet.',
  'challenge-token-needed': 'The token of the challenge is needed.',
  'step-taken': 'Another call has taken this step.',
  'reversal-not-connected': 'Not begun: the site is not connected.',
  'reversal-unknown':
    'The site did not answer within a second: the money may have gone back. The payment stays open until the site answers.',
  'reversal-not-begun': ({ reason }: { reason: string }) =>
    `Not begun: ${REVERSAL_FAULTS[reason] ?? 'the site refused it'}.`,
  'refund-not-possible': 'The provider cannot refund it: give the money back by another way.',
  'refund-unclear':
    'A refund of this payment may have been given. Look it up at the provider, and record what you find, before another one.',
  'billing-changed': 'What would be billed has changed since you saw it. Check it again.',
  'invoice-refunded': 'The invoice has been refunded.',
  'no-cards-online': 'The site takes no cards on the payment page.',
  'product-taken': ({ type, vehicleCategory }: { type: string; vehicleCategory: string }) =>
    `There is a ${type} product for ${vehicleCategory} vehicles already.`,
  'units-used': '{used} units are used already',
  'quota-in-use': 'units are used already',
  'quota-taken': 'The customer has a quota “{name}” of that product already; change its quantity.',
  'valid-from-not-ahead':
    'a version can only be planned for a day that has not begun at any site that sells the product',
  'valid-from-too-far': 'a version can be planned for the next five years',
  'vat-rate-missing': 'the standard rate is above 0: choose another category where there is no VAT',
  'vat-rate-zero': 'only the standard rate has a rate above 0',
  'vat-reason-missing': 'say why there is no VAT: parking-rental, not-registered, or a text of your own',
  'vat-reason-none': 'only what is exempt or outside the scope of VAT has a reason',
  'not-in-version':
    'type, currency, vehicleCategory and siteId hold for all versions: they cannot be planned',
  'too-many-planned': 'at most {max} versions of a product can be planned',
  'version-not-planned': 'Only a version that is planned can be withdrawn.',
  'run-under-way': 'You have a run that has not ended. Wait for its end, or cancel it.',
  'run-ended': 'The run has ended.',
  'day-without-other': 'a period needs both from and to',
  'period-reversed': 'the last day is before the first day',
  'period-too-long': 'a period has at most {days} days',
  'product-elsewhere': 'The product is not sold at that site.',
  'quotas-of-product': 'there are quotas of this product',
  'not-a-quota': 'its type is not quota',
  'invoice-issued': 'it is issued already',
  'not-to-publish': 'its payer does not want it published',
  'e-invoice-lacks': 'An electronic invoice needs it. It stood nowhere when the invoice was issued.',
  'e-invoice-account': 'Not an Icelandic bank account, such as 0133-26-001234.',
  'e-invoice-vat-open': 'The VAT of this invoice was not decided when it was issued.',
  'e-invoice-vat-mixed':
    'An electronic invoice cannot have amounts outside the scope of VAT beside others. Send it as a PDF file, or credit one of the two parts and bill it separately.',
  'e-invoice-under-way': 'An access point has it, or may have it: it is not sent twice.',
  'e-invoice-no-customer': 'It is made out to no customer: an electronic invoice needs one.',
  'card-receipts-off': 'This car park does not send receipts to companies electronically.',
  'no-access-points': 'the cloud has no access point for electronic invoices',
  'claim-paid': 'The claim is paid.',
  'claim-ended': 'The bank does not have the claim any more.',
  'claim-order-under-way': 'The bank is still to do something with this claim.',
  'claim-nothing-open': 'Nothing of the invoice is open, or a payment of it is under way.',
  'claim-there': 'There is a claim for this invoice already.',
  'claim-currency': 'Claims are made in krónur only.',
  'claim-disputed': 'Somebody contests the invoice or a visit of it: answer that first.',
  'claim-no-payer': 'The national id of the payer is not known.',
  'claim-no-seller': 'The invoice names no seller with a national id: a claim belongs to its seller.',
  'no-banks': 'No agreement with a bank is set. An operator of every site sets it on the page Settings.',
  'claim-for-another':
    'The agreement with the bank is of another company. Collecting for another legal entity needs a licence, which is set with the agreement.',
  'claim-final-due': 'The last day to pay in time is {dueOn} or within a year after it.',
  'claim-amount': 'At most {open} of the invoice is open.',
  'claim-discount': 'The discount is smaller than the amount.',
  'claim-frozen': 'Something was paid of the claim: its amount and discount are fixed.',
  'reminder-delivered': 'The reminder was delivered already.',
  'reminder-mailed': 'The reminder goes by mail, and counts by itself once it is sent.',
  'reminder-delivered-when': 'between the time when it was written ({writtenOn}) and now',
  'closed-csv-only': 'closed days come as CSV only',
  'not-collectable': 'Invoice no. {number} may not be handed to a collector now: load the list again.',
  'collection-one-site':
    'Choose the invoices of one site: a file of several sites is for operators of every site.',
  'claim-collected': 'The invoice was handed to a collector.',
  'no-such-invoice': 'there is no such invoice',
  'invoice-not-issued': 'It is not issued yet.',
  'invoice-paid': 'the invoice is paid',
  'invoice-not-payable':
    'the invoice cannot be paid by card: it is not issued, nothing of it is left, or no site that it is for takes cards online',
  'invoice-or-vehicle': 'give the invoice, or else the vehicle',
  'way-of-paid-only': 'only for an invoice that was issued unpaid and is paid otherwise than by card online',
  'payer-first': 'it is not issued: say who pays first',
  'not-over-yet': 'is not over yet',
  'charged-back': 'The holder of the card has charged it back: that money is gone already.',
  'other-amount': 'it was another one when it opened',
  'not-booked-by-provider': 'The provider has not booked this payment.',
  'credit-invoices-only':
    'Only an issued invoice to a company or an owner is corrected by line. Payments are refunded.',
  'line-not-there': 'the invoice has no such visit',
  'line-credited': 'the visit has been taken off the invoice already',
  'credit-left-only': 'the visit goes on; complete it first',
  'no-gateways': 'the cloud has no card gateway',
  'credit-note-contested': 'A credit note cannot be contested: contest its invoice.',
  'credit-note': 'A credit note cannot be refunded.',
  'refund-whole-only': 'only what was paid online can be refunded in part',
  'nothing-paid': 'Nothing has been paid for this visit.',
  'needs-no-person': 'This payment does not need a person.',
  'booked-by-provider': 'The provider has booked this payment: it stays, or it was given back.',
  'site-knows-payment':
    'The site of this payment has not said that it does not know it: find the outcome out there (hlid payment).',
  'terminal-finding': ({ state, findings }: { state: PaymentState; findings: readonly string[] }) =>
    `The payment is ${state}: it can be ${findings.join(' or ')}.`,
  'refund-under-way': 'A refund is under way: wait for the provider’s answer.',
  'no-lines': 'The file has no lines.',
  'wrong-signature': 'is missing, wrong, or more than five minutes old',
  unreadable: 'cannot be read',
  'no-payment-of-gateway': 'this gateway has no such payment',
  'payment-or-transaction': 'is missing, and so is transactionId',
  'no-card-number': 'is not a card number',
  'brand-not-taken': 'cards of this brand are not taken',
  'card-expired-or-wrong': 'has passed, or is no month and year',
  'wrong-ccv': 'has another length',
  'no-provider': 'is not configured for this site',
  'card-needed': 'is needed, the same one in each step',
  'no-visit': 'is not inside, and has nothing to pay',
  'too-late': 'left too long ago to be paid for online; an operator can take the payment',
  'several-visits': 'is inside at several sites; name the visit',
  'quota-product': 'is a quota, which is not sold by the visit',
  currency: 'its price is in another currency than the site’s',
  'product-of-another-visit': 'it does not price this visit',
  'costs-nothing': 'it costs nothing',
  'site-in-use':
    'It has been connected, or cameras, zones, permits, products or visits belong to it. Archive it instead.',
  'visits-priced': 'its visits have been priced in {currency}: it cannot be changed',
  'product-currency': 'its product {product} is in {currency}',
  'leaves-unpriced': ({ vehicleCategory, sites }: { vehicleCategory: string; sites: readonly string[] }) =>
    `It prices ${vehicleCategory} vehicles at ${sites.join(', ')}: add the product that is to price them first, or set its price to 0.`,
  'currency-in-use': 'amounts in {before} have been priced by it: add a new product for {after}',
  'site-currency': 'the currency of its site is {currency}',
  'invoice-cannot-become': ({ from, to }: { from: InvoiceStatus; to: InvoiceStatus }) =>
    `an invoice that is ${from} cannot become ${to}`,
  'mark-cannot-become': ({ from, to }: { from: RemoteStatus; to: RemoteStatus }) =>
    `what is ${from} there cannot become ${to}`,
  'chargeback-over': ({ state }: { state: string }) => `it is ${state}`,
  'charge-back-settled-only': ({ state }: { state: PaymentState }) =>
    `Only a settled payment can be charged back: this one is ${state}.`,
  'more-than-paid': 'the payment was {amount}',
  'reverse-settled-only': ({ state }: { state: PaymentState }) =>
    `Only a settled payment can be reversed: this one is ${state}.`,
  'refund-settled-only': ({ state }: { state: PaymentState }) =>
    `Only a settled payment can be refunded: this one is ${state}.`,
  'refund-too-big': 'only {left} is left',
  'refund-paid-only': ({ status }: { status: InvoiceStatus }) =>
    `Only a paid invoice can be refunded: this one is ${status}.`,
  'too-many-days': 'at most {days} days are added up at once',
  'counting-too-long': 'counting takes longer than {seconds} s; ask for fewer days',
  'payment-over': ({ state }: { state: PaymentState }) =>
    `The payment is ${state}, and its visit may be paid otherwise: give the money back.`,
  'not-csv': 'The file is not CSV: {detail}',
  'too-many-lines': 'At most {max} lines are read at once.',
  'no-column': 'There is no column {name}.',
  'line-unreadable': ({ columns }: { columns: readonly string[] }) => `${columns.join(', ')} cannot be read`,
  'too-many-decimals': 'has more decimals than {currency} has',
  'no-such-gateway': ({ known }: { known: readonly string[] }) =>
    `is not configured. There are: ${known.join(', ') || 'none'}`,
  'payment-currency': 'the payment was in {currency}',
  'terminal-ambiguous': 'several sites have one of that name: say <site id>:{terminalId}',
  'priced-by-another': 'it is not sold by the day for this vehicle; this visit is priced by {product}',
  'less-than-due': '{paid} does not meet the {due} that are due',
  'approval-waiting': 'It waits for the approval of a second person already.',
  'approval-own': 'You asked for it yourself: another person has to decide.',
  'approval-of-another': 'Only the person who asked for it can withdraw it.',
  'approval-over': ({ state }: { state: string }) =>
    `It no longer waits: ${APPROVAL_STATES[state] ?? state}.`,
  'approval-amount-changed': 'It is worth another amount now. Read it again, then decide.',
  'approval-nothing-left': 'There is nothing left to waive.',
  'approval-subject-gone': 'What it would change is no longer there.',
} as const;

const APPROVAL_STATES: Readonly<Record<string, string>> = {
  done: 'it was approved',
  refused: 'it was refused',
  withdrawn: 'it was withdrawn',
  expired: 'nobody decided in time',
  failed: 'it could not be done',
};

const REVERSAL_FAULTS: Readonly<Record<string, string>> = {
  'terminal-busy': 'the terminal is in use',
  'terminal-away': 'the terminal cannot be reached',
  'no-terminal': 'the site has no such terminal any more',
  'not-found': 'the terminal that is there now did not take the payment',
  'no-refund': 'the provider cannot refund it: give the money back by another way',
  'reversal-unknown':
    'the money may have gone back already, and nobody knows; find it out at the terminal first',
  'not-reversible': 'the site does not have it as settled',
};
