import { DAY_MS } from '@hlid/protocol/base/durations';
import Database from 'better-sqlite3';
import { storedId, storedSiteId } from '../../harness/stored-columns.ts';
import { storing } from './compact-values.ts';
import { Country, type CountryPlan, countryPlate, PERMITS_PER_SITE, type Stay } from './country.ts';
import type { MoldSet } from './drive-molds.ts';
import { HistoryTotals } from './history-totals.ts';
import type { Cell, Mold, Slot } from './mold.ts';
import { formsOf } from './plate-forms.ts';
import { Random } from './random.ts';
import type { StayKind } from './sample-site.ts';

/** The content of the cloud before any car comes, as its API made it. */
export interface World {
  sites: readonly { id: string; epoch: string }[];
  product: string;
  operator: string;
  customers: readonly string[];
  /** The permit of a site's own cars, by plate. */
  permits: ReadonlyMap<string, string>;
}

export interface FilledHistory {
  visits: number;
  inside: number;
  rows: number;
  events: number;
  /** The visits and events that wait at sites without a connection. */
  waitingVisits: number;
  waitingEvents: number;
  seconds: { rows: number; indexes: number };
}

export interface FillOptions {
  molds: MoldSet;
  world: World;
  /** Receives the progress. */
  progress?: (line: string) => void;
  /** Receives each visit, and the events that its site sent of it; for a test that sends the same. */
  onVisit?: (site: number, events: readonly SentEvent[]) => void;
  /** Sites without a connection: what comes later is not in the cloud, but waits at the site. */
  away?: {
    since: (site: number) => number;
    onEvents: (site: number, events: readonly WaitingEvent[]) => void;
  };
}

interface SentEvent {
  at: string;
  body: string;
}

export interface WaitingEvent extends SentEvent {
  seq: number;
}

/** The time after which the cloud itself deletes events for integrators, and pictures. */
const KEPT_MS = 30 * DAY_MS;
const MOMENT_COLUMNS: Readonly<Record<string, string>> = { integration_event: 'at', photo: 'received_at' };
const PICTURE_COLUMNS = new Set(['url', 'picture_bytes', 'plate_url', 'plate_bytes', 'thumb_bytes']);
const SETTLED_BY_SITE: Partial<Record<StayKind, StayKind>> = { online: 'kiosk', void: 'owner' };
const VISITS_PER_COMMIT = 20_000;
const PROGRESS_EVERY_MS = 10_000;

/**
 * Writes the visits of a country straight into a cloud's database, which no program has open. For each visit
 * it writes the rows that both programs leave for one of its kind, and the sums over them. The indexes are
 * made afterwards: the same as if they had grown, in a fraction of the time.
 */
export function fillHistory(path: string, plan: CountryPlan, options: FillOptions): FilledHistory {
  const db = new Database(path);
  try {
    db.pragma('synchronous = OFF');
    db.pragma('cache_size = -2097152');
    db.pragma('threads = 2');
    db.pragma('foreign_keys = OFF');
    const from = performance.now();
    const indexes = dropIndexes(db);
    const writer = new HistoryWriter(db, plan, options);
    writer.writeAll();
    const rowsDone = performance.now();
    let said = rowsDone;
    for (const [at, { name, sql }] of indexes.entries()) {
      db.exec(sql);
      if (performance.now() - said < PROGRESS_EVERY_MS) continue;
      said = performance.now();
      options.progress?.(`index ${at + 1} of ${indexes.length}: ${name}`);
    }
    db.pragma('wal_checkpoint(TRUNCATE)');
    const seconds = { rows: (rowsDone - from) / 1000, indexes: (performance.now() - rowsDone) / 1000 };
    return { ...writer.counts, seconds };
  } finally {
    db.close();
  }
}

