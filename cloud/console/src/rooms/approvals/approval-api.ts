import type { ShownApproval } from '@hlid/cloud/paying/approvals/approval';
import type { approvalRoutes } from '@hlid/cloud/paying/approvals/approval-routes';
import { apiOf, read } from '../../calls/api.ts';

const api = apiOf<typeof approvalRoutes>();

export type Approval = ShownApproval;

export type ApprovalQuery = Parameters<typeof api.approvals.$get>[0]['query'];
/** The record that a request is about. */
export type ApprovalSubject = { visitId: string } | { invoiceId: string } | { paymentId: string };

type Headers = Record<string, string>;

export const listApprovals = (query: ApprovalQuery) => read(api.approvals.$get({ query }));
const one = api.approval[':id'];
export const readApproval = (id: string) => read(one.$get({ param: { id } }));
export const approve = (id: string, amount: number | null, headers: Headers) =>
  read(one.approve.$post({ param: { id }, json: { amount } }, { headers }));
export const refuseApproval = (id: string, reason: string, headers: Headers) =>
  read(one.refuse.$post({ param: { id }, json: { reason } }, { headers }));
export const withdrawApproval = (id: string, headers: Headers) =>
  read(one.withdraw.$post({ param: { id } }, { headers }));

/** The queries that a decision makes stale: an approved act changes what it is about. */
export const APPROVAL_QUERIES = [
  ['approvals'],
  ['visits'],
  ['visit'],
  ['invoices'],
  ['payments'],
  ['disputes'],
  ['sites'],
  ['site'],
] as const;
