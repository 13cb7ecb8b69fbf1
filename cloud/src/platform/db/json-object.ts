import type { SQLiteColumn } from 'drizzle-orm/sqlite-core';
import { shownColumn } from './compact-columns.ts';
import { is, isNotNull, SQL, sql } from './sql.ts';

declare const shown: unique symbol;

/** JSON of that type as the database wrote it, which is not parsed. */
export type JsonText<Shown> = string & { readonly [shown]: Shown };

/** The value of a field: an expression, or a column as it is stored. */
type Part<Value> =
  | SQL<Value>
  | (SQLiteColumn & {
      _: { data: NonNullable<Value>; notNull: null extends Value ? boolean : true };
    });

/**
 * An object that the database itself puts together. A long row costs several times more in single columns
 * than as one text, and an answer without changes need not be taken apart at all.
 *
 * @example const camera = jsonObject<{ id: string; name: string }>({ id: cameraTable.id, name:
 * cameraTable.name }); const [row] = await q.select({ camera: jsonText(camera) }).from(cameraTable);
 */
export function jsonObject<Shown extends object>(
  parts: {
    [Name in keyof Shown & string]: Part<Shown[Name]>;
  },
): SQL<Shown> {
  const fields = Object.entries<SQL | SQLiteColumn>(parts).map(
    ([name, part]) => sql`${sql.raw(`'${name}'`)}, ${valueIn(part)}`,
  );
  return sql<Shown>`json_object(${sql.join(fields, sql`, `)})`;
}

/** The object where a column has a value (as the id of a joined row has, where there is one), else null. */
export function whereThere<Shown>(column: SQLiteColumn, object: SQL<Shown>): SQL<Shown | null> {
  return sql<Shown | null>`CASE WHEN ${isNotNull(column)} THEN ${object} END`;
}

/** An object as a column of a query. */
export function jsonText<Shown>(object: SQL<Shown>): SQL<JsonText<Shown>> {
  return sql<JsonText<Shown>>`${object}`;
}

export function parseJson<Shown>(text: JsonText<Shown>): Shown {
  return JSON.parse(text) as Shown;
}

function valueIn(part: SQL | SQLiteColumn): SQL {
  if (is(part, SQL)) return part;
  switch (part.dataType) {
    case 'string':
    case 'number':
      return sql`${part}`;
    case 'json':
      return sql`json(${part})`;
    case 'custom':
      return shownColumn(part);
    default:
      // Stored otherwise than it is shown, such as 0 for false.
      throw new TypeError(`${part.name}: a ${part.dataType} has no form in JSON`);
  }
}