/** Drops the indexes that are no table's key: a key must hold while rows are written. */
function dropIndexes(db: Database.Database): { name: string; sql: string }[] {
  const indexes = db
    .prepare("SELECT name, sql FROM sqlite_master WHERE type = 'index' AND sql LIKE 'CREATE INDEX%'")
    .all() as { name: string; sql: string }[];
  for (const { name } of indexes) db.exec(`DROP INDEX "${name}"`);
  return indexes;
}

/** The data of one visit. */
interface Visit {
  stay: Stay;
  ids: string[];
  times: string[];
  forms: string[];
  reads: number;
  /** The numbers of its site before it came, and of the last invoice. */
  seq: number;
  feed: number;
  invoice: number;
}

type Value = string | number | null;
type Stored = ReturnType<ReturnType<typeof storing>>;

/** A row that visits of a kind leave: its statement has what is the same for all of them, its values are their own. */
interface PreparedRow {
  insert: Database.Statement;
  values: ((visit: Visit) => Stored)[];
}

/** The rows of a table that visits of a kind leave. */
interface PreparedTable {
  rows: (PreparedRow & { cells: readonly Cell[]; old: PreparedRow })[];
  /** The cell with the time at which a row was made, if the cloud deletes such rows or their pictures. */
  momentAt: number | undefined;
}

