import { Client } from 'pg';
import type { PostgresOptions } from '../../../src/store/engine/postgres/connection.ts';

/** Returns every row of every table as text. */
export async function dumpOf({ url }: PostgresOptions): Promise<string> {
  const client = new Client(url.reveal());
  await client.connect();
  try {
    const tables = await client.query<{ name: string }>(
      `select format('%I.%I', schemaname, tablename) as name from pg_tables
       where schemaname not in ('pg_catalog', 'information_schema')`,
    );
    const texts: string[] = [];
    for (const { name } of tables.rows) {
      const { rows } = await client.query<{ text: string }>(
        `select row_to_json(t)::text as text from ${name} t`,
      );
      texts.push(`${name}\n`, ...rows.map(({ text }) => `${text}\n`));
    }
    return texts.join('');
  } finally {
    await client.end();
  }
}
