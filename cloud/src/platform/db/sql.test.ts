import Database from 'better-sqlite3';
import { drizzle } from 'drizzle-orm/better-sqlite3';
import { sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { expect, it } from 'vitest';
import { compactId, compactSiteId, compactTime, compactWord, siteIdOf } from './compact-columns.ts';
import { eq, gt, gte, inArray, inList, lt, lte, ne, type SQL, sql, unindexed } from './sql.ts';

const t = sqliteTable('sample', {
  id: compactId('id').primaryKey(),
  siteId: compactSiteId('site_id').notNull(),
  at: compactTime('at').notNull(),
  kind: compactWord('kind', ['a', 'b']).notNull(),
  note: text('note').notNull(),
});

const EARLY = {
  id: '01a1fc93-bdd6-7682-9b18-8dd0566e2411',
  siteId: siteIdOf(7),
  at: '2026-11-23T08:30:00.007Z',
  kind: 'a',
  note: 'early',
} as const;
const LATE = {
  id: `${EARLY.id}-70000`,
  siteId: 'site-a',
  at: '2026-11-23T08:30:00.008Z',
  kind: 'b',
  note: 'late',
} as const;

function openSample() {
  const db = drizzle(new Database(':memory:'));
  db.run(sql`CREATE TABLE sample (id blob PRIMARY KEY, site_id int, at integer, kind word, note text)`);
  db.insert(t).values([EARLY, LATE]).run();
  return (where: SQL, values: Record<string, unknown> = {}) =>
    db
      .select({ note: t.note })
      .from(t)
      .where(where)
      .orderBy(t.note)
      .prepare()
      .all(values)
      .map(({ note }) => note);
}

it('compares a column with a value, also behind a plus, and with a placeholder', () => {
  const notes = openSample();
  const value = sql.placeholder('value');
  for (const name of ['id', 'siteId', 'at', 'kind'] as const) {
    const column = t[name];
    for (const of of [column, unindexed(column), unindexed(column, false)]) {
      expect(notes(eq(of, value), { value: LATE[name] })).toEqual(['late']);
      expect(notes(ne(of, value), { value: LATE[name] })).toEqual(['early']);
    }
  }
  expect(notes(eq(unindexed(t.siteId), LATE.siteId))).toEqual(['late']);
  expect(notes(gt(unindexed(t.at), EARLY.at))).toEqual(['late']);
  expect(notes(gte(t.at, LATE.at))).toEqual(['late']);
  expect(notes(lt(unindexed(t.at), value), { value: LATE.at })).toEqual(['early']);
  expect(notes(lte(t.at, value), { value: EARLY.at })).toEqual(['early']);
  expect(notes(inArray(t.id, [LATE.id]))).toEqual(['late']);
  expect(notes(sql`${t.at} >= ${sql.param(value, t.at)}`, { value: LATE.at })).toEqual(['late']);
});

it('compares ids with a list of texts', () => {
  const notes = openSample();
  expect(notes(inList(t.siteId, JSON.stringify([siteIdOf(7), siteIdOf(8)])))).toEqual(['early']);
  expect(notes(inList(unindexed(t.siteId), JSON.stringify(['site-a', '1'])))).toEqual(['late']);
  expect(notes(inList(t.siteId, JSON.stringify([siteIdOf(7).replace('7', 'x')])))).toEqual([]);
  expect(notes(inList(t.id, sql.placeholder('ids')), { ids: JSON.stringify([EARLY.id, 'x']) })).toEqual([
    'early',
  ]);
  expect(notes(inList(t.note, JSON.stringify(['late'])))).toEqual(['late']);
});

/**
 * The function is never called: the compiler refuses each use of a compact column that no conversion would
 * reach.
 */
export function rawUses(siteId: string) {
  const value = sql.placeholder('siteId');
  return [
    // @ts-expect-error: the stored form is compared with the text.
    sql`${t.siteId} = ${siteId}`,
    // @ts-expect-error: so it is behind a plus.
    sql`${unindexed(t.siteId)} = ${siteId}`,
    // @ts-expect-error: so it is in a list.
    sql`+${t.siteId} IN ${[siteId]}`,
    // @ts-expect-error: nothing converts the value of this placeholder.
    sql`${t.siteId} = ${value}`,
    // @ts-expect-error: nothing converts a value that is compared with an expression of the column.
    eq(sql`+${t.siteId}`, siteId),
    // @ts-expect-error: nor that of a placeholder.
    eq(sql`+${t.siteId}`, value),
    // @ts-expect-error: the result is the stored form.
    sql<string>`${t.siteId}`,
    // @ts-expect-error: as is the greatest time.
    sql<string>`max(${t.at})`,
    // @ts-expect-error: a word of another column.
    eq(t.kind, 'c'),
    // @ts-expect-error: no number is a time.
    gte(t.at, 1),
  ];
}
