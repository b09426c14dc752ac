import { nothingShown } from '../../domain/limits/seen.ts';
import { countPages } from '../../domain/messages/pages.ts';
import type { Route } from '../../domain/messages/routes.ts';
import { phoneNumberSchema, toDigits } from '../../domain/phone/phone-number.ts';
import { asksFor, type ExtraWords, everydayWords, readStopAnswer } from '../../domain/replies/stop-words.ts';
import { withOrigin } from '../../lib/request-origin.ts';
import { StoreError } from '../../store/engine/errors.ts';
import type { Operation } from '../../store/operations/operation.ts';
import type { InboundMessage, ReplyThread, StopAnswerNote } from '../../store/replies/reply-threads.ts';
import type { Context } from '../context.ts';
import type { History } from '../history/history.ts';
import type { Operations } from '../operations/operations.ts';
import { sendForLedger } from '../operations/outcomes.ts';
import { ifRefused, type RefusalReason } from '../refusal.ts';
import type { SuppressionService } from '../suppression-list/suppression-list.ts';
import type { ReplySettingsStore } from './reply-settings.ts';

interface WrittenReply {
  workspaceId: string;
  /** E.164: `+2348031234567` */
  from: string;
  text: string;
  /** By the provider's clock. Undefined if its time zone isn't known. */
  sentAt: Date | undefined;
  /** See `replyIdentity`. */
  identity: string;
}

/** The request in a reply, and the action taken. Undefined if it’s about something else. */
export type AnsweredReply =
  | {
      answer: StopAnswerNote;
      /** Whether this reply put the number on the do-not-contact list. */
      isListed: boolean;
    }
  | undefined;

/**
 * Carries out a reply that asks to stop or restart messages. Resolves once that is stored. Other and unclear replies change
 * nothing: a person decides.
 *
 * A stop puts the number on the suppression list, and a start takes it off, in the order in which they were written: the
 * provider may send an old reply again, or late.
 *
 * @param extraWords what means a stop or a start in the workspace besides the usual words
 */
export async function answerReply(
  suppressionList: SuppressionService,
  { workspaceId, from, text, sentAt, identity }: WrittenReply,
  extraWords: ExtraWords,
): Promise<AnsweredReply> {
  const { data: number } = phoneNumberSchema.safeParse(from);
  const answer = readStopAnswer(text, extraWords);
  if (number === undefined || answer === undefined) {
    return undefined;
  }
  if (answer === 'unclear') {
    return { answer, isListed: false };
  }
  const { decision, isOnList, isListed } = await withOrigin({ surface: 'reply' }, () =>
    suppressionList.answer({ workspaceId, number, answer, sentAt, identity }),
  );
  if (decision === 'ask') {
    return { answer: 'undated_start', isListed };
  }
  return { answer: isOnList === (answer === 'stop') ? answer : `older_${answer}`, isListed };
}

/**
 * Returns whether a stop may be the answer that our last message asked for: *Reply CANCEL to cancel your visit*. A stop that
 * was decided before keeps its decision.
 */
export async function mayAnswerMessage(
  { store }: Context,
  history: History,
  { workspaceId, from, text, identity }: WrittenReply,
  extraWords: ExtraWords,
): Promise<boolean> {
  const { data: number } = phoneNumberSchema.safeParse(from);
  const everyday = everydayWords(text, extraWords);
  if (number === undefined || everyday.length === 0) {
    return false;
  }
  if (await store.replies.isKnown(workspaceId, identity)) {
    return true;
  }
  const last = await history.lastSent(workspaceId, number);
  return last?.text !== undefined && asksFor(last.text, everyday);
}

/** Returns why a confirmation was not sent, as `describeFailure` knows it. */
function whyNotSent(refused: Extract<RefusalReason, { kind: 'limited' | 'not_connected' }>): string {
  if (refused.kind === 'not_connected') {
    return refused.kind;
  }
  const { rule } = refused.limit.reason;
  return rule === 'budget' || rule === 'country' ? rule : 'limit_reached';
}

/** In milliseconds: how long one waits for its thread, so that its outcome is posted there. */
const waitsForThread = 60_000;
/** How long a confirmation held back by a limit is retried. Later, the person would not know what it is about. */
const triedFor = 10 * 60_000;

/**
 * Sends what confirms stops: each once, by the ledger, and never for a number that is not on the list any more. One that can't
 * be sent ends with the reason. The error of one keeps no other waiting.
 */
export async function confirmStops(
  { store, time, report }: Context,
  {
    settings,
    operations,
    suppressionList,
    senderOf,
    onSent,
  }: {
    settings: ReplySettingsStore;
    operations: Operations;
    suppressionList: SuppressionService;
    /** Returns the sender and route that a thread is answered with. */
    senderOf: (thread: ReplyThread) => Promise<{ senderId: string; route: Route } | undefined>;
    /** Called with each confirmation SMS once its outcome is known. */
    onSent: (operation: Operation) => Promise<unknown>;
  },
  signal: AbortSignal,
): Promise<void> {
  async function confirm(stop: InboundMessage): Promise<void> {
    const { workspaceId, confirmation } = stop;
    const thread = await store.replies.find(workspaceId, stop.threadId);
    const age = time.now().getTime() - stop.receivedAt.getTime();
    if (thread !== undefined && thread.message === undefined && age < waitsForThread) {
      return;
    }
    if (thread === undefined || confirmation === undefined) {
      return store.replies.endConfirmation(stop);
    }
    const [set, sender] = await Promise.all([settings.read(workspaceId), senderOf(thread)]);
    const { data: number } = phoneNumberSchema.safeParse(thread.number);
    const isWanted = set?.confirmation !== undefined && sender !== undefined && number !== undefined;
    if (!isWanted || (await suppressionList.filterListed(workspaceId, [number])).length === 0) {
      return store.replies.endConfirmation(stop);
    }
    const { key, userId, text } = confirmation;
    const { pages, needsUnicode } = countPages(text);
    const { senderId, route } = sender;
    const summary = {
      route,
      senderId,
      recipients: 1,
      to: [number],
      pagesEach: pages,
      replyTo: thread.id,
    };
    const kind = 'sms.confirm_stop';
    const { channelId } = set;
    const intent = { workspaceId, key, kind, userId, channelId, numbers: [number], summary, text };
    try {
      // The confirmation of a STOP is automatic: nobody reviews it, only an admin's settings decide.
      const spent = await operations.spend(
        { ...intent, usage: { kind: 'messages', to: [number], pages }, unchanged: nothingShown },
        (account) =>
          sendForLedger(
            account,
            { to: [toDigits(number)], senderId, route, text, unicode: needsUnicode },
            pages,
          ),
      );
      await onSent(spent.operation);
    } catch (error) {
      // From before a restore: it may have been sent.
      const isOutdated = error instanceof StoreError && error.fault === 'outdated';
      const refused = isOutdated
        ? undefined
        : ifRefused(['limited', 'not_connected'], (reason) => reason)(error);
      if (refused?.kind === 'limited' && age < triedFor) {
        return;
      }
      if (refused !== undefined) {
        await onSent(await operations.recordNotSent(intent, { reason: whyNotSent(refused) }));
      }
    }
    await store.replies.endConfirmation(stop);
  }

  for (const stop of await store.replies.unconfirmedStops()) {
    if (signal.aborted) {
      return;
    }
    await withOrigin({ surface: 'reply' }, () => confirm(stop)).catch(report);
  }
}
