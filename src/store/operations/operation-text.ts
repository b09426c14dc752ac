import type { Kysely } from 'kysely';
import { z } from 'zod';
import { phoneNumberSchema } from '../../domain/phone/phone-number.ts';
import type { AdditionalData, Encryption } from '../encryption/cipher.ts';
import type { Schema } from '../schema.ts';

const operationTextSchema = z.object({ text: z.string(), to: z.array(phoneNumberSchema) });

/** What was sent, and the numbers it went to, in E.164. */
export type OperationText = Readonly<z.infer<typeof operationTextSchema>>;

const additionalDataOf = (workspaceId: string, id: string): AdditionalData => [
  'operation_text',
  workspaceId,
  id,
];

export function writeOperationText(
  { text, to }: { text: string; to: readonly string[] },
  { workspaceId, id, encryption }: { workspaceId: string; id: string; encryption: Encryption },
): string {
  const value = JSON.stringify({ text: text.toWellFormed(), to });
  return encryption.encrypt(value, additionalDataOf(workspaceId, id));
}

export async function readOperationTexts(
  db: Kysely<Schema>,
  encryption: Encryption,
  { workspaceId, ids }: { workspaceId: string; ids: readonly string[] },
): Promise<Map<string, OperationText>> {
  if (ids.length === 0) {
    return new Map();
  }
  const rows = await db
    .selectFrom('operation_text')
    .select(['operation_id', 'value'])
    .where('workspace_id', '=', workspaceId)
    .where('operation_id', 'in', ids)
    .execute();
  return new Map(
    rows.map(({ operation_id: id, value }) => {
      const json: unknown = JSON.parse(encryption.decrypt(value, additionalDataOf(workspaceId, id)));
      return [id, operationTextSchema.parse(json)];
    }),
  );
}
