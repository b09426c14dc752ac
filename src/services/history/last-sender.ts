import type { PhoneNumber } from '../../domain/phone/phone-number.ts';
import { messageKinds } from '../../store/operations/operation.ts';
import type { History, HistoryEntry } from './history.ts';

/** Entries of a number that are looked at. */
const maxSearched = 10;

/** Returns a function that finds the Slack user who sent to a number last, of what may have reached it. */
export function createLastSender(history: Pick<History, 'search'>) {
  return async (workspaceId: string, number: PhoneNumber): Promise<string | undefined> => {
    const everyones = { workspaceId, userId: '', scope: 'everyone' as const };
    const { entries } = await history.search(everyones, number, maxSearched);
    const sendings = entries.flatMap(sendingOf);
    const [last] = sendings.sort((one, other) => other.at.getTime() - one.at.getTime());
    return last?.userId;
  };
}

/** Returns who sent it, and when; nothing of what the number did not get. */
function sendingOf(entry: HistoryEntry): { userId: string; at: Date }[] {
  if (entry.kind === 'campaign') {
    const { createdBy: userId, createdAt, startedAt: at = createdAt } = entry.campaign;
    const state = entry.chunk?.state;
    return state === 'waiting' || state === 'rejected' ? [] : [{ userId, at }];
  }
  const { kind, state, userId } = entry.operation;
  // Who confirms a stop did not write: the program answers in their name.
  const isWritten = messageKinds.includes(kind) && kind !== 'sms.confirm_stop';
  return isWritten && state !== 'rejected' && state !== 'not_sent' ? [{ userId, at: entry.at }] : [];
}
