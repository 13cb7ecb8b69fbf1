import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { listen, stopListening } from '@hlid/node/listen';
import { deadline } from '@hlid/protocol/test/deadline';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';

/** The one with a window, which keeps locks: the shell without has none. */
const CHROMIUM = process.env['HLID_KIOSK_CHROMIUM'] ?? '/usr/bin/chromium';
const UNIT = readFileSync(new URL('../../deploy/kiosk/hlid-kiosk-chromium.service', import.meta.url), 'utf8');
/** The options for running without a screen and, as the tests' user, without a sandbox. */
const HEADLESS = ['--headless', '--no-sandbox', '--disable-gpu', '--remote-debugging-port=0'];

/** A kiosk's session with the lock of a Chromium that is gone in each profile that it may use. */
describe.skipIf(!existsSync(CHROMIUM))('the unit for Chromium, in the morning after a power cut', () => {
  let home: string;
  let runtime: string;
  let edge: Server;
  let url: string;
  let shown: string[];

  beforeEach(async () => {
    home = mkdtempSync(join(tmpdir(), 'hlid-kiosk-home-'));
    runtime = join(home, 'run');
    shown = [];
    edge = createServer((request, response) => {
      shown.push(request.url ?? '');
      response.setHeader('content-type', 'text/html').end('<!doctype html><title>Kiosk</title>');
    });
    url = `http://${await listen(edge, { host: '127.0.0.1', port: 0 }, 'the test')}`;
  });
  afterEach(async () => {
    await stopListening(edge, 200);
    rmSync(home, { recursive: true, force: true, maxRetries: 10 });
  });

  /** The words of a line of the unit, as systemd runs them. */
  const wordsOf = (line: string): string[] =>
    line.split(' ').map((word) =>
      word
        .replaceAll('%t', runtime)
        .replaceAll('%h', home)
        .replace(/\$\{HLID_EDGE_URL\}/, url),
    );
  const linesOf = (name: string) =>
    [...UNIT.matchAll(new RegExp(`^${name}=(.*)$`, 'gm'))].map(([, line = '']) => line);

  test.each([
    ['oldhost-1234', 'a name that this machine no longer has'],
    [`${hostname()}-1`, 'the process id of another program'],
  ])('shows the page over the lock %s: %s', async (target) => {
    for (const profile of [join(home, '.config/chromium'), join(runtime, 'hlid-kiosk-chromium')]) {
      mkdirSync(profile, { recursive: true });
      symlinkSync(target, join(profile, 'SingletonLock'));
    }
    const env = { ...process.env, HOME: home, XDG_CONFIG_HOME: join(home, '.config') };
    for (const line of linesOf('ExecStartPre').filter((one) => !one.includes('curl'))) {
      const [program = '', ...words] = wordsOf(line);
      expect(spawnSync(program, words, { env }).status).toBe(0);
    }
    const [, ...words] = wordsOf(linesOf('ExecStart')[0] ?? '');
    const chromium = spawn(CHROMIUM, [...HEADLESS, ...words], { env, stdio: 'ignore', detached: true });
    const ended = new Promise((resolve) => chromium.on('exit', resolve));
    try {
      await expect.poll(() => shown, { timeout: deadline(20_000) }).toContain('/kiosk/');
    } finally {
      // Its helpers too: they would write into its folder while that is removed.
      if (chromium.pid !== undefined) process.kill(-chromium.pid);
      await ended;
    }
  });
});
