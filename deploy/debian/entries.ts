import {
  chmodSync,
  copyFileSync,
  lutimesSync,
  mkdirSync,
  readdirSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';

export const MODE = { folder: 0o755, file: 0o644, program: 0o755 } as const;

/** A file or a folder of a package; `path` without a slash at its beginning. */
export type Entry = { path: string; mode: number } & (
  | { kind: 'file'; from: string }
  | { kind: 'text'; content: string | Uint8Array }
  | { kind: 'folder' }
);

export function copyOf(from: string, path: string, mode: number = MODE.file): Entry {
  return { path, mode, kind: 'file', from };
}

export function textAt(path: string, content: string | Uint8Array, mode: number = MODE.file): Entry {
  return { path, mode, kind: 'text', content };
}

/** Copies of the files below a folder. */
export function copiesBelow(
  folder: string,
  path: string,
  isWanted: (file: string) => boolean = () => true,
): Entry[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .filter((file) => isWanted(file))
    .sort()
    .map((file) => copyOf(join(folder, file), `${path}/${file}`));
}

/** Writes entries with their modes, and one time for everything, so that the same entries give the same package. */
export function writeEntries(entries: readonly Entry[], root: string, time: Date): void {
  const folders = new Map<string, number>([[root, MODE.folder]]);
  for (const entry of entries) {
    for (let path = dirname(entry.path); path !== '.'; path = dirname(path)) {
      const folder = join(root, path);
      if (!folders.has(folder)) folders.set(folder, MODE.folder);
    }
    if (entry.kind === 'folder') folders.set(join(root, entry.path), entry.mode);
  }
  for (const folder of folders.keys()) mkdirSync(folder, { recursive: true });
  for (const entry of entries) {
    if (entry.kind === 'folder') continue;
    const path = join(root, entry.path);
    if (entry.kind === 'file') copyFileSync(entry.from, path);
    else writeFileSync(path, entry.content);
    chmodSync(path, entry.mode);
    utimesSync(path, time, time);
  }
  // The deepest first: a new file changes the time of its folder.
  for (const folder of [...folders.keys()].sort().reverse()) {
    chmodSync(folder, folders.get(folder) ?? MODE.folder);
    lutimesSync(folder, time, time);
  }
}
