import { readFileSync } from 'node:fs';

interface AsarFolder {
  files: Record<string, AsarFolder | { size: number; offset: string }>;
}

/** The files of an asar archive, by path: two Chromium pickles, of a length and of JSON, and then the contents. */
export function readAsar(file: string): Map<string, Buffer> {
  const archive = readFileSync(file);
  const base = 8 + archive.readUInt32LE(4);
  const root: AsarFolder = JSON.parse(archive.subarray(16, 16 + archive.readUInt32LE(12)).toString());
  const found = new Map<string, Buffer>();
  const walk = (at: string, { files }: AsarFolder) => {
    for (const [name, entry] of Object.entries(files)) {
      const path = at === '' ? name : `${at}/${name}`;
      if ('files' in entry) walk(path, entry);
      else {
        const from = base + Number(entry.offset);
        found.set(path, archive.subarray(from, from + entry.size));
      }
    }
  };
  walk('', root);
  return found;
}
