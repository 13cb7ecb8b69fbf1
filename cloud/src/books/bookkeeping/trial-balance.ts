import { BOOK_ROLES } from '@hlid/protocol/base/book-roles';
import { CurrencySchema } from '@hlid/protocol/base/money';
import { z } from '@hono/zod-openapi';
import type { BookkeepingPlans } from './bookkeeping-plan.ts';
import type { AccountUse, Entry } from './entry.ts';

const SumSchema = z
  .strictObject({
    account: z.string().nullable().describe('Null: no account is set for it.'),
    role: z.enum(BOOK_ROLES),
    detail: z.string().nullable().describe('What of it; null: it has no details.'),
    name: z
      .string()
      .nullable()
      .describe('The name of the account with a provider or a bank; null: it is of none.'),
    currency: CurrencySchema,
    debit: z.int(),
    credit: z.int(),
  })
  .meta({
    id: 'BookkeepingSum',
    example: {
      account: '1100',
      role: 'income',
      detail: 'S24',
      name: null,
      currency: 'ISK',
      debit: 0,
      credit: 98_000,
    },
  });
type Sum = z.infer<typeof SumSchema>;

const MissingSchema = z
  .strictObject({
    siteId: z.string().nullable().describe('Null: it is of no single site.'),
    role: z.enum(BOOK_ROLES),
    detail: z.string().nullable().describe('A line with it serves, or one without a detail.'),
    name: z.string().nullable(),
    entries: z.int(),
  })
  .meta({
    id: 'MissingAccount',
    example: {
      siteId: '00000001-0000-8000-8000-000000000000',
      role: 'income',
      detail: 'E',
      name: null,
      entries: 12,
    },
  });
export type MissingAccount = z.infer<typeof MissingSchema>;

export const TrialBalanceSchema = z
  .strictObject({
    period: z.string(),
    from: z.iso.date(),
    to: z.iso.date(),
    siteId: z.string().nullable().describe('Null: all sites that the caller sees.'),
    isOver: z.boolean().describe('Whether the period has ended: nothing happens in it any more.'),
    entries: z.int(),
    postings: z.int().describe('The rows of the CSV.'),
    sums: z.array(SumSchema),
    openDays: z
      .array(z.strictObject({ day: z.iso.date(), siteId: z.string().nullable() }))
      .describe(
        'Days with postings of which the close is not signed, by site: they may still change. Null: of several sites.',
      ),
    missing: z
      .array(MissingSchema)
      .describe('What no account is set for. A file is made once there is none.'),
  })
  .meta({
    id: 'TrialBalance',
    example: {
      period: '2026-11',
      from: '2026-11-01',
      to: '2026-11-30',
      siteId: null,
      isOver: true,
      entries: 2,
      postings: 6,
      sums: [
        {
          account: '1100',
          role: 'income',
          detail: 'S24',
          name: null,
          currency: 'ISK',
          debit: 0,
          credit: 2000,
        },
        { account: '2200', role: 'vat', detail: 'S24', name: null, currency: 'ISK', debit: 0, credit: 480 },
        {
          account: '1300',
          role: 'card-clearing',
          detail: 'terminals',
          name: null,
          currency: 'ISK',
          debit: 2480,
          credit: 0,
        },
      ],
      openDays: [{ day: '2026-11-30', siteId: '00000001-0000-8000-8000-000000000000' }],
      missing: [],
    },
  });
export type TrialBalance = z.infer<typeof TrialBalanceSchema>;

/** Adds entries up by account, and finds what has none. */
export class TrialSums {
  readonly #plans: BookkeepingPlans;
  readonly #names: ReadonlyMap<string, string>;
  readonly #sums = new Map<string, Sum>();
  readonly #missing = new Map<string, MissingAccount>();
  readonly #days = new Map<string, { day: string; siteId: string | null }>();
  readonly currencies = new Set<string>();
  entries = 0;
  postings = 0;

  /** @param names of accounts with providers and banks */
  constructor(plans: BookkeepingPlans, names: ReadonlyMap<string, string>) {
    this.#plans = plans;
    this.#names = names;
  }

  add({ siteId, day, currency, legs }: Entry): void {
    this.entries++;
    this.#days.set(`${day} ${siteId}`, { day, siteId });
    this.postings += legs.length;
    this.currencies.add(currency);
    for (const { use, amountMinor } of legs) {
      const account = this.#plans.lineFor(siteId, use)?.account ?? null;
      if (account === null) this.#miss(siteId, use);
      const sum = this.#sumOf({ ...this.#named(use), account, currency });
      if (amountMinor > 0) sum.debit += amountMinor;
      else sum.credit -= amountMinor;
    }
  }

  /** The days that have entries, by site. */
  get days(): { day: string; siteId: string | null }[] {
    return [...this.#days.values()].toSorted(
      (a, b) => compare(a.day, b.day) || compare(a.siteId ?? '', b.siteId ?? ''),
    );
  }

  get sums(): Sum[] {
    const rank = ({ role }: Sum) => BOOK_ROLES.indexOf(role);
    return [...this.#sums.values()].toSorted(
      (a, b) =>
        compare(a.currency, b.currency) ||
        rank(a) - rank(b) ||
        compare(a.detail ?? '', b.detail ?? '') ||
        compare(a.account ?? '', b.account ?? ''),
    );
  }

  get missing(): MissingAccount[] {
    return [...this.#missing.values()].toSorted(
      (a, b) =>
        BOOK_ROLES.indexOf(a.role) - BOOK_ROLES.indexOf(b.role) ||
        compare(a.detail ?? '', b.detail ?? '') ||
        compare(a.siteId ?? '', b.siteId ?? ''),
    );
  }

  #sumOf(sum: Omit<Sum, 'debit' | 'credit'>): Sum {
    const key = JSON.stringify([sum.currency, sum.role, sum.detail, sum.account]);
    const known = this.#sums.get(key) ?? { ...sum, debit: 0, credit: 0 };
    this.#sums.set(key, known);
    return known;
  }

  #miss(siteId: string | null, use: AccountUse): void {
    const named = this.#named(use);
    const key = JSON.stringify([siteId, named.role, named.detail]);
    const known = this.#missing.get(key) ?? { siteId, ...named, entries: 0 };
    known.entries++;
    this.#missing.set(key, known);
  }

  /** Names a use by its least exact detail: an account of one product is an exception. */
  #named({ role, details }: AccountUse): Pick<Sum, 'role' | 'detail' | 'name'> {
    const detail = details.at(-1) ?? null;
    return { role, detail, name: detail === null ? null : (this.#names.get(detail) ?? null) };
  }
}

function compare(one: string, other: string): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}
