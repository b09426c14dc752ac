import type { Keyv } from 'keyv';
import { z } from 'zod';
import { routeSchema } from '../../domain/messages/routes.ts';
import { phoneNumberSchema } from '../../domain/phone/phone-number.ts';
import { createKeyedMutex } from '../../lib/keyed-mutex.ts';
import { ownId } from '../operations/ownership.ts';

/** A message in the making, kept (encrypted, for a day) between the form, the review and the send. */
export interface Draft {
  /** Also the idempotency key of its one send. */
  id: string;
  /** Goes up with each change, so that a button under an older preview cannot send what it does not show. */
  version: number;
  content: DraftContent;
}

const contentSchema = z.object({
  recipients: z.array(phoneNumberSchema),
  senderId: z.string().optional(),
  route: routeSchema,
  text: z.string(),
  /** A file for the chat route, in place of the text. */
  media: z.object({ url: z.string(), caption: z.string().optional() }).optional(),
  /** A channel for the outcome; without one it goes to the author alone. */
  channelId: z.string().optional(),
  /** Whether numbers stand in full in that channel. */
  showNumbers: z.boolean().optional(),
});
export type DraftContent = z.infer<typeof contentSchema>;

const draftSchema = z.object({
  version: z.number().int(),
  content: contentSchema,
});

const keptFor = 24 * 60 * 60_000;

/** Each person's own, whose ids name nothing for anybody else (see `ownId`). */
export interface Drafts {
  /** Keeps a new draft, or the next version of one. The same content saved again is the same version. */
  save(workspaceId: string, id: string, userId: string, content: DraftContent): Promise<Draft>;
  find(workspaceId: string, id: string, userId: string): Promise<Draft | undefined>;
  delete(workspaceId: string, id: string, userId: string): Promise<void>;
}

export function createDrafts(keyv: (workspaceId: string, area: string) => Keyv): Drafts {
  const inTurn = createKeyedMutex();

  async function find(workspaceId: string, id: string): Promise<Draft | undefined> {
    const value: unknown = await keyv(workspaceId, 'drafts').get(id);
    return value === undefined ? undefined : { id, ...draftSchema.parse(value) };
  }

  async function save(workspaceId: string, id: string, content: DraftContent): Promise<Draft> {
    const last = await find(workspaceId, id);
    if (last !== undefined && JSON.stringify(last.content) === JSON.stringify(contentSchema.parse(content))) {
      return last;
    }
    const draft = { version: (last?.version ?? 0) + 1, content };
    await keyv(workspaceId, 'drafts').set(id, draft, keptFor);
    return { id, ...draft };
  }

  return {
    find: (workspaceId, id, userId) => find(workspaceId, ownId(userId, id)),
    // One after the other: of two changes at the same moment, each is a version of its own.
    save(workspaceId, id, userId, content) {
      const own = ownId(userId, id);
      return inTurn(JSON.stringify([workspaceId, own]), () => save(workspaceId, own, content));
    },
    async delete(workspaceId, id, userId) {
      const own = ownId(userId, id);
      await inTurn(JSON.stringify([workspaceId, own]), () => keyv(workspaceId, 'drafts').delete(own));
    },
  };
}
