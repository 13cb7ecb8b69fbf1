import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { ROUTE_ACCESS } from '@hlid/edge/local-api/route-access';
import { CODE_WORDS } from '@hlid/protocol/words/codes/code-words';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { PROJECT_ROOT } from '../harness/programs.ts';

const FOLDERS = ['.github', 'cloud', 'deploy', 'edge', 'kiosk', 'protocol', 'tests'];
const NOT_OURS = /(^|\/)(node_modules|dist)\//;
const FILES = FOLDERS.flatMap((folder) =>
  readdirSync(join(PROJECT_ROOT, folder), { recursive: true, encoding: 'utf8' })
    .map((file) => `${folder}/${file}`)
    .filter((file) => !NOT_OURS.test(file)),
);
/** The documents, without the `SOURCES.md` of samples: they name files of other repositories. */
const DOCUMENTS = [
  'README.md',
  ...FILES.filter((file) => /\.md$/.test(file) && !file.endsWith('/SOURCES.md')),
];

const PackageSchema = z.object({ scripts: z.record(z.string(), z.string()).default({}) });

const OpenapiSchema = z.object({ paths: z.record(z.string(), z.record(z.string(), z.unknown())) });
/** Parameters have other names in documents. */
const withoutNames = (call: string) => call.replace(/:\w+|\{\w+\}/g, '*');

const read = (document: string) => readFileSync(join(PROJECT_ROOT, document), 'utf8');
const withoutExamples = (text: string) => text.replace(/```[\s\S]*?```/g, '');
/** All first groups of the matches. */
const found = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map(([, group = '']) => group);

/** The anchors of a document's headings, as GitHub makes them. */
function anchorsOf(text: string): string[] {
  return found(withoutExamples(text), /^#+ (.*)$/gm).map((heading) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );
}

// npm takes `-w cloud` for the workspaces below that folder too, and ends with an error for each that lacks the script.
it('names workspaces by their full names in commands', () => {
  const sources = [...DOCUMENTS, ...FILES.filter((file) => /\.(ts|tsx|mjs)$/.test(file))];
  const short = sources.flatMap((file) =>
    found(read(file), /npm run (?:-s )?-w ([\w@/-]+)/g).filter((name) => !name.startsWith('@hlid/')),
  );
  expect(short).toEqual([]);
});

it('finds the documents', () => expect(DOCUMENTS.length).toBeGreaterThan(40));

describe.each(DOCUMENTS)('%s', (document) => {
  const text = withoutExamples(read(document));

  it('links only to files and headings that exist', () => {
    const broken = found(text, /\]\(([^)\s]+)\)/g)
      .filter((link) => !/^(https?|mailto):/.test(link))
      .filter((link) => {
        const [path = '', anchor] = link.split('#');
        const target = path === '' ? document : join(dirname(document), path);
        if (!existsSync(join(PROJECT_ROOT, target))) return true;
        return anchor !== undefined && !anchorsOf(read(target)).includes(anchor);
      });
    expect(broken).toEqual([]);
  });

  it('names only folders of the project that exist', () => {
    const named = found(text, /`((?:protocol|edge|cloud|kiosk|tests|deploy|\.github)\/[\w./-]*)`/g);
    expect(named.filter((path) => !existsSync(join(PROJECT_ROOT, path)))).toEqual([]);
  });

  it('names only source files that exist', () => {
    const named = found(text, /`([\w./-]+\.(?:tsx?|mjs|css))`/g);
    expect(named.filter((name) => !FILES.some((file) => `/${file}`.endsWith(`/${name}`)))).toEqual([]);
  });
});

const TEXTS = DOCUMENTS.map(read).join('\n');

const DECISIONS = FILES.flatMap((file) => found(file, /^\.github\/adr\/(\d{4})-[\w-]+\.md$/g)).map(Number);

