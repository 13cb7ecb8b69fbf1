import type { Clock } from '@hlid/node/clock';
import { StartedParts } from '@hlid/node/started-parts';
import { Fault, messageOf } from '@hlid/protocol/base/fault';
import type { Logger } from 'pino';
import { holdFolder } from '../backup/backup-source.ts';
import { LOG_EVENTS } from '../base/events.ts';
import type { EdgeConfig } from '../config/config.ts';
import type { DatabaseWatchTiming } from '../db/database-watch.ts';
import { isAboutContent, openSite } from '../db/open-site.ts';
import { replaceSiteDb } from '../db/replace-site-db.ts';
import { type SiteDb, siteDbPath } from '../db/site-db.ts';
import { EdgeParts, type EdgeUrls } from './edge-parts.ts';
import { SiteParts } from './site-parts.ts';

/** How long the parts may take to stop. */
const STOP_TIMEOUT_MS = 10_000;

interface EdgeOptions {
  log: Logger;
  clock: Clock;
  databaseTiming?: Partial<DatabaseWatchTiming>;
}

/** The edge daemon. */
export class Edge {
  /**
   * Resolves when the site's database fails, or works again. The daemon must then be stopped, which rescues
   * what is readable, and be created again.
   */
  readonly databaseChanged: Promise<void>;
  readonly #config: EdgeConfig;
  readonly #options: EdgeOptions;
  readonly #started = new StartedParts();
  #parts: EdgeParts | null = null;
  #brokenBecause: string | null = null;
  #releaseFolder: () => void = () => undefined;
  #changed: () => void = () => undefined;

  constructor(config: EdgeConfig, options: EdgeOptions) {
    this.#config = config;
    this.#options = options;
    this.databaseChanged = new Promise((resolve) => {
      this.#changed = resolve;
    });
  }

  /** Resolves when cameras are listened to; the cloud need not be there. */
  async start(): Promise<EdgeUrls> {
    this.#releaseFolder = holdFolder(this.#config.dataDir);
    try {
      this.#parts = this.#open();
      await this.#started.start(this.#parts.inOrder());
    } catch (error) {
      this.#close();
      throw error;
    }
    return this.#parts.urls();
  }

  /**
   * Stops at any time. Throws Fault `deadline-passed` where a part does not stop: what is readable of a broken database
   * is rescued all the same.
   */
  async stop(): Promise<void> {
    try {
      await this.#started.stopWithin(STOP_TIMEOUT_MS);
    } finally {
      this.#close();
    }
  }

  /**
   * Opens the site's database in whatever state it is: its content must not keep the daemon from starting.
   */
  #open(): EdgeParts {
    const { log, clock, databaseTiming } = this.#options;
    for (const trust of ['whole', 'readable', 'nothing'] as const) {
      const opened = openSite(this.#config.dataDir, { trust, log, clock });
      try {
        const site = new SiteParts(this.#config, opened, {
          log,
          clock,
          ...(databaseTiming && { databaseTiming }),
          onDatabaseBroken: (reason) => {
            this.#brokenBecause = reason;
            this.#changed();
          },
          onDatabaseWritable: () => this.#changed(),
        });
        const parts = new EdgeParts(site);
        site.core.start();
        // From here on each write fails, as it would on the disk, and is dealt with as one that has failed.
        if (opened.unwritable !== null) opened.db.pragma('query_only = ON');
        return parts;
      } catch (error) {
        opened.db.close();
        if (trust === 'nothing' || !isAboutContent(error)) throw error;
        log.error({ event: LOG_EVENTS.databaseUnusable, reason: messageOf(error), err: error });
      }
    }
    throw new Fault('database-unusable', 'not even an empty database can be used');
  }

  #close(): void {
    const parts = this.#parts;
    this.#parts = null;
    if (parts !== null) {
      const { db } = parts.site.context;
      if (this.#brokenBecause !== null) this.#replaceBroken(this.#brokenBecause, db);
      db.close();
    }
    this.#releaseFolder();
  }

  /** Saves what can be read of a broken database, while the files that were deleted are still open. */
  #replaceBroken(reason: string, source: SiteDb): void {
    const { log, clock } = this.#options;
    const path = siteDbPath(this.#config.dataDir);
    try {
      const replaced = replaceSiteDb(path, { reason, source, at: clock.now(), rescue: true });
      log.error({ event: LOG_EVENTS.databaseReplaced, path, reason, ...replaced.rescued });
    } catch (err) {
      log.error({ event: LOG_EVENTS.databaseUnusable, path, reason: messageOf(err), err });
    }
  }
}
