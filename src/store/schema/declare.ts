import type { ColumnType, Insertable, Selectable } from 'kysely';
import type { z } from 'zod';

/** What a column holds: how it is stored in both databases, and as what it is read. */
type Kind = 'text' | 'integer' | 'real' | 'instant' | 'boolean' | 'json' | 'encrypted';

/**
 * Whether a column tells of a person who can ask to be erased. What is `personal` does not name them any more after `erase`:
 * `test/store/declaration.test.ts` fills each of these columns, and fails for one that no eraser clears.
 */
type Privacy = 'plain' | 'personal';

/** What an encrypted value is bound to: under another name or beside other values it cannot be decrypted. */
export interface Binding {
  /** Named first in the additional data. Undefined: the values alone. */
  as?: string;
  /** The columns of the same row whose values follow. */
  to: readonly string[];
  /** What a person calls the value. Takes the row's key and the bound columns. */
  area(row: Readonly<Record<string, unknown>>): string;
}

export interface Column<
  Value = unknown,
  Optional extends boolean = boolean,
  Defaulted extends boolean = boolean,
> {
  kind: Kind;
  privacy: Privacy;
  isOptional: Optional;
  /** `identity`: numbered by the database, no number twice. */
  default: Defaulted extends true ? number | 'identity' : undefined;
  /** Reads JSON. */
  schema: z.ZodType<Value> | undefined;
  /** Of an encrypted column. */
  binding: Binding | undefined;
}

function required<Value>(
  kind: Kind,
  privacy: Privacy = 'plain',
  more: { schema?: z.ZodType<Value>; binding?: Binding } = {},
): Column<Value, false, false> {
  const { schema, binding } = more;
  return { kind, privacy, isOptional: false, default: undefined, schema, binding };
}

/** Stored as null where it is absent, and read as undefined. */
export const optional = <Value>(column: Column<Value, false, false>): Column<Value, true, false> => ({
  ...column,
  isOptional: true,
});

/** What people or the provider wrote, in the clear: it has to say whether it tells of a person. */
export const text = (privacy: Privacy) => required<string>('text', privacy);
/** One of these words. */
export const word = <const Word extends string>() => required<Word>('text');
/** An id of Slack, the provider or the program, never of a recipient. */
export const id = () => required<string>('text');
/** The keyed hash of a phone number or of a campaign's content. */
export const hash = (privacy: Privacy) => required<string>('text', privacy);
/** A decimal, as `writeMoney` writes it. */
export const money = () => required<string>('text');
export const encrypted = (privacy: Privacy, binding: Binding) =>
  required<string>('encrypted', privacy, { binding });
export const json = <Value extends object>(schema: z.ZodType<Value>, privacy: Privacy) =>
  required<Value>('json', privacy, { schema });
export const integer = () => required<number>('integer');
export const real = () => required<number>('real');
/** Stored in milliseconds since 1970. */
export const instant = () => required<Date>('instant');
export const boolean = () => required<boolean>('boolean');
/** A number that begins with 0, or with another. */
export const count = (from = 0): Column<number, false, true> => ({ ...required('integer'), default: from });
/** A boolean that begins with false. */
export const flag = (): Column<boolean, false, true> => ({ ...required('boolean'), default: 0 });
export const identity = (): Column<number, false, true> => ({ ...required('integer'), default: 'identity' });

/** How the rows of a workspace go when it is removed; its audit stays until it expires. */
export type Removal = 'at_once' | 'in_slices' | 'with_its_row' | 'kept';

export interface Index<Name extends string = string> {
  /** Columns, and expressions in SQL. */
  on: readonly (Name | { sql: string })[];
  isUnique?: boolean;
  /** SQL. */
  where?: string;
}

interface TableOptions<Name extends string> {
  key: readonly Name[];
  /**
   * Of every table with `workspaceId`: `at_once` for what could still act for the workspace, all of it in one transaction;
   * `in_slices` for what may have very many rows; `with_its_row` where the subject deletes them with the row they belong to.
   */
  removal?: Removal;
  /** By the part of its name that follows the table's. */
  indexes?: Readonly<Record<string, Index<Name>>>;
  /** Conditions in SQL, by the part of the constraint's name that follows the table's. */
  checks?: Readonly<Record<string, string>>;
  /** Short rows that SQLite keeps in the index of their key and nowhere else: half the size, and half to write. */
  isCompact?: boolean;
  /** Why the move to PostgreSQL leaves its rows behind. */
  notMoved?: string;
}

export interface Table<Columns = Readonly<Record<string, Column>>> extends TableOptions<string> {
  columns: Columns;
}

export const table = <const Columns extends Record<string, Column>>(
  columns: Columns,
  options: TableOptions<keyof Columns & string>,
): Table<Columns> => ({ columns, ...options });

/** Updates use null to clear a column: Kysely ignores undefined. */
type ColumnTypeOf<C> =
  C extends Column<infer Value, true>
    ? ColumnType<Value | undefined, Value | undefined, Value | null>
    : C extends Column<infer Value, false, true>
      ? ColumnType<Value, Value | undefined, Value>
      : C extends Column<infer Value>
        ? ColumnType<Value, Value, Value>
        : never;

type ColumnTypes<T> =
  T extends Table<infer Columns> ? { [Name in keyof Columns]: ColumnTypeOf<Columns[Name]> } : never;

/** What Kysely is given. */
export type Tables<Declared> = { [Name in keyof Declared]: ColumnTypes<Declared[Name]> };
/** A row as it is read. */
export type Row<T> = Selectable<ColumnTypes<T>>;
/** A row as it is written. */
export type NewRow<T> = Insertable<ColumnTypes<T>>;
