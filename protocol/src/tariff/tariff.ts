import { z } from 'zod';
import { TypedTextSchema } from '../card-number.ts';
import { atMostKeys, MAX_LANGUAGES } from '../json-bounds.ts';
import { PriceMinorSchema } from '../money.ts';
import { WallTimeSchema } from '../site-time.ts';
import { VehicleCategorySchema } from '../vehicle-category.ts';
import { findContradictions } from './tariff-contradictions.ts';

/** The text for people, by language. */
const LabelSchema = z
  .record(z.string().length(2), TypedTextSchema.min(1).max(100), {
    error: ({ code }) =>
      code === 'invalid_key' ? 'a language is named by its two letters, such as is or en' : undefined,
  })
  .refine(...atMostKeys(MAX_LANGUAGES))
  .meta({ maxProperties: MAX_LANGUAGES });

const MinutesSchema = z
  .int()
  .min(1)
  .max(366 * 24 * 60);

/** A day of the calendar, of one year or of every year. */
const CalendarDaySchema = z
  .string()
  .regex(
    /^(\d{4}-)?(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$/,
    'a date such as 2026-12-24, or 12-24 of every year',
  )
  .refine(isDay, 'there is no such day');

/** A daily window in the site's wall clock time. A window past midnight belongs to the day on which it opened. */
export const TariffWindowSchema = z
  .strictObject({
    weekdays: z
      .array(z.int().min(1).max(7))
      .min(1)
      .max(7)
      .optional()
      .describe('1 Monday to 7 Sunday; absent: every day.'),
    startTime: WallTimeSchema.default('00:00'),
    endTime: WallTimeSchema.default('23:59').describe(
      'That minute included; before the start: of the next morning.',
    ),
    dates: z
      .array(z.strictObject({ from: CalendarDaySchema, to: CalendarDaySchema }))
      .min(1)
      .max(100)
      .optional()
      .describe('Both ends included; absent: all the year.'),
    holidays: z
      .enum(['only', 'never'])
      .optional()
      .describe('Days of the tariff’s `holidays`; absent: they are days like others.'),
  })
  .meta({
    id: 'TariffWindow',
    description:
      'A daily window by the wall clock of the site. What opens in the evening belongs to the day on which it opened.',
  });
export type TariffWindow = z.infer<typeof TariffWindowSchema>;

/** The prices in order as a stay gets longer. */
export const TariffStepSchema = z
  .discriminatedUnion('kind', [
    /** One price for `minutes`; without `minutes`, until another band begins. */
    z.strictObject({
      kind: z.literal('flat'),
      priceMinor: PriceMinorSchema,
      minutes: MinutesSchema.optional(),
    }),
    /** A price for each started `everyMinutes`, for `minutes`; without `minutes`, for the rest. */
    z.strictObject({
      kind: z.literal('each'),
      priceMinor: PriceMinorSchema,
      everyMinutes: MinutesSchema,
      minutes: MinutesSchema.optional(),
    }),
    z
      .strictObject({ kind: z.literal('up-to'), minutes: MinutesSchema, priceMinor: PriceMinorSchema })
      .describe('A line of a table: what a stay up to that long costs in all.'),
  ])
  .meta({
    id: 'TariffStep',
    description:
      'One price after the other as a stay grows. `flat`: one price for so long, without `minutes` until another band ' +
      'begins. `each`: so much for each started `everyMinutes`, without `minutes` for the rest. `up-to`: a line of a ' +
      'table, what a stay up to that long costs in all.',
  });
export type TariffStep = z.infer<typeof TariffStepSchema>;

/** The prices at certain times. */
export const TariffBandSchema = z
  .strictObject({
    label: LabelSchema.optional(),
    window: TariffWindowSchema.optional(),
    steps: z.array(TariffStepSchema).min(1).max(50),
    capMinor: PriceMinorSchema.optional().describe(
      'The most that one opening of its window costs, such as one night.',
    ),
  })
  .meta({
    id: 'TariffBand',
    description:
      'What is charged while its window is open; without a window at all times that no band before it has.',
  });
export type TariffBand = z.infer<typeof TariffBandSchema>;

/** The price of a day of a stay. */
export const TariffDaySchema = z
  .strictObject({
    kind: z
      .enum(['rolling', 'calendar'])
      .describe(
        '`rolling`: each 24 hours from the start; `calendar`: from midnight to midnight on the wall.',
      ),
    prices: z
      .array(z.strictObject({ fromDay: z.int().min(1), priceMinor: PriceMinorSchema }))
      .min(1)
      .max(50)
      .describe(
        'By the number of the day in the stay: the cap of its hours, or its price where there are no bands.',
      ),
    partial: z
      .enum(['hours', 'full-day', 'free'])
      .default('hours')
      .describe(
        'What a day after the first costs that is not over yet: its hours up to the cap, all of it, or nothing.',
      ),
    shortStayMinutes: MinutesSchema.optional().describe(
      'A stay no longer than that is priced by its bands alone, also across midnight. A longer one pays the price of ' +
        'every day that it touches, the first too.',
    ),
    stepsRestart: z
      .boolean()
      .default(true)
      .describe('Whether each day begins with the first step again, or goes on where the day before ended.'),
  })
  .meta({ id: 'TariffDay', description: 'What a day of a stay costs.' });
export type TariffDay = z.infer<typeof TariffDaySchema>;

/** One price for a stay that begins and ends within windows: early bird, night, weekend. */
export const TariffFlatRateSchema = z
  .strictObject({
    label: LabelSchema.optional(),
    entry: TariffWindowSchema.prefault({}),
    exit: TariffWindowSchema.prefault({}),
    priceMinor: PriceMinorSchema,
    untilNext: WallTimeSchema.optional().describe(
      'The stay ends before the wall clock next shows this time.',
    ),
    within: z
      .enum(['day', 'weekend'])
      .optional()
      .describe('The stay lies within one day of the calendar, or within one Saturday and Sunday.'),
    withinMinutes: MinutesSchema.optional().describe('A longer stay is priced by the bands.'),
  })
  .meta({
    id: 'TariffFlatRate',
    description:
      'One price for a stay that begins in the window `entry` and ends in the window `exit`; left out: at any time. ' +
      'Without `untilNext`, `within` and `withinMinutes` it ends in the first opening of `exit` that has not closed when ' +
      'the stay begins: the same day, the coming night, the same weekend.',
  });
export type TariffFlatRate = z.infer<typeof TariffFlatRateSchema>;

const ratesShape = {
  bands: z
    .array(TariffBandSchema)
    .max(50)
    .default([])
    .describe('In order: the first whose window is open counts. A time that none has costs nothing.'),
  day: TariffDaySchema.optional(),
  caps: z
    .strictObject({
      weekMinor: PriceMinorSchema.optional().describe('Of each week.'),
      week: z
        .enum(['stay', 'calendar'])
        .optional()
        .describe(
          'Seven days from the first day of the stay (`stay`, the default), or Monday to Sunday (`calendar`).',
        ),
      visitMinor: PriceMinorSchema.optional(),
    })
    .default({}),
  flatRates: z.array(TariffFlatRateSchema).max(50).default([]),
};

/** Other prices for certain vehicles. */
export const TariffClassSchema = z
  .strictObject({
    label: LabelSchema.optional(),
    category: VehicleCategorySchema.optional(),
    seatsUpTo: z.int().min(1).optional().describe('Registered seats, that number included.'),
    massUpToKg: z.int().min(1).optional().describe('Largest permitted mass, that number included.'),
    ...ratesShape,
  })
  .meta({ id: 'TariffClass', description: 'What a vehicle that it fits pays instead.' });
export type TariffClass = z.infer<typeof TariffClassSchema>;

/** The prices of a stay. */
export type TariffRates = Pick<TariffClass, 'bands' | 'day' | 'caps' | 'flatRates'>;

export const FreeTimeSchema = z
  .strictObject({
    minutes: MinutesSchema,
    when: z
      .enum(['fits', 'always'])
      .default('fits')
      .describe(
        '`fits`: only a stay that is no longer, others are charged from their start; `always`: taken off every stay, whose clock begins after it.',
      ),
    per: z
      .enum(['visit', 'plate-24h', 'plate-day'])
      .default('visit')
      .describe('Each visit, or each plate once in 24 hours, or in a day of the calendar.'),
    again: z
      .enum(['nothing', 'rest'])
      .default('nothing')
      .describe('Of a plate: what a second stay in that time has: nothing, or what the first has left.'),
  })
  .meta({ id: 'FreeTime' });
export type FreeTime = z.infer<typeof FreeTimeSchema>;

/** The price of a stay by the hour, the day and the calendar; amounts in the minor unit of the product's currency. */
export const TariffSchema = z
  .strictObject({
    ...ratesShape,
    free: FreeTimeSchema.optional(),
    entryGraceMinutes: z
      .int()
      .min(0)
      .optional()
      .describe('A stay no longer than that turned round and costs nothing; absent: as the site has it.'),
    exitGraceMinutes: z
      .int()
      .min(0)
      .optional()
      .describe('From the payment to the exit; absent: as the site has it.'),
    straddle: z
      .enum(['rate-at-start', 'pro-rata', 'restart'])
      .default('rate-at-start')
      .describe(
        'A step that reaches from one band into another: charged as where it began (`rate-at-start`), each part as where it lies (`pro-rata`, rounded to the nearest minor unit, halves up), or ended there, with the other band’s first step beginning (`restart`).',
      ),
    boundary: z
      .enum(['lower', 'upper'])
      .default('lower')
      .describe('To which step a stay belongs that is exactly as long as one.'),
    flatRateChoice: z
      .enum(['cheapest', 'priority'])
      .default('cheapest')
      .describe(
        'Of several flat rates, and the bands: the cheapest, or the first flat rate that fits even if dearer.',
      ),
    holidays: z.array(CalendarDaySchema).max(500).default([]),
    classes: z
      .array(TariffClassSchema)
      .max(50)
      .default([])
      .describe(
        'In order: the first that fits the vehicle; where its seats or mass are not known they fit. None fits: as below.',
      ),
    lateFee: z
      .strictObject({ afterMinutes: MinutesSchema, amountMinor: PriceMinorSchema })
      .optional()
      .describe('Charged besides, where a stay that has ended is paid later than that.'),
    serviceFees: z
      .strictObject({ kiosk: PriceMinorSchema.optional(), online: PriceMinorSchema.optional() })
      .default({})
      .describe('Charged besides, by the way it is paid.'),
  })
  .superRefine((tariff, context) => {
    for (const { path, message } of findContradictions(tariff)) {
      context.addIssue({ code: 'custom', path, message });
    }
  })
  .meta({
    id: 'Tariff',
    description:
      'The price of a stay by the hour, the day and the calendar. Amounts are in the minor unit of the product’s currency.',
    example: {
      free: { minutes: 15 },
      bands: [{ steps: [{ kind: 'each', priceMinor: 350, everyMinutes: 60 }] }],
      day: { kind: 'rolling', prices: [{ fromDay: 1, priceMinor: 1750 }] },
    },
  });
export type Tariff = z.infer<typeof TariffSchema>;

function isDay(text: string): boolean {
  // A leap year, so that 29 February is a valid day of every year.
  const date = text.length > 5 ? text : `2024-${text}`;
  const day = Date.parse(`${date}T00:00:00Z`);
  return !Number.isNaN(day) && new Date(day).toISOString().startsWith(date);
}
