import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { VERSION } from '@hlid/protocol/base/version';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { checkBooks } from '../faults/books.ts';
import { QUICK_CARS, startTraffic } from '../faults/steady-traffic.ts';
import { type Network, startNetwork } from '../harness/network.ts';
import { makeNextVersion } from '../harness/next-version.ts';
import { PROJECT_ROOT } from '../harness/programs.ts';
import { waitFor } from '../harness/wait.ts';

/**
 * The later version's migrations: `visit` has other columns in both databases, and what a version adds is in
 * both.
 */
const MIGRATIONS = [
  `CREATE TABLE seen_by_next (visit_id TEXT PRIMARY KEY);
   ALTER TABLE visit ADD COLUMN remark TEXT NOT NULL DEFAULT 'none'`,
  `CREATE TRIGGER visit_seen AFTER INSERT ON visit BEGIN
     INSERT OR IGNORE INTO seen_by_next (visit_id) VALUES (NEW.id);
   END`,
];

/** A migration with a mistake that does not show in an empty database. */
const FAILS_WITH_DATA = `CREATE TABLE checked (visit_id TEXT NOT NULL);
  INSERT INTO checked (visit_id) SELECT NULL FROM visit`;

let folder: string;
let network: Network;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hlid-next-'));
  network = await startNetwork({ settings: QUICK_CARS });
});
afterEach(async () => {
  await network?.stop();
  await rm(folder, { recursive: true, force: true });
});

const makeNext = (migrations: readonly string[]) =>
  makeNextVersion(join(folder, `next-${migrations.length}`), {
    version: `0.3.${migrations.length}`,
    migrations,
  });

async function change(program: 'edge' | 'cloud', root: string): Promise<void> {
  network[program].install(root);
  await network[program].restart();
}

const versions = () => [network.edge, network.cloud].map((program) => String(program.ready()['software']));
const siteFile = () => join(network.folders.edge, 'site.sqlite');
const cloudFile = () => join(network.folders.cloud, 'cloud.db');

function column(file: string, sql: string): unknown[] {
  const db = new Database(file, { readonly: true });
  try {
    return db.prepare(sql).pluck().all();
  } finally {
    db.close();
  }
}

describe('a cloud and a site in traffic', () => {
  it('are upgraded and go back, in either order, and have every visit once', async () => {
    const traffic = startTraffic(network, 73);
    const cars = async () => {
      const before = traffic.accepted.size;
      await waitFor(() => traffic.accepted.size > before + 3, { what: 'more cars', withinMs: 20_000 });
    };
    const orders = [
      { root: await makeNext(MIGRATIONS.slice(0, 1)), there: ['edge', 'cloud'], back: ['edge', 'cloud'] },
      { root: await makeNext(MIGRATIONS), there: ['cloud', 'edge'], back: ['cloud', 'edge'] },
    ] as const;
    for (const [round, { root, there, back }] of orders.entries()) {
      await cars();
      for (const program of there) {
        await change(program, root);
        expect(network[program].logged('database.migrated').map(({ step }) => step)).toContain('applied');
        await cars();
      }
      expect(versions()).toEqual([`hlid-edge/0.3.${round + 1}`, `hlid-cloud/0.3.${round + 1}`]);
      for (const program of back) {
        await change(program, PROJECT_ROOT);
        await cars();
      }
      expect(versions()).toEqual([`hlid-edge/${VERSION}`, `hlid-cloud/${VERSION}`]);
    }
    await traffic.stop();
    await network.settled();
    await checkBooks(network.folders, traffic.accepted);
    // Rows of the older versions have the columns that the newer ones added.
    for (const file of [siteFile(), cloudFile()]) {
      expect(column(file, 'SELECT DISTINCT remark FROM visit')).toEqual(['none']);
      expect(column(file, 'SELECT count(*) FROM seen_by_next')).not.toEqual([0]);
    }
    expect(existsSync(`${siteFile()}.before-upgrade`) && existsSync(`${cloudFile()}.before-upgrade`)).toBe(
      true,
    );
  });

  it('go on with the former version where a migration fails, and a driver waits for none of it', async () => {
    const broken = await makeNext([...MIGRATIONS, FAILS_WITH_DATA]);
    await network.lane('in-1').passes('BEFOR1');
    await network.settled();

    await change('edge', broken);
    expect(network.edge.logged('database.in-memory')[0]?.['reason']).toContain('NOT NULL constraint failed');
    const exit = network.lane('out-1');
    const before = exit.openings();
    // The read cannot be stored, so that the camera sends it again; the gate opens.
    await expect(exit.sees('BEFOR1')).rejects.toThrow('could not be stored');
    await waitFor(() => exit.openings() > before, { what: 'the exit to open', withinMs: 10_000 });
    network.cloud.install(broken);
    await expect(network.cloud.restart()).rejects.toThrow('The database is as it was');

    for (const program of ['edge', 'cloud'] as const) network[program].install(PROJECT_ROOT);
    await network.cloud.start();
    await network.edge.restart();
    await network.lane('in-1').passes('AFTER2');
    await network.settled();
    expect(column(cloudFile(), 'SELECT plate FROM visit ORDER BY plate')).toEqual(['AFTER2', 'BEFOR1']);
  });
});
