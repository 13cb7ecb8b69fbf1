import { appendFileSync, copyFileSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import http from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { newId } from '@hlid/node/new-id';
import { DAY_MS, HOUR_MS } from '@hlid/protocol/base/durations';
import { utcTime } from '@hlid/protocol/base/utc-time';
import Database from 'better-sqlite3';
import { type CloudProgram, startCloud } from '../../harness/cloud-program.ts';
import { newSecret } from '../../harness/new-secret.ts';
import { logIn } from '../../harness/operator.ts';
import { storedSiteId } from '../../harness/stored-columns.ts';
import { arrivals } from '../arrivals.ts';
import { ask, tokenOf } from '../bench-cloud.ts';
import { Country, type CountryPlan } from '../history/country.ts';
import { driveMolds, type MoldSet } from '../history/drive-molds.ts';
import { type FilledHistory, fillHistory, type WaitingEvent } from '../history/fill-history.ts';
import { makeWorld, type WorldOfSites } from '../history/make-world.ts';
import { type LoadResult, resultOf, runLoad } from '../load.ts';
import { Fleet } from './fleet.ts';
import type { FleetPlan } from './site-fleet.ts';

const SEED = 2026;
const YEAR_DAYS = 365;
/** How much a country has, and how long it is observed. */
export interface ScaleSize {
  sites: number;
  companyCars: number;
  /** These were without a connection for a month; the others for some hours. */
  awaySites: number;
  /** How often a list is read, and how often before that. */
  rounds: number;
  warmRounds: number;
  fewRounds: number;
  /** How long lists are read while nothing else goes on. */
  idleMs: number;
}
export const COUNTRY: ScaleSize = {
  sites: 500,
  companyCars: 1000,
  awaySites: 50,
  rounds: 300,
  warmRounds: 50,
  fewRounds: 10,
  idleMs: 15_000,
};
const AWAY_MS = 30 * DAY_MS;
const RECENT_MS = 6 * HOUR_MS;
export const FEW_CONNECTIONS = 4;
/** The rate of operators' requests while something else runs. */
const REQUESTS_PER_SECOND = 20;
/** A cloud that is large takes longer to start. */
const READY_WITHIN_MS = 600_000;

/** The last full hour: the year ends there. */
const until = Math.floor(Date.now() / HOUR_MS) * HOUR_MS;

const planOf = (visits: number, { sites, companyCars }: ScaleSize): CountryPlan => ({
  visits,
  sites,
  companyCars,
  days: YEAR_DAYS,
  until,
  seed: SEED,
});

/** The world in which all steps begin: a cloud with sites, customers and permits, and no visits yet. */
export class ScaleWorld {
  readonly folder: string;
  readonly world: WorldOfSites;
  readonly molds: MoldSet;
  readonly login: { apiKey: string; operator: { id: string; password: string } };
  readonly size: ScaleSize;

  private constructor(
    folder: string,
    made: { world: WorldOfSites; molds: MoldSet; login: ScaleWorld['login']; size: ScaleSize },
  ) {
    const { world, molds, login, size } = made;
    this.folder = folder;
    this.size = size;
    this.world = world;
    this.molds = molds;
    this.login = login;
  }

  static async make(size: ScaleSize, progress: (line: string) => void): Promise<ScaleWorld> {
    const folder = await mkdtemp(join(tmpdir(), 'hlid-scale-'));
    try {
      progress('driving a visit of each kind through both programs');
      const molds = await driveMolds();
      progress(`making ${size.sites} sites by the API`);
      const operator = { id: 'operator@example.is', password: newSecret() };
      const login = { apiKey: newSecret(), operator };
      const data = join(folder, 'world');
      const cloud = await startCloud({ folder: data, ...login, env: ENV });
      const access = await logIn({ cloudUrl: cloud.httpUrl(), apiKey: login.apiKey, ...operator });
      const token = await tokenOf(cloud.httpUrl(), login.apiKey, operator);
      const api = async (method: string, path: string, body: object | string) => {
        if (typeof body === 'string') return await sendCsv(cloud.httpUrl(), token, path, body);
        const { status, body: answer } = await access.ask(method, path, body);
        if (status >= 400) throw new Error(`${method} ${path}: ${status} ${JSON.stringify(answer)}`);
        return answer;
      };
      const world = await makeWorld(api, join(data, 'cloud.db'), new Country(planOf(1, size)));
      await cloud.stop();
      return new ScaleWorld(folder, { world, molds, login, size });
    } catch (error) {
      await rm(folder, { recursive: true, force: true });
      throw error;
    }
  }

  async remove(): Promise<void> {
    await rm(this.folder, { recursive: true, force: true });
  }
}

const ENV = { HLID_LOG_LEVEL: 'warn' };

async function sendCsv(url: string, token: string, path: string, text: string): Promise<unknown> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'text/csv' };
  const response = await fetch(new URL(path, url), { method: 'POST', headers, body: text });
  if (!response.ok) throw new Error(`POST ${path}: ${response.status} ${await response.text()}`);
  return await response.json();
}

