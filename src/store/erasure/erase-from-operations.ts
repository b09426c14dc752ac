import type { Transaction } from 'kysely';
import { z } from 'zod';
import type { OperationText } from '../operations/operation-text.ts';
import type { Schema } from '../schema/schema.ts';
import { encryptedColumn } from '../schema/schema.ts';
import { inTransaction } from '../transaction.ts';
import { eraseFromJson } from './erased-person.ts';
import { type ErasureContext, eraseFromColumn } from './erasure-context.ts';

const summarySchema = z.record(z.string(), z.json());

/** Operations that are looked at in one turn. */
const pageSize = 100;

/**
 * Removes the person from the history: the masked number of each operation that is known to have gone to them, and that
 * it is known; the text of each message that went to them alone; their number in any other text.
 */
export async function eraseFromOperations(context: ErasureContext): Promise<void> {
  for (const [workspaceId, hash] of context.person.hashers) {
    await eraseSummaries(context, workspaceId, hash(context.person.number));
  }
  await eraseNumbersInSummaries(context);
  await eraseTexts(context);
}

/** Of each operation in a transaction of its own: the row that leads to it goes together with what it leads to. */
async function eraseSummaries(
  { db, person, counts, signal }: ErasureContext,
  workspaceId: string,
  hash: string,
): Promise<void> {
  while (!signal.aborted) {
    const rows = await db
      .selectFrom('operationNumber')
      .select('operationId')
      .where('hash', '=', hash)
      .limit(pageSize)
      .execute();
    if (rows.length === 0) {
      return;
    }
    for (const { operationId: id } of rows) {
      await inTransaction(db, async (transaction) => {
        const operation = await lockSummary(transaction, workspaceId, id);
        if (operation !== undefined) {
          const summary = summarySchema.parse(eraseFromJson(operation.summary, person));
          await transaction.updateTable('operation').set({ summary }).where('id', '=', id).execute();
        }
        await transaction
          .deleteFrom('operationNumber')
          .where('hash', '=', hash)
          .where('operationId', '=', id)
          .execute();
      });
      counts.operations += 1;
    }
  }
}

/** Returns a summary that no other erasure changes until the transaction ends. */
function lockSummary(transaction: Transaction<Schema>, workspaceId: string, id: string) {
  return transaction
    .selectFrom('operation')
    .select('summary')
    .where('id', '=', id)
    .where('workspaceId', '=', workspaceId)
    .forUpdate()
    .executeTakeFirst();
}

/** A summary has no number in the clear, but it has names that people chose: of a phonebook, of a campaign. */
async function eraseNumbersInSummaries({ db, person, signal }: ErasureContext): Promise<void> {
  let after = '';
  while (!signal.aborted) {
    const rows = await db
      .selectFrom('operation')
      .select(['id', 'workspaceId', 'summary'])
      .where('id', '>', after)
      .orderBy('id')
      .limit(pageSize)
      .execute();
    const last = rows.at(-1);
    if (last === undefined) {
      return;
    }
    after = last.id;
    for (const { id, workspaceId, summary } of rows) {
      if (person.hashers.has(workspaceId) && person.mentions.areIn(JSON.stringify(summary))) {
        await inTransaction(db, async (transaction) => {
          const operation = await lockSummary(transaction, workspaceId, id);
          if (operation !== undefined) {
            const erased = summarySchema.parse(
              JSON.parse(person.mentions.remove(JSON.stringify(operation.summary))),
            );
            await transaction
              .updateTable('operation')
              .set({ summary: erased })
              .where('id', '=', id)
              .execute();
          }
        });
      }
    }
  }
}

async function eraseTexts(context: ErasureContext): Promise<void> {
  const { person } = context;
  context.counts.texts += await eraseFromColumn(
    context,
    encryptedColumn('operationText', 'value'),
    (value) => {
      const { text, to }: OperationText = JSON.parse(value);
      const others = to.filter((number) => number !== person.number);
      const erased = person.mentions.remove(text);
      if (others.length === to.length && erased === text) {
        return value;
      }
      return to.length > 0 && others.length === 0 ? null : JSON.stringify({ text: erased, to: others });
    },
  );
}
