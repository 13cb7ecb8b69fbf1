import { execFile } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { PROJECT_ROOT } from '../harness/programs.ts';

const TIMEOUT_MS = 600_000;
/** The text in a file that uses the formats of cameras. */
const KNOWS_FORMATS = /CameraFormat|CAMERA_FORMATS|camera-format/;
const COPIED = ['protocol', 'edge', 'cloud', 'kiosk', 'deploy', 'tests', 'package.json', 'tsconfig.json'];
const LEFT_OUT = new Set(['node_modules', 'dist', 'data']);

/** The one file that the product has about the maker. */
const FRAME = `
import { z } from 'zod';
import type { DocumentParser } from '../plate/plate-read.ts';
import { arrivalOf } from './arrival.ts';
import { cameraFormat } from './camera-format.ts';
import { confidence } from './confidence.ts';
import { accept, checkShape, readJson, refuse } from './json-border.ts';
import { GivenPlateSchema, GivenTextSchema, plateParts, travel } from './read-parts.ts';

const MessageSchema = z.object({
  quay: z.object({ mark: GivenPlateSchema, sure: confidence(100), bound: GivenTextSchema, berth: GivenTextSchema }),
});

const parseQuayside: DocumentParser = (body, context) => {
  const json = readJson(body);
  if (!json.ok) return json;
  const message = checkShape(MessageSchema, json.value);
  if (!message.ok) return message;
  const { mark, sure, bound, berth } = message.value.quay;
  const when = berth ?? arrivalOf(context, mark);
  if (when === null) return refuse('wrong-shape', 'quay.berth: required to identify the event');
  const read = {
    ...plateParts(mark, sure, []),
    country: null,
    direction: travel(bound),
    capturedAt: null,
    eventKey: when,
    relatedKeys: [],
    late: false,
    parked: false,
  };
  return accept({ kind: 'quay', reads: [read] });
};

export const QUAYSIDE = cameraFormat({
  maker: 'Quayside Optics',
  parse: parseQuayside,
  bodies: ['json'],
  answer: (result) => ({ moored: result.ok }),
});
`;

let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'hlid-new-maker-'));
  for (const name of COPIED) {
    cpSync(join(PROJECT_ROOT, name), join(folder, name), {
      recursive: true,
      filter: (source) => !LEFT_OUT.has(basename(source)) && !source.endsWith('.tsbuildinfo'),
    });
  }
  linkPackages(join(PROJECT_ROOT, 'node_modules'), join(folder, 'node_modules'));
  addMaker();
}, TIMEOUT_MS);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The packages as they are installed, but for our own, which are those of the copy. */
function linkPackages(installed: string, copy: string): void {
  mkdirSync(join(copy, '@hlid'), { recursive: true });
  for (const name of ['protocol', 'protocol/node', 'edge', 'cloud', 'kiosk']) {
    symlinkSync(join(folder, name), join(copy, '@hlid', basename(name)));
    const own = join(PROJECT_ROOT, name, 'node_modules');
    if (existsSync(own)) symlinkSync(own, join(folder, name, 'node_modules'));
  }
  for (const name of readdirSync(installed)) {
    if (name !== '@hlid' && !name.startsWith('.')) symlinkSync(join(installed, name), join(copy, name));
  }
}

/** One file, one line (with its import), one folder of documents. */
function addMaker(): void {
  const camera = join(folder, 'protocol/src/camera');
  writeFileSync(join(camera, 'quayside-frame.ts'), FRAME);
  const list = join(camera, 'camera-formats.ts');
  const text = readFileSync(list, 'utf8');
  const named = text.replace('const FORMATS = {\n', 'const FORMATS = {\n  quayside: QUAYSIDE,\n');
  expect(named).not.toBe(text);
  writeFileSync(list, `import { QUAYSIDE } from './quayside-frame.ts';\n${named}`);
  const documents = join(folder, 'tests/fixtures/cameras/quayside');
  mkdirSync(join(documents, 'made'), { recursive: true });
  const genuine = { quay: { mark: 'AB 123', sure: 88, bound: 'in', berth: 'b-17' } };
  writeFileSync(join(documents, 'genuine.json'), JSON.stringify(genuine));
  writeFileSync(join(documents, 'made/untimed.json'), '{ "quay": { "mark": "AB123", "sure": 91 } }');
}

