import { z } from 'zod';
import { TypedTextSchema } from '../card-number.ts';
import { atMostKeys, MAX_LANGUAGES } from '../json-bounds.ts';
import { PriceMinorSchema } from '../money.ts';
import { WallTimeSchema } from '../site-time.ts';
import { VehicleCategorySchema } from '../vehicle-category.ts';
import { findContradictions } from './tariff-contradictions.ts';

/** As people read it, by language. */
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

/** A daily window by the wall clock of the site; what opens in the evening belongs to the day on which it opened. */
export const TariffWindowSchema = z
  .strictObject({
    /** 1 Monday to 7 Sunday; absent: every day. */
    weekdays: z.array(z.int().min(1).max(7)).min(1).max(7).optional(),
    startTime: WallTimeSchema.default('00:00'),
    /** That minute included; before the start: of the next morning. */
    endTime: WallTimeSchema.default('23:59'),
    /** Both ends included; absent: all the year. */
    dates: z
      .array(z.strictObject({ from: CalendarDaySchema, to: CalendarDaySchema }))
      .min(1)
      .max(100)
      .optional(),
    /** Days of the tariff's `holidays`; absent: they are days like others. */
    holidays: z.enum(['only', 'never']).optional(),
  })
  .meta({ id: 'TariffWindow' });
export type TariffWindow = z.infer<typeof TariffWindowSchema>;

/** One price after the other as a stay grows. */
export const TariffStepSchema = z
  .discriminatedUnion('kind', [
    /** One price for so long; without `minutes` until another band begins. */
    z.strictObject({
      kind: z.literal('flat'),
      priceMinor: PriceMinorSchema,
      minutes: MinutesSchema.optional(),
    }),
    /** So much for each started `everyMinutes`, for so long; without `minutes` for the rest. */
    z.strictObject({
      kind: z.literal('each'),
      priceMinor: PriceMinorSchema,
      everyMinutes: MinutesSchema,
      minutes: MinutesSchema.optional(),
    }),
    /** A line of a table: what a stay up to that long costs in all. */
    z.strictObject({ kind: z.literal('up-to'), minutes: MinutesSchema, priceMinor: PriceMinorSchema }),
  ])
  .meta({ id: 'TariffStep' });
export type TariffStep = z.infer<typeof TariffStepSchema>;

/** What is charged at certain times. */
export const TariffBandSchema = z
  .strictObject({
    label: LabelSchema.optional(),
    /** Absent: at all times that no band before it has. */
    window: TariffWindowSchema.optional(),
    steps: z.array(TariffStepSchema).min(1).max(50),
    /** The most that one opening of its window costs, such as one night. */
    capMinor: PriceMinorSchema.optional(),
  })
  .meta({ id: 'TariffBand' });
export type TariffBand = z.infer<typeof TariffBandSchema>;

/** What a day of a stay costs. */
export const TariffDaySchema = z
  .strictObject({
    /** `rolling`: each 24 hours from the start; `calendar`: from midnight to midnight on the wall. */
    kind: z.enum(['rolling', 'calendar']),
    /** By the number of the day in the stay: the cap of its hours, or its price where there are no bands. */
    prices: z
      .array(z.strictObject({ fromDay: z.int().min(1), priceMinor: PriceMinorSchema }))
      .min(1)
      .max(50),
    /** What a day after the first costs that is not over yet: its hours up to the cap, all of it, or nothing. */
    partial: z.enum(['hours', 'full-day', 'free']).default('hours'),
    /** Whether each day begins with the first step again, or goes on where the day before ended. */
    stepsRestart: z.boolean().default(true),
  })
  .meta({ id: 'TariffDay' });
export type TariffDay = z.infer<typeof TariffDaySchema>;

/** One price for a stay that begins and ends within windows: early bird, night, weekend. */
export const TariffFlatRateSchema = z
  .strictObject({
    label: LabelSchema.optional(),
    entry: TariffWindowSchema,
    exit: TariffWindowSchema,
    priceMinor: PriceMinorSchema,
    /** A longer stay is priced by the bands. */
    withinMinutes: MinutesSchema.default(24 * 60),
  })
  .meta({ id: 'TariffFlatRate' });
export type TariffFlatRate = z.infer<typeof TariffFlatRateSchema>;