class HistoryWriter {
  readonly counts = { visits: 0, inside: 0, rows: 0, events: 0, waitingVisits: 0, waitingEvents: 0 };
  readonly #db: Database.Database;
  readonly #plan: CountryPlan;
  readonly #options: FillOptions;
  readonly #random: Random;
  readonly #oldBefore: string;
  readonly #tables = new Map<Mold['tables'][number], PreparedTable>();
  /** The last number of each site's events, and of its feed. */
  readonly #seq: number[];
  readonly #feed: number[];
  /** The last number that waits at a site without a connection. */
  readonly #waiting = new Map<number, number>();
  readonly #income = new Map<string, { invoices: number; amountMinor: number }>();
  readonly #incomeVat = new Map<string, { netMinor: number; vatMinor: number }>();
  readonly #totals = new HistoryTotals('Atlantic/Reykjavik');
  /** The counters of the rows of each table. */
  readonly #counts: Readonly<Record<string, (row: Record<string, Value>) => void>> = {
    visit: (row) => this.#totals.addVisit(row),
    passage_decision: (row) => this.#totals.addDecision(row),
    photo: (row) => this.#totals.addRead(row),
  };
  #invoice = 0;
  #reads = 0;

  constructor(db: Database.Database, plan: CountryPlan, options: FillOptions) {
    this.#db = db;
    this.#plan = plan;
    this.#options = options;
    this.#random = new Random(plan.seed + 1);
    this.#oldBefore = iso(plan.until - KEPT_MS);
    const head = db.prepare('SELECT n FROM feed_head WHERE scope = ?').pluck();
    this.#seq = options.world.sites.map(() => 0);
    this.#feed = options.world.sites.map(({ id }) => Number(head.get(storedSiteId(id)) ?? 0));
  }

  writeAll(): void {
    const { progress } = this.#options;
    const began = performance.now();
    let said = began;
    let written = 0;
    this.#db.exec('BEGIN');
    for (const stays of new Country(this.#plan).days()) {
      for (const stay of stays) {
        this.#write(stay);
        if (++written % VISITS_PER_COMMIT === 0) this.#db.exec('COMMIT; BEGIN');
      }
      if (performance.now() - said < PROGRESS_EVERY_MS) continue;
      said = performance.now();
      const perSecond = Math.round(this.counts.visits / ((said - began) / 1000));
      progress?.(`${this.counts.visits} of ${this.#plan.visits} visits, ${perSecond} per second`);
    }
    this.#writeSums();
    this.#db.exec('COMMIT');
  }

  #write(stay: Stay): void {
    const { away, onVisit } = this.#options;
    if (away !== undefined && stay.startMs >= away.since(stay.site)) {
      this.#keepWaiting(stay, away.onEvents);
      return;
    }
    const mold = this.#moldOf(stay, stay.kind);
    const visit = this.#visitOf(stay, mold);
    for (const table of mold.tables) this.#insert(visit, table);
    onVisit?.(stay.site, this.#eventsOf(visit, mold));
    for (const { from, paymentType, vehicleCategory, amountMinor } of mold.income) {
      const day = iso(from === 'start' ? stay.startMs : stay.endMs).slice(0, 10);
      const key = JSON.stringify([
        this.#options.world.sites[stay.site]?.id,
        day,
        paymentType,
        vehicleCategory,
      ]);
      const sum = this.#income.get(key) ?? { invoices: 0, amountMinor: 0 };
      this.#income.set(key, { invoices: sum.invoices + 1, amountMinor: sum.amountMinor + amountMinor });
    }
    for (const { from, category, rate, netMinor, vatMinor } of mold.incomeVat) {
      const day = iso(from === 'start' ? stay.startMs : stay.endMs).slice(0, 10);
      const key = JSON.stringify([this.#options.world.sites[stay.site]?.id, day, category ?? '', rate]);
      const sum = this.#incomeVat.get(key) ?? { netMinor: 0, vatMinor: 0 };
      this.#incomeVat.set(key, { netMinor: sum.netMinor + netMinor, vatMinor: sum.vatMinor + vatMinor });
    }
    this.#seq[stay.site] = visit.seq + mold.events.length;
    this.#feed[stay.site] = visit.feed + mold.feedChanges;
    this.#invoice += mold.invoices;
    this.counts.visits++;
    this.counts.inside += this.#isInside(stay) ? 1 : 0;
    this.counts.events += mold.events.length;
  }

  #isInside({ endMs }: Stay): boolean {
    return endMs >= this.#plan.until;
  }

  #moldOf(stay: Stay, kind: StayKind): Mold {
    const molds = this.#options.molds[kind].get(stay.days);
    if (molds === undefined) throw new RangeError(`no ${kind} of ${stay.days} days was driven`);
    return this.#isInside(stay) ? molds.inside : molds.whole;
  }

  #eventsOf(visit: Visit, { events }: Mold): SentEvent[] {
    return events.map(({ at, body }) => ({
      at: String(this.#value(visit, at)),
      body: String(this.#value(visit, body)),
    }));
  }

  #keepWaiting(stay: Stay, onEvents: (site: number, events: WaitingEvent[]) => void): void {
    // The cloud does not settle what it has not received.
    const mold = this.#moldOf(stay, SETTLED_BY_SITE[stay.kind] ?? stay.kind);
    const seq = this.#waiting.get(stay.site) ?? this.#seq[stay.site] ?? 0;
    const events = this.#eventsOf({ ...this.#visitOf(stay, mold), seq }, mold);
    onEvents(
      stay.site,
      events.map((event, at) => ({ seq: seq + at + 1, ...event })),
    );
    this.#waiting.set(stay.site, seq + events.length);
    this.counts.waitingVisits++;
    this.counts.waitingEvents += events.length;
  }

  #visitOf(stay: Stay, mold: Mold): Visit {
    const at = { start: stay.startMs, end: stay.endMs };
    const reads = this.#reads;
    this.#reads += 2;
    return {
      stay,
      reads,
      forms: formsOf(countryPlate(stay.car)),
      ids: mold.ids.map(({ from, hasTime }) =>
        hasTime ? this.#random.timedUuid(at[from]) : this.#random.uuid(),
      ),
      times: mold.times.map(({ from, offsetMs }) => iso(at[from] + offsetMs)),
      seq: this.#seq[stay.site] ?? 0,
      feed: this.#feed[stay.site] ?? 0,
      invoice: this.#invoice,
    };
  }

  #insert(visit: Visit, table: Mold['tables'][number]): void {
    const { name, columns } = table;
    const { rows, momentAt } = this.#prepared(table);
    for (const row of rows) {
      const isOld =
        momentAt !== undefined && String(this.#value(visit, row.cells[momentAt] ?? null)) < this.#oldBefore;
      if (isOld && name === 'integration_event') continue;
      const count = this.#counts[name];
      if (count !== undefined) {
        count(
          Object.fromEntries(
            columns.map((column, at) => [column, this.#value(visit, row.cells[at] ?? null)]),
          ),
        );
      }
      const { insert, values } = isOld ? row.old : row;
      insert.run(values.map((fill) => fill(visit)));
      this.counts.rows++;
    }
  }

  #prepared(table: Mold['tables'][number]): PreparedTable {
    const known = this.#tables.get(table);
    if (known !== undefined) return known;
    const { name, columns, rows } = table;
    const moment = MOMENT_COLUMNS[name];
    const withoutPictures = (cells: readonly Cell[]) =>
      cells.map((cell, at) => (PICTURE_COLUMNS.has(columns[at] ?? '') ? null : cell));
    const prepared = {
      rows: rows.map((cells) => ({
        ...this.#preparedRow(table, cells),
        cells,
        old: this.#preparedRow(table, withoutPictures(cells)),
      })),
      momentAt: moment === undefined ? undefined : columns.indexOf(moment),
    };
    this.#tables.set(table, prepared);
    return prepared;
  }

  #preparedRow({ name, columns }: Mold['tables'][number], cells: readonly Cell[]): PreparedRow {
    const values: PreparedRow['values'] = [];
    const places = cells.map((cell, at) => {
      const store = storing(name, columns[at] ?? '');
      if (cell === null || typeof cell !== 'object') return literal(store(cell));
      values.push((visit) => store(this.#value(visit, cell)));
      return '?';
    });
    const names = columns.map((column) => `"${column}"`).join(', ');
    const insert = this.#db.prepare(`INSERT INTO "${name}" (${names}) VALUES (${places.join(', ')})`);
    return { insert, values };
  }

  #value(visit: Visit, cell: Cell): Value {
    if (cell === null || typeof cell !== 'object') return cell;
    if (!Array.isArray(cell)) return this.#fill(visit, cell);
    let text = '';
    for (const part of cell) text += typeof part === 'string' ? part : this.#fill(visit, part);
    return text;
  }

  #fill(visit: Visit, slot: Slot): Value {
    switch (slot.slot) {
      case 'id':
        return visit.ids[slot.n] ?? null;
      case 'time':
        return visit.times[slot.n] ?? null;
      case 'plate':
        return visit.forms[slot.form] ?? null;
      case 'event':
        return `${this.#siteOf(visit).epoch}-${visit.seq + slot.n}`;
      case 'world':
        return this.#worldValue(visit, slot.name);
      case 'day':
        return iso(slot.from === 'start' ? visit.stay.startMs : visit.stay.endMs).slice(0, 10);
      case 'lane':
        return `${slot.direction}-${1 + (visit.stay.car % 2)}`;
      case 'read':
        return `event-${visit.reads + slot.n}`;
      case 'opaque':
        return this.#random.text(slot.digits, slot.length);
      case 'feed':
        return visit.feed + slot.after;
      case 'invoice':
        return visit.invoice + slot.after;
      default:
        return slot satisfies never;
    }
  }

  #siteOf({ stay }: Visit): { id: string; epoch: string } {
    const site = this.#options.world.sites[stay.site];
    if (site === undefined) throw new RangeError(`there is no site ${stay.site}`);
    return site;
  }

  #worldValue(visit: Visit, name: string): string {
    const { world } = this.#options;
    if (name === 'site') return this.#siteOf(visit).id;
    if (name === 'epoch') return this.#siteOf(visit).epoch;
    if (name === 'product') return world.product;
    if (name === 'operator') return world.operator;
    if (name === 'customer') return world.customers[visit.stay.car % world.customers.length] ?? '';
    const permit = name === 'permit' ? world.permits.get(visit.forms[0] ?? '') : undefined;
    if (permit === undefined) throw new RangeError(`the world has no ${name} for ${visit.forms[0]}`);
    return permit;
  }

  #writeSums(): void {
    const db = this.#db;
    const addIncome = db.prepare(
      `INSERT INTO income (site_id, day, payment_type, vehicle_category, currency, invoices, amount_minor)
       VALUES (?, ?, ?, ?, 'ISK', ?, ?)`,
    );
    for (const [key, { invoices, amountMinor }] of this.#income) {
      const [siteId = '', ...rest] = JSON.parse(key) as string[];
      addIncome.run(storedSiteId(siteId), ...rest, invoices, amountMinor);
    }
    // Its visits have one product.
    db.prepare(
      `INSERT INTO income_product (site_id, day, currency, product_id, invoices, amount_minor)
       SELECT site_id, day, currency, ?, sum(invoices), sum(amount_minor) FROM income GROUP BY 1, 2, 3`,
    ).run(storedId(this.#options.world.product));
    const addVat = db.prepare(
      `INSERT INTO income_vat (site_id, day, currency, category, rate, net_minor, vat_minor)
       VALUES (?, ?, 'ISK', ?, ?, ?, ?)`,
    );
    for (const [key, { netMinor, vatMinor }] of this.#incomeVat) {
      const [siteId = '', ...rest] = JSON.parse(key) as string[];
      addVat.run(storedSiteId(siteId), ...rest, netMinor, vatMinor);
    }
    if (this.#invoice > 0) {
      db.prepare("INSERT INTO invoice_series (id, seller, last) VALUES (1, '', ?)").run(this.#invoice);
      // All name the first site, as the sample visits do.
      db.prepare(
        `INSERT INTO invoice_snapshot (id, content)
         SELECT 1, json_object('name', name, 'timeZone', time_zone) FROM site ORDER BY id LIMIT 1`,
      ).run();
    }
    this.#totals.write(db);
    const until = iso(this.#plan.until);
    const addCursor = db.prepare(
      'INSERT INTO event_cursor (site_id, epoch, committed, ordinal, at) VALUES (?, ?, ?, 1, ?)',
    );
    const addPresence = db.prepare(
      `INSERT OR REPLACE INTO site_presence (site_id, connected, since, epoch, seq, feed_at, software)
       VALUES (?, 0, ?, ?, ?, ?, 'hlid-edge/0.2.0')`,
    );
    const moveHead = db.prepare('UPDATE feed_head SET n = ? WHERE scope = ?');
    for (const [at, { id, epoch }] of this.#options.world.sites.entries()) {
      const stored = storedSiteId(id);
      addCursor.run(stored, epoch, this.#seq[at], until);
      addPresence.run(stored, until, epoch, this.#seq[at], this.#feed[at]);
      moveHead.run(this.#feed[at], stored);
    }
  }
}

/** The plates that must have permits, by site, and those that belong to customers. */
export function platesOfWorld({ sites, companyCars }: Pick<CountryPlan, 'sites' | 'companyCars'>) {
  const plates = (from: number, count: number) =>
    Array.from({ length: count }, (_unused, car) => countryPlate(from + car));
  return {
    company: plates(0, companyCars),
    permits: Array.from({ length: sites }, (_unused, site) =>
      plates(companyCars + site * PERMITS_PER_SITE, PERMITS_PER_SITE),
    ),
  };
}

function literal(value: Stored): string {
  if (value === null || typeof value === 'number') return String(value);
  return typeof value === 'string'
    ? `'${value.replaceAll("'", "''")}'`
    : `x'${Buffer.from(value).toString('hex')}'`;
}

const iso = (ms: number) => new Date(ms).toISOString();
