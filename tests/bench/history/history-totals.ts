import { letsOut } from '@hlid/cloud/records/totals/let-out';
import { readCounts } from '@hlid/cloud/records/totals/read-counts';
import { countersOfDay, dayOfQuarter } from '@hlid/cloud/records/totals/site-days';
import {
  addCounters,
  COUNTERS,
  type CountedStay,
  type Counters,
  hourOf,
  noCounters,
  quarterTotal,
  totalsOf,
} from '@hlid/cloud/records/totals/stay-totals';
import type Database from 'better-sqlite3';
import { storedSiteId } from '../../harness/stored-columns.ts';

/** A row of a table with what its columns read. */
type Row = Readonly<Record<string, unknown>>;

interface CameraSums {
  reads: number;
  unread: number;
  corrected: number;
  judged: number;
  matched: number;
}

interface SiteSums {
  /** The counters by quarter of an hour and lane. */
  quarters: Map<number, Map<string, Counters>>;
  /** The sums by hour, lane and camera. */
  hours: Map<string, CameraSums>;
  permits: Map<string, { stays: number; stayMinutes: number }>;
  /** Passages that an exit has let out. */
  out: Set<string>;
}

/** The totals that the cloud keeps (`records/totals`), by its own rules, for all visits at once. */
export class HistoryTotals {
  readonly #sites = new Map<string, SiteSums>();
  readonly #timeZone: string;

  constructor(timeZone: string) {
    this.#timeZone = timeZone;
  }

  addVisit(row: Row): void {
    const text = (name: string) => (typeof row[name] === 'string' ? row[name] : null);
    const stay = {
      siteId: text('site_id') ?? '',
      startedAt: text('started_at') ?? '',
      endedAt: text('ended_at'),
      paymentStatus: text('payment_status'),
      entryLaneId: text('entry_lane_id'),
      exitLaneId: text('exit_lane_id'),
      exitFoundBy: text('exit_found_by'),
      permitId: text('permit_id'),
      plateByPerson: row['plate_by_person'] === 1,
    } as CountedStay;
    const site = this.#of(stay.siteId);
    const { quarters, matches, permits } = totalsOf(stay);
    for (const { quarter, laneId, counters } of quarters) addTo(site, quarter, laneId, counters);
    for (const { hour, laneId, judged, matched } of matches)
      addHour(site, [hour, laneId, ''], { judged, matched });
    for (const { permitId, month, stays, stayMinutes } of permits) {
      const key = JSON.stringify([month, permitId]);
      const sum = site.permits.get(key) ?? { stays: 0, stayMinutes: 0 };
      site.permits.set(key, { stays: sum.stays + stays, stayMinutes: sum.stayMinutes + stayMinutes });
    }
  }

  addDecision(row: Row): void {
    const decided = { ...row, open: row['open'] === 1, decision: JSON.parse(String(row['decision'])) };
    // Rows of the files that this benchmark has just written: what the rule reads of them is there.
    const out = letsOut(decided as unknown as Parameters<typeof letsOut>[0]);
    const site = this.#of(String(row['site_id']));
    const passageId = String(row['passage_id']);
    if (out === null || site.out.has(passageId)) return;
    site.out.add(passageId);
    const laneId = String(row['lane_id']);
    const counted = { exits: 1, doubtfulExits: out === 'in-doubt' ? 1 : 0 };
    const { quarter, counters } = quarterTotal(laneId, utc(row['at']), counted);
    addTo(site, quarter, laneId, counters);
  }

  addRead(row: Row): void {
    const read = { ...row, corrected: row['corrected'] === 1 };
    // The row is one that this benchmark has written.
    const counts = readCounts(read as unknown as Parameters<typeof readCounts>[0]);
    if (counts.reads === 0) return;
    const place = [
      hourOf(utc(row['received_at'])),
      String(row['lane_id']),
      String(row['camera_id']),
    ] as const;
    addHour(this.#of(String(row['site_id'])), place, counts);
  }

  write(db: Database.Database): void {
    const columns = COUNTERS.map((name) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`));
    const values = (counters: Counters) => COUNTERS.map((name) => counters[name]);
    const marks = COUNTERS.map(() => '?').join(', ');
    const addQuarter = db.prepare(
      `INSERT INTO traffic (site_id, quarter, lane_id, ${columns.join(', ')}) VALUES (?, ?, ?, ${marks})`,
    );
    const addDay = db.prepare(
      `INSERT INTO site_day (site_id, day, ${columns.join(', ')}) VALUES (?, ?, ${marks})`,
    );
    const addPermit = db.prepare(
      'INSERT INTO permit_month (site_id, month, permit_id, stays, stay_minutes) VALUES (?, ?, ?, ?, ?)',
    );
    const addCamera = db.prepare(
      `INSERT INTO camera_hour (site_id, hour, lane_id, camera_id, reads, unread, corrected, judged, matched)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    );
    for (const [siteId, { quarters, hours, permits }] of this.#sites) {
      const site = storedSiteId(siteId);
      const days = new Map<string, Counters>();
      for (const quarter of [...quarters.keys()].sort((a, b) => a - b)) {
        const { day, end } = dayOfQuarter(quarter, this.#timeZone);
        const sum = days.get(day) ?? noCounters();
        days.set(day, sum);
        for (const [laneId, counters] of quarters.get(quarter) ?? []) {
          addQuarter.run(site, quarter, laneId, ...values(counters));
          addCounters(sum, countersOfDay(counters, quarter, end));
        }
      }
      for (const [day, counters] of days) addDay.run(site, day, ...values(counters));
      for (const [key, { reads, unread, corrected, judged, matched }] of hours) {
        addCamera.run(site, ...(JSON.parse(key) as string[]), reads, unread, corrected, judged, matched);
      }
      for (const [key, { stays, stayMinutes }] of permits) {
        addPermit.run(site, ...(JSON.parse(key) as string[]), stays, stayMinutes);
      }
    }
  }

  #of(siteId: string): SiteSums {
    const known = this.#sites.get(siteId);
    if (known !== undefined) return known;
    const made: SiteSums = { quarters: new Map(), hours: new Map(), permits: new Map(), out: new Set() };
    this.#sites.set(siteId, made);
    return made;
  }
}

function addTo({ quarters }: SiteSums, quarter: number, laneId: string, counters: Counters): void {
  const lanes = quarters.get(quarter) ?? new Map<string, Counters>();
  const sum = lanes.get(laneId) ?? noCounters();
  addCounters(sum, counters);
  lanes.set(laneId, sum);
  quarters.set(quarter, lanes);
}

function addHour(
  { hours }: SiteSums,
  [hour, laneId, cameraId]: readonly [number, string, string],
  more: Partial<CameraSums>,
): void {
  const key = JSON.stringify([hour, laneId, cameraId]);
  const sum = hours.get(key) ?? { reads: 0, unread: 0, corrected: 0, judged: 0, matched: 0 };
  for (const name of Object.keys(sum) as (keyof CameraSums)[]) sum[name] += more[name] ?? 0;
  hours.set(key, sum);
}

function utc(value: unknown): ReturnType<typeof String> {
  return String(value);
}
