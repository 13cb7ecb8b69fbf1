import { beforeAll, describe, expect, it } from 'vitest';
import { buildConsole } from '../harness/build-pages.ts';
import { consoleFirstLoad, consoleManifest, filesBefore, gzipSizeOf } from './console-files.ts';

/** Bytes after gzip. */
const MAX_FIRST_LOAD = 220_000;
const MAX_FIRST_CSS = 25_000;
const MAX_ROOM = 60_000;

describe('the console', () => {
  beforeAll(() => buildConsole(console.warn));

  it(`loads at most ${MAX_FIRST_LOAD} bytes before its first room`, () => {
    const { files, gzipBytes } = consoleFirstLoad();
    expect(gzipBytes).toBeLessThan(MAX_FIRST_LOAD);
    expect(gzipSizeOf([...files].filter((file) => file.endsWith('.css')))).toBeLessThan(MAX_FIRST_CSS);
  });

  it(`loads at most ${MAX_ROOM} bytes more for each page of a room`, () => {
    const manifest = consoleManifest();
    const { files: first } = consoleFirstLoad(manifest);
    const pages = Object.keys(manifest).filter((name) => /^rooms\/.*-page\.tsx$/.test(name));
    expect(pages.length).toBeGreaterThan(5);
    const sizes = pages.map((page) => {
      const [, room = ''] = page.split('/');
      // The texts of a room that other rooms show too are loaded before the first room.
      const parts = [page, `words/is/${room}.ts`].filter((name) => name in manifest);
      const files = parts.flatMap((name) => [...filesBefore(manifest, name)]);
      return { page, bytes: gzipSizeOf([...new Set(files)].filter((file) => !first.has(file))) };
    });
    expect(sizes.filter(({ bytes }) => bytes > MAX_ROOM)).toEqual([]);
  });
});
