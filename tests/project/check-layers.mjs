import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

/**
 * Checks that the folders of a program are its layers (ADR 33): `check-layers.mjs cloud edge` checks `cloud/src` against
 * the order in `cloud/layers.mjs`, and `edge/src` against that in `edge/layers.mjs`. The files of `src` itself are above
 * all folders. Types count, because a reader must know them; tests do not.
 */
const IMPORT =
  /^(?:import|export)( type)?\s([^;'"]*?)from '(\.[^']+)'|^import '(\.[^']+)'|\bimport\('(\.[^']+)'\)/gm;

for (const program of process.argv.slice(2)) {
  const { table } = await import(pathToFileURL(resolve(program, 'layers.mjs')).href);
  const mistakes = check(readImports(resolve(program, 'src')), table);
  if (mistakes.length === 0) continue;
  console.error(
    `${mistakes.join('\n')}\nThe order of the folders of ${program}/src is in ${program}/layers.mjs.`,
  );
  process.exitCode = 1;
}

/** The source files of a program, each with its text and what it imports; `names` is null for types only. */
function readImports(src) {
  const files = readdirSync(src, { recursive: true, encoding: 'utf8' });
  return files
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
    .sort()
    .map((file) => {
      const text = readFileSync(join(src, file), 'utf8');
      const imports = [...text.matchAll(IMPORT)].map(([, type, names, from, effect, lazy]) => ({
        to: relative(src, resolve(src, dirname(file), from ?? effect ?? lazy)),
        names: type === undefined ? (names ?? '') : null,
      }));
      return { file, text, imports };
    });
}

function check(files, { folders, records = null, writesAllTables = [] }) {
  const order = Object.keys(folders);
  const found = new Set(files.map(({ file }) => topOf(file)).filter((top) => top !== null));
  return [
    ...[...found].filter((top) => !order.includes(top)).map((top) => `${top}/ is in no place of the order`),
    ...order.filter((top) => !found.has(top)).map((top) => `there is no folder ${top}/`),
    ...upwardImports(files, order),
    ...cycles(files, (file) => file).map((around) => `files import each other: ${around}`),
    ...cycles(files, folderOf).map((around) => `folders import each other: ${around}`),
    ...(records === null ? [] : foreignRows(files, records, writesAllTables)),
  ];
}

function upwardImports(files, order) {
  const rankOf = (file) => (topOf(file) === null ? order.length : order.indexOf(topOf(file)));
  return files.flatMap(({ file, imports }) =>
    imports
      .filter(({ to }) => rankOf(to) > rankOf(file))
      .map(({ to }) => `${file} imports ${to}: ${topOf(to) ?? 'src'} is above ${topOf(file)}`),
  );
}

/** The groups of files that import each other in a circle, by what stands for a file. */
function cycles(files, nameOf) {
  const graph = new Map();
  for (const { file, imports } of files) {
    const from = nameOf(file);
    const onto = graph.get(from) ?? new Set();
    for (const { to } of imports) if (nameOf(to) !== from) onto.add(nameOf(to));
    graph.set(from, onto);
  }
  // A folder that depends on none, or on which none depends, is in no cycle; without these, others become
  // free.
  for (let before = -1; before !== graph.size; ) {
    before = graph.size;
    const needed = new Set([...graph.values()].flatMap((onto) => [...onto]));
    for (const [name, onto] of graph) {
      for (const next of onto) if (!graph.has(next)) onto.delete(next);
      if (onto.size === 0 || !needed.has(name)) graph.delete(name);
    }
  }
  return [...graph].map(([name, onto]) => `${name} -> ${[...onto].join(', ')}`);
}

/**
 * A feature uses another one through its use cases: the stores outside of the records are its own, and so is writing to
 * the tables of its name.
 */
function foreignRows(files, records, writesAllTables) {
  return files.flatMap(({ file, text, imports }) =>
    imports
      .filter(({ names }) => names !== null)
      .flatMap(({ to, names }) => {
        const isOwn = file.split('/').includes(featureOf(to));
        if (isOwn) return [];
        if (to.endsWith('-store.ts') && topOf(to) !== records) {
          return [`${file} imports ${to}, a store of another feature`];
        }
        const mayWrite = writesAllTables.includes(topOf(file)) || topOf(file) === records;
        return to.endsWith('-table.ts') && !mayWrite && writesTo(names, text)
          ? [`${file} writes to ${to}, a table of another feature`]
          : [];
      }),
  );
}

/** Null: the file stands in `src` itself. */
function topOf(file) {
  return file.includes('/') ? file.split('/')[0] : null;
}

/** The folder in a folder of the order; a file that stands beside these is its own. */
function folderOf(file) {
  const parts = file.split('/');
  return parts.length > 2 ? `${parts[0]}/${parts[1]}` : file;
}

function featureOf(file) {
  return file.split('/')[1];
}

function writesTo(names, text) {
  const tables = [...names.matchAll(/(\w+)\s*[,}]/g)].map(([, name]) => name);
  return tables.some((name) =>
    new RegExp(`\\.(insert|update|delete)\\(${name}\\b|preparedInsert(<[^(]*>)?\\(${name}\\b`).test(text),
  );
}
