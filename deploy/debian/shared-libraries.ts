import { execFileSync } from 'node:child_process';
import { basename } from 'node:path';
import type { Target } from './target.ts';

/** The release of GCC that brought a version of the C++ library's symbols. */
const GCC_OF_GLIBCXX: Readonly<Record<string, string>> = {
  '3.4.26': '9',
  '3.4.27': '9',
  '3.4.28': '9',
  '3.4.29': '11',
  '3.4.30': '12',
  '3.4.31': '13',
  '3.4.32': '13',
  '3.4.33': '14',
};
/** Shared libraries of the packages in `libraryDepends`. */
const LIBRARIES = [
  /^ld-linux-(x86-64\.so\.2|aarch64\.so\.1)$/,
  /^lib(c|m)\.so\.6$|^lib(dl|resolv)\.so\.2$|^libpthread\.so\.0$|^librt\.so\.1$/,
  /^libgcc_s\.so\.1$/,
  /^libstdc\+\+\.so\.6$/,
];

/**
 * What Debian packages some programs and libraries need, with the versions in which their symbols came.
 *
 * Throws where one of them does not start on the target: it is for another processor, needs a library that nothing brings,
 * or cannot be mapped into the memory of every kernel.
 */
export function libraryDepends(files: readonly string[], target: Target): string[] {
  const own = new Set(files.map((file) => basename(file)));
  for (const file of files) {
    const text = readElf('-hldW', file);
    const machine = /^\s*Machine:\s+(.+)$/m.exec(text)?.[1]?.trim();
    if (machine !== target.elf)
      throw new Error(`${file} is for another processor than ${target.debian}: ${machine}`);
    for (const [, library = ''] of text.matchAll(/\(NEEDED\).*\[(.+)\]/g)) {
      if (!own.has(library) && !LIBRARIES.some((known) => known.test(library)))
        throw new Error(`${file} needs ${library}, which is in no package that ours depend on`);
    }
    for (const [, alignment = ''] of text.matchAll(/^\s*LOAD\s.*\s(0x[\da-f]+)$/gm)) {
      if (Number(alignment) < target.maxPageBytes)
        throw new Error(`${file} cannot be loaded where pages of memory have ${target.maxPageBytes} bytes`);
    }
  }
  const symbols = files.map((file) => readElf('-VW', file)).join('\n');
  const glibc = newest(symbols, /\bGLIBC_([\d.]+)/g) ?? '2.28';
  const glibcxx = newest(symbols, /\bGLIBCXX_([\d.]+)/g);
  const gcc = (glibcxx && GCC_OF_GLIBCXX[glibcxx]) ?? '8';
  return [`libc6 (>= ${glibc})`, 'libgcc-s1', `libstdc++6 (>= ${gcc})`];
}

function readElf(options: string, file: string): string {
  const env = { ...process.env, LC_ALL: 'C' };
  return execFileSync('readelf', [options, file], { encoding: 'utf8', maxBuffer: 2 ** 28, env });
}

function newest(text: string, pattern: RegExp): string | null {
  const versions = [...text.matchAll(pattern)].map(([, version = '']) => version);
  return versions.sort((a, b) => a.localeCompare(b, 'en', { numeric: true })).at(-1) ?? null;
}
