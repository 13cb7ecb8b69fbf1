import type Database from 'better-sqlite3';
import { z } from 'zod';
import { plannedOnce } from '../src/db/connection.ts';

const PlanSchema = z.array(z.looseObject({ detail: z.string() }));

/** How SQLite runs a statement, whatever its values are. */
export function planOf(database: Database.Database, text: string): { detail: string }[] {
  const marks = text.match(/\?/g) ?? [];
  return PlanSchema.parse(
    database.prepare(`EXPLAIN QUERY PLAN ${plannedOnce(text)}`).all(marks.map(() => null)),
  );
}
