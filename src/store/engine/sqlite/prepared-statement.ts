import { type Compilable, type RawBuilder, sql } from 'kysely';

/** A compiled statement as plain data, which another thread can run. `Row` is the type of its rows. */
export interface PreparedStatement<Row> {
  sql: string;
  /** In the order of the statement: a value, or the name of a value that each run passes. */
  parameters: readonly ({ slot: string } | { value: unknown })[];
  /** Never set: it carries the type of the rows. */
  row?: Row | undefined;
}

class Slot {
  readonly name: string;

  constructor(name: string) {
    this.name = name;
  }
}

/** Stands in a statement for a value that each run passes. */
export function slot<Type>(name: string): RawBuilder<Type> {
  return sql<Type>`${new Slot(name)}`;
}

/** `Row` is a row as the database has it. */
export function prepareStatement<Row>(query: Compilable<unknown>): PreparedStatement<Row> {
  const { sql: text, parameters } = query.compile();
  return {
    sql: text,
    parameters: parameters.map((value) => (value instanceof Slot ? { slot: value.name } : { value })),
  };
}
