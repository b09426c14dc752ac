import { createHash } from 'node:crypto';
import { z } from 'zod';
import { withEpoch } from '../../domain/access/request-keys.ts';
import { isBilledByPage, type Route } from '../../domain/messages/routes.ts';
import { type PhoneNumber, phoneNumberSchema } from '../../domain/phone/phone-number.ts';
import { readReplySender, replyIdentity } from '../../domain/replies/received-reply.ts';
import { jobTopics } from '../../store/engine/jobs/jobs.ts';
import type { Operation, ShownMessage } from '../../store/operations/operation.ts';
import type { ReplyThread, ThreadChange } from '../../store/replies/reply-threads.ts';
import type { Removal } from '../../store/replies/suppression-records.ts';
import type { Context } from '../context.ts';
import type { History, HistoryReader } from '../history/history.ts';
import type { Operations } from '../operations/operations.ts';
import { orGone } from '../refusal.ts';
import type { SuppressionService } from '../suppression-list/suppression-list.ts';
import type { Workspaces } from '../workspaces/workspaces.ts';
import { createReplySettings, type ReplySettingsStore } from './reply-settings.ts';
import { type AnsweredReply, answerReply, confirmStops, mayAnswerMessage } from './stops.ts';

/** A message that came in. */
export interface ReportedReply {
  /** `+` and digits. */
  from: string;
  text: string;
  /** Undefined if its time zone isn't known. */
  sentAt: Date | undefined;
  /** What it came to, and how, as the provider says it. */
  receiver: string | undefined;
  channel: string | undefined;
  /** The provider’s id of it, and its time as written. */
  id: string | undefined;
  writtenAt: string | undefined;
}

/** A thread, with the parts of it that screens show. */
export interface ShownThread extends ReplyThread {
  /** What it can be answered from; undefined where it can’t be. */
  sender: { senderId: string; route: Route } | undefined;
  /** The admin who chose the channel of the workspace; undefined where none is chosen. */
  setBy: string | undefined;
}

/** Messages that came in, and that an admin has to do something about. */
export interface RepliesToPost {
  /** How many are nowhere in Slack. They are posted once an admin saves a channel. */
  unposted: number;
  /** Whether some came in, and no channel is chosen. */
  lacksChannel: boolean;
}

interface Actor {
  workspaceId: string;
  userId: string;
}

const summarySchema = z.object({ replyTo: z.string().optional() });

function threadOf(summary: unknown): string | undefined {
  return summarySchema.safeParse(summary).data?.replyTo;
}

interface ReplyDeps {
  workspaces: Workspaces;
  operations: Operations;
  suppressionList: SuppressionService;
  history: History;
}

export type Replies = ReturnType<typeof createReplies>;

/** Messages that come in: one thread a number, in a channel of the workspace’s choice. */
export function createReplies(context: Context, deps: ReplyDeps) {
  const { replies: store, ledger } = context.store;
  const settings = createReplySettings(context);

  const listeners: ((operation: Operation) => Promise<unknown>)[] = [];
  const onSent = (operation: Operation) => Promise.all(listeners.map((listener) => listener(operation)));

  async function threadFor({ workspaceId, userId, scope }: HistoryReader, number: PhoneNumber) {
    const isTheirs =
      scope === 'everyone' || (await deps.history.lastSent(workspaceId, number))?.userId === userId;
    return isTheirs ? store.threadOf(workspaceId, number) : undefined;
  }

  return {
    /** Whether the program takes any in. */
    areOn: context.settings.reportSignature !== undefined,
    settings,

    /**
     * Does what a message asks for, and stores it durably, once. Without a channel it goes to the person who last wrote to
     * its number; if nobody did, it waits for a channel.
     */
    take: (workspaceId: string, reported: ReportedReply) =>
      takeReply(context, { ...deps, settings }, workspaceId, reported),

    /** By its id, or by where its parent message is in Slack. */
    async find(workspaceId: string, by: string | ShownMessage): Promise<ShownThread | undefined> {
      const thread = await store.find(workspaceId, by);
      if (thread === undefined) {
        return undefined;
      }
      const [sender, set] = await Promise.all([
        findSender(context, deps, thread),
        settings.read(workspaceId),
      ]);
      return { ...thread, sender, setBy: set?.setBy };
    },

    async toPost(workspaceId: string): Promise<RepliesToPost> {
      const [unposted, set, hasAny] = await Promise.all([
        store.countUnposted(workspaceId),
        settings.read(workspaceId),
        store.hasAny(workspaceId),
      ]);
      return { unposted, lacksChannel: set === undefined && hasAny };
    },

    /** Returns the newest message of a thread that is stored. */
    latest: store.latest,

    /** Returns the newest message of a number, only for an admin or the person who wrote to it last. */
    async latestFor(reader: HistoryReader, number: PhoneNumber) {
      const id = await threadFor(reader, number);
      return id === undefined ? undefined : store.latest({ workspaceId: reader.workspaceId, id });
    },

    /** Returns the id of the thread of a number, where the reader may have its messages and it can be answered. */
    async answerableBy(reader: HistoryReader, number: PhoneNumber): Promise<string | undefined> {
      const id = await threadFor(reader, number);
      const thread = id === undefined ? undefined : await store.find(reader.workspaceId, id);
      return thread && (await findSender(context, deps, thread)) && thread.id;
    },

    /** Has the same result however often it is called. Throws a Refusal if there is no such thread. */
    assign: (actor: Actor, id: string) => changeThread(context, actor, id, { assignedTo: actor.userId }),

    /** Has the same result however often it is called. Throws a Refusal if there is no such thread. */
    finish: (actor: Actor, id: string) => changeThread(context, actor, id, { state: 'done' }),

    /**
     * Opts a number back in after a START message, unless it opted out again later. Throws a Refusal if the
     * message doesn't exist.
     */
    async removeAsAsked(workspaceId: string, messageId: string): Promise<Removal> {
      const { threadId, receivedAt } = orGone(await store.message(workspaceId, messageId), 'thread');
      const thread = await store.find(workspaceId, threadId);
      const number = orGone(phoneNumberSchema.safeParse(thread?.number).data, 'thread');
      return deps.suppressionList.removeAsAsked({ workspaceId, number, receivedAt });
    },

    /** Returns what an operation says that answers in a thread, while that is stored. */
    answerText: async ({ workspaceId, id, summary }: Operation): Promise<string | undefined> =>
      threadOf(summary) === undefined ? undefined : (await ledger.texts(workspaceId, [id])).get(id)?.text,

    /** Notes who wrote last in the thread that an operation answers. Returns its place in Slack, if it has one. */
    answered: (operation: Operation) => noteAnswer(context, operation),

    /** Confirms the stops that are to be confirmed. */
    confirmStops(signal: AbortSignal): Promise<void> {
      const senderOf = (thread: ReplyThread) => findSender(context, deps, thread);
      return confirmStops(context, { ...deps, settings, senderOf, onSent }, signal);
    },

    /** Calls a listener with each confirmation that ended. */
    onConfirmed: (listener: (operation: Operation) => Promise<unknown>) => void listeners.push(listener),
  };
}

