import { z } from 'zod';
import { TypedTextSchema } from '../base/card-number.ts';
import { atMostKeys, MAX_LANGUAGES } from '../base/json-bounds.ts';
import { wrong } from '../base/mistakes/mistake.ts';
import { PriceMinorSchema } from '../base/money.ts';
import { isCalendarDay, WallEndSchema, WallTimeSchema } from '../base/site-time.ts';
import { VehicleCategorySchema } from '../plate/vehicle-category.ts';

/** The text for people, by language. */
const LabelSchema = z
  .record(z.string().length(2), TypedTextSchema.min(1).max(100), {
    error: ({ code }) => (code === 'invalid_key' ? wrong('language-form') : undefined),
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
  .regex(/^(\d{4}-)?(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$/, wrong('calendar-day-form'))
  .refine(isDay, wrong('no-such-day'));

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
    endTime: WallEndSchema.default('23:59').describe(
      'Includes that minute, unless another band begins with it: where two windows meet, the one that begins counts. ' +
        '`00:00` and `24:00` are midnight. An end before the start is on the next day.',
    ),
    dates: z
      .array(z.strictObject({ from: CalendarDaySchema, to: CalendarDaySchema }))
      .min(1)
      .max(100)
      .optional()
      .describe('Includes both dates; absent: the whole year.'),
    holidays: z
      .enum(['only', 'never'])
      .optional()
      .describe(
        'Whether the window is open on the tariff’s `holidays` only or never; absent: like on other days.',
      ),
  })
  .meta({
    id: 'TariffWindow',
    description:
      "A daily window by the site's wall clock. A window that opens in the evening belongs to the day " +
      'on which it opens.',
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
      .describe('A line of a table: the total price of a stay up to this length.'),
  ])
  .meta({
    id: 'TariffStep',
    description:
      'The prices in order as a stay grows. `flat`: one price for `minutes`, or until another band ' +
      'begins. `each`: a price for each started `everyMinutes`, for `minutes` or for the rest. ' +
      '`up-to`: a line of a table, with the total price of a stay up to this length.',
  });
export type TariffStep = z.infer<typeof TariffStepSchema>;

/** The prices at certain times. */
export const TariffBandSchema = z
  .strictObject({
    label: LabelSchema.optional(),
    window: TariffWindowSchema.optional(),
    steps: z.array(TariffStepSchema).min(1).max(50),
    capMinor: PriceMinorSchema.optional().describe(
      'The maximum price of one opening of its window, such as one night.',
    ),
  })
  .meta({
    id: 'TariffBand',
    description:
      'The prices while its window is open; without a window, at all times without an earlier band.',
  });
export type TariffBand = z.infer<typeof TariffBandSchema>;

/** The price of a day of a stay. */
export const TariffDaySchema = z
  .strictObject({
    kind: z
      .enum(['rolling', 'calendar'])
      .describe('`rolling`: each 24 hours from the start; `calendar`: from midnight to midnight.'),
    prices: z
      .array(z.strictObject({ fromDay: z.int().min(1), priceMinor: PriceMinorSchema }))
      .min(1)
      .max(50)
      .describe('The cap of a day, by its number in the stay; without bands, its price.'),
    partial: z
      .enum(['hours', 'full-day', 'free'])
      .default('hours')
      .describe(
        'The price of an incomplete day after the first: its hours up to the cap, the full day, or ' +
          'nothing.',
      ),
    shortStayMinutes: MinutesSchema.optional().describe(
      'A stay no longer than this is priced by its bands alone, also across midnight. A longer stay ' +
        'pays the price of every day that it touches, including the first.',
    ),
    stepsRestart: z
      .boolean()
      .default(true)
      .describe('Whether each day begins with the first step, or continues where the previous day ended.'),
  })
  .meta({ id: 'TariffDay', description: 'The price of a day of a stay.' });
export type TariffDay = z.infer<typeof TariffDaySchema>;

/** One price for a stay that begins and ends within windows: early bird, night, weekend. */
export const TariffFlatRateSchema = z
  .strictObject({
    label: LabelSchema.optional(),
    entry: TariffWindowSchema.prefault({}),
    exit: TariffWindowSchema.prefault({}),
    priceMinor: PriceMinorSchema,
    untilNext: WallTimeSchema.optional().describe(
      'The stay has to end while the wall clock next shows this time, or before.',
    ),
    within: z
      .enum(['day', 'weekend'])
      .optional()
      .describe('The stay has to be within one calendar day, or within one Saturday and Sunday.'),
    withinMinutes: MinutesSchema.optional().describe(
      'The maximum length; a longer stay is priced by the bands.',
    ),
  })
  .meta({
    id: 'TariffFlatRate',
    description:
      'One price for a stay that begins in the window `entry` and ends in the window `exit`; absent: ' +
      'any time. Without `untilNext`, `within` and `withinMinutes` the stay has to end in the first ' +
      'opening of `exit` that has not closed when the stay begins: the same day, the coming night, the ' +
      'same weekend.',
  });
export type TariffFlatRate = z.infer<typeof TariffFlatRateSchema>;

const ratesShape = {
  bands: z
    .array(TariffBandSchema)
    .max(50)
    .default([])
    .describe('In order: the first band whose window is open applies. Time without a band is free.'),
  day: TariffDaySchema.optional(),
  caps: z
    .strictObject({
      weekMinor: PriceMinorSchema.optional().describe('The cap of each week.'),
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
    seatsUpTo: z.int().min(1).optional().describe('The maximum number of registered seats.'),
    massUpToKg: z.int().min(1).optional().describe('The maximum permitted mass.'),
    ...ratesShape,
  })
  .meta({ id: 'TariffClass', description: 'The prices of certain vehicles.' });
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
        '`fits`: only a stay within the free time is free, others are charged from their start. ' +
          '`always`: deducted from every stay, which is charged after it.',
      ),
    per: z
      .enum(['visit', 'plate-24h', 'plate-day'])
      .default('visit')
      .describe('Once for each visit, for each plate in 24 hours, or for each plate in a calendar day.'),
    again: z
      .enum(['nothing', 'rest'])
      .default('nothing')
      .describe("The free time of a plate's second stay in that period: none, or the remaining part."),
  })
  .meta({ id: 'FreeTime' });
