import { CurrencySchema } from '@hlid/protocol/base/money';
import { LocalDaySchema } from '@hlid/protocol/base/site-time';
import { ReasonSchema } from '@hlid/protocol/base/typed-text';
import { UtcTimeSchema } from '@hlid/protocol/base/utc-time';
import { z } from '@hono/zod-openapi';
import { IdSchema } from '../../platform/http/input-fields.ts';
import {
  CLOSE_STATES,
  type CloseRow,
  type DayCloseRow,
  type DayDifferenceRow,
  DECISIONS,
  SEVERAL_SITES,
} from '../../records/books/day-close-table.ts';
import { CORRECTION } from './carry-over.ts';
import { CloseActionsSchema } from './close-actions.ts';
import { DIFFERENCE_CLASSES } from './compare-day.ts';
import { DAY_SIDES, DAY_THINGS } from './day-facts.ts';

const KINDS = [...DIFFERENCE_CLASSES, CORRECTION] as const;
const AmountSchema = z.int().describe('In the minor unit of the currency.');

const KindSchema = z
  .enum(KINDS)
  .describe(
    '`late`: it was expected, and its day has passed. `correction-of-earlier-day`: a day that is signed has changed since. ' +
      'There may be more kinds.',
  );

const RowSchema = z
  .strictObject({
    side: z.enum(DAY_SIDES),
    thing: z.enum(DAY_THINGS),
    id: z.string().describe('Of a row of a file: that of the file, a space, and its number there.'),
    label: z.string().nullable(),
    amount: AmountSchema,
    currency: CurrencySchema,
  })
  .meta({ id: 'DayCloseRow' });

const DifferenceSchema = z
  .strictObject({
    n: z.int().describe('Its number in the close.'),
    kind: KindSchema,
    cause: z
      .enum(DIFFERENCE_CLASSES)
      .nullable()
      .describe(
        'The class of what a correction has changed; null: it is none, or only a figure has changed.',
      ),
    ofClose: z
      .strictObject({ id: z.string(), day: LocalDaySchema })
      .nullable()
      .describe('The earlier close that it is about; null: it is of this day.'),
    amount: AmountSchema.describe('What is over, or lacks (negative), beside our books.'),
    currency: CurrencySchema,
    rows: z.array(RowSchema),
    decision: z
      .enum(DECISIONS)
      .describe('`task`: another person is to look into it. `done`: that person has, with an `answer`.'),
    reason: z.string().nullable().describe('Why it was accepted or written off, or what is to be done.'),
    decidedBy: z.string().nullable(),
    decidedOn: UtcTimeSchema.nullable(),
    assigneeId: z.string().nullable(),
    assignee: z.string().nullable().describe('The name of who is to look into it.'),
    answer: z.string().nullable(),
  })
  .meta({ id: 'DayDifference' });

const ColumnSchema = z.strictObject({
  side: z.enum(DAY_SIDES),
  currency: CurrencySchema,
  rows: z.int(),
  amount: AmountSchema,
});

export const DayCloseSchema = z
  .strictObject({
    id: z.string(),
    siteId: z.string().nullable().describe('Null: what belongs to several sites.'),
    day: LocalDaySchema,
    state: z.enum(CLOSE_STATES),
    revision: z.int().describe('Counts up with each change of the close.'),
    columns: z.array(ColumnSchema).describe('The sums of each side in each currency.'),
    open: z.int().describe('Differences that are not decided yet, or that are a task.'),
    computedOn: UtcTimeSchema,
    signedOn: UtcTimeSchema.nullable(),
    signedBy: z.string().nullable().describe('Null: no person has signed it, or the day has closed itself.'),
  })
  .meta({ id: 'DayClose' });
export type ShownClose = z.infer<typeof DayCloseSchema>;

export const WholeDayCloseSchema = z
  .strictObject({
    ...DayCloseSchema.shape,
    differences: z.array(DifferenceSchema),
    expected: z
      .array(
        z.strictObject({
          kind: KindSchema,
          dueOn: LocalDaySchema.describe('The last day on which it is not late.'),
          currency: CurrencySchema,
          count: z.int(),
          amount: AmountSchema,
          rows: z.array(RowSchema).describe('The first of them.'),
          ofClose: z.string().nullable(),
        }),
      )
      .describe('One side has it, and the other is not due yet.'),
    arrived: z
      .array(
        z.strictObject({
          ofClose: z.strictObject({ id: z.string(), day: LocalDaySchema }),
          currency: CurrencySchema,
          count: z.int(),
          amount: AmountSchema,
        }),
      )
      .describe('What earlier closes expected, and has come as it should.'),
    approvalId: z
      .string()
      .nullable()
      .describe('The request to a second person to sign it; null: none waits.'),
    people: z
      .array(z.strictObject({ id: z.string(), name: z.string() }))
      .describe('Who can be asked to look into a difference.'),
    actions: CloseActionsSchema,
  })
  .meta({ id: 'WholeDayClose' });
