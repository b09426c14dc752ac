import {
  type Generated,
  HandleEmptyInListsPlugin,
  type Kysely,
  replaceWithNoncontingentExpression,
  type Transaction,
} from 'kysely';
import { valuesPlugin } from './engine/values.ts';
import type { Column, Table } from './schema/declare.ts';
import type { Declared, Schema as Typed } from './schema/schema.ts';

// Transitional: rows as the database has them, for the rooms that do not read typed rows yet. It goes with the last of them.

type Snake<Name extends string> = Name extends `${infer First}${infer Rest}`
  ? `${First extends Lowercase<First> ? First : `_${Lowercase<First>}`}${Snake<Rest>}`
  : '';

type Stored<Value> = Value extends string | number
  ? Value
  : Value extends boolean
    ? 0 | 1
    : Value extends Date
      ? number
      : string;

type StoredColumn<C> =
  C extends Column<infer Value, true>
    ? Stored<Value> | null
    : C extends Column<infer Value, false, true>
      ? Generated<Stored<Value>>
      : C extends Column<infer Value>
        ? Stored<Value>
        : never;

type StoredColumns<T> =
  T extends Table<infer Columns>
    ? { [Name in keyof Columns & string as Snake<Name>]: StoredColumn<Columns[Name]> }
    : never;

/** Rows as the database has them. */
type StoredTables = {
  [Name in keyof Declared & string as Snake<Name>]: StoredColumns<Declared[Name]>;
};

/** Rows as the database has them. */
export interface Schema extends StoredTables {}

/** The same database or transaction, with typed rows. */
export function typed(db: Transaction<Schema> | Transaction<Typed>): Transaction<Typed>;
export function typed(db: Kysely<Schema> | Kysely<Typed>): Kysely<Typed>;
export function typed(db: Kysely<Schema> | Kysely<Typed>): Kysely<Typed> {
  return stored(db as Kysely<Typed>).withPlugin(valuesPlugin) as unknown as Kysely<Typed>;
}

/** The same database or transaction, with rows as the database has them. */
export function stored(db: Transaction<Typed>): Transaction<Schema>;
export function stored(db: Kysely<Typed>): Kysely<Schema>;
export function stored(db: Kysely<Typed>): Kysely<Schema> {
  const plugin = new HandleEmptyInListsPlugin({ strategy: replaceWithNoncontingentExpression });
  return db.withoutPlugins().withPlugin(plugin) as unknown as Kysely<Schema>;
}
