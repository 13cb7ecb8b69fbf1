import { closeSync, openSync, readSync, writeSync } from 'node:fs';
import { isAbsolute, resolve } from 'node:path';
import { Fault, messageOf } from '@hlid/protocol/base/fault';
import type { UtcTime } from '@hlid/protocol/base/utc-time';
import {
  type Command,
  defineCommand,
  EXIT,
  flag,
  optionalOperand,
  type Shell,
  textOption,
} from '@hlid/protocol/command-line/command';
import { nowUtc, systemClock } from '../clock.ts';
import type { Environment } from '../configuration.ts';
import type { BackupConfig } from './backup-config.ts';
import type { BackupStore } from './backup-store.ts';
import type { BackupSource } from './make-backup.ts';
import type { Manifest } from './manifest.ts';

/** The facts about a program that the backup commands need. */
export interface BackedUpProgram {
  kind: Manifest['kind'];
  /** The program that runs on the data folder: `the cloud`. */
  runs: string;
  /** @param onNewMachine there may be no configuration yet, or only the example that the package installs */
  readPlan(environment: Environment, onNewMachine?: boolean): Promise<BackupPlan>;
  /** Receives how each backup ended; `error` null: it was made. */
  onEnded?(dataDir: string, at: UtcTime, error: string | null): void;
  /** The steps after a restore. */
  next: readonly string[];
}

export interface BackupPlan {
  source: BackupSource;
  /** Null: none is configured. */
  config: BackupConfig | null;
  /** The age at which the program erases pictures; null: backups have none. */
  pictureDays: number | null;
}

/** `backup`, `backup list`, `backup key` and `restore`: the same for every program that has a database. */
export function backupCommands(program: BackedUpProgram): Command<Shell>[] {
  return [backup(program), backupList(program), backupKey(), restore(program)];
}

function backup(program: BackedUpProgram): Command<Shell> {
  return defineCommand({
    name: 'backup',
    summary:
      'Make a backup now, as `backup` of the configuration says, and delete those that need not be kept',
    about: `It is consistent, encrypted, and made while ${program.runs} runs. deploy/BACKUP.md describes it.`,
    examples: ['backup', 'backup --json'],
    async run({ json }, { environment, print }) {
      const { source, config, pictureDays } = await program.readPlan(environment);
      if (config === null) throw notConfigured();
      const { runBackup } = await import('./run-backup.ts');
      const { signal } = new AbortController();
      const given = { config, pictureDays, clock: systemClock, signal };
      const note = (error: string | null) => program.onEnded?.(source.dataDir, nowUtc(systemClock), error);
      const { manifest, deleted } = await runBackup(source, given).catch((error: unknown) => {
        note(messageOf(error));
        throw error;
      });
      note(null);
      if (json) print(JSON.stringify({ ok: true, ...outlineOf(manifest), deleted }));
      else {
        print(lineOf(manifest));
        for (const name of deleted) print(`deleted ${name}`);
      }
      return EXIT.done;
    },
  });
}

function backupList(program: BackedUpProgram): Command<Shell> {
  return defineCommand({
    name: 'backup list',
    summary: 'List the backups, oldest first',
    options: { from: fromOption },
    examples: ['backup list', 'backup list --from /mnt/backup'],
    async run({ json, options }, { environment, print, complain }) {
      const { store, config } = await place(program, environment, options.from);
      const { isOfFuture, namesOfBackups, readManifest } = await import('./manifest.ts');
      const { proofKeyOf } = await import('./backup-proof.ts');
      const proofKeys = config?.key.map(proofKeyOf) ?? null;
      const found: Manifest[] = [];
      let ok = true;
      for (const name of (await namesOfBackups(store, program.kind)).finished) {
        try {
          const read = await readManifest(store, name, proofKeys ?? []);
          if (read === null) continue;
          found.push(read.manifest);
          if (isOfFuture(name, systemClock.now())) complain(`${name} is of the future: who made it?`);
          if (proofKeys !== null && !read.isProved) {
            complain(`${name} was not made with the key of this configuration`);
          }
        } catch (error) {
          if (!(error instanceof Fault)) throw error;
          complain(error.message);
          ok = false;
        }
      }
      if (json) print(JSON.stringify({ ok, place: store.place, backups: found.map(outlineOf) }));
      else if (found.length === 0) print(`There is no backup in ${store.place}.`);
      for (const manifest of json ? [] : found) print(lineOf(manifest));
      return ok ? EXIT.done : EXIT.failed;
    },
  });
}

function backupKey(): Command<Shell> {
  return defineCommand({
    name: 'backup key',
    summary: 'Make a pair of keys: a public one for the configuration, and a secret one, which restores',
    about: 'Keep the secret key away from this machine, twice. Without it nobody can read the backups.',
    keepsWords: true,
    examples: ['backup key > hlid-backup.key'],
    async run({ json }, { print }) {
      const { makeBackupKey } = await import('./backup-key.ts');
      const { publicKey, secretKey } = await makeBackupKey();
      if (json) print(JSON.stringify({ ok: true, publicKey, secretKey }));
      else for (const line of [`# public key: ${publicKey}`, secretKey]) print(line);
      return EXIT.done;
    },
  });
}

