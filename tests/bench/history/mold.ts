import { formsOf } from './plate-forms.ts';
import type { Journey, Rows } from './sample-site.ts';

/** A place in a value that each visit fills with its own. */
export type Slot =
  | { slot: 'id'; n: number }
  | { slot: 'event'; n: number }
  | { slot: 'time'; n: number }
  | { slot: 'day'; from: Anchor }
  | { slot: 'plate'; form: number }
  | { slot: 'world'; name: string }
  | { slot: 'lane'; direction: string }
  | { slot: 'read'; n: number }
  | { slot: 'opaque'; length: number; digits: string }
  /** The position in the site's feed, this number of changes after the car came; 0: as it was, or before. */
  | { slot: 'feed'; after: number }
  /** The invoices of all sites are numbered in one sequence. */
  | { slot: 'invoice'; after: number };

type Anchor = 'start' | 'end';

/** A text with slots, one slot alone, or the same value for all. */
export type Cell = null | number | string | Slot | (string | Slot)[];

/** The form of a visit of one kind: what it leaves in the cloud, with slots for what is its own. */
export interface Mold {
  tables: { name: string; columns: string[]; rows: Cell[][] }[];
  /** The events of its site that made it, each as JSON without its number. */
  events: { at: Cell; body: Cell }[];
  /** The anchor of each id's time, and whether the id carries its time. */
  ids: { from: Anchor; hasTime: boolean }[];
  times: { from: Anchor; offsetMs: number }[];
  /** How many changes it adds to its site's feed. */
  feedChanges: number;
  invoices: number;
  /** The issued invoices, for the totals. */
  income: { paymentType: string; vehicleCategory: string; amountMinor: number; from: Anchor }[];
  /** The VAT of the same. */
  incomeVat: (VatOfIncome & { from: Anchor })[];
}

/** The addition of an invoice to the VAT of a day. */
interface VatOfIncome {
  category: string | null;
  rate: number;
  netMinor: number;
  vatMinor: number;
}

/** Rows that hold sums or places over many visits: a history writes these itself. */
const SUMS = new Set([
  'event_cursor',
  'feed_head',
  'feed_item',
  'income',
  'income_product',
  'income_vat',
  'invoice_series',
  'invoice_snapshot',
  'idempotency_key',
  'job',
  'loose_picture',
  'server_secret',
  'sqlite_sequence',
  'traffic',
  'site_day',
  'device_day',
  'permit_month',
  'camera_hour',
]);
/** Keys that the database counts. */
const NUMBERED = new Set(['integration_event.n', 'visit_step.id']);
const NUMBER_IN_FEED = /^(feed_at|feed_n|\w+_edited_at)$/;

const UUID = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}';
const MOMENT = String.raw`\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z`;
const OPAQUE = /[A-Za-z0-9_-]{16,}|\d{6,}/g;
const BASE64_URL = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
const ALPHABETS = ['0123456789', '0123456789abcdef', BASE64_URL];

/**
 * Makes the form of visits of a kind from two that differ in plate, time and length. Each difference is a
 * slot, and both must explain it the same way. A difference without an explanation is an error, so that no
 * history lacks what the programs write.
 */
function moldOf(first: Journey, second: Journey, part: 'inside' | 'whole'): Mold {
  const readers = [new JourneyReader(first), new JourneyReader(second)] as const;
  const tables = readTables(readers, [first[part].rows, second[part].rows]);
  const events = first[part].events.map((event, at) => {
    const other = second[part].events[at];
    if (other === undefined || first[part].events.length !== second[part].events.length) {
      throw new Error('the two visits have other events');
    }
    const what = `event ${event.body.type}`;
    return {
      at: sameCell(what, readers, [event.at, other.at]),
      body: sameCell(what, readers, [JSON.stringify(event.body), JSON.stringify(other.body)]),
    };
  });
  const [reader] = readers;
  return {
    tables,
    events,
    ids: reader.ids(),
    times: reader.times,
    feedChanges: first[part].rows['feed_change']?.length ?? 0,
    invoices: (first[part].rows['invoice'] ?? []).filter(({ number }) => number !== null).length,
    income: incomeOf(first, part),
    incomeVat: incomeVatOf(first, part),
  };
}

type Two<T> = readonly [T, T];

