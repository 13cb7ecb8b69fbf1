import type { invoiceRoutes } from '@hlid/cloud/money/invoices/invoice-routes';
import type { paymentRoutes } from '@hlid/cloud/money/payments/payment-routes';
import type { terminalDayRoutes } from '@hlid/cloud/money/payments/terminal-days';
import type { sendRoutes } from '@hlid/cloud/paying/e-invoice-sending/send-routes';
import type { chargebackRoutes } from '@hlid/cloud/paying/online-payments/chargebacks/chargeback-routes';
import type { personFindingRoutes } from '@hlid/cloud/paying/online-payments/person-finding/person-finding-routes';
import type { payLinkRoutes } from '@hlid/cloud/paying/pay/pay-link-routes';
import type { refundRoutes } from '@hlid/cloud/paying/refunds/refund-routes';
import type { visitCommandRoutes } from '@hlid/cloud/stays/visits/edit/visit-command-routes';
import type { Money } from '@hlid/protocol/base/money';
import { apiOf, read } from '../../calls/api.ts';

export const invoiceApi = apiOf<typeof invoiceRoutes>();
export const refundApi = apiOf<typeof refundRoutes>();
export const payLinkApi = apiOf<typeof payLinkRoutes>();
export const paymentApi = apiOf<typeof paymentRoutes>();
const sendApi = apiOf<typeof sendRoutes>();
export const findingApi = apiOf<typeof personFindingRoutes>();
export const chargebackApi = apiOf<typeof chargebackRoutes>();
export const terminalDayApi = apiOf<typeof terminalDayRoutes>();
export const visitCommandApi = apiOf<typeof visitCommandRoutes>();

const { payments } = paymentApi;

export const PAYMENT_ORDERS = ['newest', 'oldest', 'amount', '-amount'] as const;
type PaymentOrder = (typeof PAYMENT_ORDERS)[number];

export async function readPayments(query: { siteId?: string; order?: PaymentOrder; next?: string }) {
  return await read(payments.$get({ query }));
}
export async function readPayment(id: string) {
  return await read(payments[':id'].$get({ param: { id } }));
}
export type CardPayment = Awaited<ReturnType<typeof readPayment>>;
export type WaitingPayment = Awaited<ReturnType<typeof readPayments>>['data'][number];

export async function readInvoice(id: string) {
  return await read(invoiceApi.invoice[':id'].$get({ param: { id } }));
}
export type InvoiceWithLines = Awaited<ReturnType<typeof readInvoice>>;

/** Sends it electronically, again where it was refused. */
export async function sendInvoice(id: string, headers: Record<string, string>) {
  return await read(sendApi.invoice[':id'].send.$post({ param: { id } }, { headers }));
}

/** Whether the money came by card online, when the invoice was made or since. */
export function isPaidOnline({ paymentType, settlement }: InvoiceWithLines): boolean {
  return paymentType === 'online' || settlement?.way === 'online';
}

/** An amount of the cloud as the shared parts take it. */
export function moneyOf({ amount, currency }: { amount: number; currency: string }): Money {
  return { amountMinor: amount, currency };
}

/** The queries that a change of a payment or an invoice makes stale. */
export const MONEY_QUERIES = [['payments'], ['invoices'], ['visits']] as const;
