import type { Time } from '../../lib/time/trusted-time.ts';
import type { Outcome, Reason } from '../../provider/errors.ts';
import type { MessageRecord } from '../../provider/messages/message-history.ts';
import type { DeliveryRepository } from '../../store/deliveries/deliveries.ts';
import type { DeliveryInquiries, OverdueMessage } from '../../store/deliveries/inquiries.ts';
import type { LimitStore } from '../../store/limits/limit-store.ts';
import type { Workspaces } from '../workspaces/workspaces.ts';
import { messageKinds } from './provider-history.ts';
import { reportsOf } from './read-history.ts';

/** Asks the provider in the background what became of messages of which no report came. */
export interface DeliveryChaser {
  /** Asks about what is due, as much as the limits allow. Does nothing where the operation is off. */
  tick(signal: AbortSignal): Promise<void>;
}

/** Of the messages that a workspace may send in a minute, the part that may be questions. */
const shareOfRate = 0.05;
/** Questions of a workspace in a minute, on all instances together. */
const maxQuestions = 60;
const minuteMs = 60_000;
/** In milliseconds: a run ends before the next one is due. */
const maxRunMs = 45_000;

/** The message stays due: it says nothing of it that the provider was not reached. */
const staysDue: ReadonlySet<Reason> = new Set([
  'not_configured',
  'stopping',
  'cancelled',
  'unreachable',
  'untrusted',
  'bad_key',
  'rate_limited',
]);
/** The provider has answered, if not as hoped: the next message may be asked about. */
const hasAnswered: ReadonlySet<Reason> = new Set([
  'not_found',
  'refused',
  'invalid_request',
  'empty_answer',
  'unreadable_answer',
]);

export function createDeliveryChaser(options: {
  isOn: boolean;
  inquiries: DeliveryInquiries;
  deliveries: Pick<DeliveryRepository, 'record'>;
  limits: Pick<LimitStore, 'take'>;
  workspaces: Pick<Workspaces, 'account' | 'defaults'>;
  /** How many messages a second the campaigns of a workspace may send. */
  messagesPerSecond: number;
  /** Has what follows from answers done. */
  wake: () => Promise<void>;
  time: Pick<Time, 'now' | 'elapsed'>;
  /** Called with the error of one workspace, which keeps no other waiting. */
  report: (error: unknown) => void;
}): DeliveryChaser {
  const { isOn, inquiries, deliveries, limits, workspaces, wake, time, report } = options;
  const perMinute = Math.max(
    1,
    Math.min(maxQuestions, Math.floor(options.messagesPerSecond * 60 * shareOfRate)),
  );
  const charge = { key: 'inquiries', points: 1, limit: perMinute, duration: minuteMs };

  async function mayAsk(workspaceId: string): Promise<boolean> {
    return (
      (await inquiries.takeFromPace(workspaceId)) &&
      (await limits.take(workspaceId, [charge])).kind === 'taken'
    );
  }

  /** Returns whether another message may be asked about. */
  async function settle(
    { workspaceId, place }: OverdueMessage,
    outcome: Outcome<readonly MessageRecord[]>,
  ): Promise<boolean> {
    if (outcome.kind === 'accepted') {
      const { country } = await workspaces.defaults(workspaceId);
      await deliveries.record(workspaceId, reportsOf(outcome.value, country));
      await inquiries.asked(place);
      return true;
    }
    const { reason } = outcome.error;
    if (!staysDue.has(reason)) {
      await inquiries.asked(place);
    }
    return hasAnswered.has(reason);
  }

  /** Returns whether anything was asked. */
  async function askOf(workspaceId: string, mayGoOn: () => boolean): Promise<boolean> {
    const account = await workspaces.account(workspaceId);
    if (account === undefined) {
      return false;
    }
    const due = await inquiries.due(workspaceId, {
      now: time.now(),
      kinds: [...messageKinds],
      limit: perMinute,
    });
    let hasAsked = false;
    for (const message of due) {
      if (!mayGoOn() || !(await mayAsk(workspaceId))) {
        break;
      }
      hasAsked = true;
      if (!(await settle(message, await account.messages.history(message.providerId)))) {
        break;
      }
    }
    return hasAsked;
  }

  return {
    async tick(signal) {
      if (!isOn) {
        return;
      }
      const start = time.elapsed();
      const mayGoOn = () => !signal.aborted && time.elapsed() - start < maxRunMs;
      const all = await inquiries.workspaces(time.now());
      // Another one is first each minute: no workspace waits for ever behind those of a slow provider.
      const first = all.length === 0 ? 0 : Math.floor(time.now().getTime() / minuteMs) % all.length;
      let hasAsked = false;
      for (const workspaceId of [...all.slice(first), ...all.slice(0, first)]) {
        if (!mayGoOn()) {
          break;
        }
        hasAsked = (await askOf(workspaceId, mayGoOn).catch(report)) === true || hasAsked;
      }
      if (hasAsked) {
        await wake();
      }
    },
  };
}