/** The real cloud program with a country's year, and all its sites. */
export class ScaleCloud {
  readonly folder: string;
  readonly visits: number;
  readonly filled: FilledHistory;
  readonly program: CloudProgram;
  /** The time from the start of the program until it answered. */
  readonly startMs: number;
  readonly #base: ScaleWorld;
  #agent = newAgent();
  #token: string;

  private constructor(
    base: ScaleWorld,
    made: Pick<ScaleCloud, 'folder' | 'visits' | 'filled' | 'program' | 'startMs'>,
    token: string,
  ) {
    this.#base = base;
    this.folder = made.folder;
    this.visits = made.visits;
    this.filled = made.filled;
    this.program = made.program;
    this.startMs = made.startMs;
    this.#token = token;
  }

  static async start(
    base: ScaleWorld,
    visits: number,
    progress: (line: string) => void,
  ): Promise<ScaleCloud> {
    const folder = join(base.folder, `step-${visits}`);
    mkdirSync(join(folder, 'waiting'), { recursive: true });
    const path = join(folder, 'cloud.db');
    copyFileSync(join(base.folder, 'world', 'cloud.db'), path);
    // Without this, the retention run would erase what is older than half a year during the measurement.
    writeConfig(folder, 3650);
    const onEvents = (site: number, events: readonly WaitingEvent[]) => {
      const lines = events.map(({ seq, at, body }) => `{"seq":${seq},"at":"${at}","body":${body}}\n`);
      appendFileSync(waitingFile(folder, site), lines.join(''));
    };
    const { molds, world, size } = base;
    const since = (site: number) => until - (site < size.awaySites ? AWAY_MS : RECENT_MS);
    const filled = fillHistory(path, planOf(visits, size), {
      molds,
      world,
      progress,
      away: { since, onEvents },
    });
    const from = performance.now();
    const program = await startCloud({ folder, ...base.login, env: ENV, readyWithinMs: READY_WITHIN_MS });
    const startMs = performance.now() - from;
    const token = await tokenOf(program.httpUrl(), base.login.apiKey, base.login.operator);
    return new ScaleCloud(base, { folder, visits, filled, program, startMs }, token);
  }

  get database(): string {
    return join(this.folder, 'cloud.db');
  }

  get size(): ScaleSize {
    return this.#base.size;
  }

  get siteIds(): string[] {
    return this.#base.world.sites.map(({ id }) => id);
  }

  pid(): number {
    return Number(this.program.ready()['pid']);
  }

  /** Stops the cloud like a power cut: our connections are gone too. */
  async kill(): Promise<void> {
    await this.program.kill();
    this.#agent.destroy();
    this.#agent = newAgent();
  }

  async stop(): Promise<void> {
    this.#agent.destroy();
    await this.program.stop();
  }

  /** Restarts with another retention of plates, which runs from then on. */
  async eraseAfter(visitDays: number): Promise<void> {
    await this.stop();
    this.#agent = newAgent();
    writeConfig(this.folder, visitDays);
    const db = new Database(this.database);
    // Without this, retention would wait until the hour of the last run is over.
    db.exec("DELETE FROM job WHERE name = 'retention'");
    // In a cloud that has run for a year, the hourly runs have checked for all reads if they belong to a
    // visit.
    const looked = db.prepare(
      "INSERT OR REPLACE INTO retention_cursor (name, at, id) VALUES ('loose-reads', ?, ?)",
    );
    looked.run(utcTime(Date.now()), newId());
    db.close();
    await this.program.start();
  }

