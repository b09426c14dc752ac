import { type Kysely, sql, type Transaction } from 'kysely';
import { countIn } from './campaign-counting.ts';
import { chunkPlace, readContent, toCampaign } from './campaign-rows.ts';
import type { Campaigns, Chunk, ChunkEnding, ChunkState } from './campaigns.ts';
import type { Encryption } from './encryption.ts';
import type { Schema } from './schema.ts';

interface TurnOptions {
  db: Kysely<Schema>;
  encryption: Encryption;
  /** Names this run of the program: it ends only what it claimed itself. */
  run: string;
  clock: () => Date;
}

/** See `Campaigns.turn`. Few statements, however many chunks: this is what a campaign's speed hangs on. */
export function createTurn({ db, encryption, run, clock }: TurnOptions): Campaigns['turn'] {
  return ({ workspaceId, id }, endings, count) =>
    db.transaction().execute(async (transaction) => {
      const campaign = await transaction
        .selectFrom('campaign')
        .select(['sequence', 'state'])
        .where('workspace_id', '=', workspaceId)
        .where('id', '=', id)
        .executeTakeFirst();
      if (campaign === undefined) return undefined;

      const ended = await writeEndings(transaction, campaign.sequence, run, endings);
      const claimed =
        campaign.state === 'running' && count > 0
          ? await claim(transaction, campaign.sequence, run, count)
          : [];
      const recipientsOf = (rows: { recipients: number }[]) =>
        rows.reduce((sum, { recipients }) => sum + recipients, 0);
      const endedAs = (state: ChunkEnding['state']) =>
        recipientsOf(ended.filter((chunk) => chunk.state === state));
      const movement = {
        accepted: endedAs('accepted'),
        rejected: endedAs('rejected'),
        unconfirmed: endedAs('unconfirmed'),
        inFlight: recipientsOf(claimed) - recipientsOf(ended),
      };
      const balance = endings.findLast((ending) => ending.balance !== undefined)?.balance;
      const row = await countIn(transaction, campaign.sequence, movement, {
        now: clock().getTime(),
        balance,
      });

      const chunks = claimed.map(({ number, pages, value }): Chunk => {
        const content = encryption.decrypt(value ?? '', chunkPlace(workspaceId, campaign.sequence, number));
        return { number, ...readContent(content), pages };
      });
      return { campaign: toCampaign(row, id), claimed: chunks };
    });
}

async function writeEndings(
  transaction: Transaction<Schema>,
  campaign: number,
  run: string,
  endings: readonly ChunkEnding[],
): Promise<{ state: ChunkState; recipients: number }[]> {
  if (endings.length === 0) return [];
  // Not a join with a list of values: with many of them SQLite walks all chunks of the campaign to find these.
  const each = <Value>(toValue: (ending: ChunkEnding) => Value) => {
    const cases = endings.map((ending) => sql`when ${ending.number} then ${toValue(ending)}`);
    return sql<Value>`case number ${sql.join(cases, sql` `)} end`;
  };
  return transaction
    .updateTable('campaign_chunk')
    .set({
      run: null,
      state: each(({ state }) => state),
      provider_id: each(({ providerId }) => providerId ?? null),
      error: each(({ error }) => (error ? JSON.stringify(error) : null)),
    })
    .where('campaign', '=', campaign)
    .where(
      'number',
      'in',
      endings.map(({ number }) => number),
    )
    .where('state', '=', 'claimed')
    .where('run', '=', run)
    .returning(['state', 'recipients'])
    .execute();
}

async function claim(transaction: Transaction<Schema>, campaign: number, run: string, count: number) {
  const rows = await transaction
    .updateTable('campaign_chunk')
    .set({ state: 'claimed', run })
    .where('campaign', '=', campaign)
    .where('number', 'in', (eb) =>
      eb
        .selectFrom('campaign_chunk as waiting')
        .select('waiting.number')
        .where('waiting.campaign', '=', campaign)
        .where('waiting.state', '=', 'waiting')
        .orderBy('waiting.number')
        .limit(count),
    )
    .returning((eb) => [
      'number',
      'recipients',
      'pages',
      eb
        .selectFrom('campaign_chunk_content as content')
        .select('content.value')
        .whereRef('content.campaign', '=', 'campaign_chunk.campaign')
        .whereRef('content.number', '=', 'campaign_chunk.number')
        .as('value'),
    ])
    .execute();
  return rows.sort((one, other) => one.number - other.number);
}
