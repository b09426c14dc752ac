import { createHash } from 'node:crypto';
import { z } from 'zod';
import { withEpoch } from '../../domain/access/request-keys.ts';
import { isBilledByPage, type Route } from '../../domain/messages/routes.ts';
import { maskNumber, type PhoneNumber, phoneNumberSchema } from '../../domain/phone/phone-number.ts';
import { type ReceivedAt, readReplySender } from '../../domain/replies/reply-sender.ts';
import { wakeTopics } from '../../store/jobs/jobs.ts';
import type { Operation } from '../../store/operations/operation.ts';
import type { InboundMessage, ReplyThread, ThreadChange } from '../../store/replies/replies.ts';
import type { Context } from '../context.ts';
import type { Operations } from '../operations/operations.ts';
import type { SuppressionService } from '../suppression-list/suppression-list.ts';
import type { Workspaces } from '../workspaces/workspaces.ts';
import { createConfirmStops } from './confirm-stops.ts';
import { createReplySettings, type ReplySettingsStore } from './reply-settings.ts';

/** A message that came in, as the provider reports it. */
export interface ReportedInbound extends ReceivedAt {
  /** `+` and digits. */
  from: string;
  text: string;
  /** See `replyIdentity`. */
  identity: string;
}

/** What was done for it before: `isListed`, that its number stands on the suppression list for it. */
type DoneBefore = { answer: 'stop' | 'start'; isListed: boolean } | undefined;

/** A thread, with what is shown of it. */
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

/** Messages that come in: one thread a number, in a channel of the workspace’s choice. */
export interface Replies {
  /** Whether the program takes any in. */
  areOn: boolean;
  settings: ReplySettingsStore;
  toPost(workspaceId: string): Promise<RepliesToPost>;
  /**
   * Stores a message durably, unless it is known. Without a channel it is for the person who wrote to its number last; where
   * nobody did, it waits for a channel.
   */
  take(workspaceId: string, reply: ReportedInbound, done: DoneBefore): Promise<void>;
  find(workspaceId: string, id: string): Promise<ShownThread | undefined>;
  /** Returns the newest message of a thread that is kept. */
  latest(thread: ReplyThread): Promise<InboundMessage | undefined>;
  /** Each has the same result however often it is called. Undefined: there is no such thread. */
  assign(actor: Actor, id: string): Promise<ReplyThread | undefined>;
  finish(actor: Actor, id: string): Promise<ReplyThread | undefined>;
  /** Notes who wrote last in the thread that an operation answers. Returns where its head is in Slack; undefined: nowhere. */
  answered(operation: Operation): Promise<ReplyThread['message']>;
  /** Returns what an operation says that answers in a thread, while that is kept. */
  answerText(operation: Operation): Promise<string | undefined>;
  /** Confirms the stops that are to be confirmed. */
  confirmStops(signal: AbortSignal): Promise<void>;
  /** Calls a listener with each confirmation that ended. */
  onConfirmed(listener: (operation: Operation) => Promise<unknown>): void;
}

const summarySchema = z.object({ replyTo: z.string().optional() });

function threadOf(summary: unknown): string | undefined {
  return summarySchema.safeParse(summary).data?.replyTo;
}

