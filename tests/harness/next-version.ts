import { cp, mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { VERSION } from '@hlid/protocol/base/version';
import { PROJECT_ROOT } from './programs.ts';
import { PROGRAMS_BUILT } from './programs-built.ts';

/** What the programs read beside their bundles. */
const SHARED = ['node_modules', 'edge/page', 'kiosk', 'cloud/pay-page', 'cloud/console'];
/** A time after every present migration. */
const FIRST_TIME = Date.UTC(2100, 0, 1);

/** The daemon only: commands have more words. */
const ENDS_SOON = 'if (process.argv.length === 2) setTimeout(() => process.exit(3), 1500);\n';

interface NextVersion {
  version: string;
  /** More migrations at the end of those of each database. */
  migrations: readonly string[];
  /** Its edge changes the database so that no older version can use it, and ends a moment after each start. */
  isBroken?: boolean;
}

/** Makes a folder with both programs as they would be in a later version: another number, and more migrations. */
export async function makeNextVersion(folder: string, next: NextVersion): Promise<string> {
  const built = process.env[PROGRAMS_BUILT];
  if (built === undefined) throw new Error('the programs run from source: see why above');
  for (const path of SHARED) {
    await mkdir(join(folder, path, '..'), { recursive: true });
    await symlink(join(PROJECT_ROOT, path), join(folder, path));
  }
  // Node.js decides by it that the bundles are modules.
  await writeFile(join(folder, 'package.json'), '{"type":"module"}');
  for (const program of ['edge', 'cloud']) {
    await cp(join(PROJECT_ROOT, program, built), join(folder, program, built), { recursive: true });
    await edit(join(folder, program, built, 'main.js'), (code) =>
      replaceOnce(code, new RegExp(`(\\bVERSION = )"${VERSION}"`), (_, name) => `${name}"${next.version}"`),
    );
  }
  await edit(join(folder, 'edge', built, 'main.js'), (code) =>
    replaceOnce(code, /(\bMIGRATIONS = \[\s*`[^`]*`)(\s*\];)/, (_, first, end) => {
      return `${first}, ${next.migrations.map((sql) => JSON.stringify(sql)).join(', ')}${end}`;
    }),
  );
  if (next.isBroken) {
    await edit(join(folder, 'edge', built, 'main.js'), (code) => {
      const oldest = `OLDEST_MIGRATION = ${next.migrations.length + 1}`;
      return `${ENDS_SOON}${replaceOnce(code, /\bOLDEST_MIGRATION = 1\b/, () => oldest)}`;
    });
  }
  await addCloudMigrations(join(folder, 'cloud/migrations'), next.migrations);
  return folder;
}

async function addCloudMigrations(folder: string, migrations: readonly string[]): Promise<void> {
  await cp(join(PROJECT_ROOT, 'cloud/migrations'), folder, { recursive: true });
  await edit(join(folder, 'meta/_journal.json'), (text) => {
    const journal = JSON.parse(text);
    const more = migrations.map((_, at) => ({
      idx: journal.entries.length + at,
      version: '6',
      breakpoints: true,
      when: FIRST_TIME + at,
      tag: tagOf(at),
    }));
    return JSON.stringify({ ...journal, entries: [...journal.entries, ...more] });
  });
  for (const [at, sql] of migrations.entries()) await writeFile(join(folder, `${tagOf(at)}.sql`), sql);
}

function tagOf(at: number): string {
  return `9${String(at).padStart(3, '0')}_more`;
}

async function edit(file: string, change: (text: string) => string): Promise<void> {
  await writeFile(file, change(await readFile(file, 'utf8')));
}

function replaceOnce(text: string, pattern: RegExp, by: (...parts: string[]) => string): string {
  if (!pattern.test(text)) throw new Error(`the bundle has no ${pattern}`);
  return text.replace(pattern, by);
}
