import type { OfficeLanguage } from '@hlid/protocol/base/language';
import { type Mistake, mistake } from '@hlid/protocol/base/mistakes/mistake';
import type { UtcTime } from '@hlid/protocol/base/utc-time';
import type { Db, Queries } from '../../platform/db/db.ts';
import { asc } from '../../platform/db/sql.ts';
import { type OwnRows, seesSite, sitesOf } from '../../platform/http/caller.ts';
import type { CsvSeparator } from '../../platform/http/csv-file.ts';
import { type RefusedInput, refusedInput } from '../../platform/refused.ts';
import type { BookkeepingPlanRow, DatevSettings } from '../../records/books/bookkeeping-plan-table.ts';
import { SEVERAL_SITES } from '../../records/books/day-close-table.ts';
import { NO_SUCH_SITE } from '../../records/sites/choose-site.ts';
import { siteTable } from '../../records/sites/site-table.ts';
import { type BookPeriod, bookPeriod, daysOf, isOver } from './book-period.ts';
import type { BookScope } from './book-scope.ts';
import { BookkeepingPlans } from './bookkeeping-plan.ts';
import { plansOf } from './change-plan.ts';
import { closedDays, closedOf } from './closed-books.ts';
import { type ClosedEntry, compareClosed } from './closed-entry.ts';
import { closedFile } from './closed-file.ts';
import { datevFile, datevMistakes, datevRows } from './datev-file.ts';
import { entryFile, type FileFrame } from './entry-file.ts';
import { bookedAccounts, type NamedAccount } from './entry-store.ts';
import { readEntries } from './read-entries.ts';
import { type MissingAccount, type TrialBalance, TrialSums } from './trial-balance.ts';

interface Site {
  id: string;
  code: string;
  name: string;
  timeZone: string;
}

/** What a caller asks for. */
export interface BookQuestion {
  period: string;
  siteId: string | undefined;
  own: OwnRows;
  now: UtcTime;
}

interface Found {
  sites: readonly Site[];
  plans: readonly BookkeepingPlanRow[];
  accounts: ReadonlyMap<string, NamedAccount>;
}

interface ExportContext {
  db: Db;
  publicUrl: () => string;
}

/** The books of a period at some sites: their sums, and files of their entries. */
export class BookExport {
  readonly #context: ExportContext;
  readonly #sites: readonly Site[];
  readonly #scope: BookScope;
  readonly #period: BookPeriod;
  readonly #plans: BookkeepingPlans;
  /** The settings of the one site, or those of every site. */
  readonly #datev: DatevSettings | null;
  readonly #question: BookQuestion;
  /** The names of accounts with providers and banks, by their ids. */
  readonly #names: ReadonlyMap<string, string>;

