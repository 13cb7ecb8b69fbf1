import * as drizzle from 'drizzle-orm';
import {
  type Column,
  type GetColumnData,
  is,
  isDriverValueEncoder,
  isSQLWrapper,
  type Name,
  Param,
  Placeholder,
  type SQL,
  type SQLWrapper,
  type Subquery,
  type Table,
  type View,
} from 'drizzle-orm';
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core';
import { STORED_IDS } from './compact-columns.ts';

/**
 * Drizzle's SQL for tables with compact columns (compact-columns.ts), which store a value in another form than it reads.
 * A comparison converts its value, also that of a placeholder. Raw SQL that would compare such a column with a value as
 * it reads, or read one as it is stored, does not compile.
 */
export * from 'drizzle-orm';

declare const form: unique symbol;

/** The result of an expression of a compact column: its stored form, which is no value of the program. */
export interface Stored {
  readonly [form]: 'stored';
}

// biome-ignore lint/suspicious/noExplicitAny: Drizzle's columns are invariant in their configuration.
type AnyColumn = Column<any>;

/** A column in an expression, which converts a value that is compared with it as the column does. */
export class Term<Of extends AnyColumn = AnyColumn> implements SQLWrapper {
  readonly column: Of;
  readonly #sql: SQL;

  constructor(prefix: '' | '+', column: Of) {
    this.column = column;
    this.#sql = drizzle.sql`${drizzle.sql.raw(prefix)}${column}`;
  }

  getSQL(): SQL {
    return this.#sql;
  }

  shouldOmitSQLParens(): boolean {
    return true;
  }

  mapToDriverValue(value: unknown): unknown {
    return this.column.mapToDriverValue(value);
  }
}

/** A column that keeps SQLite from its indexes, because they would lead to most rows; `when` false: the column alone. */
export function unindexed<Of extends AnyColumn>(column: Of, when = true): Term<Of> {
  return new Term(when ? '+' : '', column);
}

/** A column that is stored as it reads. */
type PlainColumn = Column<drizzle.ColumnBaseConfig<Exclude<drizzle.ColumnDataType, 'custom'>, string>>;
type Fragment = SQL | SQL.Aliased | Param | Name | Table | Subquery | View | undefined;
type Value = string | number | boolean | null | readonly unknown[] | Placeholder;
/**
 * The operands that SQL accepts beside a compact column: no value and no placeholder, which only a comparison
 * converts.
 */
type Converted<Part> = Part extends Fragment | AnyColumn | Term ? Part : never;

interface TypedSql extends Pick<typeof drizzle.sql, keyof typeof drizzle.sql> {
  <Result>(
    text: TemplateStringsArray,
    ...parts: readonly (Fragment | PlainColumn | Term<PlainColumn> | Value)[]
  ): SQL<Result>;
  /** SQL with a compact column; only `mapWith` reads its result. */
  <Parts extends readonly unknown[]>(
    text: TemplateStringsArray,
    ...parts: Parts & { [Place in keyof Parts]: Converted<Parts[Place]> }
  ): SQL<Stored>;
}

export const sql: TypedSql = drizzle.sql;

/** The right side of a comparison. */
type Right<Left> =
  Left extends Term<infer Of>
    ? GetColumnData<Of, 'raw'> | SQLWrapper
    : Left extends AnyColumn
      ? GetColumnData<Left, 'raw'> | SQLWrapper
      : Left extends SQL<Stored>
        ? Exclude<Fragment, undefined> | AnyColumn | Term
        : unknown;

function comparison(operator: '=' | '<>' | '>' | '>=' | '<' | '<=') {
  const between = drizzle.sql.raw(` ${operator} `);
  return <Left extends SQLWrapper>(left: Left, right: Right<Left>): SQL => {
    const isValue = is(right, Placeholder) || !isSQLWrapper(right);
    const value = isDriverValueEncoder(left) && isValue ? new Param(right, left) : right;
    return drizzle.sql`${left}${between}${value}`;
  };
}

export const eq = comparison('=');
export const ne = comparison('<>');
export const gt = comparison('>');
export const gte = comparison('>=');
export const lt = comparison('<');
export const lte = comparison('<=');

/** Whether a column is the value of a prepared query. */
export function eqPlaceholder(column: AnyColumn, name: string): SQL {
  return eq(column, drizzle.sql.placeholder(name));
}

/** Whether a column is one of the ids in a JSON list of texts. */
export function inList(of: SQLiteColumn | Term<SQLiteColumn>, list: string | Placeholder): SQL {
  const column = of instanceof Term ? of.column : of;
  const value = STORED_IDS[column.getSQLType()] ?? drizzle.sql.raw('value');
  return drizzle.sql`${of} IN (SELECT ${value} FROM json_each(${list}))`;
}
