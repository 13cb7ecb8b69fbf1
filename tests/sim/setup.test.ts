import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isPin } from '@hlid/edge/base/pin-hash';
import { readConfig } from '@hlid/edge/config/read-config';
import { runInShell } from '@hlid/edge/test/shell';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { startHikvisionBarrier } from './hikvision-barrier.ts';
import { startOnvifDevice } from './onvif-device.ts';
import { startRelay } from './relay.ts';

// It waits for the search of the network, and for devices that do not answer.
const LOGIN = { user: 'hlid', password: 'parking-1' };
const FIRST = readFileSync(fileURLToPath(new URL('../../deploy/edge/first.yaml', import.meta.url)), 'utf8');

let folder: string;
let path: string;
const cleanUp: (() => Promise<void>)[] = [];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'hlid-setup-'));
  path = join(folder, 'edge.yaml');
});
afterEach(async () => {
  for (const end of cleanUp.splice(0)) await end();
  rmSync(folder, { recursive: true });
});

const read = () => readFileSync(path, 'utf8');
const copies = () => readdirSync(folder).filter((name) => /^edge\.yaml\.\d{8}T\d{6}Z$/.test(name));

/** Runs setup with answers that come one a line; here a bar stands between them. */
async function answer(answers: readonly string[], probe = '127.0.0.1:9') {
  const lines = answers.flatMap((some) => some.split('|').map((one) => one.trim()));
  const { code, printed, complaint } = await runInShell(['setup', '--language', 'en'], {
    input: Buffer.from(lines.map((line) => `${line}\n`).join('')),
    environment: { HLID_DATA_DIR: folder, HLID_ONVIF_PROBE: probe },
  });
  return { code, said: printed.join('\n'), complaint };
}

const config = () => readConfig({ HLID_DATA_DIR: folder });

/** One thing after another, as a technician with two lanes goes through them. */
const NETWORK = ' | no';

it('goes from nothing to a valid configuration, trying cameras and gates on the way', async () => {
  const barrier = await startHikvisionBarrier({ login: LOGIN });
  const relay = await startRelay();
  const camera = await startOnvifDevice({ ...LOGIN, discovery: { port: 0, group: null } });
  cleanUp.push(barrier.stop, relay.stop, camera.stop);
  const { code, said, complaint } = await answer(
    [
      'Höfnin | Atlantis | Atlantic/Reykjavik | isk',
      // The entrance: a wrong password first, then its gate opens, and it was the right one.
      `+ |  | in 1 | in-1 |  | hikvision | 256.1.1.1 | ${barrier.url} | hlid | wrong |  | yes`,
      ' |  |  | parking-1 |  | yes | ',
      // The exit: the technician does not agree to open it.
      `+ |  |  |  | http | relay | ${relay.url}/relay/2/pulse | Post | - | `,
      '.',
      // The camera of the entrance is found, and read by ONVIF; that of the exit posts.
      ' | yes |  |  | 1 | onvif |  | hlid | wrong |  | hlid | parking-1',
      `+ | out-1 |  | 127.0.0.1:${relay.port} | post | dahua`,
      '.',
      'none',
      'no | 555 1234 | -',
      ' | yes |  | ',
      '',
    ],
    `127.0.0.1:${camera.discoveryPort}`,
  );
  expect(complaint).toMatch(/only way to pay|cannot pay at the exit/);
  expect(said).toMatch(/There is no such time zone/);
  expect(said).toMatch(/Letters, digits, dots/);
  expect(said).toMatch(/An address such as 192/);
  expect(said).toMatch(/It answers, but refuses/);
  expect(said).toMatch(/1 {2}.*Hlid plate camera/);
  expect(said).toMatch(/lock out who tries too often/);
  expect(barrier.moved).toEqual(['open']);
  expect(relay.openings(2)).toBe(0);
  const { site, lanes, cameras, onSite } = config();
  expect(site).toMatchObject({ name: 'Höfnin', timeZone: 'Atlantic/Reykjavik', currency: 'ISK' });
  expect(site.settings).toMatchObject({ hasKiosk: false, helpPhone: '555 1234' });
  expect(lanes).toMatchObject([
    { id: 'in-1', direction: 'entry', gate: { kind: 'hikvision', url: barrier.url, ...LOGIN, channel: 1 } },
    {
      id: 'out-1',
      direction: 'exit',
      gate: { kind: 'http', open: { method: 'POST', url: `${relay.url}/relay/2/pulse` } },
    },
  ]);
  expect(cameras).toMatchObject([
    { id: 'cam-in-1', lane: 'in-1', onvif: { url: camera.url, ...LOGIN } },
    { id: 'cam-out-1', lane: 'out-1' },
  ]);
  expect(said).toContain(`:7071/cameras/cam-out-1/dahua?token=${cameras[1]?.token}`);
  const [, pin = ''] = /The PIN is (\d{6})\./.exec(said) ?? [];
  expect(await isPin(pin, onSite.pin ?? '')).toBe(true);
  expect(onSite.network).toMatchObject({ host: '0.0.0.0', port: 7072 });
  expect(said).toMatch(/is valid: Höfnin[\s\S]*Next:[\s\S]*status/);
  expect([code, statSync(path).mode & 0o777]).toEqual([0, 0o600]);
  expect(readdirSync(folder)).toEqual(['edge.yaml']);
});

