import { execFileSync } from 'node:child_process';

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

/** What Debian packages some programs and libraries need, with the versions in which their symbols came. */
export function libraryDepends(files: readonly string[]): string[] {
  const symbols = files
    .map((file) => execFileSync('readelf', ['-VW', file], { encoding: 'utf8', maxBuffer: 2 ** 28 }))
    .join('\n');
  const glibc = newest(symbols, /\bGLIBC_([\d.]+)/g) ?? '2.28';
  const glibcxx = newest(symbols, /\bGLIBCXX_([\d.]+)/g);
  const gcc = (glibcxx && GCC_OF_GLIBCXX[glibcxx]) ?? '8';
  return [`libc6 (>= ${glibc})`, 'libgcc-s1', `libstdc++6 (>= ${gcc})`];
}

function newest(text: string, pattern: RegExp): string | null {
  const versions = [...text.matchAll(pattern)].map(([, version = '']) => version);
  return versions.sort((a, b) => a.localeCompare(b, 'en', { numeric: true })).at(-1) ?? null;
}
