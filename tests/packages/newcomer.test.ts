import { readFileSync } from 'node:fs';
import { chown, cp, mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { messageOf } from '@hlid/protocol/base/fault';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { stringify } from 'yaml';
import { z } from 'zod';
import { edgeDocument, fourLanes } from '../harness/edge-document.ts';
import { cameraOf } from '../harness/lane-camera.ts';
import { newSecret } from '../harness/new-secret.ts';
import { PROJECT_ROOT } from '../harness/programs.ts';
import { waitFor } from '../harness/wait.ts';
import { bodyBytes } from '../sim/camera.ts';
import { BootedDebian, CAN_BOOT_DEBIAN } from './booted-debian.ts';
import { CAN_MAKE_DEBIAN } from './clean-debian.ts';
import { CurlOperator, quoted } from './curl-operator.ts';
import { debsOf, makePackages } from './make-packages.ts';

const isPossible = CAN_MAKE_DEBIAN && CAN_BOOT_DEBIAN;
const isWanted = process.env['HLID_PACKAGE_TEST'] === '1';
if (!isWanted)
  console.warn('Skipped: a newcomer’s whole way in a Debian (HLID_PACKAGE_TEST=1 runs it, some minutes).');
else if (!isPossible)
  console.warn(
    'Skipped: a newcomer’s whole way in a Debian (it needs root, debootstrap and systemd-nspawn).',
  );

vi.setConfig({ testTimeout: 600_000, hookTimeout: 1_800_000 });

const NAME = 'parking.example';
const OLD = '0.2.0';
/** The same programs by another number: what changes between versions is tried in `upgrade-and-back.test.ts`. */
const NEW = '0.2.0+next1';
const AUTHORITY = '/var/lib/caddy/.local/share/caddy/pki/authorities/local/root.crt';
const SITE = { name: 'Harbour', timeZone: 'Atlantic/Reykjavik', currency: 'ISK', settings: {} };
const LANES = fourLanes(newSecret).filter(({ id }) => id === 'in-1');
const RELAY_PORT = 9100;
/** A relay board that counts; its gate is closed whenever it is asked. */
const RELAY = `let opened = 0;
require('node:http').createServer((request, response) => {
  if (request.method === 'POST' && request.url === '/relay/1/pulse') opened++;
  response.end(request.url === '/opened' ? String(opened) : '{"gate":"closed"}');
}).listen(${RELAY_PORT}, '127.0.0.1');`;

describe.skipIf(!isWanted || !isPossible)('a newcomer with the packages and their pages', () => {
  let folder: string;
  let debian: BootedDebian;
  let operator: CurlOperator;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'hlid-newcomer-'));
    for (const version of [OLD, NEW]) await makePackages(version, join(folder, version));
    debian = await BootedDebian.create([NAME]);
    for (const version of [OLD, NEW]) {
      for (const deb of await debsOf(join(folder, version)))
        await cp(deb, join(debian.root, 'root', basename(deb)));
    }
  });
  afterAll(async () => {
    await debian?.remove();
    if (folder) await rm(folder, { recursive: true, force: true });
  });

  /** Types a line that a page has. @param given for what differs from the page */
  async function types(
    page: string,
    line: string,
    given: Readonly<Record<string, string>> = {},
  ): Promise<string> {
    expect(readFileSync(join(PROJECT_ROOT, 'deploy', page), 'utf8'), page).toContain(line);
    // Root is the only user there.
    let typed = line.replaceAll('sudo ', '').replace(/ +#.*$/, '');
    for (const [text, other] of Object.entries({ ...ARCHITECTURE, ...given }))
      typed = typed.replaceAll(text, other);
    return await debian.does(typed);
  }

  /** Changes a file like an editor: its owner stays. */
  async function edits(path: string, change: (text: string) => string): Promise<void> {
    const file = join(debian.root, path);
    const { uid, gid } = await stat(file);
    await writeFile(file, change(readFileSync(file, 'utf8')));
    await chown(file, uid, gid);
  }

  async function passes(plate: string): Promise<void> {
    for (const lane of LANES) {
      for (const document of cameraOf(lane).see({ plate, score: 0.95, at: new Date() })) {
        await writeFile(join(debian.root, 'root/document'), bodyBytes(document));
        const headers = Object.entries({ 'content-type': 'application/json', ...document.headers });
        const options = headers.map(([name, value]) => `--header ${quoted(`${name}: ${value}`)}`).join(' ');
        const push = `http://127.0.0.1:7071/cameras/${lane.cameraId}/${lane.format}?token=${lane.token}`;
        await debian.does(
          `curl --silent --show-error --fail ${options} --data-binary @document ${quoted(push)}`,
        );
      }
    }
  }
  const opened = async () => Number(await debian.does(`curl --silent http://127.0.0.1:${RELAY_PORT}/opened`));
  async function isInCloud(...plates: string[]): Promise<void> {
    const wanted = plates.toSorted().join();
    const has = async () => (await operator.plates().catch(() => [])).join() === wanted;
    await waits(has, `${wanted} in the cloud`, 90_000);
  }
  /** Waits for a result, and shows the journals of both programs if it does not come. */
  async function waits(done: () => Promise<boolean>, what: string, withinMs = 60_000): Promise<void> {
    try {
      await waitFor(done, { what, withinMs });
    } catch (error) {
      const logs = await Promise.all(['hlid-edge', 'hlid-cloud', 'caddy'].map(logOf));
      throw new Error([messageOf(error), ...logs].join('\n'));
    }
  }
  const logOf = (unit: string) => debian.does(`journalctl --unit ${unit} --output cat | tail -20`);
  async function isConnected(): Promise<boolean> {
    const { printed } = await debian.run('hlid status --json');
    if (printed === '') return false;
    return z.object({ link: z.looseObject({ connected: z.boolean() }) }).parse(JSON.parse(printed)).link
      .connected;
  }

  it('sets up a cloud with TLS', async () => {
    await types('README.md', 'sudo apt install ./hlid-cloud_0.2.0_amd64.deb caddy');
    await edits('etc/hlid/cloud.yaml', (text) => text.replace('change-me.example', NAME));
    await types('README.md', 'sudo hlid-cloud config check');
    await types('README.md', 'sudo systemctl enable --now hlid-cloud');
    const Caddyfile = readFileSync(join(PROJECT_ROOT, 'deploy/caddy/Caddyfile'), 'utf8');
    // No outside authority can certify a machine without a network: its own authority does.
    await edits('etc/caddy/Caddyfile', () =>
      Caddyfile.replace('{$HLID_DOMAIN} {', `${NAME} {\n\ttls internal`),
    );
    await debian.does('systemctl restart caddy');
    let shown = '';
    await waits(async () => {
      shown = (await debian.run(`journalctl -u hlid-cloud -o cat | grep -v '^{'`)).printed;
      return shown.includes('First operator');
    }, 'the password of the first operator');
    const [, id = '', password = ''] = /First operator: id (\S+), password (\S+)/.exec(shown) ?? [];
    const ping = `curl --silent --fail --cacert ${AUTHORITY} https://${NAME}/ping`;
    await waits(async () => (await debian.run(ping)).code === 0, 'the cloud by its public name');
    operator = new CurlOperator(debian, { url: `https://${NAME}`, ca: AUTHORITY });
    await operator.logIn(id, password);
    expect(await operator.plates()).toEqual([]);
  });

  it('sets up a site, which speaks to the cloud through the proxy alone', async () => {
    const { id: siteId } = await operator.call('POST', '/sites', SITE);
    for (const { cameraId, name } of LANES) {
      await operator.call('POST', '/cameras', { name, location: 'entrance', remoteId: cameraId, siteId });
    }
    const { code } = await operator.call('POST', `/sites/${siteId}/enrolment`);
    // The proxy's folder is its own.
    await debian.does(`install -m 644 ${AUTHORITY} /etc/hlid/ca.pem`);
    await types('README.md', 'sudo apt install ./hlid-edge_0.2.0_amd64.deb');
    const enrolled = await types('README.md', 'sudo hlid enrol K7QF-3M2X --cloud https://parking.example', {
      'K7QF-3M2X': String(code),
      'https://parking.example': `https://${NAME} --ca /etc/hlid/ca.pem --text`,
    });
    expect(enrolled).toContain('This machine is now the edge of Harbour');
    expect(enrolled).not.toContain('not encrypted');
    await debian.does(`systemd-run --unit relay /usr/lib/hlid-edge/node -e ${quoted(RELAY)}`);
    const document = edgeDocument({ site: SITE, lanes: LANES, relayUrl: `http://127.0.0.1:${RELAY_PORT}` });
    await edits('etc/hlid/edge.yaml', () => stringify(document));
    await types('README.md', 'sudo hlid config check');
    await types('README.md', 'sudo systemctl enable --now hlid-edge');
    await waits(isConnected, 'the link');
    await passes('AAA11');
    await isInCloud('AAA11');
    await waits(async () => (await opened()) === 1, 'the gate to open');
    // The kernel's list has ports in hexadecimal, and 01 for what is established.
    const connections = (port: number) => {
      const hex = port.toString(16).toUpperCase().padStart(4, '0');
      return debian.does(`awk '$4 == "01" && $3 ~ /:${hex}$/' /proc/net/tcp /proc/net/tcp6`);
    };
    expect(await connections(443)).not.toBe('');
    expect(await connections(1883)).toBe('');
  });

  it('backs the cloud up, loses it, and restores it; its site brings what came after the backup', async () => {
    await types('BACKUP.md', 'hlid-cloud backup key > hlid-backup.key');
    const key = /public key: (age1\S+)/.exec(
      readFileSync(join(debian.root, 'root/hlid-backup.key'), 'utf8'),
    )?.[1];
    await types('BACKUP.md', 'sudo install -d -o hlid-cloud /mnt/backup/hlid');
    const backup = {
      to: { folder: '/mnt/backup/hlid' },
      key,
      everyHours: 24,
      keep: { daily: 7, weekly: 4, monthly: 3 },
    };
    await edits('etc/hlid/cloud.yaml', (text) => `${text}\n${stringify({ backup })}`);
    await debian.does('hlid-cloud backup');
    await passes('BBB22');
    await isInCloud('AAA11', 'BBB22');

    await debian.does('systemctl stop hlid-cloud');
    await debian.does('apt purge hlid-cloud');
    await passes('CCC33');
    expect((await debian.run('ls /var/lib/hlid-cloud')).code).not.toBe(0);

    await types('README.md', 'sudo apt install ./hlid-cloud_0.2.0_amd64.deb caddy');
    const restore = 'hlid-cloud restore --key-file - --from /mnt/backup/hlid --yes < hlid-backup.key';
    await types('BACKUP.md', restore);
    await types('README.md', 'sudo systemctl enable --now hlid-cloud');
    await isInCloud('AAA11', 'BBB22', 'CCC33');
  });

  it('goes on by itself after a power cut', async () => {
    await debian.powerCut();
    await debian.boot();
    await debian.does(`systemd-run --unit relay /usr/lib/hlid-edge/node -e ${quoted(RELAY)}`);
    await waits(isConnected, 'the link');
    await passes('DDD44');
    await isInCloud('AAA11', 'BBB22', 'CCC33', 'DDD44');
  });

  /**
   * Rolls a version out with a key of the newcomer's own and without a password: no person is there to type
   * one.
   */
  async function rollsOut(version: string): Promise<void> {
    await types('UPGRADE.md', 'minisign -G -p hlid.pub -s hlid.key', { '-G': '-G -W' });
    await types('UPGRADE.md', 'sudo hlid upgrade trust hlid.pub');
    for (const line of [
      'minisign -S -s hlid.key -m hlid-edge_0.3.0_amd64.deb',
      'sudo hlid-cloud upgrade add hlid-edge_0.3.0_amd64.deb',
      'sudo hlid-cloud upgrade start 0.3.0 --soak-hours 24',
    ])
      await types('UPGRADE.md', line, { '0.3.0': version });
  }
  async function rollout() {
    const printed = await debian.does('hlid-cloud upgrade status --json');
    return z.object({ rollout: z.looseObject({ state: z.string() }) }).parse(JSON.parse(printed)).rollout;
  }

  it('upgrades the site by a rollout, and the cloud, and goes back', async () => {
    const version = async (name: string) =>
      (await debian.does(`dpkg-query --show --showformat '\${Version}' ${name}`)).trim();
    await rollsOut(NEW);
    await waits(async () => (await version('hlid-edge')) === NEW, 'the new version at the site', 300_000);
    await waits(async () => (await rollout()).state === 'done', 'the end of the rollout', 300_000);
    await debian.does(`apt install ./hlid-cloud_${NEW}_${ARCHITECTURE['amd64']}.deb`);
    await passes('EEE55');
    await isInCloud('AAA11', 'BBB22', 'CCC33', 'DDD44', 'EEE55');

    await types('UPGRADE.md', 'sudo apt install --allow-downgrades ./hlid-cloud_0.2.0_amd64.deb');
    await types('UPGRADE.md', 'sudo hlid upgrade hlid-edge_0.3.0_amd64.deb', { '0.3.0': OLD });
    expect([await version('hlid-edge'), await version('hlid-cloud')]).toEqual([OLD, OLD]);
    await passes('FFF66');
    await isInCloud('AAA11', 'BBB22', 'CCC33', 'DDD44', 'EEE55', 'FFF66');
    expect(await debian.does('systemctl --failed --no-legend --plain')).toBe('');
  });
});

/** The pages name one; packages of the other have the same names but for that. */
const ARCHITECTURE: Readonly<Record<string, string>> = {
  amd64: process.arch === 'arm64' ? 'arm64' : 'amd64',
};
