import { createHash } from 'node:crypto';
import { z } from 'zod';
import { ownId } from '../../domain/access/ownership.ts';
import { routeSchema } from '../../domain/messages/routes.ts';
import { phoneNumberSchema } from '../../domain/phone/phone-number.ts';
import type { Context } from '../context.ts';

/** A message that is not sent yet, stored (encrypted, for a day) between the form, the review and the send. */
export interface Draft {
  /** Also the idempotency key of its one send. */
  id: string;
  /** Names its content, so that a button under another preview cannot send what that preview does not show. */
  version: number;
  content: DraftContent;
}

const contentSchema = z.strictObject({
  recipients: z.array(phoneNumberSchema),
  /** What was typed among the recipients and is no number, with the reason. */
  leftOut: z.array(z.strictObject({ text: z.string(), reason: z.string() })).optional(),
  senderId: z.string().optional(),
  route: routeSchema,
  text: z.string(),
  /** A file for the chat route, sent instead of the text. */
  media: z.strictObject({ url: z.string(), caption: z.string().optional() }).optional(),
  /** A channel for the outcome; without one it goes to the sender alone. */
  channelId: z.string().optional(),
  /** Whether that channel sees the numbers in full. */
  showNumbers: z.boolean().optional(),
  /** The thread of the number that it answers. */
  replyTo: z.string().optional(),
});
export type DraftContent = z.infer<typeof contentSchema>;

const storedSchema = z.object({ version: z.number().int(), content: contentSchema });

/** In milliseconds. */
const draftTtl = 24 * 60 * 60_000;

/** The drafts of each user, whose ids name nothing for any other user (see `ownId`). */
export function createDrafts({ store: { keyv } }: Context) {
  return {
    /** Stores a new draft, or another version of one. The same content has the same version. */
    async save(workspaceId: string, draftId: string, userId: string, changed: DraftContent): Promise<Draft> {
      const id = ownId(userId, draftId);
      const content = contentSchema.parse(changed);
      const draft = { version: versionOf(content), content };
      await keyv(workspaceId, 'drafts').set(id, draft, draftTtl);
      return { id, ...draft };
    },

    async find(workspaceId: string, draftId: string, userId: string): Promise<Draft | undefined> {
      const id = ownId(userId, draftId);
      const value: unknown = await keyv(workspaceId, 'drafts').get(id);
      const stored = storedSchema.optional().parse(value);
      return stored && { id, ...stored };
    },

    async delete(workspaceId: string, draftId: string, userId: string): Promise<void> {
      await keyv(workspaceId, 'drafts').delete(ownId(userId, draftId));
    },
  };
}

/** From the content alone: two changes at the same moment, on whichever instances, are two versions. */
function versionOf(content: DraftContent): number {
  return createHash('sha256').update(JSON.stringify(content)).digest().readUIntBE(0, 6);
}