  /** The number of visits with a plate that retention has erased. */
  erasedVisits(): number {
    const db = new Database(this.database, { readonly: true });
    const sum = "SELECT coalesce(sum(rows), 0) FROM retention_log WHERE kind = 'visit-plate'";
    const erased = Number(db.prepare(sum).pluck().get());
    db.close();
    return erased;
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }

  /** Sends requests of one kind on some connections; every answer must be a good one. */
  load(rounds: number, path: (round: number) => string, connections = FEW_CONNECTIONS): Promise<LoadResult> {
    return runLoad(connections, rounds, async (_connection, round) => {
      const status = await this.get(path(round));
      if (status !== 200) throw new Error(`${path(round)} was answered with ${status}`);
    });
  }

  /**
   * Sends requests like people who do not wait for each other, at an average rate, until something is over.
   */
  async pacedUntil(over: Promise<unknown>, path: (round: number) => string): Promise<LoadResult> {
    const answers: Promise<number>[] = [];
    const stop = arrivals(REQUESTS_PER_SECOND, (due) => {
      const answer = this.get(path(answers.length)).then((status) => {
        if (status !== 200) throw new Error(`a request was answered with ${status}`);
        return performance.now() - due;
      });
      answer.catch(() => undefined);
      answers.push(answer);
    });
    const from = performance.now();
    await over.finally(stop);
    const tookMs = performance.now() - from;
    return resultOf(await Promise.all(answers), tookMs);
  }

  get(path: string): Promise<number> {
    const url = new URL(path, this.program.httpUrl());
    return ask(this.#agent, url, 'GET', { authorization: `Bearer ${this.#token}` });
  }

  async post(path: string, body: object): Promise<number> {
    const url = new URL(path, this.program.httpUrl());
    return await ask(this.#agent, url, 'POST', { authorization: `Bearer ${this.#token}` }, body);
  }

  /** Reads an answer to its end and throws it away; returns its lines. */
  async lines(path: string): Promise<number> {
    const headers = { authorization: `Bearer ${this.#token}` };
    const response = await fetch(new URL(path, this.program.httpUrl()), { headers });
    if (!response.ok) throw new Error(`${path} was answered with ${response.status}`);
    let lines = 0;
    for await (const piece of response.body ?? []) for (const byte of piece) if (byte === 10) lines++;
    return lines;
  }

  /** All sites, with what waits at them; none is connected yet. */
  async startFleet(): Promise<Fleet> {
    const { sites } = this.#base.world;
    const { awaySites } = this.#base.size;
    const db = new Database(this.database, { readonly: true });
    const held = db.prepare<
      [string | number],
      { n: number; hash: string; committed: number; mark: string | null }
    >(
      `SELECT n, hash, (SELECT sum(committed) FROM event_cursor WHERE site_id = scope) AS committed,
         (SELECT mark FROM feed_change c WHERE c.site_id = scope AND c.n = feed_head.n) AS mark
       FROM feed_head WHERE scope = ?`,
    );
    const plan: FleetPlan = {
      httpUrl: this.program.httpUrl(),
      mqttUrl: this.program.mqttUrl(),
      sites: sites.map(({ id, secret, epoch }, site) => {
        const row = held.get(storedSiteId(id));
        if (row === undefined) throw new Error(`the cloud has no feed for ${id}`);
        const { n, hash, committed, mark } = row;
        return {
          id,
          secret,
          epoch,
          committed,
          mark,
          feed: { n, hash },
          group: site < awaySites ? 'away' : 'recent',
          waiting: waitingFile(this.folder, site),
        };
      }),
    };
    db.close();
    return await Fleet.start(this.folder, plan);
  }

  /** The books of the cloud: its visits, and the events of all sites. */
  books(): { visits: number; events: number; rejected: number } {
    const db = new Database(this.database, { readonly: true });
    const value = (sql: string) => Number(db.prepare(sql).pluck().get());
    const books = {
      visits: value('SELECT count(*) FROM visit'),
      events: value('SELECT sum(committed) FROM event_cursor'),
      rejected: value('SELECT count(*) FROM rejected_event'),
    };
    db.close();
    return books;
  }
}

function writeConfig(folder: string, visitDays: number): void {
  writeFileSync(join(folder, 'cloud.yaml'), `retention:\n  visitDays: ${visitDays}\n`);
}

const newAgent = () => new http.Agent({ keepAlive: true, maxSockets: 64 });
const waitingFile = (folder: string, site: number) => join(folder, 'waiting', `${site}.ndjson`);
