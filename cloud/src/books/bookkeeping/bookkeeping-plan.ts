import type { BookRole } from '@hlid/protocol/base/book-roles';
import { BOOK_ROLES } from '@hlid/protocol/base/book-roles';
import { wrong } from '@hlid/protocol/base/mistakes/mistake';
import { UtcTimeSchema } from '@hlid/protocol/base/utc-time';
import { z } from '@hono/zod-openapi';
import type { BookkeepingPlanRow, PlanLine } from '../../records/books/bookkeeping-plan-table.ts';
import type { AccountUse } from './entry.ts';

const MAX_LINES = 300;

const LineSchema = z
  .strictObject({
    role: z.enum(BOOK_ROLES),
    detail: z
      .string()
      .trim()
      .min(1)
      .max(100)
      .nullable()
      .describe(
        'What of it: of income `S24`, `S11`, `Z`, `E`, `O`, `none` (VAT not decided) or `product:` and an id; of VAT its ' +
          '`S24`; of the clearing of cards a gateway, or `terminals`; of what was received `cash`, `transfer`, `other-card`, ' +
          '`other` or `unknown`; of receivables `company-invoice` or `owner-invoice`; of providers and banks the id of the ' +
          'account. Null: all that has no line of its own.',
      ),
    account: z
      .string()
      .trim()
      .regex(/^[\dA-Za-z][\dA-Za-z.-]{0,19}$/, wrong('book-account-form'))
      .describe('The number of the account in the chart of the office.'),
    vatCode: z
      .string()
      .trim()
      .regex(/^[\dA-Za-z]{1,10}$/, wrong('book-account-form'))
      .nullable()
      .describe(
        'Of income: the key of its VAT in the bookkeeping. With one, files for DATEV have gross amounts with this key ' +
          '(BU-Schlüssel), and DATEV books the VAT; without, the VAT is booked to its own account.',
      ),
  })
  .meta({
    id: 'BookkeepingLine',
    example: { role: 'income', detail: 'S24', account: '1100', vatCode: null },
  });

const DatevSchema = z
  .strictObject({
    consultant: z.int().min(1001).max(9_999_999).describe('Beraternummer.'),
    client: z.int().min(1).max(99_999).describe('Mandantennummer.'),
    accountDigits: z
      .int()
      .min(4)
      .max(8)
      .describe('Digits of accounts of the general ledger (Sachkontenlänge).'),
    fiscalYearMonth: z.int().min(1).max(12).describe('The month in which the fiscal year begins.'),
  })
  .meta({
    id: 'DatevSettings',
    example: { consultant: 29_098, client: 55_003, accountDigits: 4, fiscalYearMonth: 1 },
  });

export const BookkeepingPlanEditSchema = z
  .strictObject({
    lines: z
      .array(LineSchema)
      .max(MAX_LINES)
      .superRefine((lines, context) => {
        const known = new Set<string>();
        for (const [n, line] of lines.entries()) {
          const key = JSON.stringify([line.role, line.detail]);
          if (known.has(key)) {
            context.addIssue({ code: 'custom', path: [n, 'detail'], message: wrong('book-line-twice') });
          }
          known.add(key);
        }
      })
      .describe('All lines: what is left out is taken away.'),
    datev: DatevSchema.nullable(),
  })
  .meta({
    id: 'BookkeepingPlanEdit',
    example: { lines: [{ role: 'income', detail: 'S24', account: '1100', vatCode: null }], datev: null },
  });
export type BookkeepingPlanEdit = z.infer<typeof BookkeepingPlanEditSchema>;

export const BookkeepingPlanSchema = z
  .strictObject({
    siteId: z.string().nullable().describe('Null: the plan of every site.'),
    lines: z.array(LineSchema),
    datev: DatevSchema.nullable(),
    inherited: z
      .strictObject({ lines: z.array(LineSchema), datev: DatevSchema.nullable() })
      .nullable()
      .describe('The plan of every site, which holds where that of the site has nothing.'),
    modifiedOn: UtcTimeSchema.nullable().describe('Null: nothing was set yet.'),
  })
  .meta({ id: 'BookkeepingPlan' });
export type ShownPlan = z.infer<typeof BookkeepingPlanSchema>;

export function shownPlan(plan: BookkeepingPlanRow, inherited: BookkeepingPlanRow | null): ShownPlan {
  const { siteId, lines, datev, modifiedAt } = plan;
  return {
    siteId: siteId === '' ? null : siteId,
    lines,
    datev,
    inherited: inherited && { lines: inherited.lines, datev: inherited.datev },
    modifiedOn: modifiedAt === '' ? null : modifiedAt,
  };
}

/** Accounts for what is booked, by the plan of each site and that of every site. */
export class BookkeepingPlans {
  readonly #lines = new Map<string, PlanLine>();
  readonly #found = new Map<string, PlanLine | null>();

  constructor(plans: readonly BookkeepingPlanRow[]) {
    for (const { siteId, lines } of plans) {
      for (const line of lines) this.#lines.set(keyOf(siteId, line.role, line.detail), line);
    }
  }

  /** @returns null: no account is set for it */
  lineFor(siteId: string | null, use: AccountUse): PlanLine | null {
    const key = JSON.stringify([siteId, use.role, use.details]);
    const known = this.#found.get(key);
    if (known !== undefined) return known;
    const found = this.#find(siteId, use);
    this.#found.set(key, found);
    return found;
  }

  #find(siteId: string | null, { role, details }: AccountUse): PlanLine | null {
    for (const detail of [...details, null]) {
      for (const site of siteId === null ? [''] : [siteId, '']) {
        const line = this.#lines.get(keyOf(site, role, detail));
        if (line !== undefined) return line;
      }
    }
    return null;
  }
}

function keyOf(siteId: string, role: BookRole, detail: string | null): string {
  return JSON.stringify([siteId, role, detail]);
}
