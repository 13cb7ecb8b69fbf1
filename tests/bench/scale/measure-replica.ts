import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { startSqld } from '../../harness/sqld.ts';
import { storedSiteId } from '../../harness/stored-columns.ts';
import { waitFor } from '../../harness/wait.ts';
import { runLoad } from '../load.ts';
import { FEW_CONNECTIONS, type ScaleCloud } from './scale-cloud.ts';

/** The cost of a report that reads all visits of a year, at a server. */
const SCAN = "SELECT site_id, sum(units_met) FROM visit WHERE instr(flags, 'x') = 0 GROUP BY site_id";
const LIST = 'SELECT * FROM visit WHERE site_id = ? ORDER BY started_at DESC, id DESC LIMIT 50';
const ROUNDS = 400;
const WRITES = 20;
const COPIED_WITHIN_MS = 600_000;

/**
 * Measures a libSQL server with a replica, on the database of a cloud. It measures a list while another
 * reader goes through all visits, at the same server or at the replica, and the delay of the replica.
 */
export async function measureReplica(
  cloud: ScaleCloud,
  figures: { set(name: string, value: number): void },
): Promise<void> {
  const database = join(cloud.folder, 'for-server.db');
  copyFileSync(cloud.database, database);
  const primary = await startSqld({ database });
  try {
    await primary.client.execute('CREATE TABLE IF NOT EXISTS seen (n INTEGER PRIMARY KEY)');
    const from = performance.now();
    const replica = await primary.startReplica();
    try {
      const count = async (at: typeof primary) =>
        (await at.client.execute('SELECT count(*) FROM visit')).rows[0]?.[0];
      const all = await count(primary);
      const isWhole = async () => (await count(replica)) === all;
      await waitFor(isWhole, { what: 'the replica', withinMs: COPIED_WITHIN_MS });
      figures.set('server, a new replica has all, ms', performance.now() - from);

      const list = async (_connection: number, round: number) => {
        const site = cloud.siteIds[(round * 37) % cloud.siteIds.length] ?? '';
        await primary.client.execute({ sql: LIST, args: [storedSiteId(site)] });
      };
      await runLoad(FEW_CONNECTIONS, ROUNDS / 4, list);
      const idle = await runLoad(FEW_CONNECTIONS, ROUNDS, list);
      figures.set('server, list at the primary, p99', idle.p99Ms);
      for (const [name, at] of Object.entries({ primary, replica })) {
        let isOver = false;
        const scans = (async () => {
          while (!isOver) await at.client.execute(SCAN);
        })();
        const busy = await runLoad(FEW_CONNECTIONS, ROUNDS, list);
        isOver = true;
        await scans;
        figures.set(
          `server, list at the primary while a report runs at the ${name}, p99, times idle`,
          busy.p99Ms / idle.p99Ms,
        );
      }

      const lags: number[] = [];
      for (let n = 1; n <= WRITES; n++) {
        await primary.client.execute({ sql: 'INSERT INTO seen VALUES (?)', args: [n] });
        const written = performance.now();
        const isThere = async () =>
          (await replica.client.execute({ sql: 'SELECT 1 FROM seen WHERE n = ?', args: [n] })).rows.length >
          0;
        while (!(await isThere())) await pause(1);
        lags.push(performance.now() - written);
      }
      figures.set('server, most that the replica is behind, ms', Math.max(...lags));
    } finally {
      await replica.stop();
    }
  } finally {
    await primary.stop();
  }
}
