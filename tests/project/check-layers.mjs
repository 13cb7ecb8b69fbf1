import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

/**
 * Checks the imports of programs against their tables of layers (ADR 48): `check-layers.mjs cloud edge` checks
 * `cloud/src` against `cloud/layers.mjs` and `edge/src` against `edge/layers.mjs`.
 */
const IMPORT =
  /^(?:import|export)( type)?\s([^;'"]*?)from '(\.[^']+)'|^import '(\.[^']+)'|\bimport\('(\.[^']+)'\)/gm;

for (const program of process.argv.slice(2)) {
  const { table } = await import(pathToFileURL(resolve(program, 'layers.mjs')).href);
  const mistakes = check(readImports(resolve(program, 'src')), table);
  if (mistakes.length === 0) continue;
  console.error(`${mistakes.join('\n')}\nThe layers of ${program} are in ${program}/layers.mjs (ADR 48).`);
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

function check(files, { layers, exceptions, ownStores = false, writesAllTables = [] }) {
  const ranks = new Map(
    Object.values(layers)
      .flat()
      .map((place, rank) => [place, rank]),
  );
  const rankOf = (place) => ranks.get(place) ?? -1;
  const mistakes = [];
  const unused = new Set(Object.keys(exceptions));
  for (const { file, text, imports } of files) {
    const from = placeOf(file, ranks);
    if (rankOf(from) === -1 && file.includes('/')) mistakes.push(`${file} is in no layer`);
    for (const { to, names } of imports) {
      const onto = placeOf(to, ranks);
      if (
        rankOf(onto) > rankOf(from) &&
        !unused.delete(`${file} -> ${to}`) &&
        !exceptions[`${file} -> ${to}`]
      ) {
        mistakes.push(`${file} imports ${to}: ${onto} is above ${from}`);
      }
      if (!ownStores || names === null || featureOf(from) === featureOf(onto)) continue;
      if (to.endsWith('-store.ts')) mistakes.push(`${file} imports ${to}, a store of another feature`);
      if (to.endsWith('-table.ts') && !writesAllTables.includes(from) && writesTo(names, text)) {
        mistakes.push(`${file} writes to ${to}, a table of another feature`);
      }
    }
  }
  const used = new Set(files.map(({ file }) => placeOf(file, ranks)));
  for (const place of ranks.keys()) if (!used.has(place)) mistakes.push(`there is no ${place}`);
  for (const exception of unused) mistakes.push(`the exception ${exception} is not needed`);
  return mistakes;
}

/** The entry of the layers to which a file belongs: the longest that fits. */
function placeOf(file, ranks) {
  const parts = file.replace(/\.ts$/, '').split('/');
  for (let length = parts.length; length > 0; length--) {
    const place = parts.slice(0, length).join('/');
    if (ranks.has(place)) return place;
  }
  return 'foundation';
}

function featureOf(place) {
  return place.split('/')[0];
}

function writesTo(names, text) {
  const tables = [...names.matchAll(/(\w+)\s*[,}]/g)].map(([, name]) => name);
  return tables.some((name) =>
    new RegExp(`\\.(insert|update|delete)\\(${name}\\b|preparedInsert(<[^(]*>)?\\(${name}\\b`).test(text),
  );
}
