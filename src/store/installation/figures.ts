import { type Kysely, sql } from 'kysely';
import type { Schema } from '../schema/schema.ts';

/** What the installation has before it, over all workspaces. */
export interface Figures {
  /** How many campaigns are in each of the states in which they are not over. */
  campaigns: Record<'scheduled' | 'running' | 'paused', number>;
  /** Recipients of campaigns that run, without an outcome. */
  backlog: number;
  /** Undelivered notices. A running campaign has one that waits until it ends. */
  notices: { all: number; retried: number };
}

/** Reads them in one statement. */
export async function readFigures(db: Kysely<Schema>): Promise<Figures> {
  const campaigns = (state: keyof Figures['campaigns']) =>
    db
      .selectFrom('campaign')
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .where('state', '=', state);
  const notices = db.selectFrom('outbox').select(({ fn }) => fn.countAll<number>().as('count'));
  const row = await db
    .selectNoFrom([
      campaigns('scheduled').as('scheduled'),
      campaigns('running').as('running'),
      campaigns('paused').as('paused'),
      db
        .selectFrom('campaign')
        .select(sql<number | null>`sum(recipients - accepted - rejected - unconfirmed)`.as('sum'))
        .where('state', '=', 'running')
        .as('backlog'),
      notices.as('notices'),
      notices.where('attempts', '>', 0).as('retried'),
    ])
    .executeTakeFirstOrThrow();
  return {
    campaigns: { scheduled: row.scheduled ?? 0, running: row.running ?? 0, paused: row.paused ?? 0 },
    backlog: row.backlog ?? 0,
    notices: { all: row.notices ?? 0, retried: row.retried ?? 0 },
  };
}