function readTables(readers: Two<JourneyReader>, [first, second]: Two<Rows>): Mold['tables'] {
  const tables: Mold['tables'] = [];
  for (const [name, rows] of Object.entries(first)) {
    if (SUMS.has(name)) continue;
    const others = second[name] ?? [];
    if (others.length !== rows.length) throw new Error(`the two visits have other rows in ${name}`);
    // The next number is the database's to give.
    const columns = Object.keys(rows[0] ?? {}).filter((column) => !NUMBERED.has(`${name}.${column}`));
    const cells = rows.map((row, at) =>
      columns.map((column) => {
        const values = [row[column], others[at]?.[column]] as const;
        return readCell({ table: name, column }, readers, values);
      }),
    );
    tables.push({ name, columns, rows: cells });
  }
  return tables;
}

function readCell(
  { table, column }: { table: string; column: string },
  readers: Two<JourneyReader>,
  [first, second]: Two<unknown>,
): Cell {
  const what = `${table}.${column}`;
  if (typeof first === 'string' && typeof second === 'string') {
    return sameCell(what, readers, [first, second]);
  }
  const numbers = readers.map((reader, at) => reader.number({ table, column }, at === 0 ? first : second));
  const [cell, other] = numbers;
  if (cell === undefined || JSON.stringify(cell) !== JSON.stringify(other)) {
    throw new Error(`${what} is not understood: ${first}, ${second}`);
  }
  return cell;
}

function sameCell(what: string, readers: Two<JourneyReader>, values: Two<string>): Cell {
  const [first, second] = [readers[0].text(values[0]), readers[1].text(values[1])];
  const parts: (string | Slot)[] = [];
  for (let at = 0; at < Math.max(first.length, second.length); at++) {
    const [a, b] = [first[at], second[at]];
    if (typeof a === 'string' && typeof b === 'string') parts.push(...withoutOpaque(what, a, b));
    else if (a !== undefined && JSON.stringify(a) === JSON.stringify(b)) parts.push(a);
    else throw new Error(`${what} is not understood: ${values.join(' / ')}`);
  }
  const [only = ''] = parts;
  return parts.length > 1 ? parts : only;
}

/** Secrets and marks are random: texts of one length that differ. */
function withoutOpaque(what: string, a: string, b: string): (string | Slot)[] {
  if (a === b) return a === '' ? [] : [a];
  const constants = [a, b].map((text) => text.split(OPAQUE));
  const [randoms = [], others = []] = [a, b].map((text) => text.match(OPAQUE) ?? []);
  const [before = []] = constants;
  if (JSON.stringify(before) !== JSON.stringify(constants[1])) {
    throw new Error(`${what} is not understood: ${a} / ${b}`);
  }
  return before.flatMap((text, at): (string | Slot)[] => {
    const [random, other] = [randoms[at], others[at]];
    const parts: (string | Slot)[] = text === '' ? [] : [text];
    if (random === undefined || other === undefined) return parts;
    const fits = (digits: string) => [...random, ...other].every((digit) => digits.includes(digit));
    const digits = ALPHABETS.find(fits) ?? BASE64_URL;
    parts.push(random === other ? random : { slot: 'opaque', length: random.length, digits });
    return parts;
  });
}

/** Reads the values of one visit. */
class JourneyReader {
  readonly times: Mold['times'] = [];
  readonly #journey: Journey;
  readonly #inside: string;
  readonly #forms: string[];
  readonly #worldNames: Map<string, string>;
  readonly #token: RegExp;
  readonly #ids = new Map<string, number>();
  readonly #reads = new Map<string, number>();

