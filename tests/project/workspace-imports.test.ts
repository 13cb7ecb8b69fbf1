import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const WORKSPACES = ['protocol', 'protocol/node', 'edge', 'cloud', 'kiosk', 'kiosk/ui'];
const IMPORT = /(?:from |import\()'(@hlid\/[^/']+)\/([^']+)'/g;

const json = (file: string) => JSON.parse(readFileSync(`${ROOT}/${file}`, 'utf8'));

/** The file of the sources that a path of a workspace's `exports` names; null: none. */
function sourceOf(folder: string, exported: Record<string, { source?: string } | string>, path: string) {
  for (const [pattern, target] of Object.entries(exported)) {
    const [before = '', after] = pattern.split('*');
    const name = `./${path}`;
    if (after === undefined ? name !== pattern : !name.startsWith(before) || !name.endsWith(after)) continue;
    const star = after === undefined ? '' : name.slice(before.length, name.length - after.length);
    const source = typeof target === 'string' ? target : target.source;
    if (source === undefined) continue;
    const file = `${folder}/${source.replace('*', star)}`;
    return existsSync(`${ROOT}/${file}`) ? file : null;
  }
  return null;
}

/** The files of sources in a folder, without what was built or installed. */
function sourcesIn(folder: string): string[] {
  return readdirSync(`${ROOT}/${folder}`, { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory())
      return /^(node_modules|dist.*|fixtures)$/.test(entry.name) ? [] : sourcesIn(path);
    return /\.(tsx?|mjs)$/.test(entry.name) ? [path] : [];
  });
}

// A compiler finds the file of an earlier build where its source was moved, and does not complain.
it('every import from another workspace names a file of its sources', () => {
  const exportsOf = new Map(
    WORKSPACES.map((folder) => {
      const { name, exports } = json(`${folder}/package.json`);
      return [name, { folder, exports: exports ?? {} }] as const;
    }),
  );
  const files = ['protocol', 'edge', 'cloud', 'kiosk', 'deploy', 'tests'].flatMap(sourcesIn);
  const missing = files.flatMap((file) =>
    [...readFileSync(`${ROOT}/${file}`, 'utf8').matchAll(IMPORT)].flatMap(([, name = '', path = '']) => {
      const workspace = exportsOf.get(name);
      if (workspace === undefined) return [`${file}: there is no workspace ${name}`];
      const source = sourceOf(workspace.folder, workspace.exports, path);
      return source === null ? [`${file}: ${name}/${path} is no file`] : [];
    }),
  );
  expect(missing).toEqual([]);
});
