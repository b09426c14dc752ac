import type { Kysely } from 'kysely';
import { z } from 'zod';
import { phoneNumberSchema } from '../../domain/phone/phone-number.ts';
import type { Encryption } from '../engine/encryption/cipher.ts';
import { additionalDataOf } from '../engine/encryption/encrypted-column.ts';
import { encryptedColumn, type Schema } from '../schema/schema.ts';

const column = encryptedColumn('operationText', 'value');
const operationTextSchema = z.object({ text: z.string(), to: z.array(phoneNumberSchema) });

/** What was sent, and the numbers it went to, in E.164. */
export type OperationText = Readonly<z.infer<typeof operationTextSchema>>;

export function writeOperationText(
  { text, to }: { text: string; to: readonly string[] },
  row: { workspaceId: string; operationId: string },
  encryption: Encryption,
): string {
  const value = JSON.stringify({ text: text.toWellFormed(), to });
  return encryption.encrypt(value, additionalDataOf(column, row));
}

/** Returns what was sent by the operations that had a text, by their ids, while it is kept. */
export async function readOperationTexts(
  db: Kysely<Schema>,
  encryption: Encryption,
  { workspaceId, ids }: { workspaceId: string; ids: readonly string[] },
): Promise<Map<string, OperationText>> {
  if (ids.length === 0) {
    return new Map();
  }
  const rows = await db
    .selectFrom('operationText')
    .select(['operationId', 'value'])
    .where('workspaceId', '=', workspaceId)
    .where('operationId', 'in', ids)
    .execute();
  return new Map(
    rows.map(({ operationId, value }) => {
      const text = encryption.decrypt(value, additionalDataOf(column, { workspaceId, operationId }));
      return [operationId, operationTextSchema.parse(JSON.parse(text))];
    }),
  );
}
