import { inputMistakes } from '@hlid/protocol/base/mistakes/input-mistakes';
import { type Mistake, mistake } from '@hlid/protocol/base/mistakes/mistake';
import { z } from '@hono/zod-openapi';
import { MistakeSchema } from '../../platform/http/errors.ts';
import { isConvertedBySpreadsheets, mayComeFromSpreadsheet } from '../../platform/http/spreadsheet-text.ts';
import { type EntryRow, MAX_RULES, type NewEntry, NewEntrySchema } from './whitelist-entry.ts';

/** Columns of a CSV file of entries, by the names of the API's fields; `weekdays` and `hours` are the weekly rules. */
export const CSV_COLUMNS = [
  'plate',
  'reason',
  'activeFrom',
  'expireOn',
  'objectType',
  'collection',
  'status',
  'weekdays',
  'hours',
  'siteId',
  'type',
  'visitId',
] as const;
export type CsvColumn = (typeof CSV_COLUMNS)[number];

/** One line by column; a column that the file does not have is absent. */
export type CsvLine = Partial<Record<CsvColumn, string>>;

/** The sign between the rules of an entry that has several: `1 2 3 | 6 7` at `08:00-18:00 | 10:00-14:00`. */
const BETWEEN_RULES = '|';

/** An entry as a line of the file. */
export function csvCells(entry: EntryRow): string[] {
  const { rules } = entry;
  const cells: Record<CsvColumn, string | null> = {
    plate: entry.plate,
    reason: entry.reason,
    activeFrom: entry.activeFrom,
    expireOn: entry.expireAt,
    objectType: entry.effect,
    collection: entry.collection,
    status: entry.status,
    weekdays: rules.map(({ weekdays }) => weekdays.join(' ')).join(` ${BETWEEN_RULES} `),
    hours: rules.map(({ from, to }) => `${from}-${to}`).join(` ${BETWEEN_RULES} `),
    siteId: entry.siteId,
    type: entry.type,
    visitId: entry.visitId,
  };
  return CSV_COLUMNS.map((name) => safeCell(cells[name] ?? ''));
}

/**
 * The entry of a line, or all of its mistakes. An empty cell of a time, a collection or a site means that
 * there is none; an absent column means the usual value.
 */
export function entryOfLine(
  line: CsvLine,
): { ok: true; body: NewEntry } | { ok: false; mistakes: Mistake[] } {
  const cells = new Map(Object.entries(line).map(([name, cell]) => [name, plainCell(cell)]));
  const orNull = (name: CsvColumn) => (cells.get(name) === '' ? null : cells.get(name));
  const given = (name: CsvColumn) => cells.get(name) || undefined;
  const rules = rulesOf(given('weekdays'), given('hours'));
  const parsed = NewEntrySchema.safeParse({
    plate: given('plate'),
    reason: given('reason'),
    activeFrom: orNull('activeFrom'),
    expireOn: orNull('expireOn'),
    objectType: given('objectType'),
    collection: orNull('collection'),
    status: given('status'),
    siteId: orNull('siteId'),
    type: given('type'),
    visitId: given('visitId'),
    ...(rules.ok && { rules: rules.rules }),
  });
  const { plate = '' } = line;
  const mistakes = [
    ...(mayComeFromSpreadsheet(plate) ? [mistake('spreadsheet-plate', 'plate', { cell: plate })] : []),
    ...(parsed.success ? [] : inputMistakes(parsed.error)),
    ...(rules.ok ? [] : rules.mistakes),
  ];
  return parsed.success && mistakes.length === 0 ? { ok: true, body: parsed.data } : { ok: false, mistakes };
}

type Rules = NonNullable<NewEntry['rules']>;

const EVERY_DAY = '1-7';
const ALL_DAY = '00:00-23:59';
const DAYS = /^([1-7])(?:-([1-7]))?$/;
const HOURS = /^(\d\d:\d\d) ?[-–] ?(\d\d:\d\d)$/;

