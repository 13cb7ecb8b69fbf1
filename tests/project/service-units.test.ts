import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const DEPLOY = new URL('../../deploy/', import.meta.url).pathname;
const UNITS = readdirSync(DEPLOY, { recursive: true, encoding: 'utf8' }).filter((name) =>
  /\.(service|timer|path)$/.test(name),
);

const run = promisify(execFile);
const isHere = await run('systemd-analyze', ['--version']).then(
  () => true,
  () => false,
);
if (!isHere) console.warn('Skipped: units cannot be checked here (there is no systemd-analyze).');

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'hlid-units-'));
  mkdirSync(join(folder, 'runtime'), { mode: 0o700 });
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe.skipIf(!isHere)('units of systemd', () => {
  it('are those of edge, cloud, kiosk and broker', () => {
    expect(UNITS.map((name) => basename(name)).sort()).toEqual([
      'hlid-broker-logins.service',
      'hlid-broker-logins.timer',
      'hlid-cloud.service',
      'hlid-edge-backup.service',
      'hlid-edge-backup.timer',
      'hlid-edge-upgrade.path',
      'hlid-edge-upgrade.service',
      'hlid-edge.service',
      'hlid-kiosk-chromium.service',
      'hlid-kiosk.service',
    ]);
  });

  it.each(UNITS)('%s has no directive that systemd does not know', async (name) => {
    // The programs need not be installed here, and another systemd has its own complaints.
    const unit = readFileSync(join(DEPLOY, name), 'utf8').replace(/^(Exec\w+=)\S+/gm, '$1/bin/true');
    const file = join(folder, basename(name));
    writeFileSync(file, unit);
    const whose = unit.includes('graphical-session.target') ? ['--user'] : [];
    const { stderr } = await run('systemd-analyze', [...whose, '--man=no', 'verify', file], {
      env: { ...process.env, XDG_RUNTIME_DIR: join(folder, 'runtime') },
    });
    expect(stderr.split('\n').filter((line) => line.includes(basename(name)))).toEqual([]);
  });

  it('allow serial ports whose kind the kernel does not know yet when the service starts', () => {
    const unit = readFileSync(join(DEPLOY, 'edge/hlid-edge.service'), 'utf8');
    const allowed = [...unit.matchAll(/^DeviceAllow=(\S+) rw$/gm)].map(([, device]) => device);
    // A name such as `char-ttyACM` is looked up once, in /proc/devices.
    expect(allowed).toEqual(['char-4', 'char-166', 'char-188', 'char-204']);
  });

  it('start Chromium with a profile that no earlier start has locked', () => {
    const unit = readFileSync(join(DEPLOY, 'kiosk/hlid-kiosk-chromium.service'), 'utf8');
    // systemd makes the folder at each start, in memory, and removes it after the end.
    expect(unit).toMatch(/^RuntimeDirectory=hlid-kiosk-chromium$/m);
    expect(unit).toMatch(/^ExecStart=.* --user-data-dir=%t\/hlid-kiosk-chromium /m);
  });

  // A first start after an upgrade may take minutes: only other types have a start timeout, or a watchdog.
  it.each(['edge/hlid-edge.service', 'cloud/hlid-cloud.service'])(
    '%s is not ended while it brings a large database up to date',
    (name) => {
      const unit = readFileSync(join(DEPLOY, name), 'utf8');
      expect(unit).toMatch(/^Type=exec$/m);
      expect(unit).not.toMatch(/^(TimeoutStartSec|WatchdogSec|RuntimeMaxSec|TimeoutSec)=/m);
    },
  );
});
