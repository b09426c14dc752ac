import { sql } from 'kysely';
import { z } from 'zod';
import { additionalDataOf } from '../engine/encryption/encrypted-column.ts';
import { lockNumbers } from '../engine/encryption/phone-hashes.ts';
import { inTransaction } from '../engine/transaction.ts';
import { encryptedColumn } from '../schema/schema.ts';
import { type ErasureContext, eraseFromColumn, eraseFromJson, eraseFromText } from './erasure-context.ts';

/** How values that name the person change: deleted, or without their number. Values in other areas name nobody. */
export type ErasedAreas = Readonly<Record<string, 'delete' | 'redact'>>;

/** Removes the person from the values of these areas, in `keyv`. */
export async function eraseFromKeyValues(context: ErasureContext, areas: ErasedAreas): Promise<void> {
  const { person, counts } = context;
  counts.values += await eraseFromColumn(context, encryptedColumn('keyv', 'value'), (text, { area }) => {
    const rule = areas[area];
    if (rule === undefined || !person.mentions.areIn(text)) {
      return text;
    }
    return rule === 'delete'
      ? null
      : JSON.stringify(eraseFromJson(JSON.parse(text), person, { dropsProperties: true }));
  });
}

/**
 * Clears `suppression` and `replyAnswer`. The person's hash stays on the do-not-contact list, so that campaigns keep skipping
 * them. The times of their stops go: only a START after this erasure takes them off the list.
 */
export async function eraseFromSuppressionList(context: ErasureContext): Promise<void> {
  const { db, encryption, person, counts, clock } = context;
  for (const [workspaceId, hasher] of person.hashers) {
    const hash = hasher(person.number);
    const number = encryption.encrypt(
      '',
      additionalDataOf(encryptedColumn('suppression', 'phoneNumber'), { workspaceId, hash }),
    );
    await inTransaction(db, async (transaction) => {
      // A reply that is being answered follows, or has been.
      await lockNumbers(transaction, workspaceId);
      const { numUpdatedRows } = await transaction
        .updateTable('suppression')
        .set({ phoneNumber: number, origin: null, listedAgainAt: clock() })
        .where('workspaceId', '=', workspaceId)
        .where('hash', '=', hash)
        .executeTakeFirst();
      await transaction
        .deleteFrom('replyAnswer')
        .where('workspaceId', '=', workspaceId)
        .where('hash', '=', hash)
        .execute();
      counts.listed += Number(numUpdatedRows);
    });
  }
  // The name of a file that others came from.
  await eraseFromColumn(context, encryptedColumn('suppression', 'origin'), (text) =>
    eraseFromText(text, person),
  );
}

/** Removes the names of lists from `outbox`: an interrupted import stores one. Retries a row that changes meanwhile. */
export async function eraseFromOutbox({ db, person, signal }: ErasureContext): Promise<void> {
  let isRaced: boolean;
  do {
    isRaced = false;
    const rows = await db
      .selectFrom('outbox')
      .select(['workspaceId', 'title'])
      .distinct()
      .where('title', 'is not', null)
      .execute();
    for (const { workspaceId, title } of rows) {
      if (title !== undefined && person.hashers.has(workspaceId) && person.mentions.areIn(title)) {
        const { numUpdatedRows } = await db
          .updateTable('outbox')
          .set({ title: person.mentions.remove(title) })
          .where('workspaceId', '=', workspaceId)
          .where('title', '=', title)
          .executeTakeFirst();
        isRaced ||= numUpdatedRows === 0n;
      }
    }
  } while (isRaced && !signal.aborted);
}

/** The text and name that people wrote for a campaign. Purchases have neither. */
const writtenSchema = z.looseObject({ name: z.string(), text: z.string() });

/** Removes the person's number from `approval`: from the content shown to approvers, and from their reasons for a rejection. */
export async function eraseFromApprovals(context: ErasureContext): Promise<void> {
  const { person, counts } = context;
  counts.texts += await eraseFromColumn(context, encryptedColumn('approval', 'content'), (json) => {
    const { data: content } = writtenSchema.safeParse(JSON.parse(json));
    if (content === undefined || !person.mentions.areIn(`${content.name}\n${content.text}`)) {
      return json;
    }
    const { name, text } = content;
    return JSON.stringify({
      ...content,
      name: eraseFromText(name, person),
      text: eraseFromText(text, person),
    });
  });
  counts.texts += await eraseFromColumn(context, encryptedColumn('approval', 'reason'), (reason) =>
    eraseFromText(reason, person),
  );
}

/** Removes the person’s number from `template`, in every version of each. */
export async function eraseFromTemplates(context: ErasureContext): Promise<void> {
  context.counts.texts += await eraseFromColumn(context, encryptedColumn('template', 'content'), (json) =>
    JSON.stringify(eraseFromJson(JSON.parse(json), context.person)),
  );
}

/** Removes the person from `limitWindow`, what counts towards the limits, and `limitReached`, what admins see of it. */
export async function eraseFromLimits({ db, person, counts }: ErasureContext): Promise<void> {
  for (const [workspaceId, hash] of person.hashers) {
    const recipient = hash(person.number);
    const windows = await db
      .deleteFrom('limitWindow')
      .where('workspaceId', '=', workspaceId)
      .where('key', 'in', [
        `codes/recipient/${recipient}/hour`,
        `codes/recipient/${recipient}/day`,
        `codes/again/${recipient}`,
      ])
      .executeTakeFirst();
    const reached = await db
      .deleteFrom('limitReached')
      .where('workspaceId', '=', workspaceId)
      .where((eb) =>
        eb.or([
          eb('subject', 'like', `%${recipient}%`),
          sql<boolean>`reached like ${`%"shown":"${person.masked}"%`}`,
        ]),
      )
      .executeTakeFirst();
    counts.values += Number(windows.numDeletedRows + reached.numDeletedRows);
  }
}