async function noteAnswer(context: Context, operation: Operation): Promise<ReplyThread['message']> {
  const { replies } = context.store;
  const { workspaceId, userId, kind, state, createdAt: at } = operation;
  const id = threadOf(operation.summary);
  if (id === undefined) {
    return undefined;
  }
  if (kind === 'sms.send' && (state === 'accepted' || state === 'unconfirmed')) {
    await replies.noteAnswer({ workspaceId, id }, { userId, at });
    await wake(context, 'notices');
  }
  return (await replies.find(workspaceId, id))?.message;
}

/** Has notices delivered soon, or stops confirmed. */
async function wake({ store, report }: Context, topic: 'notices' | 'stops'): Promise<void> {
  await store.jobs.enqueue(jobTopics[topic], '').catch(report);
}

async function takeReply(
  context: Context,
  deps: ReplyDeps & { settings: ReplySettingsStore },
  workspaceId: string,
  reported: ReportedReply,
): Promise<void> {
  const { store, time, dialect } = context;
  const { history, settings, suppressionList } = deps;
  const identity = replyIdentity(reported, time.now());
  const words = await settings.words(workspaceId);
  const reply = { workspaceId, ...reported, identity };
  // A stop counts before anything else is done for its number.
  const answered: AnsweredReply = (await mayAnswerMessage(context, history, reply, words))
    ? { answer: 'unclear', isListed: false }
    : await answerReply(suppressionList, reply, words);
  const set = await settings.read(workspaceId);
  const { from: number, text, receiver, channel } = reported;
  const canBeAnswered = readReplySender(reported, dialect.chatChannel) !== undefined;
  const confirmation =
    answered?.isListed === true && set?.confirmation !== undefined && canBeAnswered
      ? {
          key: withEpoch(store.installation.epoch, digest(workspaceId, identity)),
          userId: set.setBy,
          text: set.confirmation,
        }
      : undefined;
  // Until a channel is chosen, tell the person who last wrote to the number.
  const { data: phone } = phoneNumberSchema.safeParse(number);
  const last = set === undefined && phone ? await history.lastSent(workspaceId, phone) : undefined;
  const unset = last === undefined ? undefined : { userId: last.userId };
  const notify = set === undefined ? unset : { userId: set.setBy, channelId: set.channelId };
  const content = { number, receiver, channel, text, answer: answered?.answer, confirmation };
  if (await store.replies.take({ workspaceId, identity, notify, ...content })) {
    await wake(context, 'notices');
  }
  if (confirmation !== undefined) {
    await wake(context, 'stops');
  }
}

/** Returns what a thread is answered from; undefined where it can’t be. */
async function findSender(
  { dialect }: Context,
  { workspaces }: ReplyDeps,
  { workspaceId, number, receiver, channel }: ReplyThread,
): Promise<ShownThread['sender']> {
  const sender = readReplySender({ receiver, channel }, dialect.chatChannel);
  if (sender === undefined || !phoneNumberSchema.safeParse(number).success) {
    return undefined;
  }
  const { route } = await workspaces.defaults(workspaceId);
  const byText = isBilledByPage(route) ? route : 'generic';
  return { senderId: sender.senderId, route: sender.isDevice ? 'chatapp' : byText };
}

async function changeThread(
  context: Context,
  { workspaceId, userId }: Actor,
  id: string,
  to: ThreadChange,
): Promise<ReplyThread> {
  const changed = await context.store.replies.change({ workspaceId, id }, to, userId);
  const { thread, isChanged } = orGone(changed, 'thread');
  if (isChanged) {
    const { data: number } = phoneNumberSchema.safeParse(thread.number);
    await context.audit.record({
      workspaceId,
      userId,
      action: 'state' in to ? 'reply.finish' : 'reply.assign',
      subject: number,
      outcome: 'done',
    });
  }
  await wake(context, 'notices');
  return thread;
}

/** As long as an id of what a user asks for. */
function digest(...parts: string[]): string {
  return createHash('sha256')
    .update(JSON.stringify(['stop', ...parts]))
    .digest('base64url')
    .slice(0, 22);
}
