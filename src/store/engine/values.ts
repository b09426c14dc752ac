import {
  CamelCasePlugin,
  type KyselyPlugin,
  type PluginTransformQueryArgs,
  type PluginTransformResultArgs,
} from 'kysely';
import type { Column } from '../schema/declare.ts';
import { columnsByName } from '../schema/schema.ts';

type Reader = (value: unknown) => unknown;

const readers: Partial<Record<Column['kind'], (column: Column) => Reader>> = {
  // What is no number of milliseconds, as somebody may have written it past the program, is no date either.
  instant: () => (value) => new Date(Number.isSafeInteger(value) ? Number(value) : Number.NaN),
  boolean: () => (value) => Number(value) === 1,
  json:
    ({ schema }) =>
    (value) =>
      schema?.parse(JSON.parse(String(value))),
};

/** How to read a result's value, by its name; a name that is no column's is not converted. */
const readersByName = new Map(
  [...columnsByName].flatMap(([name, column]) => {
    const reader = readers[column.kind]?.(column);
    return reader === undefined ? [] : [[name, reader] as const];
  }),
);

/** Returns a value as both databases store it. */
export function writeValue(value: unknown): unknown {
  if (value === undefined) {
    return null;
  }
  if (value instanceof Date) {
    return value.getTime();
  }
  if (typeof value === 'boolean') {
    return Number(value);
  }
  // An instance of a class, such as a slot of a prepared statement, isn't JSON.
  const isJson =
    typeof value === 'object' &&
    value !== null &&
    (Array.isArray(value) || Object.getPrototypeOf(value) === Object.prototype);
  return isJson ? JSON.stringify(value) : value;
}

/**
 * Names in camel case, and dates, booleans, JSON and absent values as what they are, in results. In statements the compilers of
 * the databases write them by `storedName` and `writeValue`: a copy of each statement's tree would take longer than the rest.
 */
class ValuesPlugin extends CamelCasePlugin {
  override transformQuery({ node }: PluginTransformQueryArgs) {
    return node;
  }

  override async transformResult({ result }: PluginTransformResultArgs) {
    return { ...result, rows: result.rows.map((row) => this.readRow(row)) };
  }

  storedName(name: string): string {
    return this.snakeCase(name);
  }

  readRow(row: Readonly<Record<string, unknown>>): Record<string, unknown> {
    const read: Record<string, unknown> = {};
    for (const stored in row) {
      const name = this.camelCase(stored);
      const value = row[stored];
      read[name] = value === null ? undefined : (readersByName.get(name)?.(value) ?? value);
    }
    return read;
  }
}

const plugin = new ValuesPlugin();

export const valuesPlugin: KyselyPlugin = plugin;

/** Returns the name of a table or a column as both databases have it. */
export const storedName = (name: string): string => plugin.storedName(name);

/** Reads a row of a statement that Kysely has no part in. The caller made the statement, and knows what it selects. */
export const readRow = <Read>(row: Readonly<Record<string, unknown>>): Read => plugin.readRow(row) as Read;

type Clearing<Columns> = {
  [Name in keyof Columns]: undefined extends Columns[Name]
    ? Exclude<Columns[Name], undefined> | null
    : Columns[Name];
};

/** Returns an update that clears undefined columns, which Kysely would leave alone. */
export const clearing = <Columns extends object>(columns: Columns): Clearing<Columns> =>
  Object.fromEntries(
    Object.entries(columns).map(([name, value]) => [name, value ?? null]),
  ) as Clearing<Columns>;
