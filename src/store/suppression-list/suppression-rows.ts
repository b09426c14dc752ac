import type { Insertable, Selectable } from 'kysely';
import { z } from 'zod';
import type { AdditionalData, Encryption } from '../encryption/cipher.ts';
import type { Schema } from '../schema.ts';

/** How a number came onto the list. */
const suppressionSourceSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('typed') }),
  z.object({ kind: z.literal('file'), name: z.string() }),
  /** A button under the outcome of a message. */
  z.object({ kind: z.literal('message') }),
  /** A button under the result of a lookup. */
  z.object({ kind: z.literal('lookup') }),
  /** The recipient, by the link in a campaign's message. `campaign` is its name. */
  z.object({ kind: z.literal('opt_out_link'), campaign: z.string() }),
  /** The owner of the number, by a reply such as STOP. `sentAt` is in milliseconds, by the provider’s clock. */
  z.object({ kind: z.literal('reply'), sentAt: z.number().optional() }),
]);
export type SuppressionSource = z.infer<typeof suppressionSourceSchema>;

/** A number that no campaign goes to. */
export interface SuppressionEntry {
  /** E.164: `+2348031234567`. Encrypted at rest. Undefined for a number that was erased: its hash keeps it on the list. */
  number: string | undefined;
  /** A Slack user id. Undefined where the owner of the number did it. */
  createdBy: string | undefined;
  createdAt: Date;
  /** Undefined for a number that was erased. */
  source: SuppressionSource | undefined;
  /** For `after` of the next page. Opaque. */
  cursor: string;
}

function suppressionAdditionalData(workspaceId: string, hash: string): AdditionalData {
  return ['suppression', workspaceId, hash];
}

function sourceAdditionalData(workspaceId: string, hash: string): AdditionalData {
  return ['suppression_source', workspaceId, hash];
}

/** Returns the entry of a row. */
export function toSuppressionEntry(
  {
    workspace_id,
    hash,
    phone_number: number,
    created_by,
    created_at,
    origin: source,
  }: Selectable<Schema['suppression']>,
  encryption: Encryption,
): SuppressionEntry {
  return {
    number: encryption.decrypt(number, suppressionAdditionalData(workspace_id, hash)) || undefined,
    createdBy: created_by || undefined,
    createdAt: new Date(created_at),
    source:
      source === null
        ? undefined
        : suppressionSourceSchema.parse(
            JSON.parse(encryption.decrypt(source, sourceAdditionalData(workspace_id, hash))),
          ),
    cursor: `${created_at}.${hash}`,
  };
}

/** Numbers that are put on a list, with what all of them have. */
interface NewSuppressions {
  workspaceId: string;
  numbers: readonly { number: string; hash: string }[];
  /** Left out where the owner of the number does it. */
  userId?: string | undefined;
  source: SuppressionSource | undefined;
  now: number;
}

export function newSuppressionRows(
  { workspaceId, numbers, userId = '', source, now }: NewSuppressions,
  encryption: Encryption,
): Insertable<Schema['suppression']>[] {
  const sourceText = source === undefined ? undefined : JSON.stringify(source);
  return numbers.map(({ number, hash }) => ({
    workspace_id: workspaceId,
    hash,
    phone_number: encryption.encrypt(number, suppressionAdditionalData(workspaceId, hash)),
    created_by: userId,
    created_at: now,
    origin:
      sourceText === undefined
        ? null
        : encryption.encrypt(sourceText, sourceAdditionalData(workspaceId, hash)),
    listed_again_at: null,
  }));
}
