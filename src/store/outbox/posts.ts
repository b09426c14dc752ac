import { z } from 'zod';
import type { StoreContext } from '../context.ts';
import { createValueUpdate, type KeyedValues } from '../engine/key-value/key-value-store.ts';
import { inTransaction } from '../engine/transaction.ts';
import { addNotices, type NewNotice, unconfirmedDelivery } from './notices.ts';

const day = 24 * 60 * 60_000;
/** In milliseconds: what is kept of a post, should it never be delivered, and how long it is known that it was. */
const keptFor = 30 * day;
const knownFor = day;

/** What is said where nothing else stores it: kept until it was delivered, and then only how that ended. */
const keptPostSchema = z.object({
  content: z.unknown().optional(),
  /** Why it is not in its channel, as `DeliveryState` has it. */
  channelError: z.string().optional(),
  /** Whether Slack refused it to its user for good. */
  isRefused: z.boolean().optional(),
});

export type KeptPost = z.infer<typeof keptPostSchema>;

export interface NewPost extends Pick<NewNotice, 'workspaceId' | 'userId' | 'channelId'> {
  /** Made of ids. */
  id: string;
}

/** Posts that somebody asked for, in a channel or in a message to them. Their notices have the subject `post`. */
export function createPostStore(context: StoreContext, keyv: KeyedValues) {
  const { db, clock } = context;
  const area = 'posts';
  const posts = (workspaceId: string) => keyv(workspaceId, 'posts');
  const updateValue = createValueUpdate(context, keyv);
  return {
    /**
     * Keeps a post and adds its notice, in one transaction. One of that id is not added again, unless it is certain that it
     * was not posted.
     */
    async add({ workspaceId, id, userId, channelId }: NewPost, content: unknown): Promise<void> {
      const place = { workspaceId, area, key: id };
      const notice = { workspaceId, subject: 'post', subjectId: id, userId, channelId } as const;
      await inTransaction(db, async (transaction) => {
        let isAdded = false;
        const decide: Parameters<typeof updateValue>[1] = (value) => {
          const known = keptPostSchema.optional().parse(value);
          const isNotPosted = known?.channelError !== undefined && known.channelError !== unconfirmedDelivery;
          isAdded = known === undefined || (known.content === undefined && isNotPosted);
          return isAdded ? { set: { content }, ttl: keptFor } : 'keep';
        };
        await updateValue(place, decide, transaction);
        if (isAdded) {
          await addNotices(transaction, [notice], clock());
        }
      });
    },

    async find(workspaceId: string, id: string): Promise<KeptPost | undefined> {
      return keptPostSchema.optional().parse(await posts(workspaceId).get(id));
    },

    /** Called once it was delivered, or can’t be. */
    async end(workspaceId: string, id: string, ended: Omit<KeptPost, 'content'>): Promise<void> {
      await posts(workspaceId).set(id, ended, knownFor);
    },
  };
}