export type WholeClose = z.infer<typeof WholeDayCloseSchema>;

export const NewDayCloseSchema = z
  .strictObject({
    siteId: IdSchema.nullable().describe('Null: what belongs to several sites.'),
    day: LocalDaySchema.describe('By the calendar of the site.'),
  })
  .meta({ id: 'NewDayClose', example: { siteId: null, day: '2026-11-20' } });

const MAX_DECIDED = 500;

const differences = z
  .array(z.int().min(1))
  .min(1)
  .max(MAX_DECIDED)
  .describe('Their numbers: all of them are decided, or none is.');

export const DecisionSchema = z
  .discriminatedUnion('decision', [
    z.strictObject({
      decision: z.enum(['accepted', 'written-off']),
      differences,
      reason: ReasonSchema,
    }),
    z.strictObject({
      decision: z.literal('task'),
      differences,
      reason: ReasonSchema.describe('What is to be done.'),
      assigneeId: IdSchema,
    }),
    z.strictObject({
      decision: z.literal('done'),
      differences,
      answer: ReasonSchema.describe('What was found: by the person who was asked.'),
    }),
    z.strictObject({ decision: z.literal('open'), differences }),
  ])
  .meta({
    id: 'DayDecision',
    example: { decision: 'accepted', differences: [1], reason: 'Paid in cash at the gate' },
  });
export type DayDecision = z.infer<typeof DecisionSchema>;

export const SignSchema = z
  .strictObject({
    revision: z.int().min(1).describe('Of the close as it was seen: another one than now is refused.'),
  })
  .meta({ id: 'SignDayClose', example: { revision: 3 } });

export const SiteClosingSchema = z
  .strictObject({
    closesItself: z.boolean().describe('Days without a difference close themselves, once they are over.'),
  })
  .meta({ id: 'SiteClosing', example: { closesItself: true } });

export function shownClose(
  { id, day, state, revision, columns, computedAt, signedAt, ...row }: DayCloseRow,
  open: number,
  signedBy: string | null,
): ShownClose {
  return {
    id,
    siteId: row.siteId === SEVERAL_SITES ? null : row.siteId,
    day,
    state,
    revision,
    columns: columns.flatMap(({ side, currency, rows, amountMinor }) => {
      const known = DAY_SIDES.find((one) => one === side);
      return known === undefined ? [] : [{ side: known, currency, rows, amount: amountMinor }];
    }),
    open,
    computedOn: computedAt,
    signedOn: signedAt,
    signedBy,
  };
}

export function shownRows(rows: readonly CloseRow[]): WholeClose['differences'][number]['rows'] {
  return rows.flatMap(({ side, thing, id, label, amountMinor, currency }) => {
    const [knownSide, knownThing] = [
      DAY_SIDES.find((one) => one === side),
      DAY_THINGS.find((one) => one === thing),
    ];
    if (knownSide === undefined || knownThing === undefined) return [];
    return [{ side: knownSide, thing: knownThing, id, label, amount: amountMinor, currency }];
  });
}

export function kindOf(kind: string): (typeof KINDS)[number] {
  return KINDS.find((one) => one === kind) ?? CORRECTION;
}

export function shownDifference(
  { n, kind, cause, ofCloseId, amountMinor, currency, rows, ...row }: DayDifferenceRow,
  { nameOf, dayOf }: { nameOf(by: string | null): string | null; dayOf(closeId: string): string | null },
): WholeClose['differences'][number] {
  const ofDay = ofCloseId === null ? null : dayOf(ofCloseId);
  return {
    n,
    kind: kindOf(kind),
    cause: DIFFERENCE_CLASSES.find((one) => one === cause) ?? null,
    ofClose: ofCloseId === null || ofDay === null ? null : { id: ofCloseId, day: ofDay },
    amount: amountMinor,
    currency,
    rows: shownRows(rows),
    decision: row.decision,
    reason: row.reason,
    decidedBy: nameOf(row.decidedBy),
    decidedOn: row.decidedAt,
    assigneeId: row.assigneeId,
    assignee: row.assigneeId === null ? null : nameOf(`account:${row.assigneeId}`),
    answer: row.answer,
  };
}