/**
 * Checking every file takes twenty times as long, and a maker changes nothing for the others. @returns those
 * that use formats
 */
function checkOnlyFilesWithFormats(): string[] {
  const known: string[] = [];
  for (const file of sourcesIn(folder)) {
    const text = readFileSync(file, 'utf8');
    if (KNOWS_FORMATS.test(text)) known.push(file);
    else writeFileSync(file, `// @ts-nocheck\n${text}`);
  }
  return known;
}

function sourcesIn(parent: string): string[] {
  return readdirSync(parent, { withFileTypes: true }).flatMap((entry) => {
    const path = join(parent, entry.name);
    if (entry.isDirectory()) return entry.name === 'node_modules' ? [] : sourcesIn(path);
    return /(?<!\.d)\.tsx?$/.test(entry.name) ? [path] : [];
  });
}

/** The output of a program of the copy, and whether it failed. */
function run(words: readonly string[]): Promise<{ failed: boolean; printed: string }> {
  const env = { ...process.env, HLID_DATA_DIR: join(folder, 'data') };
  const options = { cwd: folder, env, timeout: TIMEOUT_MS, maxBuffer: 16 * 1024 * 1024 };
  return new Promise((resolve) => {
    execFile(process.execPath, words, options, (error, printed, complaint) =>
      resolve({ failed: error !== null, printed: printed + complaint }),
    );
  });
}

const GENUINE = 'tests/fixtures/cameras/quayside/genuine.json';

it('everything compiles with a new maker, which is one file, one line and one folder', {
  timeout: TIMEOUT_MS,
}, async () => {
  const project = join(folder, 'tests/new-maker.json');
  const options = { composite: false, noEmit: true, rootDir: '..' };
  const [files, references] = [checkOnlyFilesWithFormats(), []];
  expect(files.length).toBeGreaterThan(20);
  const checked = { extends: './tsconfig.json', compilerOptions: options, include: [], references, files };
  writeFileSync(project, JSON.stringify(checked));
  const compiler = join(PROJECT_ROOT, 'node_modules/typescript/bin/tsc');
  expect(await run([compiler, '-p', project])).toEqual({ failed: false, printed: '' });
});

it('the command line knows a new maker', { timeout: TIMEOUT_MS }, async () => {
  const edge = ['--conditions=source', '--import', 'tsx', 'edge/src/main.ts', 'camera', 'parse'];
  const { failed, printed } = await run([...edge, '--format', 'quayside', GENUINE]);
  expect(failed, printed).toBe(false);
  expect(JSON.parse(printed)).toMatchObject({
    reads: [{ plate: 'AB123', score: 0.88, direction: 'approaching' }],
  });
  expect((await run([...edge, '--help'])).printed).toContain('Quayside Optics');
});

it('the tests that every maker passes run for a new one', { timeout: TIMEOUT_MS }, async () => {
  const vitest = join(PROJECT_ROOT, 'node_modules/vitest/vitest.mjs');
  const file = 'protocol/src/camera/camera-formats.test.ts';
  const config = ['--config', 'tests/vitest.config.ts', '--project', 'measured', '--reporter', 'json'];
  const { failed, printed } = await run([vitest, 'run', ...config, '-t', 'quayside', file]);
  expect(failed, printed).toBe(false);
  const { numPassedTests } = JSON.parse(printed.slice(printed.indexOf('{"')));
  expect(numPassedTests).toBeGreaterThan(10);
});
