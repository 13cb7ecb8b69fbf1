import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createTestApi, type TestApi } from '../../../test/api.ts';
import { jsonObject, jsonText, parseJson, whereThere } from './json-object.ts';
import { sql } from './sql.ts';

const t = sqliteTable('sample', {
  id: text('id').notNull(),
  name: text('name'),
  size: integer('size').notNull(),
  tags: text('tags', { mode: 'json' }).$type<string[]>(),
  open: integer('open', { mode: 'boolean' }).notNull(),
});

interface Sample {
  id: string;
  named: { name: string; shout: string } | null;
  size: number;
  tags: string[] | null;
}

let api: TestApi;
beforeEach(async () => {
  api = await createTestApi();
});
afterEach(() => api.close());

it('is what the columns hold, objects within objects, JSON as it is', async () => {
  const named = jsonObject<NonNullable<Sample['named']>>({
    name: sql`${t.name}`,
    shout: sql`upper(${t.name})`,
  });
  const sample = jsonObject<Sample>({
    id: t.id,
    named: whereThere(t.name, named),
    size: t.size,
    tags: t.tags,
  });
  const rows = await api.db.write(async ({ q }) => {
    await q.run(sql`CREATE TABLE sample (id text, name text, size integer, tags text, open integer)`);
    await q.insert(t).values([
      {
        id: 'a',
        name: 'say "hi"\n\\ þ \u{1f697}',
        size: 9_007_199_254_740_991,
        tags: ['x', '"'],
        open: true,
      },
      { id: 'b', name: null, size: -1, tags: null, open: false },
    ]);
    return await q
      .select({ sample: jsonText(sample) })
      .from(t)
      .orderBy(t.id);
  });
  const name = 'say "hi"\n\\ þ \u{1f697}';
  expect(rows.map((row) => parseJson(row.sample))).toEqual([
    {
      id: 'a',
      named: { name, shout: 'SAY "HI"\n\\ þ \u{1f697}' },
      size: 9_007_199_254_740_991,
      tags: ['x', '"'],
    },
    { id: 'b', named: null, size: -1, tags: null },
  ]);
});

it('does not guess how a column is shown that is stored otherwise', () => {
  expect(() => jsonObject<{ open: boolean }>({ open: t.open })).toThrow(
    'open: a boolean has no form in JSON',
  );
});
