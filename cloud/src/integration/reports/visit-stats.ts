import { anySignal } from '@hlid/node/deadline';
import { mistake } from '@hlid/protocol/base/mistakes/mistake';
import type { UtcTime } from '@hlid/protocol/base/utc-time';
import { PaymentStatusSchema, VisitStatusSchema } from '@hlid/protocol/records/visit';
import { VehicleCategorySchema } from '@hlid/protocol/tariff/product';
import { z } from '@hono/zod-openapi';
import type { Scans } from '../../platform/db/scans.ts';
import { type RefusedInput, refusedInput } from '../../platform/refused.ts';
import type { VisitFilters } from '../../stays/visits/list/visit-filters.ts';
import { VISIT_STATS_SCAN } from './scan-keys.ts';
import type { VisitKindCount } from './visit-stats-store.ts';

/** The max time that a caller waits. */
const STATS_WITHIN_MS = 20_000;

const CountSchema = z.int().min(0);

export const VisitStatsSchema = z
  .strictObject({
    total: CountSchema,
    statuses: z.array(z.strictObject({ status: VisitStatusSchema, count: CountSchema })),
    categories: z
      .array(z.strictObject({ category: VehicleCategorySchema, count: CountSchema }))
      .describe('A vehicle that is in no register counts as light.'),
    paymentStatuses: z
      .array(z.strictObject({ paymentStatus: PaymentStatusSchema.nullable(), count: CountSchema }))
      .describe('Null: not settled.'),
  })
  .meta({
    id: 'VisitStats',
    example: {
      total: 3,
      statuses: [
        { status: 'new', count: 1 },
        { status: 'need-payment', count: 0 },
        { status: 'need-plate', count: 0 },
        { status: 'completed', count: 2 },
      ],
      categories: [
        { category: 'light', count: 3 },
        { category: 'heavy', count: 0 },
      ],
      paymentStatuses: [
        { paymentStatus: null, count: 1 },
        { paymentStatus: 'kiosk', count: 2 },
      ],
    },
  });
export type VisitStats = z.infer<typeof VisitStatsSchema>;

/**
 * The number of visits of each kind, with the kinds that have none.
 *
 * @param filters null: the caller has no visits
 * @param signal aborted if the caller is gone
 */
export async function visitStats(
  scans: Scans,
  filters: VisitFilters | null,
  { now, signal }: { now: UtcTime; signal: AbortSignal },
  withinMs = STATS_WITHIN_MS,
): Promise<{ ok: true; stats: VisitStats } | RefusedInput> {
  const deadline = AbortSignal.timeout(withinMs);
  const counts: VisitKindCount[] = [];
  try {
    if (filters !== null) {
      const days = scans.run(VISIT_STATS_SCAN, { filters, now }, anySignal([signal, deadline]));
      for await (const day of days) counts.push(...day);
    }
  } catch (error) {
    if (!deadline.aborted || signal.aborted) throw error;
    return refusedInput(mistake('counting-too-long', ['date.from'], { seconds: withinMs / 1000 }));
  }
  return { ok: true, stats: statsOf(counts) };
}

function statsOf(counts: readonly VisitKindCount[]): VisitStats {
  const sum = (belongs: (kind: VisitKindCount) => boolean) =>
    counts.reduce((all, kind) => all + (belongs(kind) ? kind.visits : 0), 0);
  return {
    total: sum(() => true),
    statuses: VisitStatusSchema.options.map((status) => ({
      status,
      count: sum((kind) => kind.status === status),
    })),
    categories: VehicleCategorySchema.options.map((category) => ({
      category,
      count: sum((kind) => (kind.category ?? 'light') === category),
    })),
    paymentStatuses: [null, ...PaymentStatusSchema.options].map((paymentStatus) => ({
      paymentStatus,
      count: sum((kind) => kind.paymentStatus === paymentStatus),
    })),
  };
}
