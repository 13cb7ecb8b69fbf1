import type { Permission } from '../../platform/http/caller.ts';
import type { ApprovalKind } from '../../records/approvals/approval-table.ts';

/** The call that each kind of request was, as the access table names it: who may make that call may approve it. */
export const ROUTE_OF_KIND: Readonly<Record<ApprovalKind, string>> = {
  refund: 'POST /invoice/:id/refund',
  reversal: 'POST /payments/:id/reverse',
  credit: 'POST /invoice/:id/credit',
  waiver: 'PUT /visit/:id',
  dispute: 'POST /dispute/:id/answer',
  limits: 'PUT /sites/:id/approval-limits',
  'day-close': 'POST /day-closes/:id/sign',
};

/** The permission that the call needs; a dispute that voids a visit, the one for visits. */
export const PERMISSION_OF_KIND: Readonly<Record<ApprovalKind, Permission>> = {
  refund: 'money',
  reversal: 'money',
  credit: 'money',
  waiver: 'visits',
  dispute: 'visits',
  limits: 'people',
  'day-close': 'money',
};
