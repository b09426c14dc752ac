import type { Keyv } from 'keyv';
import { z } from 'zod';
import { routeSchema } from '../../domain/messages/routes.ts';
import { phoneNumberSchema } from '../../domain/phone/phone-number.ts';
import { createKeyedMutex } from '../../lib/keyed-mutex.ts';
import { ownId } from '../operations/ownership.ts';

/** A message that is not sent yet, kept (encrypted, for a day) between the form, the review and the send. */
export interface Draft {
  /** Also the idempotency key of its one send. */
  id: string;
  /** Incremented by each change, so that a button under an older preview cannot send what that preview does not show. */
  version: number;
  content: DraftContent;
}

/** Version 0.1 stored `channelId` as `place`. */
function withChannelId(content: unknown): unknown {
  const { place, ...rest } = z.looseObject({}).safeParse(content).data ?? {};
  return place === undefined ? content : { ...rest, channelId: place };
}

// Strict: a property that another version wrote and this one does not know may say where the outcome goes, or to whom.
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
});
const storedContentSchema = z.preprocess(withChannelId, contentSchema);
export type DraftContent = z.infer<typeof contentSchema>;

const storedSchema = z.object({ version: z.number().int(), content: z.unknown() });

/** In milliseconds. */
const draftTtl = 24 * 60 * 60_000;

/** The drafts of each user, whose ids name nothing for any other user (see `ownId`). */
export interface Drafts {
  /** Keeps a new draft, or the next version of one. Saving the same content again keeps the version. */
  save(workspaceId: string, id: string, userId: string, content: DraftContent): Promise<Draft>;
  /** Returns `undefined` also for a draft that another version of the program wrote and this one cannot read. */
  find(workspaceId: string, id: string, userId: string): Promise<Draft | undefined>;
  delete(workspaceId: string, id: string, userId: string): Promise<void>;
}

export function createDrafts(keyv: (workspaceId: string, area: string) => Keyv): Drafts {
  const runInTurn = createKeyedMutex();

  async function read(workspaceId: string, id: string) {
    const value: unknown = await keyv(workspaceId, 'drafts').get(id);
    if (value === undefined) {
      return undefined;
    }
    const { version, content } = storedSchema.parse(value);
    return { version, content: storedContentSchema.safeParse(content).data };
  }

  async function write(workspaceId: string, id: string, content: DraftContent): Promise<Draft> {
    const last = await read(workspaceId, id);
    const parsed = contentSchema.parse(content);
    if (last?.content !== undefined && JSON.stringify(last.content) === JSON.stringify(parsed)) {
      return { id, version: last.version, content: last.content };
    }
    const draft = { version: (last?.version ?? 0) + 1, content };
    await keyv(workspaceId, 'drafts').set(id, draft, draftTtl);
    return { id, ...draft };
  }

  return {
    async find(workspaceId, draftId, userId) {
      const id = ownId(userId, draftId);
      const stored = await read(workspaceId, id);
      return stored?.content && { id, version: stored.version, content: stored.content };
    },
    // In turn: two changes at the same moment are two versions.
    save(workspaceId, draftId, userId, content) {
      const id = ownId(userId, draftId);
      return runInTurn(JSON.stringify([workspaceId, id]), () => write(workspaceId, id, content));
    },
    async delete(workspaceId, draftId, userId) {
      const id = ownId(userId, draftId);
      await runInTurn(JSON.stringify([workspaceId, id]), () => keyv(workspaceId, 'drafts').delete(id));
    },
  };
}
