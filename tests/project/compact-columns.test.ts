import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { getTableColumns, is } from 'drizzle-orm';
import { SQLiteCustomColumn } from 'drizzle-orm/sqlite-core';
import { beforeAll, expect, it } from 'vitest';
import { cloudTables } from '../harness/cloud-tables.ts';
import { PROJECT_ROOT } from '../harness/programs.ts';

/**
 * A compact column that is compared with a value as it reads finds nothing, and neither the compiler nor the database
 * says so. Drizzle converts a value only where it sees the column itself and the value itself.
 */

const SOURCE = join(PROJECT_ROOT, 'cloud/src');
/** What the right side may be: a converted value, or another such column. */
const CONVERTED = ['asStored', 'placeholderOf', 'idsOfList', 'shownId'];

const files = readdirSync(SOURCE, { recursive: true, encoding: 'utf8' }).filter(
  (file) => file.endsWith('.ts') && !file.endsWith('.test.ts'),
);

/** The compact columns of each table, by the table's name in code. */
const compact = new Map<string, Set<string>>();

beforeAll(async () => {
  for (const [name, table] of await cloudTables()) {
    const columns = Object.entries(getTableColumns(table)).filter(([, column]) =>
      is(column, SQLiteCustomColumn),
    );
    compact.set(name, new Set(columns.map(([column]) => column)));
  }
});

/** The table of each short name in a file, such as `t`. */
function shortNames(text: string): Map<string, string> {
  const renamed = [...text.matchAll(/\b(\w+Table) as (\w+)/g)].map(
    ([, table = '', name = '']) => [name, table] as const,
  );
  const assigned = [...text.matchAll(/\bconst (\w+) = (?:alias\()?(\w+Table)\b(?!\.)/g)].map(
    ([, name = '', table = '']) => [name, table] as const,
  );
  return new Map([...renamed, ...assigned]);
}

/** The comparisons in a text that would find nothing. */
function findBare(text: string): string[] {
  const tables = shortNames(text);
  const isCompact = (column: string) => {
    const [owner = '', name = ''] = column.split('.').slice(-2);
    return compact.get(tables.get(owner) ?? owner)?.has(name) ?? false;
  };
  const isConverted = (right: string) =>
    CONVERTED.some((name) => right.startsWith(`${name}(`) || text.includes(`const ${right} = ${name}(`)) ||
    text.includes(`const ${right} = sql\``);
  const column = '([\\w.]+\\.\\w+)';
  const compared = '\\b(?:eq|ne|gte?|lte?)\\(\\s*';
  const value = '([\\w.]+(?:\\([^)]*\\))?)';
  const find = (pattern: string, isFine: (right: string) => boolean) =>
    [...text.matchAll(new RegExp(pattern, 'g'))]
      .filter(([, left = '', right = '']) => isCompact(left) && !isFine(right.trim()))
      .map(([whole]) => whole);
  return [
    // The pattern in `sql`: the column, perhaps behind a plus, and the other side.
    ...find(
      `\\$\\{${column}\\}\\s*(?:=|<>|<=?|>=?|IN|IS|IS NOT)\\s*\\(?\\$\\{([^}]+)\\}`,
      (right) => isConverted(right) || isCompact(right),
    ),
    // The pattern of a word in the text itself.
    ...find(`\\$\\{${column}\\}\\s*(?:=|<>|IN)\\s*\\(?'()`, isConverted),
    // A list of texts: `idsOfList`.
    ...find(`\\$\\{${column}\\}\\s*IN\\s*\\(SELECT value()`, isConverted),
    // The stored value, which bypasses the column: `shownId`, `digitsOfId`.
    ...find(`(?:\\$\\{${column}\\} AS "|sql<[^>]+>\`\\$\\{${column}\\}\`(?!\\.))()`, isConverted),
    // A placeholder is not a value.
    ...find(`${compared}${column},\\s*((?:sql\\.placeholder|value)\\([^)]*\\))`, isConverted),
    // An expression of a column is not the column.
    ...find(`${compared}\\w+\\(${column}[^)]*\\),\\s*${value}`, isConverted),
    ...find(`${compared}sql\`\\+?\\$\\{${column}\\}\`,\\s*${value}`, isConverted),
  ];
}

it('compares compact columns with converted values only', () => {
  expect(files.length).toBeGreaterThan(500);
  const found = files.flatMap((file) =>
    findBare(readFileSync(join(SOURCE, file), 'utf8')).map((comparison) => `${file}: ${comparison}`),
  );
  expect(found).toEqual([]);
});

it.each([
  [`sql'+\${t.siteId} = \${siteId}'`, `sql'+\${t.siteId} = \${asStored(t.siteId, siteId)}'`],
  [`sql'\${t.siteId} IN (\${list})'`, `sql'\${t.siteId} IN \${idsOfList(t.siteId, list)}'`],
  [`sql'\${t.direction} = 'leaving'`, `sql'\${t.status} = 'deleted'`],
  ["eq(t.siteId, sql.placeholder('siteId'))", "eq(t.siteId, placeholderOf(t.siteId, 'siteId'))"],
  ["eq(t.siteId, value('siteId'))", "eqPlaceholder(t.siteId, 'siteId')"],
  ['gte(by(t.receivedAt), from)', 'gte(by(t.receivedAt), asStored(t.receivedAt, from))'],
  [`eq(sql\`+\${t.siteId}\`, camera.siteId)`, `eq(sql\`+\${t.siteId}\`, asStored(t.siteId, camera.siteId))`],
])('finds %s, and not %s', (bare, converted) => {
  const imported = "import { photoTable as t } from './photo-table.ts';\n";
  expect(findBare(imported + bare)).toHaveLength(1);
  expect(findBare(imported + converted)).toEqual([]);
});
