import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { buildConsole } from '../harness/build-pages.ts';

const FOLDER = fileURLToPath(new URL('../../cloud/console/dist-page/', import.meta.url));

/** Bytes after gzip. */
const MAX_FIRST_LOAD = 220_000;
const MAX_FIRST_CSS = 25_000;
const MAX_ROOM = 60_000;

const ManifestSchema = z.record(
  z.string(),
  z.looseObject({
    file: z.string(),
    imports: z.array(z.string()).default([]),
    css: z.array(z.string()).default([]),
  }),
);
type Manifest = z.infer<typeof ManifestSchema>;

describe('the console', () => {
  let manifest: Manifest;
  let first: ReadonlySet<string>;
  beforeAll(async () => {
    await buildConsole(console.warn);
    manifest = ManifestSchema.parse(JSON.parse(readFileSync(`${FOLDER}.vite/manifest.json`, 'utf8')));
    first = new Set([...filesOf('index.html'), ...filesOf('shell/shell.tsx')]);
  });

  /** What is loaded before a chunk runs. */
  function filesOf(name: string, seen = new Set<string>()): Set<string> {
    if (seen.has(name)) return new Set();
    seen.add(name);
    const { file, css, imports } = manifest[name] ?? { file: '', css: [], imports: [] };
    return new Set([file, ...css, ...imports.flatMap((one) => [...filesOf(one, seen)])]);
  }

  it(`loads at most ${MAX_FIRST_LOAD} bytes before its first room`, () => {
    expect(sizeOf([...first].filter((file) => file.endsWith('.js')))).toBeLessThan(MAX_FIRST_LOAD);
    expect(sizeOf([...first].filter((file) => file.endsWith('.css')))).toBeLessThan(MAX_FIRST_CSS);
  });

  it(`loads at most ${MAX_ROOM} bytes more for each page of a room`, () => {
    const pages = Object.keys(manifest).filter((name) => /^rooms\/.*-page\.tsx$/.test(name));
    expect(pages.length).toBeGreaterThan(5);
    const sizes = pages.map((page) => ({
      page,
      bytes: sizeOf([...filesOf(page)].filter((file) => !first.has(file))),
    }));
    expect(sizes.filter(({ bytes }) => bytes > MAX_ROOM)).toEqual([]);
  });
});

function sizeOf(files: readonly string[]): number {
  return files.reduce((sum, file) => sum + gzipSync(readFileSync(FOLDER + file)).length, 0);
}
