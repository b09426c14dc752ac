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
 * The tokens of opt-out links. A tag is a hash under the key of the workspace's numbers, so tokens survive a change of the
 * encryption keys and end with the workspace. It covers the number and the id of the campaign, so a token leads to nobody
 * else where data was restored and sequences are given out again.
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
      const key = { workspaceId, campaign: read.campaign };
      const content = await readChunkContent(db, encryption, key, read.chunk);
      if (content === undefined) {
        return undefined;
      }
      const hash = await phoneHashes.hasher(workspaceId);
      const number = content.to.find((to) => timingSafeEqual(tagOf(hash, id, to), read.tag));
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
  return writeOptOutToken({ campaign, chunk, tag: tagOf(hash, id, number) });
}

/** No number begins with these words, so no tag is the hash of a number. */
function tagOf(hash: HashNumber, id: string, number: string): Buffer {
  return Buffer.from(hash(JSON.stringify(['opt-out link', id, number])), 'base64url').subarray(0, tagBytes);
}
