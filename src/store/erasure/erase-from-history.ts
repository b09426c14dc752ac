import type { Transaction } from 'kysely';
import { z } from 'zod';
import { removedNumber } from '../../domain/phone/number-mentions.ts';
import { lockNumbers } from '../engine/encryption/phone-hashes.ts';
import { inTransaction } from '../engine/transaction.ts';
import type { OperationText } from '../operations/operation.ts';
import { encryptedColumn, type Schema } from '../schema/schema.ts';
import { type ErasureContext, eraseFromColumn, eraseFromJson } from './erasure-context.ts';

const summarySchema = z.record(z.string(), z.json());

/** Operations that are looked at in one turn. */
const pageSize = 100;

/**
 * Removes the person from `operation`, `operationNumber` and `operationText`: the masked number of operations to them, their
 * entry in the number search, the text of messages to them alone, and their number in all other texts.
 */
export async function eraseFromOperations(context: ErasureContext): Promise<void> {
  const { db, person, counts, signal } = context;

  // Use one transaction per operation, to delete the row that leads to it together with its data.
  for (const [workspaceId, hasher] of person.hashers) {
    const hash = hasher(person.number);
    while (!signal.aborted) {
      const rows = await db
        .selectFrom('operationNumber')
        .select('operationId')
        .where('hash', '=', hash)
        .limit(pageSize)
        .execute();
      if (rows.length === 0) {
        break;
      }
      for (const { operationId: id } of rows) {
        await inTransaction(db, async (transaction) => {
          await eraseSummary(transaction, { workspaceId, id }, (summary) => eraseRecipient(summary, person));
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

  // A summary has no numbers in the clear, but names that people chose for a phonebook or campaign may
  // contain one.
  let after: string | undefined = '';
  while (after !== undefined && !signal.aborted) {
    const rows: { id: string; workspaceId: string; summary: unknown }[] = await db
      .selectFrom('operation')
      .select(['id', 'workspaceId', 'summary'])
      .where('id', '>', after)
      .orderBy('id')
      .limit(pageSize)
      .execute();
    after = rows.at(-1)?.id;
    for (const { id, workspaceId, summary } of rows) {
      if (person.hashers.has(workspaceId) && person.mentions.areIn(JSON.stringify(summary))) {
        await inTransaction(db, (transaction) =>
          eraseSummary(transaction, { workspaceId, id }, (json) =>
            JSON.parse(person.mentions.remove(JSON.stringify(json))),
          ),
        );
      }
    }
  }

  counts.texts += await eraseFromColumn(context, encryptedColumn('operationText', 'value'), (value) => {
    const { text, to }: OperationText = JSON.parse(value);
    const others = to.filter((number) => number !== person.number);
    const erased = person.mentions.remove(text);
    if (others.length === to.length && erased === text) {
      return value;
    }
    return to.length > 0 && others.length === 0 ? null : JSON.stringify({ text: erased, to: others });
  });
}

const recipientsSchema = z.object({
  to: z.array(z.string()),
  recipients: z.number(),
  erased: z.number().optional(),
});

/** With several recipients, keeps the others and counts the erased ones, whose reports are ignored from now on. */
function eraseRecipient(summary: unknown, person: ErasureContext['person']): unknown {
  const erasedSummary = summarySchema.parse(eraseFromJson(summary, person));
  const several = recipientsSchema.safeParse(erasedSummary).data;
  if (several === undefined || several.recipients - (several.erased ?? 0) <= 1) {
    return erasedSummary;
  }
  const { to, erased = 0 } = several;
  return { ...erasedSummary, to: to.filter((masked) => masked !== removedNumber), erased: erased + 1 };
}

/** Locks the operation first: another erasure changes it before or after. */
async function eraseSummary(
  transaction: Transaction<Schema>,
  { workspaceId, id }: { workspaceId: string; id: string },
  erase: (summary: unknown) => unknown,
): Promise<void> {
  const operation = await transaction
    .selectFrom('operation')
    .select('summary')
    .where('id', '=', id)
    .where('workspaceId', '=', workspaceId)
    .forUpdate()
    .executeTakeFirst();
  if (operation !== undefined) {
    const summary = summarySchema.parse(erase(operation.summary));
    await transaction.updateTable('operation').set({ summary }).where('id', '=', id).execute();
  }
}

/** Removes the reports about messages to the person: `delivery`, `messageClaim`. Those tables hold no texts. */
export async function eraseFromDeliveries({ db, person }: ErasureContext): Promise<void> {
  for (const [workspaceId, hash] of person.hashers) {
    for (const table of ['delivery', 'messageClaim'] as const) {
      await db
        .deleteFrom(table)
        .where('workspaceId', '=', workspaceId)
        .where('hash', '=', hash(person.number))
        .execute();
    }
  }
}

/** Removes what the person wrote, and what others wrote of their number: `replyThread`, `inboundMessage`. */
export async function eraseFromReplies(context: ErasureContext): Promise<void> {
  const { db, person, counts } = context;
  for (const [workspaceId, hash] of person.hashers) {
    await inTransaction(db, async (transaction) => {
      await lockNumbers(transaction, workspaceId);
      const threads = transaction
        .selectFrom('replyThread')
        .select('id')
        .where('workspaceId', '=', workspaceId)
        .where('hash', '=', hash(person.number));
      const { numDeletedRows } = await transaction
        .deleteFrom('inboundMessage')
        .where('workspaceId', '=', workspaceId)
        .where('threadId', 'in', threads)
        .executeTakeFirst();
      counts.texts += Number(numDeletedRows);
      await transaction
        .deleteFrom('replyThread')
        .where('workspaceId', '=', workspaceId)
        .where('hash', '=', hash(person.number))
        .execute();
    });
  }
  counts.texts += await eraseFromColumn(context, encryptedColumn('inboundMessage', 'content'), (json) =>
    JSON.stringify(eraseFromJson(JSON.parse(json), person)),
  );
}
