import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeBackupKey } from '@hlid/node/backup/backup-key';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { newSecret } from '../harness/new-secret.ts';
import { type Program, startProgram } from '../harness/programs.ts';
import { waitFor } from '../harness/wait.ts';

const DEPLOY = new URL('../../deploy/', import.meta.url).pathname;
const UNIT = readFileSync(join(DEPLOY, 'cloud/hlid-cloud.service'), 'utf8');
const DATA = '/var/lib/hlid-cloud';

const canUnshare = (() => {
  try {
    execFileSync('unshare', ['--mount', 'true'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
})();
if (!canUnshare) console.warn('Skipped: what a unit lets its program write (it needs root and unshare).');

/** The paths that the unit lets the program write, beside its data folder. */
function writablePaths(): string[] {
  return [...UNIT.matchAll(/^ReadWritePaths=(.*)$/gm)].flatMap(([, paths = '']) =>
    paths.split(' ').map((path) => path.replace(/^[-+]+/, '')),
  );
}

/** The folders into which the pages and the example configuration let the cloud or an edge write. */
function documentedFolders(): string[] {
  const pages = readdirSync(DEPLOY, { recursive: true, encoding: 'utf8' }).filter((name) =>
    /\.(md|yaml)$/.test(name),
  );
  const found = pages.flatMap((name) => {
    const text = readFileSync(join(DEPLOY, name), 'utf8');
    return [...text.matchAll(/(?:\bfolder: |install -d -o \S+ )(\/[\w/.-]+)/g)].map(
      ([, folder = '']) => folder,
    );
  });
  return [...new Set(found)];
}

it('lets the cloud write wherever a page says that it may', () => {
  expect(documentedFolders()).toContain('/mnt/backup/hlid');
  for (const folder of documentedFolders()) {
    const isWritable = writablePaths().some((path) => `${folder}/`.startsWith(`${path}/`));
    expect(isWritable, folder).toBe(true);
  }
});

/**
 * The file system as the unit shows it: read-only but for its paths, on empty disks in place of /mnt and /var/lib. The folders of
 * the pages are there, in front of the program's start.
 */
function asUnit(folder: string): string[] {
  const writable = [DATA, ...writablePaths()];
  const script = [
    'set -e',
    'mount -t tmpfs none /mnt',
    'mount -t tmpfs none /var/lib',
    `mkdir -p ${DATA} ${folder}`,
    ...writable.map((path) => `mkdir -p ${path}; mount --bind ${path} ${path}`),
    ...['/mnt', '/var/lib', '/'].map((path) => `mount -o remount,ro,bind ${path}`),
    'exec "$@"',
  ];
  return ['unshare', '--mount', '--propagation', 'private', 'sh', '-c', script.join('\n'), 'sh'];
}

describe.skipIf(!canUnshare)('the cloud under its own unit', () => {
  let folder: string;
  let cloud: Program | null = null;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'hlid-unit-'));
  });
  afterEach(() => cloud?.stop());
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  async function start(backups: string): Promise<Program> {
    const { publicKey } = await makeBackupKey();
    const config = join(folder, 'cloud.yaml');
    writeFileSync(config, stringify({ backup: { to: { folder: backups }, key: publicKey } }));
    cloud = await startProgram({
      name: 'cloud',
      under: asUnit(backups),
      env: {
        HLID_DATA_DIR: DATA,
        HLID_CLOUD_CONFIG: config,
        HLID_CLOUD_PORT: '0',
        HLID_MQTT_PORT: '0',
        HLID_OPERATOR_ID: 'operator@example.is',
        HLID_OPERATOR_PASSWORD: newSecret(),
        HLID_API_KEY: newSecret(),
      },
      readyEvent: 'cloud.ready',
      keepPorts: () => ({}),
    });
    return cloud;
  }

  it.each(documentedFolders())('makes its backup in %s', async (backups) => {
    const program = await start(backups);
    const done = () => program.logged('backup.made').length + program.logged('run.failed').length > 0;
    await waitFor(done, { what: 'the first backup', withinMs: 60_000, detail: () => program.tail() });
    expect(program.logged('run.failed')).toEqual([]);
  });

  it('says that a folder is read-only, and what to do, where the unit does not allow it', async () => {
    const program = await start('/mnt/elsewhere');
    const failed = () => program.logged('run.failed')[0];
    const { msg } = await waitFor(failed, {
      what: 'the backup to fail',
      withinMs: 60_000,
      detail: () => program.tail(),
    });
    expect(msg).toMatch(/\/mnt\/elsewhere cannot be written: .*read-only.*ReadWritePaths=/);
  });
});