function rulesOf(
  weekdays: string | undefined,
  hours: string | undefined,
): { ok: true; rules: Rules } | { ok: false; mistakes: Mistake[] } {
  if (weekdays === undefined && hours === undefined) return { ok: true, rules: [] };
  const days = (weekdays ?? EVERY_DAY).split(BETWEEN_RULES, MAX_RULES + 1).map((text) => daysOf(text.trim()));
  const times = (hours ?? ALL_DAY).split(BETWEEN_RULES, MAX_RULES + 1).map((text) => HOURS.exec(text.trim()));
  const mistakes: Mistake[] = [];
  if (Math.max(days.length, times.length) > MAX_RULES)
    mistakes.push(mistake('too-many', 'weekdays', { maximum: MAX_RULES }));
  if (days.includes(null)) mistakes.push(mistake('weekdays-form', 'weekdays'));
  if (times.includes(null)) mistakes.push(mistake('hours-form', 'hours'));
  if (days.length !== times.length && days.length > 1 && times.length > 1) {
    mistakes.push(mistake('hours-for-weekdays', 'hours', { hours: times.length, weekdays: days.length }));
  }
  if (mistakes.length > 0) return { ok: false, mistakes };
  const count = Math.max(days.length, times.length);
  const rules = Array.from({ length: count }, (_, n) => {
    const [, from = '', to = ''] = times[times.length === 1 ? 0 : n] ?? [];
    return { weekdays: days[days.length === 1 ? 0 : n] ?? [], from, to };
  });
  return { ok: true, rules };
}

/** Weekdays one by one or from–to, a week’s end crossed where need be; null: not such. */
function daysOf(text: string): number[] | null {
  const days: number[] = [];
  for (const part of text.split(/[ ,]+/)) {
    const [whole, from, to = from] = DAYS.exec(part) ?? [];
    if (whole === undefined) return null;
    for (let day = Number(from); ; day = (day % 7) + 1) {
      if (!days.includes(day)) days.push(day);
      if (day === Number(to)) break;
    }
  }
  return days;
}

/** The result of an import. */
export const ImportReportSchema = z
  .strictObject({
    dryRun: z.boolean().describe('`true`: a preview; nothing was stored.'),
    added: z.int().min(0),
    unchanged: z.int().min(0).describe('Lines with a plate and time that are in the list already.'),
    refused: z.array(
      z.strictObject({
        line: z.int().min(1).describe('Its last line in the file; the header is line 1.'),
        messages: z.array(z.string()),
        codes: z.array(MistakeSchema),
      }),
    ),
    refusedMore: z.int().min(0).describe('The number of further refused lines: only the first are listed.'),
  })
  .meta({
    id: 'WhitelistImport',
    example: {
      dryRun: false,
      added: 118,
      unchanged: 2,
      refused: [
        {
          line: 7,
          messages: ['plate: is required'],
          codes: [{ code: 'required', path: ['plate'], params: {} }],
        },
      ],
      refusedMore: 0,
    },
  });
export type ImportReport = z.infer<typeof ImportReportSchema>;

/**
 * A spreadsheet takes a cell that begins so for a formula. Full-width signs too: some turn them into the plain ones.
 */
const FORMULA = /^'*[=+\-@\t\r\n\uFF1D\uFF0B\uFF0D\uFF20]/;

/** A text that no spreadsheet runs or turns into another, by an apostrophe before it; `plainCell` takes it off again. */
export function safeCell(text: string): string {
  return needsApostrophe(text) ? `'${text}` : text;
}

function needsApostrophe(text: string): boolean {
  return FORMULA.test(text) || isConvertedBySpreadsheets(text);
}

/** The cell before `safeCell`. */
export function plainCell(cell: string): string {
  return cell.startsWith("'") && needsApostrophe(cell) ? cell.slice(1) : cell;
}