  private constructor(context: ExportContext, question: BookQuestion, { sites, plans, accounts }: Found) {
    this.#names = new Map([...accounts].map(([id, { name }]) => [id, name]));
    this.#context = context;
    this.#question = question;
    this.#sites = sites;
    this.#period = bookPeriod(question.period);
    this.#plans = new BookkeepingPlans(plans);
    const own = plans.find(({ siteId }) => siteId === question.siteId)?.datev;
    this.#datev = own ?? plans.find(({ siteId }) => siteId === '')?.datev ?? null;
    this.#scope = {
      zones: new Map(sites.map(({ id, timeZone }) => [id, timeZone])),
      hasShared: question.siteId === undefined && sitesOf(question.own) === null,
      accounts,
    };
  }

  static async of(
    context: ExportContext,
    question: BookQuestion,
  ): Promise<{ ok: true; books: BookExport } | RefusedInput> {
    const { siteId, own } = question;
    const found = await context.db.read(async (q) => {
      const sites = (await sitesByCode(q)).filter(
        ({ id }) => seesSite(own, id) && (siteId === undefined || id === siteId),
      );
      const siteIds = sites.map(({ id }) => id);
      return { sites, plans: await plansOf(q, siteIds), accounts: await bookedAccounts(q) };
    });
    if (siteId !== undefined && found.sites.length === 0) return refusedInput(NO_SUCH_SITE);
    return { ok: true, books: new BookExport(context, question, found) };
  }

  get isOver(): boolean {
    const zones = [...this.#scope.zones.values()];
    return isOver(this.#period, zones.length === 0 ? ['UTC'] : zones, this.#question.now);
  }

  async trialBalance(): Promise<TrialBalance> {
    const sums = await this.#add(new TrialSums(this.#plans, this.#names));
    const { entries, postings, missing } = sums;
    const openDays = await this.#openDays(sums.days);
    const { name: period, from, to } = this.#period;
    const { siteId = null } = this.#question;
    return {
      period,
      from,
      to,
      siteId,
      isOver: this.isOver,
      entries,
      postings,
      sums: sums.sums,
      openDays,
      missing,
    };
  }

  /** The rows of the entries as CSV. */
  async csv(language: OfficeLanguage, separator: CsvSeparator): Promise<BookFile> {
    const { missing } = await this.#add(new TrialSums(this.#plans, this.#names));
    const mistakes = this.#mistakesOf(missing);
    if (mistakes.length > 0) return { ok: false, mistakes };
    return { ok: true, pieces: () => entryFile(this.#entries(), this.#frame(language), separator) };
  }

  /** The entries of closed days as CSV: whatever comes later, the same bytes. */
  async closedCsv(language: OfficeLanguage, separator: CsvSeparator): Promise<BookFile> {
    const sums = new TrialSums(this.#plans, this.#names);
    for await (const page of this.#closed()) {
      for (const entry of page) {
        sums.add({ ...entry, legs: entry.legs.filter(({ account }) => account === null) });
      }
    }
    const mistakes = this.#mistakesOf(sums.missing);
    if (mistakes.length > 0) return { ok: false, mistakes };
    return {
      ok: true,
      pieces: () => closedFile(this.#closed(), { plans: this.#plans, language }, separator),
    };
  }

  async *#closed(): AsyncGenerator<ClosedEntry[]> {
    const siteIds = this.#places;
    for (const day of daysOf(this.#period)) {
      const entries = await this.#context.db.read((q) => closedOf(q, day, siteIds), { manyRows: true });
      yield entries.toSorted(compareClosed);
    }
  }

  /** The sites, and what belongs to several, as closes name them. */
  get #places(): ReadonlySet<string> {
    const { zones, hasShared } = this.#scope;
    return new Set([...zones.keys(), ...(hasShared ? [SEVERAL_SITES] : [])]);
  }

  /** Days with postings that are not closed, by site. */
  async #openDays(
    days: readonly { day: string; siteId: string | null }[],
  ): Promise<TrialBalance['openDays']> {
    const closed = await this.#context.db.read((q) => closedDays(q, this.#period));
    const known = new Set(closed.map(({ day, siteId }) => `${day} ${siteId}`));
    return days.filter(({ day, siteId }) => !known.has(`${day} ${siteId ?? SEVERAL_SITES}`));
  }

  /** The entries as a batch for DATEV. */
  async datev(language: OfficeLanguage): Promise<BookFile> {
    let rows = 0;
    const accounts = new Set<string>();
    const sums = new TrialSums(this.#plans, this.#names);
    for await (const page of this.#entries()) {
      for (const entry of page) {
        sums.add(entry);
        if (sums.missing.length > 0) continue;
        for (const { debit, credit } of datevRows(entry, this.#plans)) {
          rows++;
          accounts.add(debit.account).add(credit.account);
        }
      }
    }
    const { currencies } = sums;
    const mistakes = [
      ...this.#mistakesOf(sums.missing),
      ...datevMistakes(this.#datev, { accounts, currencies, rows }),
    ];
    const datev = this.#datev;
    if (mistakes.length > 0 || datev === null) return { ok: false, mistakes };
    const [currency = 'EUR'] = currencies;
    const frame = { ...this.#frame(language), datev, period: this.#period, currency };
    return { ok: true, pieces: () => datevFile(this.#entries(), frame) };
  }

  async #add(sums: TrialSums): Promise<TrialSums> {
    for await (const page of this.#entries()) for (const entry of page) sums.add(entry);
    return sums;
  }

  #entries() {
    return readEntries(this.#context.db, this.#scope, this.#period);
  }

  #frame(language: OfficeLanguage): FileFrame {
    const base = `${this.#context.publicUrl()}/console`;
    return {
      plans: this.#plans,
      language,
      codes: new Map(this.#sites.map(({ id, code }) => [id, code])),
      linkTo: (siteId, path) => `${base}/${siteId ?? 'all'}/${path}`,
    };
  }

  #mistakesOf(missing: readonly MissingAccount[]): Mistake[] {
    const link = `${this.#context.publicUrl()}/console/${this.#question.siteId ?? 'all'}/money?tab=bookkeeping`;
    return missing.slice(0, MAX_NAMED).map(({ siteId, role, detail, name }) => {
      const site = this.#sites.find(({ id }) => id === siteId)?.name ?? null;
      return mistake('account-missing', [], { role, detail: name ?? detail, site, link });
    });
  }
}

/** A refusal names so many of the accounts that are missing. */
const MAX_NAMED = 50;

/** A file that can be made, or why not. */
type BookFile = { ok: true; pieces: () => AsyncGenerator<Uint8Array> } | { ok: false; mistakes: Mistake[] };

async function sitesByCode(q: Queries): Promise<Site[]> {
  const { id, code, name, timeZone } = siteTable;
  return await q.select({ id, code, name, timeZone }).from(siteTable).orderBy(asc(code));
}
