import { type ChildProcess, execFile, spawn } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { FuseV1Options, getCurrentFuseWire } from '@electron/fuses';
import { deadline } from '@hlid/protocol/test/deadline';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { readAsar } from './read-asar.ts';

const KIOSK = fileURLToPath(new URL('../../kiosk', import.meta.url));
const STAND_INS = fileURLToPath(new URL('../sim/electron', import.meta.url));
/**
 * The text before the fuses in Electron's binary, which are a version, their number, and a digit for each.
 */
const FUSE_SENTINEL = 'dL7pKGdnNz796PbbjQWNKmHXBZaB9tsX';
const PAGE = '<!doctype html><title>A page</title><main></main>';

const ARCHS = ['x64', 'arm64'] as const;
type Arch = (typeof ARCHS)[number];

let folder: string;
let packed: string;

const unpacked = (arch: Arch) =>
  join(folder, `packages-${arch}`, arch === 'x64' ? 'linux-unpacked' : 'linux-arm64-unpacked');

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'hlid-packing-'));
  packed = unpacked('x64');
  makeFolders('page', 'electron/resources', 'electron/locales', 'unpacked', 'tools/lib/x64');
  writeFileSync(join(folder, 'page/index.html'), PAGE);
  for (const language of ['is', 'en-US', 'de']) {
    writeFileSync(join(folder, `electron/locales/${language}.pak`), language);
  }
  // All but the real binary, with the fuses as Electron ships them.
  const fuses = Buffer.concat([Buffer.from([1, 8]), Buffer.from('10110001')]);
  const binary = Buffer.concat([Buffer.from(`a binary ${FUSE_SENTINEL}`), fuses, Buffer.from(' goes on')]);
  writeFileSync(join(folder, 'electron/electron'), binary, { mode: 0o755 });
  const tools = `tools/linux-${process.arch}`;
  makeFolders(tools);
  copyTool('fpm.sh', 'tools/fpm');
  for (const name of ['mksquashfs', 'desktop-file-validate']) copyTool('mksquashfs.sh', join(tools, name));
  for (const arch of ARCHS) writeFileSync(join(folder, `tools/runtime-${arch}`), '');
  await Promise.all(ARCHS.map((arch) => pack(arch)));
});

function copyTool(from: string, to: string): void {
  copyFileSync(join(STAND_INS, from), join(folder, to));
  chmodSync(join(folder, to), 0o755);
}

async function pack(...archs: readonly Arch[]): Promise<void> {
  const [arch] = archs;
  await promisify(execFile)(
    process.execPath,
    [
      join(KIOSK, 'pack.mjs'),
      ...archs.map((name) => `--${name}`),
      '--page',
      join(folder, 'page'),
      '--app',
      join(folder, `app-${arch}`),
      '--output',
      join(folder, `packages-${arch}`),
    ],
    {
      // The program runs in another folder than its own: it finds its own files.
      cwd: folder,
      env: {
        ...process.env,
        ELECTRON_DIST: join(folder, 'electron'),
        CUSTOM_FPM_PATH: join(folder, 'tools/fpm'),
        APPIMAGE_TOOLS_PATH: join(folder, 'tools'),
      },
    },
  );
}

afterAll(() => rmSync(folder, { recursive: true, force: true }));

function makeFolders(...names: string[]): void {
  for (const name of names) mkdirSync(join(folder, name), { recursive: true });
}