const ratesShape = {
  /** In order: the first whose window is open counts. A time that none has costs nothing. */
  bands: z.array(TariffBandSchema).max(50).default([]),
  day: TariffDaySchema.optional(),
  caps: z
    .strictObject({
      /** Of each seven days, from the first day of the stay. */
      weekMinor: PriceMinorSchema.optional(),
      visitMinor: PriceMinorSchema.optional(),
    })
    .default({}),
  flatRates: z.array(TariffFlatRateSchema).max(50).default([]),
};

/** What a vehicle that it fits pays instead. */
export const TariffClassSchema = z
  .strictObject({
    label: LabelSchema.optional(),
    category: VehicleCategorySchema.optional(),
    /** Registered seats, that number included. */
    seatsUpTo: z.int().min(1).optional(),
    /** Largest permitted mass, that number included. */
    massUpToKg: z.int().min(1).optional(),
    ...ratesShape,
  })
  .meta({ id: 'TariffClass' });
export type TariffClass = z.infer<typeof TariffClassSchema>;

/** What prices a stay. */
export type TariffRates = Pick<TariffClass, 'bands' | 'day' | 'caps' | 'flatRates'>;

export const FreeTimeSchema = z
  .strictObject({
    minutes: MinutesSchema,
    /** `fits`: only a stay that is no longer, others are charged from their start; `always`: taken off every stay, whose clock begins after it. */
    when: z.enum(['fits', 'always']).default('fits'),
    /** Each visit, or each plate once in 24 hours, or in a day of the calendar. */
    per: z.enum(['visit', 'plate-24h', 'plate-day']).default('visit'),
    /** Of a plate: what a second stay in that time has: nothing, or what the first has left. */
    again: z.enum(['nothing', 'rest']).default('nothing'),
  })
  .meta({ id: 'FreeTime' });
export type FreeTime = z.infer<typeof FreeTimeSchema>;

/** The price of a stay by the hour, the day and the calendar; amounts in the minor unit of the product's currency. */
export const TariffSchema = z
  .strictObject({
    ...ratesShape,
    free: FreeTimeSchema.optional(),
    /** A stay no longer than that turned round and costs nothing; absent: as the site has it. */
    entryGraceMinutes: z.int().min(0).optional(),
    /** From the payment to the exit; absent: as the site has it. */
    exitGraceMinutes: z.int().min(0).optional(),
    /**
     * A step that reaches from one band into another: charged as where it began (`rate-at-start`), each part as where
     * it lies (`pro-rata`, rounded to the nearest minor unit, halves up), or ended there, with the other band's first
     * step beginning (`restart`).
     */
    straddle: z.enum(['rate-at-start', 'pro-rata', 'restart']).default('rate-at-start'),
    /** To which step a stay belongs that is exactly as long as one. */
    boundary: z.enum(['lower', 'upper']).default('lower'),
    /** Of several flat rates, and the bands: the cheapest, or the first flat rate that fits even if dearer. */
    flatRateChoice: z.enum(['cheapest', 'priority']).default('cheapest'),
    holidays: z.array(CalendarDaySchema).max(500).default([]),
    /** In order: the first that fits the vehicle; where its seats or mass are not known they fit. None fits: as below. */
    classes: z.array(TariffClassSchema).max(50).default([]),
    /** Charged besides, where a stay that has ended is paid later than that. */
    lateFee: z.strictObject({ afterMinutes: MinutesSchema, amountMinor: PriceMinorSchema }).optional(),
    /** Charged besides, by the way it is paid. */
    serviceFees: z
      .strictObject({ kiosk: PriceMinorSchema.optional(), online: PriceMinorSchema.optional() })
      .default({}),
  })
  .superRefine((tariff, context) => {
    for (const { path, message } of findContradictions(tariff)) {
      context.addIssue({ code: 'custom', path, message });
    }
  })
  .meta({
    id: 'Tariff',
    example: {
      free: { minutes: 15 },
      bands: [{ steps: [{ kind: 'each', priceMinor: 350, everyMinutes: 60 }] }],
      day: { kind: 'rolling', prices: [{ fromDay: 1, priceMinor: 1750 }] },
    },
  });
export type Tariff = z.infer<typeof TariffSchema>;

function isDay(text: string): boolean {
  // A leap year, for days of every year.
  const date = text.length > 5 ? text : `2024-${text}`;
  const day = Date.parse(`${date}T00:00:00Z`);
  return !Number.isNaN(day) && new Date(day).toISOString().startsWith(date);
}