export function createReplies(
  context: Context,
  others: {
    workspaces: Workspaces;
    operations: Operations;
    suppressionList: SuppressionService;
    /** Returns the user who sent to a number last. */
    lastSender: (workspaceId: string, number: PhoneNumber) => Promise<string | undefined>;
  },
): Replies {
  const { replies: store, ledger, jobs, installation } = context.store;
  const { chatChannel } = context.dialect;
  const { record } = context.audit;
  const { report } = context;
  const { workspaces, operations, suppressionList } = others;
  const wake = (topic: 'notices' | 'stops') => jobs.wake(wakeTopics[topic], '').catch(report);
  const settings = createReplySettings(context, { wakeNotices: () => wake('notices') });

  const listeners: ((operation: Operation) => Promise<unknown>)[] = [];

  async function onSent(operation: Operation): Promise<void> {
    await Promise.all(listeners.map((listener) => listener(operation)));
  }

  async function senderOf({ workspaceId, number, receiver, channel }: ReplyThread) {
    const sender = readReplySender({ receiver, channel }, chatChannel);
    if (sender === undefined || !phoneNumberSchema.safeParse(number).success) {
      return undefined;
    }
    const { route } = await workspaces.defaults(workspaceId);
    const byText = isBilledByPage(route) ? route : ('generic' as const);
    return { senderId: sender.senderId, route: sender.isDevice ? ('chatapp' as const) : byText };
  }

  /** Returns who has to know of a message while no channel is chosen. */
  async function findRecipient(workspaceId: string, number: string): Promise<{ userId: string } | undefined> {
    const { data: phone } = phoneNumberSchema.safeParse(number);
    const userId = phone && (await others.history.lastSender(workspaceId, phone));
    return userId === undefined ? undefined : { userId };
  }

  async function change({ workspaceId, userId }: Actor, id: string, to: ThreadChange) {
    const changed = await store.change({ workspaceId, id }, to, userId);
    if (changed?.isChanged === true) {
      const { data: number } = phoneNumberSchema.safeParse(changed.thread.number);
      await record({
        workspaceId,
        userId,
        action: 'state' in to ? 'reply.finish' : 'reply.assign',
        subject: number && maskNumber(number),
        outcome: 'done',
      });
    }
    await wake('notices');
    return changed?.thread;
  }

  return {
    areOn: context.settings.reportSignature !== undefined,
    settings,

    async take(workspaceId, reply, done) {
      const set = await settings.read(workspaceId);
      const { from: number, text, receiver, channel, identity } = reply;
      const confirmation =
        done?.isListed === true &&
        set?.confirmation !== undefined &&
        readReplySender(reply, chatChannel) !== undefined
          ? {
              key: withEpoch(installation.epoch, digest(workspaceId, identity)),
              userId: set.setBy,
              text: set.confirmation,
            }
          : undefined;
      const notify =
        set === undefined
          ? await findRecipient(workspaceId, number)
          : { userId: set.setBy, channelId: set.channelId };
      const content = { number, receiver, channel, text, answer: done?.answer, confirmation };
      if (await store.take({ workspaceId, identity, notify, ...content })) {
        await wake('notices');
      }
      if (confirmation !== undefined) {
        await wake('stops');
      }
    },

    async find(workspaceId, id) {
      const thread = await store.find(workspaceId, id);
      if (thread === undefined) {
        return undefined;
      }
      const [sender, set] = await Promise.all([senderOf(thread), settings.read(workspaceId)]);
      return { ...thread, sender, setBy: set?.setBy };
    },

    async toPost(workspaceId) {
      const [unposted, set, hasAny] = await Promise.all([
        store.countUnposted(workspaceId),
        settings.read(workspaceId),
        store.hasAny(workspaceId),
      ]);
      return { unposted, lacksChannel: set === undefined && hasAny };
    },

    latest: store.latest,
    assign: (actor, id) => change(actor, id, { assignedTo: actor.userId }),
    finish: (actor, id) => change(actor, id, { state: 'done' }),

    async answerText({ workspaceId, id, summary }) {
      return threadOf(summary) === undefined
        ? undefined
        : (await ledger.texts(workspaceId, [id])).get(id)?.text;
    },

    async answered(operation) {
      const { workspaceId, userId, kind, state, createdAt: at } = operation;
      const id = threadOf(operation.summary);
      if (id === undefined) {
        return undefined;
      }
      if (kind === 'sms.send' && (state === 'accepted' || state === 'unconfirmed')) {
        await store.noteAnswer({ workspaceId, id }, { userId, at });
        await wake('notices');
      }
      return (await store.find(workspaceId, id))?.message;
    },

    confirmStops: createConfirmStops({
      store,
      settings,
      operations,
      filterListed: suppressionList.filterListed,
      senderOf,
      onSent,
      clock: context.time.now,
      report,
    }),
    onConfirmed: (listener) => void listeners.push(listener),
  };
}

/** As long as an id of what a user asks for. */
function digest(...parts: string[]): string {
  return createHash('sha256')
    .update(JSON.stringify(['stop', ...parts]))
    .digest('base64url')
    .slice(0, 22);
}
