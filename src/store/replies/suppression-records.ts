import type { Kysely } from 'kysely';
import { z } from 'zod';
import type { Encryption } from '../engine/encryption/cipher.ts';
import { additionalDataOf } from '../engine/encryption/encrypted-column.ts';
import { encryptedColumn, type InsertableRow, type Row, type Schema } from '../schema/schema.ts';

const numberColumn = encryptedColumn('suppression', 'phoneNumber');
const originColumn = encryptedColumn('suppression', 'origin');

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

export function toSuppressionEntry(row: Row<'suppression'>, encryption: Encryption): SuppressionEntry {
  const { hash, phoneNumber, createdBy, createdAt, origin } = row;
  const source = origin && encryption.decrypt(origin, additionalDataOf(originColumn, row));
  return {
    number: encryption.decrypt(phoneNumber, additionalDataOf(numberColumn, row)) || undefined,
    createdBy: createdBy || undefined,
    createdAt,
    source: source === undefined ? undefined : suppressionSourceSchema.parse(JSON.parse(source)),
    cursor: `${createdAt.getTime()}.${hash}`,
  };
}

/** A number, and its keyed hash. */
export interface HashedNumber {
  number: string;
  hash: string;
}

/** Numbers that are put on a list, with what all of them have. */
interface NewSuppressions {
  workspaceId: string;
  numbers: readonly HashedNumber[];
  /** Left out where the owner of the number does it. */
  userId?: string | undefined;
  source: SuppressionSource | undefined;
  now: Date;
}

export function newSuppressionRows(
  { workspaceId, numbers, userId = '', source, now }: NewSuppressions,
  encryption: Encryption,
): InsertableRow<'suppression'>[] {
  const origin = source && JSON.stringify(source);
  return numbers.map(({ number, hash }) => {
    const key = { workspaceId, hash };
    return {
      ...key,
      phoneNumber: encryption.encrypt(number, additionalDataOf(numberColumn, key)),
      createdBy: userId,
      createdAt: now,
      origin: origin && encryption.encrypt(origin, additionalDataOf(originColumn, key)),
    };
  });
}

/**
 * Notes of those of the numbers that are on the list that they are put there once more: a start from before that takes none
 * of them off. Returns how many are on it.
 */
export async function noteListedAgain(
  db: Kysely<Schema>,
  { workspaceId, hashes, now }: { workspaceId: string; hashes: readonly string[]; now: Date },
): Promise<number> {
  const { numUpdatedRows } = await db
    .updateTable('suppression')
    .set({ listedAgainAt: now })
    .where('workspaceId', '=', workspaceId)
    .where('hash', 'in', hashes)
    .executeTakeFirstOrThrow();
  return Number(numUpdatedRows);
}