const fromOption = textOption(
  'FOLDER',
  'folder of the backups; the place in the configuration if it is absent',
);

function restore(program: BackedUpProgram): Command<Shell> {
  return defineCommand({
    name: 'restore',
    operand: optionalOperand('NAME'),
    summary: 'Put a backup, the newest if none is named, in the place of the data folder’s database',
    about: `Everything is read and checked first; the old database is kept. ${capital(program.runs)} must not run on the folder.
It names the backup and its date and asks, unless --yes is given. With --check nothing is replaced, and ${program.runs} may run.`,
    options: {
      'key-file': textOption('FILE', 'file with the secret key; `-`: from the standard input; required'),
      from: fromOption,
      check: flag('only check that the backup can be restored'),
      yes: flag('replace the database without asking, as scripts have to'),
    },
    examples: [
      'restore --key-file - --check < backup.key',
      'restore --key-file backup.key --from /mnt/backup',
    ],
    check: ({ options }) => (options['key-file'] === null ? ['--key-file is missing'] : []),
    async run({ json, operand: name, options }, { environment, print, complain, isTerminal }) {
      const { store, source } = await place(program, environment, options.from);
      const [{ chooseBackup, restoreBackup }, { readKeyFile }] = await Promise.all([
        import('./restore-backup.ts'),
        import('./backup-key.ts'),
      ]);
      const keys = await readKeyFile(options['key-file'] ?? '');
      const parts = { store, keys, clock: systemClock, signal: new AbortController().signal };
      const manifest = await chooseBackup(store, program.kind, name, parts);
      complain(`${options.check ? 'To check' : 'To restore'}: ${lineOf(manifest)}`);
      if (!options.check && !options.yes && !(isTerminal && isConfirmed())) {
        complain('Nothing was replaced. With --yes it is restored without this question.');
        return EXIT.wrongUsage;
      }
      const restored = await restoreBackup(source, parts, { manifest, checkOnly: options.check });
      if (json) {
        const { manifest: _, ...rest } = restored;
        print(JSON.stringify({ ok: true, check: options.check, backup: outlineOf(manifest), ...rest }));
        return EXIT.done;
      }
      print(`${options.check ? 'Checked' : 'Restored'}: ${lineOf(manifest)}`);
      const { files, pictures, replaced } = restored;
      if (pictures && pictures.written + pictures.missing > 0)
        print(`  pictures  ${pictures.written} of the backup, ${pictures.missing} missing`);
      for (const path of files.written) print(`  file      ${path}`);
      for (const path of files.beside)
        print(`  file      ${path} (it differs from the one that is there: compare them)`);
      if (replaced !== null) print(`  before    the database that was there is ${replaced}`);
      if (!options.check) for (const line of program.next) print(line);
      return EXIT.done;
    },
  });
}

/** Asks the person at the terminal; the standard input may be the key. */
function isConfirmed(): boolean {
  let terminal: number;
  try {
    terminal = openSync('/dev/tty', 'r+');
  } catch {
    return false;
  }
  try {
    writeSync(terminal, 'Replace the database by this backup? Type yes: ');
    const answer = Buffer.alloc(64);
    return /^yes\s*$/i.test(answer.toString('utf8', 0, readSync(terminal, answer)));
  } finally {
    closeSync(terminal);
  }
}

async function place(
  program: BackedUpProgram,
  environment: Environment,
  from: string | null,
): Promise<{ store: BackupStore; source: BackupSource; config: BackupConfig | null }> {
  const { source, config } = await program.readPlan(environment, from !== null);
  const to = from === null ? config?.to : { folder: isAbsolute(from) ? from : resolve(from) };
  if (to === undefined) throw notConfigured();
  const { openBackupStore } = await import('./backup-store.ts');
  return { store: openBackupStore(to), source, config };
}

function notConfigured(): Fault {
  return new Fault('config-invalid', 'The configuration has no `backup`, which names the place and the key.');
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function outlineOf({ name, kind, software, madeAt, finishedAt, schema, rows, entries, pictures }: Manifest) {
  return { name, kind, software, madeAt, finishedAt, schema, ...sizes(entries), rows, pictures };
}

function sizes(entries: Manifest['entries']): { bytes: number; storedBytes: number } {
  const sum = (numbers: number[]) => numbers.reduce((total, one) => total + one, 0);
  return {
    bytes: sum(entries.map(({ bytes }) => bytes)),
    storedBytes: sum(entries.flatMap(({ parts }) => parts.map(({ bytes }) => bytes))),
  };
}

function lineOf({ name, software, madeAt, entries, pictures }: Manifest): string {
  const { bytes, storedBytes } = sizes(entries);
  const megabytes = (count: number) => `${(count / 1e6).toFixed(1)} MB`;
  const shown = pictures === null ? 'without pictures' : `${pictures.count} pictures`;
  return `${name}  ${madeAt}  ${software}  ${megabytes(bytes)}, stored ${megabytes(storedBytes)}, ${shown}`;
}