it('cites only decisions that exist, in documents and in code', () => {
  const sources = [...DOCUMENTS, ...FILES.filter((file) => /\.(tsx?|mjs|css|ya?ml)$/.test(file))];
  const unknown = sources.flatMap((file) =>
    found(read(file), /\bADR (\d+)/g)
      .filter((number) => !DECISIONS.includes(Number(number)))
      .map((number) => `${file}: ADR ${number}`),
  );
  expect(unknown).toEqual([]);
});

it('numbers each decision once, and lists each once in the index', () => {
  expect(DECISIONS.length).toBe(new Set(DECISIONS).size);
  const listed = found(read('.github/adr/README.md'), /\]\((\d{4})-[\w-]+\.md\)/g).map(Number);
  expect(listed.toSorted((a, b) => a - b)).toEqual(DECISIONS.toSorted((a, b) => a - b));
});

it('names only environment variables that a program reads', () => {
  const sources = FILES.filter((file) => /\.(ts|mjs)$|hlid-broker-logins$/.test(file)).map(read);
  const known = new Set(sources.flatMap((source) => source.match(/\bHLID_[A-Z\d_]+/g) ?? []));
  expect(found(TEXTS, /\b(HLID_[A-Z\d_]+)/g).filter((variable) => !known.has(variable))).toEqual([]);
});

it('names only scripts of npm that exist', () => {
  const scripts = FILES.filter((file) => /^[a-z/-]+\/package\.json$/.test(file))
    .concat('package.json')
    .map(read);
  const known = new Set(
    scripts.flatMap((file) => Object.keys(PackageSchema.parse(JSON.parse(file)).scripts)),
  );
  const named = found(TEXTS, /\bnpm run (?:-s |-w [@a-z/-]+ )*([a-z][a-z-]*)/g);
  expect(named.length).toBeGreaterThan(10);
  expect(named.filter((script) => !known.has(script))).toEqual([]);
});

it('names only calls that the cloud or the edge has', () => {
  const { paths } = OpenapiSchema.parse(JSON.parse(read('cloud/openapi.json')));
  const ofCloud = Object.entries(paths).flatMap(([path, calls]) =>
    Object.keys(calls).map((method) => `${method.toUpperCase()} ${path}`),
  );
  const known = new Set([...ofCloud, ...Object.keys(ROUTE_ACCESS)].map(withoutNames));
  const named = found(TEXTS, /`((?:GET|POST|PUT|DELETE) \/[^`\s?…]*)/g);
  expect(named.length).toBeGreaterThan(50);
  expect(named.filter((call) => !known.has(withoutNames(call)))).toEqual([]);
});

it('names only commands that the programs have', () => {
  const sources = FILES.filter((file) =>
    /^(edge\/src|cloud\/src\/program|protocol\/node\/src)\/.*\.ts$/.test(file),
  );
  const known = new Set(sources.flatMap((file) => found(read(file), /\bname: ['`]([a-z]+)/g)));
  const named = found(TEXTS, /\bhlid(?:-cloud)? ([a-z]+)\b/g);
  expect(named.length).toBeGreaterThan(50);
  expect(named.filter((command) => !known.has(command))).toEqual([]);
});

it('the runbook has a row for each kind of device that can have an alarm', () => {
  const rows = found(read('deploy/RUNBOOK.md'), /^\| (\*\*.*?) \|/gm)
    .join('\n')
    .toLowerCase();
  const names = Object.values(CODE_WORDS.en.deviceKind).map((name) => `**${name.toLowerCase()}**`);
  expect(names.filter((name) => !rows.includes(name))).toEqual([]);
});

it('ARCHITECTURE draws the layers as the tables define them; otherwise run `npm run layers`', () => {
  const folder = mkdtempSync(join(tmpdir(), 'architecture-'));
  const copy = join(folder, 'ARCHITECTURE.md');
  const present = read('.github/ARCHITECTURE.md');
  writeFileSync(copy, present);
  execFileSync(process.execPath, [join(PROJECT_ROOT, 'tests/project/draw-layers.mjs'), copy]);
  expect(readFileSync(copy, 'utf8')).toBe(present);
  rmSync(folder, { recursive: true });
});
