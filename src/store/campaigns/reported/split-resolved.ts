import type { Kysely } from 'kysely';
import type { HashNumber } from '../../encryption/phone-hashes.ts';
import type { Schema } from '../../schema.ts';
import type { KnownChunk } from '../campaigns.ts';

/** By the number of a chunk and the hash of a recipient's number: the message that an unconfirmed recipient turned out to have got. */
export type ResolvedMessages = Map<number, Map<string, string>>;

export async function readResolvedMessages(
  db: Kysely<Schema>,
  campaign: number,
  chunks: readonly number[],
): Promise<ResolvedMessages> {
  const resolved: ResolvedMessages = new Map();
  if (chunks.length === 0) {
    return resolved;
  }
  const rows = await db
    .selectFrom('message_claim')
    .select(['chunk', 'hash', 'provider_id'])
    .where('campaign', '=', campaign)
    .where('chunk', 'in', chunks)
    .execute();
  for (const { chunk, hash, provider_id } of rows) {
    if (chunk !== null) {
      resolved.set(chunk, (resolved.get(chunk) ?? new Map<string, string>()).set(hash, provider_id));
    }
  }
  return resolved;
}

/**
 * Returns the recipients of an unconfirmed chunk that are still unconfirmed, and those that turned out to be accepted, by
 * the messages that they got.
 */
export function splitResolved(
  chunk: KnownChunk,
  messages: ReadonlyMap<string, string> | undefined,
  hash: HashNumber,
): { unconfirmed: KnownChunk[]; accepted: KnownChunk[] } {
  if (messages === undefined) {
    return { unconfirmed: [chunk], accepted: [] };
  }
  const byMessage = Map.groupBy(chunk.to.keys(), (index) => messages.get(hash(chunk.to[index] ?? '')));
  const parts = [...byMessage].map(([providerId, indexes]) => ({ providerId, part: partOf(chunk, indexes) }));
  return {
    unconfirmed: parts.flatMap(({ providerId, part }) => (providerId === undefined ? [part] : [])),
    accepted: parts.flatMap(({ providerId, part }) =>
      providerId === undefined ? [] : [{ ...part, state: 'accepted' as const, providerId, error: undefined }],
    ),
  };
}

function partOf(chunk: KnownChunk, indexes: readonly number[]): KnownChunk {
  return {
    ...chunk,
    to: indexes.map((index) => chunk.to[index] ?? ''),
    // All have one text, and so the same number of pages.
    pages: (chunk.pages / chunk.to.length) * indexes.length,
    ...(chunk.cells && { cells: indexes.map((index) => chunk.cells?.[index] ?? []) }),
  };
}
