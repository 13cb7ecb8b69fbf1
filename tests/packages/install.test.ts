import { existsSync, readFileSync, statSync } from 'node:fs';
import { appendFile, chown, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { stringify } from 'yaml';
import { z } from 'zod';
import { TARGET_NAMES } from '../../deploy/debian/target.ts';
import { edgeDocument, fourLanes } from '../harness/edge-document.ts';
import { cameraOf } from '../harness/lane-camera.ts';
import { newSecret } from '../harness/new-secret.ts';
import { logIn, type Operator } from '../harness/operator.ts';
import { addDefaultProducts, createSite, registerCameras } from '../harness/provision.ts';
import { waitFor } from '../harness/wait.ts';
import { post } from '../sim/camera.ts';
import { type Relay, startRelay } from '../sim/relay.ts';
import { CAN_MAKE_DEBIAN } from './clean-debian.ts';
import { DebianRoot } from './debian-root.ts';
import { HOST_ARCHITECTURE, missingFor, patienceFor } from './emulation.ts';
import { debsOf, makePackages } from './make-packages.ts';

const isWanted = process.env['HLID_PACKAGE_TEST'] === '1';
if (!isWanted)
  console.warn('Skipped: packages in a clean Debian (HLID_PACKAGE_TEST=1 runs it, some minutes).');
else if (!CAN_MAKE_DEBIAN)
  console.warn('Skipped: packages in a clean Debian (it needs root and debootstrap).');
const architectures = TARGET_NAMES.filter((architecture) => {
  const missing = isWanted ? missingFor(architecture) : [];
  if (missing.length > 0)
    console.warn(`Skipped: packages for ${architecture} in a clean Debian (it needs ${missing.join(', ')}).`);
  return missing.length === 0;
});

vi.setConfig({ testTimeout: 1_200_000, hookTimeout: 1_800_000 });

const CodeSchema = z.object({ code: z.string() });
const SITE = { name: 'Packed', timeZone: 'Atlantic/Reykjavik', currency: 'ISK', settings: {} };
/** Each package with machine code does something. */
const WORK = {
  'hlid-edge': `const Database = require('better-sqlite3');
    console.log(new Database(':memory:').prepare('SELECT 6 * 7 AS answer').get().answer);
    const { SerialPort } = require('serialport');
    new SerialPort({ path: '/dev/none', baudRate: 9600 }, ({ message }) => console.log(message));`,
  'hlid-cloud': `const Database = require('libsql');
    console.log(new Database(':memory:').prepare('SELECT 6 * 7 AS answer').get().answer);
    const { hashSync, verifySync } = require('@node-rs/argon2');
    console.log(verifySync(hashSync('password'), 'password'));
    const picture = { create: { width: 8, height: 8, channels: 3, background: 'red' } };
    require('sharp')(picture).jpeg().toBuffer({ resolveWithObject: true }).then(({ info }) => console.log(info.format));`,
};
const LANES = fourLanes(newSecret).filter(({ id }) => id === 'in-1');

describe.skipIf(!isWanted || !CAN_MAKE_DEBIAN).each(architectures)(
  'the packages in a clean Debian for %s',
  (architecture) => {
    const patience = patienceFor(architecture);
    let folder: string;
    let debian: DebianRoot;
    let relay: Relay;
    let operator: Operator;
    let siteId: string;
    const access = { apiKey: newSecret(), id: 'operator@example.is', password: newSecret() };
    const cloudEnv = {
      HLID_CLOUD_PORT: '0',
      HLID_MQTT_PORT: '0',
      HLID_MONITOR_PORT: '0',
      HLID_OPERATOR_ID: access.id,
      HLID_OPERATOR_PASSWORD: access.password,
      HLID_API_KEY: access.apiKey,
    };

    beforeAll(async () => {
      folder = await mkdtemp(join(tmpdir(), 'hlid-packages-'));
      await makePackages('0.2.0', folder, architecture);
      debian = await DebianRoot.create(architecture);
      relay = await startRelay({ outputs: 1 });
    });
    afterAll(async () => {
      await relay?.stop();
      await debian?.remove();
      if (folder) await rm(folder, { recursive: true, force: true });
    });

    it('install in seconds, with folders and files for their users only', async () => {
      const from = performance.now();
      await debian.install(...(await debsOf(folder)));
      const seconds = (performance.now() - from) / 1000;
      console.info(
        `Installed both in ${seconds.toFixed(1)} s; ${(await debsOf(folder)).map(sizeOf).join(', ')}.`,
      );
      const { printed } = await debian.run(
        'stat',
        '-c',
        '%a %U %n',
        '/etc/hlid',
        '/etc/hlid/edge.yaml',
        '/etc/hlid/cloud.yaml',
        '/var/lib/hlid-edge',
        '/var/lib/hlid-cloud',
      );
      expect(printed.trim().split('\n')).toEqual([
        '711 root /etc/hlid',
        '600 hlid-edge /etc/hlid/edge.yaml',
        '600 hlid-cloud /etc/hlid/cloud.yaml',
        '700 hlid-edge /var/lib/hlid-edge',
        '700 hlid-cloud /var/lib/hlid-cloud',
      ]);
    });

    it('have commands that every user may read about, and that refuse the configuration as installed', async () => {
      expect((await debian.run('hlid', '--version')).printed).toBe('hlid-edge/0.2.0\n');
      expect((await debian.run('hlid-cloud')).printed).toContain('Usage: hlid-cloud');
      for (const command of ['hlid', 'hlid-cloud']) {
        const { code, complaint } = await debian.run(command, 'config', 'check');
        expect(complaint).toContain('change-me');
        expect(code).toBe(2);
      }
    });

    it('have machine code that works', async () => {
      const works = async (name: keyof typeof WORK) => {
        const script = `cd /usr/lib/${name} && exec ./node --input-type=commonjs --eval "$1"`;
        const { printed, complaint } = await debian.run('sh', '-c', script, 'sh', WORK[name]);
        return `${printed}${complaint}`.trim().split('\n');
      };
      const noPort = 'Error: No such file or directory, cannot open /dev/none';
      expect(await works('hlid-edge')).toEqual(['42', noPort]);
      expect(await works('hlid-cloud')).toEqual(['42', 'true', 'jpeg']);
    });

    it.each([
      { language: 'en', yes: 'yes', no: 'no', asks: 'Name of the car park' },
      { language: 'is', yes: 'já', no: 'nei', asks: 'Nafn bílastæðisins' },
    ])('are set up by questions ($language), start, and serve their pages', async (words) => {
      const config = join(debian.path, 'etc/hlid/edge.yaml');
      // The file is the installed one, with the owner that the package gave it.
      await writeFile(config, readFileSync(join(debian.path, 'usr/share/hlid-edge/edge.yaml')));
      const answers = setupAnswers(relay.url, words);
      const done = await debian.answer(answers, 'hlid', 'setup', '--language', words.language);
      expect(done, `${done.printed}${done.complaint}`).toMatchObject({ code: 0 });
      expect(done.printed).toContain(words.asks);
      const { printed } = await debian.run(
        'find',
        '/etc/hlid',
        '-name',
        'edge.yaml*',
        '-printf',
        '%m %u %f ',
      );
      const owned = printed.trim().split(' ');
      expect(owned.slice(0, 3)).toEqual(['600', 'hlid-edge', 'edge.yaml']);
      expect(await debian.run('hlid', 'config', 'check', '--text')).toMatchObject({ code: 0 });

      await writeVariables(debian, 'edge.env', { HLID_EDGE_PORT: '0', HLID_CAMERA_PORT: '0' });
      const edge = await debian.start('hlid-edge', 'edge.ready');
      const status = await debian.run('hlid', 'status', '--text');
      expect(status.printed, status.complaint).toMatch(/Database/);
      for (const path of ['/', '/display.html', '/kiosk/']) {
        const page = await fetch(new URL(path, String(edge.ready['localUrl'])));
        expect(page.status, path).toBe(200);
        const parts = [...(await page.text()).matchAll(/(?:src|href)="([^"]+\.(?:js|css))"/g)];
        expect(parts.length, path).toBeGreaterThan(1);
        for (const [, part = ''] of parts)
          expect(await fetch(new URL(part, page.url))).toMatchObject({ status: 200 });
      }
      await edge.stop();
      await rm(join(debian.path, 'etc/hlid/edge.env'));
    });

    it('enrol a site, and bring a car from its camera into the cloud', async () => {
      const config = join(debian.path, 'etc/hlid');
      const cloudYaml = readFileSync(join(config, 'cloud.yaml'), 'utf8');
      await writeFile(
        join(config, 'cloud.yaml'),
        cloudYaml.replace('https://change-me.example', 'http://127.0.0.1'),
      );
      await writeVariables(debian, 'cloud.env', cloudEnv);
      const cloud = await debian.start('hlid-cloud', 'cloud.ready');
      const cloudUrl = String(cloud.ready['httpUrl']);
      expect(await fetch(new URL('/ping', cloudUrl))).toMatchObject({ status: 200 });
      operator = await logIn({ cloudUrl, ...access });
      ({ siteId } = await createSite(operator, SITE));
      await registerCameras(operator, siteId, LANES);
      await addDefaultProducts(operator);

      const { code } = await operator.call(CodeSchema, 'POST', `/sites/${siteId}/enrolment`);
      const enrolled = await debian.run('hlid', 'enrol', code, '--cloud', cloudUrl, '--text');
      expect(enrolled.printed).toContain('This machine is now the edge of Packed');
      const document = edgeDocument({ site: SITE, lanes: LANES, relayUrl: relay.url });
      await writeFile(join(config, 'edge.yaml'), stringify(document));
      await writeVariables(debian, 'edge.env', { HLID_EDGE_PORT: '0', HLID_CAMERA_PORT: '0' });
      expect(await debian.run('hlid', 'config', 'check')).toMatchObject({ code: 0 });
      const edge = await debian.start('hlid-edge', 'edge.ready');

      for (const lane of LANES) {
        const push = `${String(edge.ready['cameraUrl'])}/cameras/${lane.cameraId}/${lane.format}?token=${lane.token}`;
        for (const document of cameraOf(lane).see({ plate: 'PACKD1', score: 0.95, at: new Date() })) {
          expect(await post(push, document)).toMatchObject({ status: 200 });
        }
      }
      await waitFor(async () => (await operator.visits({ siteId })).some(({ plate }) => plate === 'PACKD1'), {
        what: 'the visit in the cloud',
        withinMs: 30_000 * patience,
      });
      await waitFor(() => relay.openings(1) > 0, { what: 'the gate to open', withinMs: 10_000 * patience });
      expect(JSON.parse((await debian.run('hlid', 'status')).printed)).toMatchObject({
        link: { connected: true },
      });
      if (architecture === HOST_ARCHITECTURE)
        console.info(`Memory: edge ${residentOf(edge.pid)}, cloud ${residentOf(cloud.pid)}.`);
      const { printed } = await debian.run(
        'find',
        '/var/lib/hlid-edge',
        '/var/lib/hlid-cloud',
        '-perm',
        '/077',
      );
      expect(printed).toBe('');
      await edge.stop();
      await cloud.stop();
    });

    it('keep configuration and data when a newer version is installed, and remove them only by a purge', async () => {
      const edgeYaml = readFileSync(join(debian.path, 'etc/hlid/edge.yaml'), 'utf8');
      const newer = join(folder, 'newer');
      await makePackages('0.2.1~try1', newer, architecture);
      await debian.install(...(await debsOf(newer)));
      expect(readFileSync(join(debian.path, 'etc/hlid/edge.yaml'), 'utf8')).toBe(edgeYaml);
      await debian.start('hlid-cloud', 'cloud.ready').then((cloud) => cloud.stop());

      expect(await debian.run('dpkg', '--remove', 'hlid-edge', 'hlid-cloud')).toMatchObject({ code: 0 });
      expect(existsSync(join(debian.path, 'var/lib/hlid-cloud/cloud.db'))).toBe(true);
      expect(existsSync(join(debian.path, 'etc/hlid/edge.yaml'))).toBe(true);
      expect(await debian.run('dpkg', '--purge', 'hlid-edge', 'hlid-cloud')).toMatchObject({ code: 0 });
      for (const path of ['var/lib/hlid-cloud', 'var/lib/hlid-edge', 'etc/hlid', 'usr/lib/hlid-edge']) {
        expect(existsSync(join(debian.path, path)), path).toBe(false);
      }
    });
  },
);

/**
 * The answers of a technician who has two relays and two cameras that post. An empty line accepts the offered
 * value.
 */
function setupAnswers(relayUrl: string, { yes, no }: { yes: string; no: string }): string[] {
  const gate = (output: number) => ['http', `${relayUrl}/relay/${output}/pulse`, '', '', ''];
  return [
    ['Harbour', '', ''],
    ['.', '', '', '', ...gate(1), '', '', '', ...gate(2), '.'],
    ['', no, '', '-', '', 'axis', '', '', '-', '', 'hikvision', '.'],
    ['none'],
    [no, '555 1234', '-'],
    ['', no],
    [yes],
  ].flat();
}

async function writeVariables(
  debian: DebianRoot,
  name: string,
  variables: Record<string, string>,
): Promise<void> {
  const file = join(debian.path, 'etc/hlid', name);
  const lines = Object.entries(variables).map(([key, value]) => `${key}=${value}\n`);
  await appendFile(file, lines.join(''), { mode: 0o600 });
  const { uid, gid } = statSync(file.replace('.env', '.yaml'));
  await chown(file, uid, gid);
}

function sizeOf(file: string): string {
  return `${file.replace(/^.*\//, '')} ${Math.round(statSync(file).size / 2 ** 20)} MB`;
}

function residentOf(pid: number): string {
  const [, kilobytes = '0'] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return `${Math.round(Number(kilobytes) / 1024)} MB`;
}
