import { z } from 'zod';
import type { StoreContext } from '../context.ts';
import { createValueUpdate, type KeyedValues } from '../engine/key-value/key-value-store.ts';
import { inTransaction } from '../engine/transaction.ts';
import { addNotices, type NewNotice, unconfirmedDelivery } from './notices.ts';

const day = 24 * 60 * 60_000;
/** In milliseconds. How long to keep an undelivered post, and the record of a delivered one. */
const keptFor = 30 * day;
const knownFor = day;

/** Content that isn't stored anywhere else. Kept until it is delivered; after that, only the result stays. */
const keptPostSchema = z.object({
  content: z.unknown().optional(),
  /** Why it couldn't be posted in its channel, as in `DeliveryState`. */
  channelProblem: z.string().optional(),
  /** Whether Slack permanently refused to deliver it to its user. */
  isRefused: z.boolean().optional(),
});

export type KeptPost = z.infer<typeof keptPostSchema>;

export interface NewPost extends Pick<NewNotice, 'workspaceId' | 'userId' | 'channelId'> {
  /** Built from ids. */
  id: string;
}

/**
 * Posts that a person requested, in a channel or as a direct message. Their notices have the subject `post`.
 */
export function createPostStore(context: StoreContext, keyv: KeyedValues) {
  const { db, clock } = context;
  const area = 'posts';
  const posts = (workspaceId: string) => keyv(workspaceId, 'posts');
  const updateValue = createValueUpdate(context, keyv);
  return {
    /**
     * Stores a post and its notice in one transaction. A post with the same id is added again only if it
     * certainly wasn't posted.
     */
    async add({ workspaceId, id, userId, channelId }: NewPost, content: unknown): Promise<void> {
      const valueKey = { workspaceId, area, key: id };
      const notice = { workspaceId, subject: 'post', subjectId: id, userId, channelId } as const;
      await inTransaction(db, async (transaction) => {
        let isAdded = false;
        const decide: Parameters<typeof updateValue>[1] = (value) => {
          const known = keptPostSchema.optional().parse(value);
          const isNotPosted =
            known?.channelProblem !== undefined && known.channelProblem !== unconfirmedDelivery;
          isAdded = known === undefined || (known.content === undefined && isNotPosted);
          return isAdded ? { set: { content }, ttl: keptFor } : 'keep';
        };
        await updateValue(valueKey, decide, transaction);
        if (isAdded) {
          await addNotices(transaction, [notice], clock());
        }
      });
    },

    async find(workspaceId: string, id: string): Promise<KeptPost | undefined> {
      return keptPostSchema.optional().parse(await posts(workspaceId).get(id));
    },

    /** Called once it was delivered or can't be. */
    async end(workspaceId: string, id: string, ended: Omit<KeptPost, 'content'>): Promise<void> {
      await posts(workspaceId).set(id, ended, knownFor);
    },
  };
}
