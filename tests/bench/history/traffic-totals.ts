import { QUARTER_MS } from '@hlid/cloud/records/visits/count-traffic';
import { DAY_MS } from '@hlid/protocol/base/durations';
import type Database from 'better-sqlite3';
import { storedSiteId } from '../../harness/stored-columns.ts';

interface SiteTotals {
  counted: Uint8Array;
  arrivals: Int32Array;
  departures: Int32Array;
  insideMs: Float64Array;
}

/** The totals that the cloud keeps for each site and quarter of an hour (`count-traffic.ts`), for all visits at once. */
export class TrafficTotals {
  readonly #first: number;
  readonly #quarters: number;
  readonly #sites = new Map<string, SiteTotals>();

  constructor(period: { days: number; until: number }) {
    this.#first = Math.floor((period.until - (period.days + 1) * DAY_MS) / QUARTER_MS);
    this.#quarters = Math.ceil(period.until / QUARTER_MS) - this.#first + 1;
  }

  /** @param visit a row of its table */
  add(visit: Readonly<Record<string, unknown>>): void {
    const totals = this.#of(String(visit['site_id']));
    const isCounted = visit['payment_status'] !== 'void';
    this.#move(totals, visit['started_at'], isCounted ? 1 : 0);
    if (isCounted) this.#move(totals, visit['ended_at'], -1);
  }

  write(db: Database.Database): void {
    const add = db.prepare(
      'INSERT INTO traffic (site_id, quarter, arrivals, departures, inside_ms) VALUES (?, ?, ?, ?, ?)',
    );
    for (const [siteId, { counted, arrivals, departures, insideMs }] of this.#sites) {
      const site = storedSiteId(siteId);
      for (let at = 0; at < this.#quarters; at++) {
        if (counted[at]) add.run(site, this.#first + at, arrivals[at], departures[at], insideMs[at]);
      }
    }
  }

  #move(totals: SiteTotals, moment: unknown, cars: 1 | 0 | -1): void {
    if (typeof moment !== 'string') return;
    const ms = Date.parse(moment);
    const quarter = Math.floor(ms / QUARTER_MS);
    const at = quarter - this.#first;
    const { counted, arrivals, departures, insideMs } = totals;
    // It was counted once also where it is not any more.
    counted[at] = 1;
    if (cars === 1) arrivals[at] = (arrivals[at] ?? 0) + 1;
    if (cars === -1) departures[at] = (departures[at] ?? 0) + 1;
    insideMs[at] = (insideMs[at] ?? 0) + cars * ((quarter + 1) * QUARTER_MS - ms);
  }

  #of(siteId: string): SiteTotals {
    const known = this.#sites.get(siteId);
    if (known !== undefined) return known;
    const totals = {
      counted: new Uint8Array(this.#quarters),
      arrivals: new Int32Array(this.#quarters),
      departures: new Int32Array(this.#quarters),
      insideMs: new Float64Array(this.#quarters),
    };
    this.#sites.set(siteId, totals);
    return totals;
  }
}
