import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { type Command, defineCommand, EXIT, flag, type Shell } from '@hlid/protocol/command-line/command';
import type { DatabaseKind } from '../backup/sqlite-file.ts';
import { systemClock } from '../clock.ts';
import { dataDirOf } from '../configuration.ts';
import { beforePath } from './copy-before.ts';

/** The facts about a program that the database commands need. */
export interface MigratedProgram {
  /** The program that runs on the data folder: `the cloud`. */
  runs: string;
  readDatabase(): Promise<DatabaseKind>;
  /** The fate of data that was written after the copy. */
  afterRevert: string;
}

/** `database try` and `database revert`: the same for every program that has a database. */
export function databaseCommands(program: MigratedProgram): Command<Shell>[] {
  return [databaseTry(program), databaseRevert(program)];
}

function databaseTry({ runs, readDatabase }: MigratedProgram): Command<Shell> {
  return defineCommand({
    name: 'database try',
    summary: 'Try the changes that this version makes to the database on a copy, and keep nothing',
    about: `For a version that is not installed yet; ${runs} may run meanwhile. Needs free disk of twice the database.`,
    examples: ['database try', 'database try --json'],
    async run({ json }, { environment, print }) {
      const [database, { tryMigrations }] = await Promise.all([
        readDatabase(),
        import('./migrate-database.ts'),
      ]);
      const path = join(dataDirOf(environment), database.fileName);
      const migrations = existsSync(path) ? tryMigrations(path, database) : 0;
      const said = migrations === 0 ? 'Nothing to change.' : `${migrations} changes work on a copy.`;
      print(json ? JSON.stringify({ ok: true, migrations }) : said);
      return EXIT.done;
    },
  });
}

function databaseRevert({ runs, readDatabase, afterRevert }: MigratedProgram): Command<Shell> {
  return defineCommand({
    name: 'database revert',
    summary: 'Put the copy from before the last upgrade in the place of the database',
    about: `For going back to an older version that cannot use the database. ${runs[0]?.toUpperCase()}${runs.slice(1)} must not run. The database that was there is kept.
${afterRevert}`,
    options: { 'if-needed': flag('only where this version cannot use the database') },
    examples: ['database revert', 'database revert --if-needed'],
    async run({ json, options }, { environment, print }) {
      const [database, { canUse, revertDatabase }] = await Promise.all([
        readDatabase(),
        import('./revert-database.ts'),
      ]);
      const dataDir = dataDirOf(environment);
      if (options['if-needed'] && canUse(dataDir, database)) {
        print(json ? JSON.stringify({ ok: true, reverted: false }) : 'This version can use the database.');
        return EXIT.done;
      }
      const copy = beforePath(join(dataDir, database.fileName));
      const copiedAt = statSync(copy, { throwIfNoEntry: false })?.mtime.toISOString();
      const replaced = revertDatabase(dataDir, database, systemClock.now());
      if (json) print(JSON.stringify({ ok: true, reverted: true, copiedAt, replaced }));
      else {
        print(`The database is as it was at ${copiedAt}. The one that was there is ${replaced}.`);
        print(afterRevert);
      }
      return EXIT.done;
    },
  });
}