  constructor(journey: Journey) {
    this.#journey = journey;
    this.#inside = JSON.stringify(journey.inside);
    this.#forms = formsOf(journey.plate);
    this.#worldNames = new Map(Object.entries(journey.world).map(([name, value]) => [value, name]));
    const plates = this.#forms.toSorted((a, b) => b.length - a.length);
    this.#token = new RegExp(
      [
        `${journey.world['epoch']}-\\d+`,
        UUID,
        MOMENT,
        String.raw`\d{4}-\d\d-\d\d`,
        ...plates,
        String.raw`event-\d+`,
        String.raw`\b(?:in|out)-1\b`,
        journey.world['operator'] ?? UUID,
        '(?<="feedAt":)\\d+',
      ].join('|'),
      'g',
    );
  }

  ids(): Mold['ids'] {
    return [...this.#ids.keys()].map((id) => ({
      from: this.#inside.includes(id) ? 'start' : 'end',
      hasTime: id[UUID_VERSION_AT] === '7',
    }));
  }

  number({ table, column }: { table: string; column: string }, value: unknown): Cell | undefined {
    if (value === null) return null;
    if (typeof value !== 'number') return undefined;
    if (table === 'invoice' && column === 'number') {
      return { slot: 'invoice', after: value - this.#journey.before.invoice };
    }
    const isInFeed = NUMBER_IN_FEED.test(column) || (table === 'feed_change' && column === 'n');
    return isInFeed ? this.#feed(value) : value;
  }

  #feed(value: number): Cell {
    if (value === 0) return 0;
    return { slot: 'feed', after: Math.max(0, value - this.#journey.before.feed) };
  }

  /** The text, cut at what is the visit's own. */
  text(value: string): (string | Slot)[] {
    const parts: (string | Slot)[] = [];
    let constant = '';
    let from = 0;
    for (const match of value.matchAll(this.#token)) {
      constant += value.slice(from, match.index);
      from = match.index + match[0].length;
      const slot = this.#slot(match[0]);
      if (typeof slot === 'string') {
        constant += slot;
        continue;
      }
      parts.push(constant, slot);
      constant = '';
    }
    return [...parts, constant + value.slice(from)];
  }

  #slot(token: string): Slot | string {
    const { world, before } = this.#journey;
    const name = this.#worldNames.get(token);
    if (name !== undefined) return { slot: 'world', name };
    if (token.startsWith(`${world['epoch']}-`)) {
      return { slot: 'event', n: Number(token.slice(UUID_LENGTH + 1)) - before.seq };
    }
    const form = this.#forms.indexOf(token);
    if (form >= 0) return { slot: 'plate', form };
    if (token.startsWith('event-')) return { slot: 'read', n: numberOf(this.#reads, token) };
    if (/^(in|out)-1$/.test(token)) return { slot: 'lane', direction: token.slice(0, -2) };
    if (token.length === UUID_LENGTH) return { slot: 'id', n: numberOf(this.#ids, token) };
    if (token.includes('T')) return { slot: 'time', n: this.#time(token) };
    if (token.includes('-')) return this.#day(token);
    const feed = this.#feed(Number(token));
    return typeof feed === 'object' && feed !== null && 'slot' in feed ? feed : token;
  }

  #time(moment: string): number {
    const { startedAt, endedAt } = this.#journey;
    const at = Date.parse(moment);
    const [start, end] = [Date.parse(startedAt), Date.parse(endedAt)];
    // No moment in the middle of a visit decides: the nearer end is the anchor.
    const from = at - start <= end - at ? 'start' : 'end';
    const offsetMs = at - (from === 'start' ? start : end);
    const known = this.times.findIndex((time) => time.from === from && time.offsetMs === offsetMs);
    return known >= 0 ? known : this.times.push({ from, offsetMs }) - 1;
  }

  #day(day: string): Slot | string {
    const { startedAt, endedAt } = this.#journey;
    if (endedAt.startsWith(day)) return { slot: 'day', from: 'end' };
    return startedAt.startsWith(day) ? { slot: 'day', from: 'start' } : day;
  }
}
const UUID_LENGTH = 36;
const UUID_VERSION_AT = 14;

function numberOf(known: Map<string, number>, token: string): number {
  const number = known.get(token) ?? known.size;
  known.set(token, number);
  return number;
}

function incomeOf(journey: Journey, part: 'inside' | 'whole'): Mold['income'] {
  return issuedIn(journey, part).flatMap(({ invoice, from }) => {
    const parts: unknown = JSON.parse(String(invoice['income_parts']));
    return (parts as { vehicleCategory: string; amountMinor: number }[]).map(
      ({ vehicleCategory, amountMinor }) => ({
        paymentType: String(invoice['payment_type']),
        vehicleCategory,
        amountMinor,
        from,
      }),
    );
  });
}

function incomeVatOf(journey: Journey, part: 'inside' | 'whole'): Mold['incomeVat'] {
  return issuedIn(journey, part).flatMap(({ invoice, from }) => {
    const parts: unknown = JSON.parse(String(invoice['vat']));
    return (parts as VatOfIncome[]).map(({ category, rate, netMinor, vatMinor }) => ({
      category,
      rate,
      netMinor,
      vatMinor,
      from,
    }));
  });
}

function issuedIn(journey: Journey, part: 'inside' | 'whole') {
  const issued = (journey[part].rows['invoice'] ?? []).filter(({ number }) => number !== null);
  return issued.map((invoice) => {
    const isLate = Date.parse(String(invoice['issued_at'])) - Date.parse(journey.startedAt) > 0;
    return { invoice, from: isLate ? ('end' as const) : ('start' as const) };
  });
}

/** The rows that a visit of a kind leaves while the car is inside, and in the end. */
export interface Molds {
  inside: Mold;
  whole: Mold;
}

export function moldsOf(first: Journey, second: Journey): Molds {
  return { inside: moldOf(first, second, 'inside'), whole: moldOf(first, second, 'whole') };
}
