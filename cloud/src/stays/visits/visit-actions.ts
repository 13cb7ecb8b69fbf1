import { type Mistake, mistake } from '@hlid/protocol/base/mistakes/mistake';
import type { UtcTime } from '@hlid/protocol/base/utc-time';
import { moveBetween } from '@hlid/protocol/rules/visit-state';
import { type ActionRules, ALWAYS, actionsSchema } from '../../people/auth/record-actions.ts';
import { type DisputesOfOne, refuseDispute } from '../../records/disputes/dispute-rule.ts';
import type { VisitRow } from '../../records/visits/visit-table.ts';

export const VISIT_ACTION_NAMES = [
  'edit',
  'settle',
  'void',
  'reopen',
  'review',
  'flag',
  'split',
  'join',
  'permit',
  'notice',
  'contest',
  'receipt',
  'pay-link',
  'renew-vehicle',
] as const;
export type VisitAction = (typeof VISIT_ACTION_NAMES)[number];

type Row = Pick<
  VisitRow,
  | 'id'
  | 'plate'
  | 'status'
  | 'endedAt'
  | 'paymentStatus'
  | 'unitsMet'
  | 'paidMinor'
  | 'quota'
  | 'amountMinor'
  | 'flags'
>;

/** The facts that decide about the actions of a visit. */
export interface VisitFacts extends Row {
  disputes: DisputesOfOne;
  noticeAt: UtcTime | null;
  /** Something was paid for it and not given back. */
  hasPaid: boolean;
  /** Its site takes cards on the payment page. */
  takesCards: boolean;
  hasRegistry: boolean;
  /** Why the caller gives it no permit. */
  permitRefusal: Mistake | null;
}

/** The actions of a visit, and when each is possible. The commands refuse by these rules. */
export const VISIT_ACTIONS = {
  edit: { route: 'PUT /visit/:id', refuse: ALWAYS },
  settle: { route: 'PUT /visit/:id', refuse: refuseSettlement },
  void: { route: 'PUT /visit/:id', refuse: refuseSettlement },
  reopen: {
    route: 'PUT /visit/:id',
    refuse: ({ status }: Pick<Row, 'status'>) =>
      moveBetween(status, 'new') === 'reopened'
        ? null
        : mistake('visit-cannot-become', 'status', { from: status, to: 'new' }),
  },
  review: {
    route: 'POST /visit/:id/reviewed',
    // The answer to the dispute takes that flag off.
    refuse: ({ flags }: Pick<Row, 'flags'>) =>
      flags.some((flag) => flag !== 'disputed') ? null : ('nothing-to-do' as const),
  },
  flag: { route: 'POST /visit/:id/flagged', refuse: ALWAYS },
  split: { route: 'POST /visit/:id/split', refuse: refuseSplit },
  join: {
    route: 'POST /visit/:id/join',
    refuse: ({ id, paymentStatus }: Pick<Row, 'id' | 'paymentStatus'>) =>
      paymentStatus === 'void' ? mistake('visit-voided', [], { id }) : null,
  },
  permit: {
    route: 'POST /visit/:id/whitelist',
    refuse: ({ permitRefusal }: Pick<VisitFacts, 'permitRefusal'>) => permitRefusal,
  },
  notice: { route: 'POST /visit/:id/notice', refuse: refuseNotice },
  contest: {
    route: 'POST /visit/:id/dispute',
    refuse: ({ disputes }: Pick<VisitFacts, 'disputes'>) => refuseDispute(disputes),
  },
  receipt: {
    route: 'POST /visit/:id/receipt',
    refuse: ({ hasPaid }: Pick<VisitFacts, 'hasPaid'>) => (hasPaid ? null : mistake('nothing-paid')),
  },
  'pay-link': {
    route: 'POST /visit/:id/pay-link',
    refuse: ({ takesCards }: Pick<VisitFacts, 'takesCards'>) =>
      takesCards ? null : mistake('no-cards-online'),
  },
  'renew-vehicle': {
    route: 'POST /visit/:id/renewVehicle',
    refuse: ({ plate, hasRegistry }: Pick<VisitFacts, 'plate' | 'hasRegistry'>) => {
      if (plate === null) return mistake('no-plate-yet');
      return hasRegistry ? null : mistake('no-registry');
    },
  },
} satisfies ActionRules<VisitAction, VisitFacts>;

export const VisitActionsSchema = actionsSchema(VISIT_ACTION_NAMES, VISIT_ACTIONS);

function refuseSettlement({ status }: Pick<Row, 'status'>): Mistake | null {
  return status === 'completed' ? mistake('visit-completed', 'paymentStatus') : null;
}

function refuseSplit(
  visit: Pick<Row, 'plate' | 'paymentStatus' | 'unitsMet' | 'paidMinor' | 'quota'>,
): Mistake | null {
  const { plate, paymentStatus } = visit;
  if (plate === null) return mistake('plate-first');
  if (isPaidFor(visit)) return mistake('paid-not-divisible');
  return paymentStatus === null || paymentStatus === 'failed'
    ? null
    : mistake('visit-settled', [], { paymentStatus });
}

/** Whether something of a visit was paid, invoiced or taken from a quota: that cannot go to another visit. */
export function isPaidFor({
  paymentStatus,
  unitsMet,
  paidMinor,
  quota,
}: Pick<Row, 'paymentStatus' | 'unitsMet' | 'paidMinor' | 'quota'>): boolean {
  if (unitsMet > 0 || paidMinor > 0 || (quota?.units ?? 0) > 0) return true;
  return (
    paymentStatus === 'kiosk' || paymentStatus === 'company-invoice' || paymentStatus === 'owner-invoice'
  );
}

function refuseNotice({
  endedAt,
  status,
  amountMinor,
  disputes,
  noticeAt,
}: Pick<VisitFacts, 'endedAt' | 'status' | 'amountMinor' | 'noticeAt' | 'disputes'>): Mistake | null {
  if (endedAt === null || status === 'completed' || (amountMinor ?? 0) === 0) {
    return mistake('notice-for-debts');
  }
  if (disputes.isOpen) return mistake('disputed');
  return noticeAt === null ? null : mistake('notice-delivered', [], { on: noticeAt });
}
