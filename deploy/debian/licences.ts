import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { type Lock, lockedPackages } from './locked-packages.ts';

const ManifestSchema = z.looseObject({
  dependencies: z.record(z.string(), z.string()).default({}),
  license: z.unknown().optional(),
});
const LICENCE_FILE = /^(licen[cs]e|copying|notice)(\.(md|txt|markdown))?$/i;

const OURS = `Hlid

No licence has been chosen for Hlid itself yet. Until its owner chooses one, all rights are reserved.

The package contains Node.js, whose licence is in NODE-LICENSE beside this file, and the packages of npm below, each under
its own licence.
`;

/**
 * The text of a package's `copyright`: our state, and the licence of every package of npm that some of its workspaces
 * need in production, whether it is bundled or copied.
 */
export function copyrightText(root: string, lock: Lock, workspaces: readonly string[]): string {
  const found = new Map(
    workspaces.flatMap((workspace) => {
      const { dependencies } = readManifest(join(root, workspace, 'package.json'));
      return [...lockedPackages(lock, Object.keys(dependencies), { from: workspace, target: null })];
    }),
  );
  const texts = new Map<string, string[]>();
  for (const [path, { version }] of [...found].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const folder = join(root, path);
    // Packages for other systems are not installed here; their licence is that of the package that needs them.
    if (!existsSync(join(folder, 'package.json'))) continue;
    const files = readdirSync(folder).filter((file) => LICENCE_FILE.test(file));
    const named = `Licence: ${String(readManifest(join(folder, 'package.json')).license)}\n`;
    const text = files.map((file) => readFileSync(join(folder, file), 'utf8').trim()).join('\n\n') || named;
    const name = path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);
    texts.set(text, [...(texts.get(text) ?? []), `${name} ${version}`]);
  }
  const parts = [...texts].map(([text, names]) => `${[...new Set(names)].join(', ')}\n\n${text}`);
  return `${[OURS, ...parts].join(`\n${'-'.repeat(80)}\n`)}\n`;
}

function readManifest(path: string) {
  return ManifestSchema.parse(JSON.parse(readFileSync(path, 'utf8')));
}
