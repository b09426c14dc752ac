import { type Kysely, sql } from 'kysely';
import { z } from 'zod';

/** What tells a database from every other one, also from its own copy. What the server does not let anybody see is null. */
export interface DatabaseIdentity {
  /** The server's system identifier; its physical copies have the same. */
  system: string | null;
  /** Changes with a recovery to a point in time, and when another server has taken over. */
  timeline: number | null;
  /** Differs in each copy of the database on its server. */
  database: number;
  /** Changes when the tables are recreated, as from a dump. */
  table: number;
}

const identitySchema = z.object({
  system: z.string().nullable(),
  timeline: z.number().nullable(),
  database: z.number(),
  table: z.number(),
});

/** Returns how the identity of the database that a connection leads to is read. */
export async function createIdentityReader<Tables>(db: Kysely<Tables>) {
  const system = await isAllowed(db, 'pg_control_system()');
  const timeline = await isAllowed(db, 'pg_control_checkpoint()');
  const query = sql<unknown>`
    select
      ${system ? sql`(select system_identifier::text from pg_control_system())` : sql`null::text`} as system,
      ${timeline ? sql`(select timeline_id from pg_control_checkpoint())` : sql`null::int`} as timeline,
      (select oid::bigint from pg_database where datname = current_database()) as database,
      'installation'::regclass::oid::bigint as "table"`.compile(db);
  return { query, read: ([row]: readonly unknown[]): DatabaseIdentity => identitySchema.parse(row) };
}

/** Some managed servers keep these functions from their users. */
async function isAllowed<Tables>(db: Kysely<Tables>, procedure: string): Promise<boolean> {
  const { rows } = await sql<{ allowed: boolean | null }>`
    select has_function_privilege(to_regprocedure(${procedure}), 'execute') as allowed`.execute(db);
  return rows[0]?.allowed === true;
}

/** Reads an identity stored as text; undefined if it can't be read. */
export function parseIdentity(text: string): DatabaseIdentity | undefined {
  try {
    return identitySchema.parse(JSON.parse(text));
  } catch {
    return undefined;
  }
}

/** An unknown value counts as equal. */
export function isSameDatabase(one: DatabaseIdentity, other: DatabaseIdentity): boolean {
  const differs = <Value>(a: Value | null, b: Value | null) => a !== null && b !== null && a !== b;
  return (
    one.database === other.database &&
    one.table === other.table &&
    !differs(one.system, other.system) &&
    !differs(one.timeline, other.timeline)
  );
}
