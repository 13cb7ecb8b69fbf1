import { z } from '@hono/zod-openapi';
import { INCOME_TYPES } from '../../records/invoices/income-table.ts';
import { IncomeReportSchema } from './income-report.ts';

const CountSchema = z.int().min(0);
const AmountsSchema = IncomeReportSchema.shape.total.shape.amounts;

const StayFiguresSchema = z
  .strictObject({
    arrivals: CountSchema,
    departures: CountSchema,
    inside: z
      .number()
      .min(0)
      .nullable()
      .describe('The average number of cars inside, up to now; null: it lies in the future.'),
    stayMinutes: z
      .number()
      .min(0)
      .nullable()
      .describe('The average of the stays that ended; null: none did.'),
    automatic: CountSchema.describe('Arrivals with a plate that no person and no driver gave or changed.'),
    permitStays: CountSchema.describe('Arrivals with a permit.'),
    exits: CountSchema.describe('Cars that exits let out.'),
    doubtfulExits: CountSchema.describe(
      'Those let out without a visit, with a bill that waits for a person, or by a plate that was not certain.',
    ),
    deviceFaults: CountSchema.describe('How often a device began to fail.'),
    deviceDownMinutes: CountSchema.describe('How long devices were down, summed, up to now.'),
  })
  .meta({
    id: 'StayFigures',
    example: {
      arrivals: 250,
      departures: 248,
      inside: 41.5,
      stayMinutes: 94.2,
      automatic: 243,
      permitStays: 60,
      exits: 248,
      doubtfulExits: 3,
      deviceFaults: 1,
      deviceDownMinutes: 35,
    },
  });
export type StayFigures = z.infer<typeof StayFiguresSchema>;

const figures = {
  income: AmountsSchema.nullable().describe('Null: the caller may not see money.'),
  stays: StayFiguresSchema.nullable().describe('Null: the caller may not see visits.'),
};

const OverviewPeriodSchema = z
  .strictObject({
    key: z.string().describe('The day, `2026-W47` (ISO 8601) or `2026-11`.'),
    from: z.iso.date(),
    to: z.iso.date(),
    ...figures,
  })
  .meta({ id: 'OverviewPeriod' });
export type OverviewPeriod = z.infer<typeof OverviewPeriodSchema>;

const OverviewSpanSchema = z
  .strictObject({
    from: z.iso.date(),
    to: z.iso.date(),
    ...figures,
    payments: z
      .array(z.strictObject({ paymentType: z.enum(INCOME_TYPES), amounts: AmountsSchema }))
      .nullable()
      .describe('The income by way of payment; null: the caller may not see money.'),
    periods: z.array(OverviewPeriodSchema).describe('The periods in order, without gaps.'),
  })
  .meta({ id: 'OverviewSpan' });
export type OverviewSpan = z.infer<typeof OverviewSpanSchema>;

export const OVERVIEW_BY = ['day', 'week', 'month'] as const;

export const OverviewSchema = z
  .strictObject({
    by: z.enum(OVERVIEW_BY),
    now: OverviewSpanSchema.describe('The requested days.'),
    before: z
      .strictObject({
        week: OverviewSpanSchema.nullable(),
        month: OverviewSpanSchema.nullable(),
        year: OverviewSpanSchema.nullable(),
      })
      .describe(
        'The same days a week, a month and a year before; null: the requested days are more than that.',
      ),
    devices: z
      .strictObject({ devices: CountSchema, failing: CountSchema })
      .nullable()
      .describe('The state now; null: the caller may not see visits.'),
  })
  .meta({ id: 'Overview' });
export type Overview = z.infer<typeof OverviewSchema>;
