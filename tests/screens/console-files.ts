import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { z } from 'zod';

const FOLDER = fileURLToPath(new URL('../../cloud/console/dist-page/', import.meta.url));

const ManifestSchema = z.record(
  z.string(),
  z.looseObject({
    file: z.string(),
    imports: z.array(z.string()).default([]),
    css: z.array(z.string()).default([]),
  }),
);
type Manifest = z.infer<typeof ManifestSchema>;

/** The chunks of the console as Vite built it. */
export function consoleManifest(): Manifest {
  return ManifestSchema.parse(JSON.parse(readFileSync(`${FOLDER}.vite/manifest.json`, 'utf8')));
}

/** The files that are loaded before a chunk runs. */
export function filesBefore(manifest: Manifest, name: string, seen = new Set<string>()): Set<string> {
  if (seen.has(name)) return new Set();
  seen.add(name);
  const { file, css, imports } = manifest[name] ?? { file: '', css: [], imports: [] };
  return new Set([file, ...css, ...imports.flatMap((one) => [...filesBefore(manifest, one, seen)])]);
}

const LANGUAGES = ['words/is/is.ts', 'words/en/en.ts'];

/**
 * The files that are loaded before the first room: the page, the frame around all rooms, and the larger of
 * its languages.
 */
export function consoleFirstLoad(manifest = consoleManifest()): { files: Set<string>; gzipBytes: number } {
  const sizes = LANGUAGES.map((name) => ({ name, bytes: gzipSizeOf([...filesBefore(manifest, name)]) }));
  const [largest] = sizes.toSorted((a, b) => b.bytes - a.bytes);
  const entries = ['index.html', 'start.tsx', 'shell/shell.tsx', largest?.name ?? ''];
  const files = new Set(entries.flatMap((name) => [...filesBefore(manifest, name)]));
  return { files, gzipBytes: gzipSizeOf([...files].filter((file) => file.endsWith('.js'))) };
}

export function gzipSizeOf(files: readonly string[]): number {
  return files.reduce((sum, file) => sum + gzipSync(readFileSync(FOLDER + file)).length, 0);
}
