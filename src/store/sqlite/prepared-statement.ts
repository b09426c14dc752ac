import { type Compilable, type RawBuilder, sql } from 'kysely';

/** A statement as plain data, which another thread can run. `Row` is what it gives. */
export interface PreparedStatement<Row> {
  sql: string;
  /** In the order of the statement: a value, or the name of one that is not known yet. */
  parameters: readonly ({ slot: string } | { value: unknown })[];
  /** Never there: it keeps the row's type. */
  row?: Row;
}

class Slot {
  readonly name: string;

  constructor(name: string) {
    this.name = name;
  }
}

/** Stands in a statement for a value that is given when it is run. */
export function slot<Type>(name: string): RawBuilder<Type> {
  return sql<Type>`${new Slot(name)}`;
}

export function prepareStatement<Row>(query: Compilable<Row>): PreparedStatement<Row> {
  const { sql: text, parameters } = query.compile();
  return {
    sql: text,
    parameters: parameters.map((value) => (value instanceof Slot ? { slot: value.name } : { value })),
  };
}