export type FreeTime = z.infer<typeof FreeTimeSchema>;

/** The price of a stay by the hour, the day and the calendar; amounts in the minor unit of the product's currency. */
export const TariffShapeSchema = z.strictObject({
  ...ratesShape,
  free: FreeTimeSchema.optional(),
  entryGraceMinutes: z
    .int()
    .min(0)
    .optional()
    .describe("A stay no longer than this is free; absent: the site's setting."),
  exitGraceMinutes: z
    .int()
    .min(0)
    .optional()
    .describe("Time from the payment to the exit; absent: the site's setting."),
  straddle: z
    .enum(['rate-at-start', 'pro-rata', 'restart'])
    .default('rate-at-start')
    .describe(
      'How a step that reaches from one band into another is charged: at the price of the band where ' +
        'it began (`rate-at-start`), each part at the price of its band (`pro-rata`, rounded to the ' +
        'nearest minor unit, halves up), or ended at the border, where the other band begins with its ' +
        'first step (`restart`).',
    ),
  boundary: z
    .enum(['lower', 'upper'])
    .default('lower')
    .describe(
      'Whether a stay exactly as long as a step belongs to that step (`lower`) or to the next one ' +
        '(`upper`).',
    ),
  flatRateChoice: z
    .enum(['cheapest', 'priority'])
    .default('cheapest')
    .describe(
      'Which price applies if flat rates fit: the cheapest of them and the bands, or the first flat ' +
        'rate that fits, even if it costs more.',
    ),
  holidays: z.array(CalendarDaySchema).max(500).default([]),
  classes: z
    .array(TariffClassSchema)
    .max(50)
    .default([])
    .describe(
      'In order: the first class that fits the vehicle applies. An unknown seat number or mass fits. ' +
        'If none fits, the prices outside `classes` apply.',
    ),
  lateFee: z
    .strictObject({ afterMinutes: MinutesSchema, amountMinor: PriceMinorSchema })
    .optional()
    .describe('Added if a stay that has ended is paid later than this.'),
  serviceFees: z
    .strictObject({ kiosk: PriceMinorSchema.optional(), online: PriceMinorSchema.optional() })
    .default({})
    .describe('Added by payment channel.'),
});
export type Tariff = z.infer<typeof TariffShapeSchema>;

function isDay(text: string): boolean {
  // A leap year, so that 29 February is a valid day of every year.
  return isCalendarDay(text.length > 5 ? text : `2024-${text}`);
}