const WRITTEN = `# Of the harbour; ask Jón before you change it.
site: { name: Harbour, timeZone: Atlantic/Reykjavik, currency: ISK, settings: { capacity: 40 } } # 40 places

lanes:
  # The old barrier.
  - id: in-1
    name: In # from the west
    direction: entry
    gateToggles: true
    gate: { kind: http, timeoutMs: 900, open: { url: "http://127.0.0.1:9/a", headers: { x-key: k } } }
cameras:
  - { id: cam-1, lane: in-1, token: swordfish-1, settings: { filters: [ "TAXI*" ] } }
retention: { readDays: 7 } # as agreed
`;

it('keeps comments, and everything that it does not ask for, of a configuration that is there', async () => {
  writeFileSync(path, WRITTEN, { mode: 0o640 });
  const relay = await startRelay();
  cleanUp.push(relay.stop);
  const { code } = await answer([
    'no',
    `yes | in-1 |  |  |  | ${relay.url}/relay/1/pulse |  |  |  | .`,
    'no | no | no | no',
    'yes',
  ]);
  expect(code).toBe(0);
  const gate = `{ kind: http, timeoutMs: 900, open: { url: "${relay.url}/relay/1/pulse", headers: { x-key: k }, method: GET }, mode: pulse }`;
  expect(read()).toBe(WRITTEN.replace(/\{ kind: http.*\}/, gate));
  const [copy = ''] = copies();
  expect(readFileSync(join(folder, copy), 'utf8')).toBe(WRITTEN);
  expect(statSync(path).mode & 0o777).toBe(0o640);
  expect(existsSync(`${path}.next`)).toBe(false);
});

it('asks for each thing of the package’s own file that is not set yet', async () => {
  writeFileSync(path, FIRST, { mode: 0o600 });
  const relay = await startRelay();
  cleanUp.push(relay.stop);
  const http = (n: number) => `http | ${relay.url}/relay/${n}/pulse | | |`;
  const { code, said } = await answer([
    'Harbour |  | ',
    // Enter goes to what is not finished.
    `. |  |  |  | ${http(1)} |  |  |  | ${http(2)} | .`,
    ' | no |  | - |  | axis |  |  | - |  | hikvision | .',
    'none',
    'no | 555 1234 | -',
    NETWORK,
    'yes',
  ]);
  expect(said).toMatch(/in-1 is not finished/);
  expect(code).toBe(0);
  expect(config().lanes.map(({ gate }) => gate.kind)).toEqual(['http', 'http']);
  const tokens = config().cameras.map(({ token }) => token);
  expect(new Set(tokens).size).toBe(2);
  expect(read()).toContain('# Configuration of this site. /usr/share/doc');
});

it('asks what people call the kiosk, where there is one', async () => {
  writeFileSync(path, WRITTEN);
  const drivers = (answers: string) => answer(['no | no | no | no', `yes | ${answers} | - | -`, 'no', 'yes']);
  expect((await drivers('yes | Kiosk in the lobby | ')).code).toBe(0);
  expect(config().kiosk).toEqual({ name: 'Kiosk in the lobby' });
  expect((await drivers('no')).code).toBe(0);
  expect(config().kiosk).toEqual({});
});

