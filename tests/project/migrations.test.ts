import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { cloudPlan, OLDEST_MIGRATION as OLDEST_OF_CLOUD } from '@hlid/cloud/platform/db/migrate';
import { MIGRATIONS, OLDEST_MIGRATION as OLDEST_OF_EDGE } from '@hlid/edge/db/migrations';
import { describe, expect, it } from 'vitest';
import { PROJECT_ROOT } from '../harness/programs.ts';
import { whatOlderProgramsMiss } from './only-adds.ts';

const CLOUD = cloudPlan().migrations.map(({ statements }) => statements);
const EDGE = MIGRATIONS.map((sql) => [sql]);

describe('migrations since the last release', () => {
  it.each([
    ['the cloud', CLOUD, OLDEST_OF_CLOUD],
    ['the edge', EDGE, OLDEST_OF_EDGE],
  ])('of %s only add, so that the older program can use the database', (_, migrations, oldest) => {
    expect(oldest).toBeLessThanOrEqual(migrations.length);
    expect(whatOlderProgramsMiss(migrations, oldest)).toEqual([]);
  });

  const FIRST = [
    'CREATE TABLE car (plate TEXT PRIMARY KEY, seen INTEGER, note TEXT NOT NULL)',
    'CREATE INDEX car_seen ON car (seen)',
  ];
  it.each([
    ['a column', ['ALTER TABLE car ADD COLUMN colour TEXT'], null],
    ['a column with a value', ["ALTER TABLE car ADD COLUMN colour TEXT NOT NULL DEFAULT ''"], null],
    ['a table', ['CREATE TABLE gate (id TEXT PRIMARY KEY REFERENCES car (plate))'], null],
    ['an index', ['CREATE INDEX car_note ON car (note)'], null],
    ['values', ['UPDATE car SET seen = 0 WHERE seen IS NULL'], null],
    [
      'the same table made anew, with more',
      [
        'CREATE TABLE new_car (plate TEXT PRIMARY KEY, seen INTEGER, note TEXT NOT NULL, colour TEXT)',
        'INSERT INTO new_car (plate, seen, note) SELECT plate, seen, note FROM car',
        'DROP TABLE car',
        'ALTER TABLE new_car RENAME TO car',
        'CREATE INDEX car_seen ON car (seen)',
      ],
      null,
    ],
    ['the end of a column', ['ALTER TABLE car DROP COLUMN note'], 'car.note is gone'],
    ['another name', ['ALTER TABLE car RENAME COLUMN note TO remark'], 'car.note is gone'],
    ['the end of a table', ['DROP TABLE car'], 'car is gone'],
    ['the end of an index, which statements may name', ['DROP INDEX car_seen'], 'car.index car_seen is gone'],
    ['a unique index', ['CREATE UNIQUE INDEX once ON car (note)'], 'rows of an older program need not fit'],
    ['the end of rows', ['DELETE FROM car WHERE seen IS NULL'], 'it has DELETE FROM car'],
    [
      'a column that has to be given',
      [
        'DROP TABLE car',
        'CREATE TABLE car (plate TEXT PRIMARY KEY, seen INTEGER, note TEXT NOT NULL, colour TEXT NOT NULL)',
        'CREATE INDEX car_seen ON car (seen)',
      ],
      'car.colour is new',
    ],
  ])('are judged: %s', (_, second, missed) => {
    const found = whatOlderProgramsMiss([FIRST, second], 1);
    if (missed === null) expect(found).toEqual([]);
    else expect(found).toEqual(expect.arrayContaining([expect.stringContaining(missed)]));
  });
});

it('every statement names the columns that it inserts, since a newer database may have more', () => {
  const sources = ['edge/src', 'cloud/src'].flatMap((folder) =>
    readdirSync(join(PROJECT_ROOT, folder), { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
      .map((file) => join(PROJECT_ROOT, folder, file)),
  );
  const unnamed = sources.flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(/\bINTO\s+["\w${}]+\s+(?:VALUES|SELECT)\b.*/g)].map(
      ([text]) => `${file}: ${text}`,
    ),
  );
  expect(unnamed).toEqual([]);
});
