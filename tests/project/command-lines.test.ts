import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';
import { PROJECT_ROOT } from '../harness/programs.ts';

// A program is loaded from source, on a machine that may be busy.
const { scripts } = z
  .object({ scripts: z.record(z.string(), z.string()) })
  .parse(JSON.parse(readFileSync(join(PROJECT_ROOT, 'package.json'), 'utf8')));

/** Runs what `npm run NAME -- …` does, less the installation that may stand before it. */
async function run(name: string, ...words: string[]) {
  const folder = mkdtempSync(join(tmpdir(), 'hlid-command-line-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const dataDir = join(folder, 'data');
  const [, ...args] = (scripts[name] ?? '').replace(/^.*&& /, '').split(' ');
  const env = { ...process.env, HLID_DATA_DIR: dataDir };
  return await new Promise<{ code: number; printed: string; complaint: string; hasData: boolean }>(
    (resolve) => {
      const child = execFile(
        process.execPath,
        [...args, ...words],
        { cwd: PROJECT_ROOT, env },
        (_error, printed, complaint) =>
          resolve({ code: child.exitCode ?? -1, printed, complaint, hasData: existsSync(dataDir) }),
      );
    },
  );
}

const PROGRAMS = ['start', 'test', 'cloud', 'edge', 'kiosk', 'price', 'package', 'bench'];

it.each(PROGRAMS)('npm run %s -- --help and --version print and start nothing', async (name) => {
  const help = await run(name, '--help');
  expect(help).toMatchObject({ code: 0, complaint: '', hasData: false });
  expect(help.printed).toMatch(/^hlid[\w-]*: .*\n\nUsage: npm .*--help, -h[\s\S]*Exit codes: 0/s);
  const [, examples = ''] = help.printed.split('Examples:\n');
  for (const line of examples.split('\n\n')[0]?.split('\n') ?? []) {
    expect(line).toMatch(/^ {2}(HLID_\w+=\S+ )?npm (start|test|run [\w -]+?)( -- \S.*)?$|^$/);
  }
  expect(await run(name, '--version')).toEqual({
    code: 0,
    complaint: '',
    hasData: false,
    printed: expect.stringMatching(/^hlid[\w-]*\/\d+\.\d+\.\d+\n$/),
  });
});

// An option that the test runner does not have is an option of vitest.
it.each(PROGRAMS.filter((name) => name !== 'test'))(
  'npm run %s refuses an unknown option, and suggests a known one',
  async (name) => {
    expect(await run(name, '--hepl')).toMatchObject({
      code: 2,
      printed: '',
      hasData: false,
      complaint: expect.stringMatching(/^there is no option --hepl; did you mean --help\?\nUsage: npm /),
    });
  },
);

it('npm run bench refuses an unknown benchmark before it builds anything', async () => {
  expect(await run('bench', 'egde')).toMatchObject({
    code: 2,
    complaint: expect.stringContaining('there is no part egde; did you mean edge?'),
  });
});