it('can be stopped anywhere, and goes on with what was finished', async () => {
  const relay = await startRelay();
  cleanUp.push(relay.stop);
  const lanes = (n: number) => `http | ${relay.url}/relay/${n}/pulse | | |`;
  const first = await answer([`Harbour | | | | | | West | ${lanes(1)} | + | |`]);
  expect(first).toMatchObject({ code: 1, said: expect.stringMatching(/Stopped\. Your answers are kept/) });
  expect(existsSync(path)).toBe(false);
  expect(statSync(`${path}.setup`).mode & 0o777).toBe(0o600);

  const second = await answer([
    'yes',
    // The lane that was finished is there; the one that was not is asked for again.
    `+ |  |  |  | ${lanes(2)} | .`,
    ' | no |  |  | - |  |  | + |  |  | - |  |  | .',
    'none',
    'no | - | -',
    NETWORK,
    '',
  ]);
  expect(second.said).toMatch(/Finished: site\./);
  expect(second.said).not.toMatch(/Name of the car park/);
  expect(second.code).toBe(0);
  expect(config()).toMatchObject({
    site: { name: 'Harbour' },
    lanes: [{ id: 'in-1', name: 'West' }, { id: 'out-1' }],
  });
  expect(existsSync(`${path}.setup`)).toBe(false);
});

it('writes nothing over a file that another person changes meanwhile, and begins again with it', async () => {
  writeFileSync(path, WRITTEN);
  await answer(['yes', 'Haven', '', '']);
  writeFileSync(path, WRITTEN.replace('readDays: 7', 'readDays: 8'));
  const { code, said } = await answer(['no', 'no', 'no', 'no', 'no', 'no']);
  expect(said).toMatch(/begins anew, with the file as it is now/);
  expect(said).toMatch(/Nothing has changed/);
  expect([code, copies()]).toEqual([0, []]);
  expect(read()).toContain('readDays: 8');
});

it('names mistakes in what it does not ask for, and writes only if that is wanted', async () => {
  writeFileSync(path, `${WRITTEN}retentoin: {}\n`);
  const answers = 'yes | Haven | | | no | no | no | no | no |';
  const { code, said } = await answer([answers]);
  expect(said).toMatch(/line 14: .*retentoin/);
  expect([code, read()]).toEqual([1, `${WRITTEN}retentoin: {}\n`]);
});

it('does not touch a file that is no YAML', async () => {
  writeFileSync(path, 'site: { name: Harbour\n');
  const { code, complaint } = await answer([]);
  expect([code, complaint]).toEqual([2, expect.stringMatching(/cannot be read[\s\S]*line \d/)]);
});

it('removes no lane at which a camera looks, and gives no id twice', async () => {
  writeFileSync(path, WRITTEN);
  const { said } = await answer(['no', 'yes', '-in-1', '-in-9', '+', 'entry', 'in-1']);
  expect(said).toMatch(/Camera cam-1 is at in-1/);
  expect(said).toMatch(/There is none called in-9/);
  expect(said).toMatch(/There is another in-1 already/);
});

it('speaks Icelandic, and prints only the result on standard output with --json', async () => {
  writeFileSync(path, WRITTEN);
  const { code, printed, complaint } = await runInShell(['setup', '--json'], {
    input: Buffer.from('nei\nnei\nnei\nnei\nnei\nnei\n'),
    environment: { HLID_DATA_DIR: folder, LANG: 'is_IS.UTF-8' },
  });
  expect(complaint).toMatch(/Ekkert hefur breyst/);
  expect(printed.map((line) => JSON.parse(line))).toMatchObject([{ ok: true, site: 'Harbour' }]);
  expect(code).toBe(0);
});

it('works as a program in a pipe', async () => {
  writeFileSync(path, WRITTEN);
  const main = fileURLToPath(new URL('../../edge/src/main.ts', import.meta.url));
  const child = spawn(process.execPath, ['--conditions=source', '--import', 'tsx', main, 'setup'], {
    env: { ...process.env, HLID_DATA_DIR: folder, LANG: 'en_US.UTF-8' },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  let said = '';
  child.stdout.on('data', (piece) => (said += String(piece)));
  child.stdin.end('yes\nHaven\n\n\nno\nno\nno\nno\nno\nyes\n');
  const [code] = await once(child, 'close');
  expect(said).toMatch(/Haven, Atlantic\/Reykjavik, ISK/);
  expect([code, config().site.name]).toEqual([0, 'Haven']);
});
