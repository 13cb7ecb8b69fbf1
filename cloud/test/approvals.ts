import { randomUUID } from 'node:crypto';
import { DAY_MS } from '@hlid/protocol/base/durations';
import { utcTime } from '@hlid/protocol/base/utc-time';
import { type ApprovalRow, approvalTable } from '../src/records/approvals/approval-table.ts';
import type { TestApi } from './api.ts';

let plates = 0;

/** A request to waive what a visit owes, which is nothing, by somebody who has left. @returns its id */
export async function sampleApproval(
  api: TestApi,
  { siteId = api.site.id, ...fields }: Partial<ApprovalRow> = {},
): Promise<string> {
  const plate = `APR${String(++plates).padStart(4, '0')}`;
  const { id: visitId } = await api.visit({ plate }, { siteId: siteId ?? api.site.id });
  const row: ApprovalRow = {
    id: randomUUID(),
    kind: 'waiver',
    subjectId: visitId,
    args: { paymentStatus: 'void', reason: 'The gate did not open' },
    siteId,
    visitId,
    invoiceId: null,
    paymentId: null,
    disputeId: null,
    amountMinor: 0,
    currency: 'ISK',
    reason: 'The gate did not open',
    state: 'waiting',
    requestedBy: `account:${randomUUID()}`,
    // Each a second after the one before: the newest are found first.
    requestedAt: utcTime(Date.parse(api.now()) + plates * 1000),
    expiresAt: utcTime(Date.parse(api.now()) + 7 * DAY_MS),
    decidedBy: null,
    decidedAt: null,
    answer: null,
    problems: [],
    ...fields,
  };
  await api.db.write(({ q }) => q.insert(approvalTable).values(row));
  return row.id;
}
