import { countPages } from '../../domain/messages/pages.ts';
import type { Route } from '../../domain/messages/routes.ts';
import {
  maskNumber,
  type PhoneNumber,
  phoneNumberSchema,
  toDigits,
} from '../../domain/phone/phone-number.ts';
import { withOrigin } from '../../lib/request-origin.ts';
import type { Clock } from '../../lib/time/clock.ts';
import { StoreError } from '../../store/errors.ts';
import type { Operation } from '../../store/operations/operation.ts';
import type { InboundMessage, ReplyRepository, ReplyThread } from '../../store/replies/replies.ts';
import type { Operations } from '../operations/operations.ts';
import { toEnding } from '../operations/outcomes.ts';
import { sendMessage } from '../operations/send-message.ts';
import type { ReplySettingsStore } from './reply-settings.ts';

export interface ConfirmStopsOptions {
  store: Pick<ReplyRepository, 'unconfirmedStops' | 'endConfirmation' | 'find'>;
  settings: Pick<ReplySettingsStore, 'read'>;
  operations: Pick<Operations, 'spend'>;
  /** Returns those of the numbers that are on the suppression list. */
  filterListed: (workspaceId: string, numbers: readonly PhoneNumber[]) => Promise<PhoneNumber[]>;
  /** Returns what a thread is answered from. */
  senderOf: (thread: ReplyThread) => Promise<{ senderId: string; route: Route } | undefined>;
  /** Called with each confirmation that ended. */
  onSent: (operation: Operation) => Promise<void>;
  clock: Clock;
  /** Called with the error of one, which keeps no other waiting. */
  report: (error: unknown) => void;
}

/** In milliseconds: how long one waits for its thread, so that its outcome is posted there. */
const waitsForThread = 60_000;
/** How long one that a limit keeps back is tried again. After that, a person would not know what it is about. */
const triedFor = 10 * 60_000;

/**
 * Returns a function that sends what confirms stops: each once, by the ledger, and never for a number that is not on the
 * list any more.
 */
export function createConfirmStops(options: ConfirmStopsOptions): (signal: AbortSignal) => Promise<void> {
  const { store, clock, report } = options;

  async function confirm(stop: InboundMessage): Promise<void> {
    const thread = await store.find(stop.workspaceId, stop.threadId);
    const age = clock().getTime() - stop.receivedAt.getTime();
    if (thread !== undefined && thread.message === undefined && age < waitsForThread) {
      return;
    }
    if (thread === undefined || (await send(stop, thread, options)) !== 'limited' || age >= triedFor) {
      await store.endConfirmation(stop);
    }
  }

  return async (signal) => {
    for (const stop of await store.unconfirmedStops()) {
      if (signal.aborted) {
        return;
      }
      await withOrigin({ surface: 'reply' }, () => confirm(stop)).catch(report);
    }
  };
}

async function send(
  { workspaceId, confirmation }: InboundMessage,
  thread: ReplyThread,
  { settings, operations, filterListed, senderOf, onSent }: ConfirmStopsOptions,
): Promise<'limited' | 'ended'> {
  const [set, sender] = await Promise.all([settings.read(workspaceId), senderOf(thread)]);
  const { data: number } = phoneNumberSchema.safeParse(thread.number);
  const isWanted = set?.confirmation !== undefined && sender !== undefined && confirmation !== undefined;
  if (!isWanted || number === undefined || (await filterListed(workspaceId, [number])).length === 0) {
    return 'ended';
  }
  const { key, userId, text } = confirmation;
  const { pages, needsUnicode } = countPages(text);
  const { senderId, route } = sender;
  const summary = {
    route,
    senderId,
    recipients: 1,
    to: [maskNumber(number)],
    pagesEach: pages,
    replyTo: thread.id,
  };
  const kind = 'sms.confirm_stop';
  const intent = {
    workspaceId,
    key,
    kind,
    userId,
    channelId: set.channelId,
    numbers: [number],
    summary,
    text,
  };
  try {
    const spent = await operations.spend(
      { ...intent, usage: { kind: 'messages', to: [number], pages } },
      async (account) => {
        const message = { to: [toDigits(number)], senderId, route, text, unicode: needsUnicode };
        return toEnding(await sendMessage(account, message), ({ messageId, balance }) => ({
          providerId: messageId,
          pages,
          balance,
        }));
      },
    );
    await (spent.kind === 'performed' ? onSent(spent.operation) : undefined);
    return spent.kind === 'limited' ? 'limited' : 'ended';
  } catch (error) {
    // From before the data was restored: it may have been sent.
    if (error instanceof StoreError && error.fault === 'outdated') {
      return 'ended';
    }
    throw error;
  }
}
