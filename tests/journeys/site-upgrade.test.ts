import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { SiteUpgrade } from '@hlid/edge/upgrade/site-upgrade';
import { systemClock } from '@hlid/node/clock';
import { VERSION } from '@hlid/protocol/version';
import Database from 'better-sqlite3';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { type Network, startNetwork } from '../harness/network.ts';
import { makeNextVersion } from '../harness/next-version.ts';
import { makeDebian, packageEdge } from '../harness/packaged-edge.ts';
import { PROJECT_ROOT } from '../harness/programs.ts';
import { waitFor } from '../harness/wait.ts';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

const isPossible = process.platform === 'linux' && existsSync('/usr/bin/dpkg') && process.getuid?.() === 0;
if (!isPossible) console.warn('Skipped: the upgrade of a site (it needs Linux, root and dpkg).');

const run = promisify(execFile);
const ADDS = 'ALTER TABLE visit ADD COLUMN remark TEXT';
const FAILS_WITH_DATA = 'CREATE TABLE one (id TEXT NOT NULL); INSERT INTO one (id) SELECT NULL FROM visit';
const TIMING = { pollMs: 300, waitMs: 0, healthyWithinMs: 30_000, formerWithinMs: 30_000, steadyMs: 500 };
/** It has to go on for longer than the broken one runs. */
const FOR_BROKEN = { healthyWithinMs: 6000, steadyMs: 3000 };

describe.skipIf(!isPossible)('a site that is upgraded by command', () => {
  let folder: string;
  let network: Network;
  let debian: Awaited<ReturnType<typeof makeDebian>>;
  let dataDir: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'hlid-site-upgrade-'));
    network = await startNetwork();
    dataDir = network.folders.edge;
    await network.lane('in-1').passes('BEFOR1');
    await network.settled();
    await network.edge.stop();
    debian = await makeDebian(folder, {
      HLID_DATA_DIR: dataDir,
      HLID_EDGE_CONFIG: join(dataDir, 'edge.yaml'),
      HLID_EDGE_PORT: '0',
      HLID_CAMERA_PORT: '0',
    });
    vi.stubEnv('PATH', `${debian.bin}:${process.env['PATH']}`);
    await run('dpkg', ['--install', await packageEdge(folder, { tree: PROJECT_ROOT, version: VERSION })]);
    await run('systemctl', ['start']);
    await connected(VERSION);
  });
  afterAll(async () => {
    if (debian) await run('systemctl', ['stop']);
    // Other files run in this process.
    vi.unstubAllEnvs();
    await network?.stop();
    await rm(folder, { recursive: true, force: true });
  });

  async function presence() {
    return (await network.operator.site(network.site.siteId)).presence;
  }

  async function connected(version: string): Promise<void> {
    await waitFor(
      async () => {
        const { connected: is, software } = await presence();
        return is && software === `hlid-edge/${version}`;
      },
      { what: `the site to connect as ${version}`, withinMs: 30_000, detail: debian.log },
    );
  }

  async function upgradeTo(version: string, migrations: readonly string[], isBroken = false) {
    const tree = await makeNextVersion(await mkdtemp(join(folder, `${version}-`)), {
      version,
      migrations,
      isBroken,
    });
    const lines: string[] = [];
    const host = {
      root: debian.root,
      dataDir,
      environment: { HLID_EDGE_CONFIG: join(dataDir, 'edge.yaml') },
    };
    const upgrade = new SiteUpgrade(host, {
      timing: { ...TIMING, ...(isBroken && FOR_BROKEN) },
      clock: systemClock,
      log: (line) => lines.push(line),
    });
    await upgrade.order(await packageEdge(folder, { tree, version }));
    const state = await upgrade.run();
    return { ...state, lines };
  }

  const installed = async () =>
    (await run('dpkg-query', ['--show', 'hlid-edge'])).stdout.trim().split('\t')[1];
  const column = (sql: string) => {
    const db = new Database(join(dataDir, 'site.sqlite'), { readonly: true });
    try {
      return db.prepare(sql).pluck().all();
    } finally {
      db.close();
    }
  };
  async function alarmOf(kind: string): Promise<string | undefined> {
    const schema = z.looseObject({
      data: z.array(z.looseObject({ kind: z.string(), state: z.string(), detail: z.string() })),
    });
    const { data } = await network.operator.call(schema, 'GET', `/sites/${network.site.siteId}/devices`);
    return data.find((device) => device.kind === kind && device.state === 'failing')?.detail;
  }

  it('goes back by itself, with the database from before, where the new version does not work', async () => {
    const state = await upgradeTo('0.3.2', [ADDS], true);
    expect(state, state.lines.join('\n')).toMatchObject({ outcome: 'went-back', from: VERSION, to: '0.3.2' });
    expect(state.reason).toBe('the daemon does not answer');
    expect(await installed()).toBe(VERSION);
    await connected(VERSION);
    expect(column('PRAGMA user_version')).toEqual([1]);
    expect(column('SELECT plate FROM visit')).toEqual(['BEFOR1']);
    await waitFor(async () => (await alarmOf('upgrade'))?.includes(`0.3.2 went back to ${VERSION}`), {
      what: 'the alarm in the cloud',
      withinMs: 20_000,
      detail: debian.log,
    });
  });

  it('is left as it is where the database cannot be changed', async () => {
    const since = (await presence())['since'];
    const state = await upgradeTo('0.3.1', [FAILS_WITH_DATA]);
    expect(state).toMatchObject({ outcome: 'refused', reason: expect.stringContaining('NOT NULL') });
    expect(await installed()).toBe(VERSION);
    expect((await presence())['since']).toBe(since);
  });

  it('runs the new version on the same data', async () => {
    const state = await upgradeTo('0.3.3', [ADDS]);
    expect({ ...state, lines: [] }).toMatchObject({ outcome: 'done', reason: null });
    expect(await installed()).toBe('0.3.3');
    await connected('0.3.3');
    expect(column('SELECT plate FROM visit WHERE remark IS NULL')).toEqual(['BEFOR1']);
  });
});
