import type { ExpressionBuilder } from 'kysely';
import { readColumns, readRejectedRows, writeColumns, writeRejectedRows } from '../campaigns/row-mapping.ts';
import { walkColumn } from '../encryption/walk-column.ts';
import { isOfDead } from '../instances/instances.ts';
import type { Schema } from '../schema/schema.ts';
import { encryptedColumn } from '../schema/schema.ts';
import { inTransaction } from '../transaction.ts';
import { eraseFromChunk } from './erase-from-chunk.ts';
import { eraseFromText } from './erased-person.ts';
import { type ErasureContext, eraseFromColumn } from './erasure-context.ts';

/** A campaign that lost recipients it had not sent to. */
export interface ChangedCampaign {
  workspaceId: string;
  id: string;
}

/** The states in which a campaign has sent everything that it ever will. */
const finished: ReadonlySet<string> = new Set(['done', 'cancelled', 'discarded']);

/** How long to wait before chunks in flight, and imports under way, are looked at again. */
const retryAfterMs = 1_000;

/**
 * Removes the person from all campaigns. Those that are not finished skip them from then on. A chunk in flight, and a list
 * that is being imported, are waited for.
 */
export async function eraseFromCampaigns(context: ErasureContext): Promise<ChangedCampaign[]> {
  const imports = await readImports(context);
  await eraseNames(context);
  await eraseTexts(context);
  const changed = await eraseContents(context);
  if (imports.length > 0) {
    await waitForImports(context, imports);
    changed.push(...(await eraseContents(context)));
  }
  return changed;
}

async function eraseContents(context: ErasureContext): Promise<ChangedCampaign[]> {
  await eraseRejectedRows(context);
  const changed = await eraseRecipients(context);
  await eraseHashes(context);
  return changed;
}

async function eraseNames({ db, person }: ErasureContext): Promise<void> {
  const rows = await db.selectFrom('campaign').select(['sequence', 'workspaceId', 'name']).execute();
  for (const { sequence, workspaceId, name } of rows) {
    if (person.hashers.has(workspaceId) && person.mentions.areIn(name)) {
      await inTransaction(db, async (transaction) => {
        const campaign = await transaction
          .selectFrom('campaign')
          .select('name')
          .where('sequence', '=', sequence)
          .forUpdate()
          .executeTakeFirst();
        await transaction
          .updateTable('campaign')
          .set({ name: person.mentions.remove(campaign?.name ?? '') })
          .where('sequence', '=', sequence)
          .execute();
      });
    }
  }
}

/** A text that may still be sent stays as it was approved. */
async function eraseTexts(context: ErasureContext): Promise<void> {
  const { db, person, counts } = context;
  const rows = await db.selectFrom('campaign').select(['sequence', 'state']).execute();
  const states = new Map(rows.map(({ sequence, state }) => [sequence, state]));
  counts.texts += await eraseFromColumn(
    context,
    encryptedColumn('campaign', 'text'),
    (text, { row: { sequence } }) => {
      const erased = eraseFromText(text, person);
      if (erased === text || finished.has(states.get(Number(sequence)) ?? '')) {
        return erased;
      }
      counts.keptTexts += 1;
      return text;
    },
  );
  counts.rows += await eraseFromColumn(context, encryptedColumn('campaign', 'columns'), (json) => {
    const titles = readColumns(json);
    return person.mentions.areIn(titles.join('\n'))
      ? writeColumns(titles.map((title) => eraseFromText(title, person)))
      : json;
  });
}

/** A batch that loses all of its rows stays, empty: they are numbered without gaps. */
async function eraseRejectedRows(context: ErasureContext): Promise<void> {
  const { person, counts } = context;
  await eraseFromColumn(context, encryptedColumn('campaignRejectedRow', 'value'), (json) => {
    if (!person.mentions.areIn(json)) {
      return json;
    }
    const rows = readRejectedRows(json);
    const kept = rows.filter((row) => !person.mentions.areIn(JSON.stringify(row)));
    counts.rows += rows.length - kept.length;
    return kept.length === rows.length ? json : writeRejectedRows(kept);
  });
}

async function eraseRecipients(context: ErasureContext): Promise<ChangedCampaign[]> {
  const { db, encryption, person, timers, signal } = context;
  const changed: ChangedCampaign[] = [];
  let inFlight: { campaign: number; chunk: number }[] = [];
  const erase = async (place: { campaign: number; chunk: number }) => {
    const result = await eraseFromChunk(context, place);
    if (result.isInFlight) {
      inFlight.push(place);
    }
    changed.push(...result.changed);
  };
  const isWanted = ({ workspaceId }: { workspaceId: string }) => person.hashers.has(workspaceId);
  for await (const { row, text } of walkColumn(
    db,
    encryption,
    encryptedColumn('campaignChunkContent', 'value'),
    { isWanted, signal },
  )) {
    if (person.mentions.areIn(text)) {
      await erase({ campaign: Number(row.campaign), chunk: Number(row.number) });
    }
  }
  while (inFlight.length > 0 && !signal.aborted) {
    await timers.sleep(retryAfterMs, signal);
    const again = inFlight;
    inFlight = [];
    for (const place of again) {
      await erase(place);
    }
  }
  return changed;
}

/** What leads to a chunk that is gone, such as that of a campaign whose content has expired. */
async function eraseHashes({ db, person, signal }: ErasureContext): Promise<void> {
  for (const [workspaceId, hash] of person.hashers) {
    if (!signal.aborted) {
      await db
        .deleteFrom('campaignNumber')
        .where(isInCampaigns(workspaceId, hash(person.number)))
        .execute();
    }
  }
}

/** Selects the rows of a number. By campaign, as the table has no index by hash alone, which each import would pay for. */
export function isInCampaigns(workspaceId: string, hash: string) {
  return (eb: ExpressionBuilder<Schema, 'campaignNumber'>) =>
    eb('hash', '=', hash).and(
      'campaign',
      'in',
      eb.selectFrom('campaign').select('sequence').where('workspaceId', '=', workspaceId),
    );
}

/** Returns the campaigns that a run of the program that lives is importing. */
async function readImports({ db, person }: ErasureContext): Promise<number[]> {
  const rows = await db
    .selectFrom('campaign')
    .select('sequence')
    .where('state', '=', 'reading')
    .where(({ not }) => not(isOfDead('run')))
    .where('workspaceId', 'in', [...person.hashers.keys()])
    .execute();
  return rows.map(({ sequence }) => sequence);
}

async function waitForImports(
  { db, timers, signal }: ErasureContext,
  imports: readonly number[],
): Promise<void> {
  const areReading = async () =>
    (await db
      .selectFrom('campaign')
      .select('sequence')
      .where('sequence', 'in', imports)
      .where('state', '=', 'reading')
      .executeTakeFirst()) !== undefined;
  while (!signal.aborted && (await areReading())) {
    await timers.sleep(retryAfterMs, signal);
  }
}
