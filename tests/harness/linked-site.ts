import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readConfig } from '@hlid/cloud/platform/config';
import { Cloud } from '@hlid/cloud/program/cloud';
import { CloudLink, type LinkTiming } from '@hlid/edge/cloud-link/cloud-link';
import { createTestSite } from '@hlid/edge/test/site';
import { HOUR_MS } from '@hlid/protocol/base/durations';
import { utcTime } from '@hlid/protocol/base/utc-time';
import Database from 'libsql';
import { pino } from 'pino';
import { newSecret } from './new-secret.ts';
import { logIn, type Operator } from './operator.ts';
import type { TestSite } from './paired-site.ts';
import { addDefaultProducts, createSite } from './provision.ts';
import { storedSiteId } from './stored-columns.ts';
import { waitFor } from './wait.ts';

/** Half a day before now, so that tokens made by the simulated clock are good, and nothing lies in the future. */
const START = Date.now() - 12 * HOUR_MS;

/**
 * A whole cloud with its broker and a whole site, linked as ever, all in this process and on one simulated clock.
 * Either's database can be lost, copied and put back.
 */
export async function startLinkedSite(
  given: {
    settings?: Record<string, unknown>;
    /** A line between the site and the broker: returns the address that the site uses, given the broker's. */
    mqttLine?: (mqttUrl: string) => string;
    timing?: Partial<LinkTiming>;
  } = {},
) {
  const { settings = {}, mqttLine = (mqttUrl: string) => mqttUrl } = given;
  const folder = mkdtempSync(join(tmpdir(), 'hlid-linked-'));
  const cloudFolder = join(folder, 'cloud');
  const login = { id: 'operator@example.is', password: newSecret() };
  const apiKey = newSecret();
  const log = pino({ enabled: false });
  let time = START;
  let sites = 0;
  const clock = { now: () => new Date(time) };
  const logged: string[] = [];

  async function startCloud(ports: { http: string; mqtt: string }) {
    const config = readConfig({
      HLID_DATA_DIR: cloudFolder,
      HLID_CLOUD_PORT: ports.http,
      HLID_MQTT_PORT: ports.mqtt,
      HLID_OPERATOR_ID: login.id,
      HLID_OPERATOR_PASSWORD: login.password,
      HLID_API_KEY: apiKey,
    });
    const cloud = new Cloud(config, {
      log: pino({ level: 'warn' }, { write: (line) => void logged.push(JSON.parse(line).event) }),
      clock,
      showOnce: () => undefined,
    });
    return { cloud, ...(await cloud.start()) };
  }

  let running = await startCloud({ http: '0', mqtt: '0' });
  const { httpUrl, mqttUrl } = running;
  let operator: Operator = await logIn({ cloudUrl: httpUrl, apiKey, ...login });
  const plan = { name: 'Linked', timeZone: 'Atlantic/Reykjavik', currency: 'ISK', settings };
  const access = await createSite(operator, plan);
  await addDefaultProducts(operator);

  let ownFolder = '';
  function openSite(folder = siteFolder()): TestSite {
    ownFolder = folder;
    return createTestSite({ folder, start: utcTime(time) });
  }
  function siteFolder(): string {
    return mkdtempSync(join(folder, `site-${++sites}-`));
  }

  let site = openSite();
  let link: CloudLink | null = null;

  function connect(to: TestSite): CloudLink {
    const { events, feed } = to.core;
    const made = new CloudLink(
      { clock, log },
      {
        cloud: { httpUrl, mqttUrl: mqttLine(mqttUrl), ...access },
        events,
        feed,
        software: 'hlid-edge/test',
        timing: {
          retryFirstMs: 20,
          maxRetryMs: 200,
          steadyMs: 60_000,
          ackDeadlineMs: 1000,
          maxSnapshotRetryMs: 500,
          ...given.timing,
        },
      },
    );
    made.start({ commands: { handle: async () => null } });
    return made;
  }

  const cloudDb = <T>(check: (db: Database.Database) => T): T => {
    const db = new Database(join(cloudFolder, 'cloud.db'), { readonly: true });
    try {
      return check(db);
    } finally {
      db.close();
    }
  };

  const linked = {
    logged,
    httpUrl,
    mqttUrl,
    access,
    operator: () => operator,
    site: () => site,
    cloudFolder,
    /** The data folder of the site. */
    siteFolder: () => ownFolder,
    cloudDb,
    now: () => utcTime(time),
    /** Time passes for both. */
    wait(ms: number): void {
      time += ms;
      site.wait(ms);
    },
    link(): CloudLink {
      link ??= connect(site);
      return link;
    },
    /** Another gateway with the same credentials. */
    linkOther: connect,
    async unlink(): Promise<void> {
      await link?.stop();
      link = null;
    },
    /** Both have the same data, and nothing waits to be sent. */
    async settled(): Promise<void> {
      linked.link();
      await waitFor(
        () => {
          const { events, feed } = site.core;
          const { n, hash } = feed.position();
          const [head] = cloudDb((db) =>
            db
              .prepare("SELECT n || ' ' || hash FROM feed_head WHERE scope = ?")
              .pluck()
              .all(storedSiteId(access.siteId)),
          );
          const same = head === `${n} ${hash}` && !feed.wantsVisits();
          return same && hasAgreed() && cursorOf(events.epoch) === events.lastSeq();
        },
        {
          what: 'site and cloud to hold the same',
          withinMs: 20_000,
          detail: () => JSON.stringify({ view: link?.view(), feed: site.core.feed.position(), logged }),
        },
      );
    },
    /** The site's disk is gone; a new one is in its place. */
    async loseDisk(): Promise<void> {
      await linked.unlink();
      site.db.close();
      site = openSite();
    },
    /** A consistent copy of the site's database, as a backup makes one. */
    copySite(): string {
      const into = join(siteFolder(), 'site.sqlite');
      site.db.prepare('VACUUM INTO ?').run(into);
      return into;
    },
    openCopy(copy: string): TestSite {
      const into = siteFolder();
      copyFileSync(copy, join(into, 'site.sqlite'));
      return createTestSite({ folder: into, start: utcTime(time) });
    },
    /** The site goes on in another data folder, on what is there. */
    async moveSite(folder: string): Promise<void> {
      await linked.unlink();
      site.db.close();
      site = openSite(folder);
    },
    async putBackSite(copy: string): Promise<void> {
      await linked.unlink();
      site.db.close();
      site = linked.openCopy(copy);
    },
    copyCloud(): string {
      const into = join(folder, `cloud-${++sites}.db`);
      cloudDb((db) => db.prepare('VACUUM INTO ?').run(into));
      return into;
    },
    async stopCloud(): Promise<void> {
      await running.cloud.stop();
    },
    /** Starts the cloud at the same addresses, once it is stopped. */
    async startCloud(): Promise<void> {
      const ports = { http: new URL(httpUrl).port, mqtt: new URL(mqttUrl).port };
      running = await startCloud(ports);
      operator = await logIn({ cloudUrl: httpUrl, apiKey, ...login });
    },
    async restartCloud(copy?: string): Promise<void> {
      await linked.unlink();
      await linked.stopCloud();
      if (copy !== undefined) {
        for (const end of ['', '-wal', '-shm']) rmSync(join(cloudFolder, `cloud.db${end}`), { force: true });
        copyFileSync(copy, join(cloudFolder, 'cloud.db'));
      }
      await linked.startCloud();
    },
    async stop(): Promise<void> {
      await linked.unlink();
      site.db.close();
      await running.cloud.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };

  /** The cloud has answered since this database was opened. */
  function hasAgreed(): boolean {
    const { connected } = linked.link().view();
    return (
      connected && site.db.prepare("SELECT 1 FROM meta WHERE key = 'unconfirmed-from'").get() === undefined
    );
  }

  function cursorOf(epoch: string): unknown {
    return cloudDb(
      (db) =>
        db
          .prepare('SELECT coalesce(max(committed), 0) FROM event_cursor WHERE epoch = ?')
          .pluck()
          .all(epoch)[0],
    );
  }

  await linked.settled();
  return linked;
}

export type LinkedSite = Awaited<ReturnType<typeof startLinkedSite>>;
