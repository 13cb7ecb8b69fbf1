import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';
import { PROJECT_ROOT } from '../harness/programs.ts';

const { scripts } = z
  .object({ scripts: z.record(z.string(), z.string()) })
  .parse(JSON.parse(readFileSync(join(PROJECT_ROOT, 'package.json'), 'utf8')));

interface Result {
  code: number;
  printed: string;
  complaint: string;
  hasData: boolean;
}

/** Runs what `npm run NAME -- …` does, less the installation that may stand before it: one process, which has all the words. */
async function run(name: string, ...words: string[]): Promise<Result> {
  const dataDir = join(newFolder(), 'data');
  const { code, printed, complaint } = await runNode([...argumentsOf(name), ...words], dataDir);
  return { code, printed, complaint, hasData: existsSync(dataDir) };
}

/** The same for several command lines. One process of the program runs them, since its modules take seconds to load. */
async function runEach(name: string, lines: readonly string[][]): Promise<Result[]> {
  const dataDir = join(newFolder(), 'data');
  const options = argumentsOf(name);
  const entry = options.pop() ?? '';
  const runner = ['tests/project/run-command-lines.mjs', entry, JSON.stringify(lines)];
  const { code, printed, complaint } = await runNode([...options, ...runner], dataDir);
  const [outputs, complaints] = [printed.split(END), complaint.split(END)];
  expect({ code, runs: outputs.length - 1, after: [outputs.pop(), complaints.pop()] }, complaint).toEqual({
    code: 0,
    runs: lines.length,
    after: ['', ''],
  });
  return outputs.map((output, n) => ({
    code: Number(/\d+$/.exec(output)?.[0]),
    printed: output.replace(/\d+$/, ''),
    complaint: complaints[n] ?? '',
    hasData: existsSync(`${dataDir}-${n + 1}`),
  }));
}

/** The mark that the runner of command lines writes after each. */
const END = '\u0004';

function argumentsOf(name: string): string[] {
  const [, ...args] = (scripts[name] ?? '').replace(/^.*&& /, '').split(' ');
  return args;
}

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'hlid-command-line-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}

function runNode(args: readonly string[], dataDir: string): Promise<Omit<Result, 'hasData'>> {
  const env = { ...process.env, HLID_DATA_DIR: dataDir };
  return new Promise((resolve) => {
    const child = execFile(process.execPath, args, { cwd: PROJECT_ROOT, env }, (_error, printed, complaint) =>
      resolve({ code: child.exitCode ?? -1, printed, complaint }),
    );
  });
}

function checkHelpAndVersion(help: Result | undefined, version: Result | undefined): void {
  expect(help).toMatchObject({ code: 0, complaint: '', hasData: false });
  expect(help?.printed).toMatch(/^hlid[\w-]*: .*\n\nUsage: npm .*--help, -h[\s\S]*Exit codes: 0/s);
  const [, examples = ''] = help?.printed.split('Examples:\n') ?? [];
  for (const line of examples.split('\n\n')[0]?.split('\n') ?? []) {
    expect(line).toMatch(/^ {2}(HLID_\w+=\S+ )?npm (start|test|run [\w -]+?)( -- \S.*)?$|^$/);
  }
  expect(version).toEqual({
    code: 0,
    complaint: '',
    hasData: false,
    printed: expect.stringMatching(/^hlid[\w-]*\/\d+\.\d+\.\d+\n$/),
  });
}

it.each(['start', 'cloud', 'edge', 'kiosk', 'price', 'package', 'bench'])(
  'npm run %s -- --help and --version print and start nothing; an unknown option is refused, and a known one suggested',
  async (name) => {
    const [help, version, unknown] = await runEach(name, [['--help'], ['--version'], ['--hepl']]);
    checkHelpAndVersion(help, version);
    expect(unknown).toMatchObject({
      code: 2,
      printed: '',
      hasData: false,
      complaint: expect.stringMatching(/^there is no option --hepl; did you mean --help\?\nUsage: npm /),
    });
  },
);

// An option that the test runner does not have is an option of vitest.
it('npm test -- --help and --version print and start nothing', async () => {
  checkHelpAndVersion(await run('test', '--help'), await run('test', '--version'));
});

it('npm run bench refuses an unknown benchmark before it builds anything', async () => {
  expect(await run('bench', 'egde')).toMatchObject({
    code: 2,
    complaint: expect.stringContaining('there is no part egde; did you mean edge?'),
  });
});
