import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import {
  chownSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { createSigner } from '@hlid/edge/test/minisign';
import { SiteUpgrade } from '@hlid/edge/upgrade/site-upgrade';
import { upgradeKeysFolder } from '@hlid/edge/upgrade/upgrade-state';
import { systemClock } from '@hlid/node/clock';
import { VERSION } from '@hlid/protocol/base/version';
import Database from 'better-sqlite3';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { type Network, startNetwork } from '../harness/network.ts';
import { makeNextVersion } from '../harness/next-version.ts';
import { makeDebian, packageEdge } from '../harness/packaged-edge.ts';
import { PROJECT_ROOT } from '../harness/programs.ts';
import { waitFor } from '../harness/wait.ts';

const isPossible = process.platform === 'linux' && existsSync('/usr/bin/dpkg') && process.getuid?.() === 0;
if (!isPossible) console.warn('Skipped: the upgrade of a site (it needs Linux, root and dpkg).');

const run = promisify(execFile);
const ADDS = 'ALTER TABLE visit ADD COLUMN remark TEXT';
const ADDS_MORE = 'ALTER TABLE visit ADD COLUMN second_remark TEXT';
const FAILS_WITH_DATA = 'CREATE TABLE one (id TEXT NOT NULL); INSERT INTO one (id) SELECT NULL FROM visit';
const TIMING = { pollMs: 300, waitMs: 0, healthyWithinMs: 30_000, formerWithinMs: 30_000, steadyMs: 500 };
/** It must go on for longer than the broken one runs. */
const FOR_BROKEN = { healthyWithinMs: 6000, steadyMs: 3000 };

const RolloutSchema = z.looseObject({
  id: z.string(),
  state: z.string(),
  sites: z.array(z.looseObject({ outcome: z.string(), reason: z.string().nullable() })),
});

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

  async function packageOf(version: string, migrations: readonly string[], isBroken = false) {
    const tree = await makeNextVersion(await mkdtemp(join(folder, `${version}-`)), {
      version,
      migrations,
      isBroken,
    });
    return await packageEdge(folder, { tree, version });
  }

  function createUpgrade(isBroken: boolean) {
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
    return { upgrade, lines };
  }

  async function upgradeTo(version: string, migrations: readonly string[], isBroken = false) {
    const { upgrade, lines } = createUpgrade(isBroken);
    await upgrade.order(await packageOf(version, migrations, isBroken));
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

  describe('by order of the cloud', () => {
    const signer = createSigner();

    function trust(publicKey: string): void {
      const keys = upgradeKeysFolder(dataDir);
      mkdirSync(keys, { recursive: true });
      writeFileSync(join(keys, 'test.pub'), publicKey);
    }

    async function addPackage(file: string): Promise<void> {
      const content = readFileSync(file);
      const form = new FormData();
      form.set('package', new File([content], basename(file)));
      form.set('signature', new File([signer.sign(content)], `${basename(file)}.minisig`));
      const { status, body } = await network.operator.ask('POST', '/edge-packages', form);
      expect(status, JSON.stringify(body)).toBe(201);
    }

    const start = async (version: string) => {
      const body = { version, soakHours: 0 };
      const { id } = await network.operator.call(
        z.looseObject({ id: z.string() }),
        'POST',
        '/rollouts',
        body,
      );
      // A daemon asks when it starts, and then every two minutes.
      await run('systemctl', ['restart']);
      return id;
    };
    const rollout = (id: string) => network.operator.call(RolloutSchema, 'GET', `/rollouts/${id}`);
    async function siteBecomes(id: string, outcome: string) {
      await waitFor(async () => (await rollout(id)).sites[0]?.outcome === outcome, {
        what: `the site to be ${outcome}`,
        withinMs: 40_000,
        detail: () => debian.log(),
      });
      return await rollout(id);
    }
    /** Runs the upgrade like the path unit, once the daemon has downloaded the package. */
    async function rootRuns(isBroken = false) {
      const { upgrade, lines } = createUpgrade(isBroken);
      let state: Awaited<ReturnType<SiteUpgrade['run']>> = null;
      const hasRun = async () => {
        state = await upgrade.run();
        return state !== null;
      };
      await waitFor(hasRun, {
        what: 'the daemon to bring the package',
        withinMs: 40_000,
        detail: () => debian.log(),
      });
      return { state, lines };
    }

    /** The daemon removes it when it has the cloud's answer to its report, and asks again after two minutes. */
    const orderIsRemoved = () =>
      waitFor(() => !existsSync(join(dataDir, 'upgrade-order')), {
        what: 'the daemon to remove the order',
        withinMs: 40_000,
        detail: () => debian.log(),
      });

    it('installs only what a key of the site has signed', async () => {
      await addPackage(await packageOf('0.3.4', [ADDS]));
      const id = await start('0.3.4');
      const skipped = await siteBecomes(id, 'skipped');
      expect(skipped).toMatchObject({ state: 'paused', sites: [{ reason: 'accepts-no-orders' }] });

      trust(createSigner().publicKey);
      await network.operator.call(RolloutSchema, 'POST', `/rollouts/${id}/retry`, {
        siteId: network.site.siteId,
      });
      await network.operator.call(RolloutSchema, 'POST', `/rollouts/${id}/resume`);
      await run('systemctl', ['restart']);
      const { state } = await rootRuns();
      expect(state).toMatchObject({ outcome: 'refused', from: '0.3.3', to: '0.3.4' });
      expect(state).toMatchObject({ reason: expect.stringContaining('does not trust') });
      const refused = await siteBecomes(id, 'refused');
      expect(refused.sites[0]?.reason).toContain('does not trust');
      expect(await installed()).toBe('0.3.3');
    });

    it('reports to the cloud that it runs the new version', async () => {
      trust(signer.publicKey);
      const [{ id } = { id: '' }] = (
        await network.operator.call(
          z.looseObject({ data: z.array(RolloutSchema.omit({ sites: true })) }),
          'GET',
          '/rollouts',
        )
      ).data;
      await network.operator.call(RolloutSchema, 'POST', `/rollouts/${id}/retry`, {
        siteId: network.site.siteId,
      });
      await network.operator.call(RolloutSchema, 'POST', `/rollouts/${id}/resume`);
      await run('systemctl', ['restart']);
      const { state, lines } = await rootRuns();
      expect(state, lines.join('\n')).toMatchObject({ outcome: 'done', to: '0.3.4' });
      expect(await siteBecomes(id, 'done')).toMatchObject({
        state: 'done',
        sites: [{ from: '0.3.3', version: '0.3.4', reason: null }],
      });
      await connected('0.3.4');
      await orderIsRemoved();
    });

    it('goes back where the new version does not work, which pauses the rollout', async () => {
      await addPackage(await packageOf('0.3.5', [ADDS, ADDS_MORE], true));
      const id = await start('0.3.5');
      const { state, lines } = await rootRuns(true);
      expect(state, lines.join('\n')).toMatchObject({ outcome: 'went-back', from: '0.3.4' });
      expect(await siteBecomes(id, 'went-back')).toMatchObject({
        state: 'paused',
        pause: { reason: 'site-failed', siteId: network.site.siteId },
        sites: [{ version: '0.3.4', reason: 'the daemon does not answer' }],
      });
    });

    it('never installs an older version', async () => {
      const old = await run('dpkg', ['--print-architecture']);
      const file = join(folder, `hlid-edge_${VERSION}_${old.stdout.trim()}.deb`);
      const [id, content] = [randomUUID(), readFileSync(file)];
      const order = { id, version: VERSION, signature: signer.sign(content) };
      await orderIsRemoved();
      const { uid, gid } = statSync(dataDir);
      mkdirSync(join(dataDir, 'upgrade-order'), { recursive: true });
      for (const [name, text] of [
        ['package.deb', content],
        ['order.json', JSON.stringify(order)],
      ] as const) {
        writeFileSync(join(dataDir, 'upgrade-order', name), text);
        chownSync(join(dataDir, 'upgrade-order', name), uid, gid);
      }
      const { state } = await rootRuns();
      expect(state).toMatchObject({ outcome: 'refused', reason: expect.stringContaining('is not newer') });
      expect(await installed()).toBe('0.3.4');
    });

    it('reads nothing for the daemon that is not its own', async () => {
      const folderOf = join(dataDir, 'upgrade-order');
      mkdirSync(folderOf, { recursive: true });
      rmSync(join(folderOf, 'package.deb'), { force: true });
      symlinkSync('/etc/shadow', join(folderOf, 'package.deb'));
      const order = { id: randomUUID(), version: '9.0.0', signature: signer.sign(Buffer.from('')) };
      writeFileSync(join(folderOf, 'order.json'), JSON.stringify(order));
      const { state } = await rootRuns();
      expect(state).toMatchObject({ outcome: 'refused', reason: expect.stringMatching(/ELOOP/) });
    });
  });
});
