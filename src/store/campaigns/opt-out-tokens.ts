import { timingSafeEqual } from 'node:crypto';
import { readOptOutToken, tagBytes, writeOptOutToken } from '../../domain/messages/opt-out-link.ts';
import type { StoreContext } from '../context.ts';
import type { HashNumber } from '../engine/encryption/phone-hashes.ts';
import { readChunkContent, selectSequence } from './recipient-queries.ts';

/** Makes the token of one recipient. `number` is in E.164. */
type MakeOptOutToken = (recipient: { chunk: number; number: string }) => string;

/** Whose token it is. */
interface OptOutRecipient {
  workspaceId: string;
  /** E.164: `+2348031234567`. */
  number: string;
  campaign: { name: string; senderId: string };
}

/**
 * Creates the tokens of opt-out links. A tag is a hash under the workspace's phone hash key, so tokens
 * survive a rotation of the encryption keys and end with the workspace. The first 80 bits verify the campaign
 * id and chunk before the chunk is read and decrypted. The rest covers the number, because restored data may
 * have another list under the same id.
 */
export function createOptOutTokens({ db, encryption, phoneHashes }: StoreContext) {
  return {
    /** Returns what makes the tokens of a personal campaign's opt-out links; undefined where there is no such campaign. */
    async optOutTokens(workspaceId: string, id: string): Promise<MakeOptOutToken | undefined> {
      const row = await selectSequence(db, workspaceId, id).executeTakeFirst();
      if (row === undefined) {
        return undefined;
      }
      const campaign = { campaign: row.sequence, id };
      const hash = await phoneHashes.hasher(workspaceId);
      return (recipient) => makeOptOutToken(hash, campaign, recipient);
    },

    /** Returns the recipient whose token it is, while the recipients of the campaign are kept. */
    async findByOptOutToken(token: string): Promise<OptOutRecipient | undefined> {
      const read = readOptOutToken(token);
      if (read === undefined) {
        return undefined;
      }
      const row = await db
        .selectFrom('campaign')
        .select(['workspaceId', 'id', 'name', 'senderId'])
        .where('sequence', '=', read.campaign)
        .executeTakeFirst();
      if (row?.id === undefined) {
        return undefined;
      }
      const { workspaceId, id, name, senderId } = row;
      const hash = await phoneHashes.hasher(workspaceId);
      if (!timingSafeEqual(sealOf(hash, id, read.chunk), read.tag.subarray(0, sealBytes))) {
        return undefined;
      }
      const key = { workspaceId, campaign: read.campaign };
      const content = await readChunkContent(db, encryption, key, read.chunk);
      const recipient = { id, chunk: read.chunk };
      const number = content?.to.find((to) =>
        timingSafeEqual(tagOf(hash, { ...recipient, number: to }), read.tag),
      );
      return number === undefined ? undefined : { workspaceId, number, campaign: { name, senderId } };
    },
  };
}

/** Returns the token of a recipient of a personal campaign. `campaign` is its sequence, `number` in E.164. */
export function makeOptOutToken(
  hash: HashNumber,
  { campaign, id }: { campaign: number; id: string },
  { chunk, number }: { chunk: number; number: string },
): string {
  return writeOptOutToken({ campaign, chunk, tag: tagOf(hash, { id, chunk, number }) });
}

const sealBytes = 10;

function tagOf(
  hash: HashNumber,
  { id, chunk, number }: { id: string; chunk: number; number: string },
): Buffer {
  const ofNumber = bytesOf(hash, ['opt-out number', id, number]);
  return Buffer.concat([sealOf(hash, id, chunk), ofNumber], tagBytes);
}

const sealOf = (hash: HashNumber, id: string, chunk: number): Buffer =>
  bytesOf(hash, ['opt-out link', id, chunk]).subarray(0, sealBytes);

/** A number is never a JSON list, so none of these hashes equals the hash of a number. */
const bytesOf = (hash: HashNumber, fields: readonly (string | number)[]): Buffer =>
  Buffer.from(hash(JSON.stringify(fields)), 'base64url');