describe('the packed program', () => {
  it('has its own files and no others', () => {
    expect([...readAsar(join(packed, 'resources/app.asar')).keys()].sort()).toEqual([
      'help/help.css',
      'help/help.html',
      'main.js',
      'package.json',
      'page/index.html',
      'preload.cjs',
    ]);
    expect(readdirSync(join(packed, 'locales')).sort()).toEqual(['en-US.pak', 'is.pak']);
    expect(readdirSync(packed)).toContain('hlid-kiosk');
  });

  it('needs no packages', () => {
    const files = readAsar(join(packed, 'resources/app.asar'));
    const text = (name: string) => files.get(name)?.toString() ?? '';
    const main = [...text('main.js').matchAll(/^import .*from "([^"]+)"/gm)].map(([, from]) => from);
    expect(main).toContain('electron');
    expect(main.filter((from) => from !== 'electron' && !from?.startsWith('node:'))).toEqual([]);
    const preload = [...text('preload.cjs').matchAll(/require\("([^"]+)"\)/g)].map(([, from]) => from);
    expect(preload).toEqual(['electron']);
    expect(text('preload.cjs')).not.toMatch(/^(?:import|export) /m);
    expect(JSON.parse(text('package.json'))).toMatchObject({
      name: 'hlid-kiosk',
      main: 'main.js',
      type: 'module',
    });
  });

  it.each(ARCHS)('has its fuses set (%s)', async (arch) => {
    const wire = await getCurrentFuseWire(join(unpacked(arch), 'hlid-kiosk'));
    const [off, on] = ['0'.charCodeAt(0), '1'.charCodeAt(0)];
    expect(wire).toEqual({
      version: '1',
      [FuseV1Options.RunAsNode]: off,
      [FuseV1Options.EnableCookieEncryption]: on,
      [FuseV1Options.EnableNodeOptionsEnvironmentVariable]: off,
      [FuseV1Options.EnableNodeCliInspectArguments]: off,
      [FuseV1Options.EnableEmbeddedAsarIntegrityValidation]: on,
      [FuseV1Options.OnlyLoadAppFromAsar]: on,
      [FuseV1Options.LoadBrowserProcessSpecificV8Snapshot]: off,
      // GrantFileProtocolExtraPrivileges, which that version of the package has no name for.
      7: off,
    });
  });
});

describe('its packages', () => {
  const version = JSON.parse(readFileSync(join(KIOSK, 'package.json'), 'utf8')).version;

  it.each([
    ['x64', 'amd64'],
    ['arm64', 'arm64'],
  ] as const)('a .deb for %s brings the program and its unit', (arch, debian) => {
    const deb = readFileSync(join(folder, `packages-${arch}`, `hlid-kiosk_${version}_${debian}.deb`), 'utf8');
    const given = deb.split('\n');
    expect(given[given.indexOf('--architecture') + 1]).toBe(debian);
    expect(given[given.indexOf('--name') + 1]).toBe('hlid-kiosk');
    expect(given).toContain('systemd');
    expect(given).toContain(`${unpacked(arch)}/=/opt/HlidKiosk`);
    expect(given).toContainEqual(
      expect.stringMatching(/hlid-kiosk\.service=\/usr\/lib\/systemd\/user\/hlid-kiosk\.service$/),
    );
    const unit = readFileSync(join(KIOSK, '../deploy/kiosk/hlid-kiosk.service'), 'utf8');
    expect(unit).toContain('\nExecStart=/opt/HlidKiosk/hlid-kiosk\n');
  });

  it.each([
    ['x64', ''],
    ['arm64', '-arm64'],
  ] as const)('an AppImage for %s has the program', (arch, suffix) => {
    const name = `HlidKiosk-${version}${suffix}.AppImage`;
    const image = readFileSync(join(folder, `packages-${arch}`, name), 'utf8');
    expect(image.split('\n')).toEqual(
      expect.arrayContaining(['./AppRun', './hlid-kiosk', './hlid-kiosk.desktop', './resources/app.asar']),
    );
  });

  it('are not made for two processors of an Electron for one', async () => {
    await expect(pack(...ARCHS)).rejects.toThrow('for one processor');
  });
});

describe('the packed program, with a stand-in for Electron', () => {
  const running: ChildProcess[] = [];
  afterEach(() => {
    for (const child of running.splice(0)) child.kill('SIGKILL');
  });

  function start(environment: Record<string, string> = {}, ...switches: string[]) {
    for (const [name, content] of readAsar(join(packed, 'resources/app.asar'))) {
      makeFolders(join('unpacked', dirname(name)));
      writeFileSync(join(folder, 'unpacked', name), content);
    }
    const given = [
      '--import',
      join(STAND_INS, 'use-stand-in.mjs'),
      join(folder, 'unpacked/main.js'),
      ...switches,
    ];
    const child = spawn(process.execPath, given, {
      env: { PATH: process.env['PATH'], ...environment },
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    });
    running.push(child);
    const reported: Record<string, unknown>[] = [];
    const output = { log: '', errors: '' };
    child.on('message', (message) => reported.push({ ...Object(message) }));
    child.stdout?.on('data', (text) => {
      output.log += text;
    });
    child.stderr?.on('data', (text) => {
      output.errors += text;
    });
    const ended = new Promise<number | null>((resolve) => child.on('close', resolve));
    const find = (name: string) => reported.filter((fact) => fact['event'] === name);
    return {
      child,
      output,
      ended,
      find,
      one: (name: string) =>
        vi.waitFor(
          () => {
            const found = find(name).at(-1);
            if (!found) throw new Error(`Nothing of ${name}. ${output.errors}`);
            return found;
          },
          { timeout: deadline(10_000) },
        ),
    };
  }

  it('shows the page, asks the edge, and begins again when the page fails', async () => {
    const edge = createServer((request, response) => response.end(JSON.stringify({ path: request.url })));
    const port = await new Promise<number>((resolve) =>
      edge.listen(0, '127.0.0.1', () => resolve(Number(Object(edge.address()).port))),
    );
    const kiosk = start({ HLID_EDGE_URL: `http://127.0.0.1:${port}` });
    const loaded = await kiosk.one('loaded');
    expect(loaded).toMatchObject({ address: 'app://kiosk/index.html', status: 200 });
    expect(loaded['policy']).toContain("default-src 'none'");
    expect(await kiosk.one('style')).toMatchObject({ css: expect.stringContaining('cursor: none') });
    expect(await kiosk.one('schemes')).toMatchObject({
      schemes: [{ scheme: 'app', privileges: { standard: true, secure: true } }],
    });
    expect(await kiosk.one('window')).toMatchObject({
      options: { kiosk: true, webPreferences: { sandbox: true, devTools: false } },
    });
    expect(kiosk.find('power')).toHaveLength(1);

    kiosk.child.send({ ask: 'app://kiosk/api/kiosk/site' });
    expect(await kiosk.one('answer')).toMatchObject({ status: 200, body: '{"path":"/api/kiosk/site"}' });

    const from = { url: 'app://kiosk/index.html', parent: null };
    kiosk.child.send({ beat: { shows: true, idle: true }, from });
    kiosk.child.send({ page: 'render-process-gone', given: [{}, { reason: 'oom' }] });
    await vi.waitFor(() => expect(kiosk.find('loaded')).toHaveLength(2), deadline(10_000));
    kiosk.child.kill('SIGTERM');
    expect(await kiosk.ended).toBe(0);
    const facts = kiosk.output.log
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line).event);
    expect(facts).toEqual([
      'kiosk.started',
      'kiosk.page-loaded',
      'kiosk.page-failed',
      'kiosk.page-reloaded',
      'kiosk.page-loaded',
      'kiosk.stopped',
    ]);
    edge.close();
  });

  it('does not start with a mistake in its settings', async () => {
    const kiosk = start({ HLID_EDGE_URL: 'http://192.168.1.7:7070' });
    expect(await kiosk.ended).toBe(2);
    expect(kiosk.output.errors).toMatch(/^HLID_EDGE_URL: an address of this machine/);
    expect(kiosk.find('window')).toEqual([]);
  });

  it('ends when it has a fault of its own, rather than stand there with a message', async () => {
    const kiosk = start();
    await kiosk.one('loaded');
    kiosk.child.send({ fail: 'no screen left' });
    expect(await kiosk.ended).toBe(1);
    expect(JSON.parse(kiosk.output.log.trim().split('\n').at(-1) ?? '')).toMatchObject({
      event: 'kiosk.gave-up',
      reason: 'Error: no screen left',
    });
  });

  it('does not start without a sandbox', async () => {
    const kiosk = start({}, '--no-sandbox');
    expect(await kiosk.ended).toBe(2);
    expect(kiosk.output.errors).toMatch(/^The kiosk does not show its page without a sandbox/);
    expect(kiosk.find('window')).toEqual([]);
  });

  it('runs once', async () => {
    const kiosk = start({ STAND_IN_SECOND: 'yes' });
    expect(await kiosk.ended).toBe(1);
    expect(kiosk.output.errors).toBe('The kiosk is running already.\n');
    expect(kiosk.find('window')).toEqual([]);
  });
});
