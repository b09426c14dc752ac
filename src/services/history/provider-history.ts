import type { ReachedLimit } from '../../domain/limits/reached-limit.ts';
import type { ProviderError } from '../../provider/errors.ts';
import type { MessageRecord } from '../../provider/messages/message-history.ts';
import type { DeliveryRepository } from '../../store/deliveries/deliveries.ts';
import type { Operation } from '../../store/operations/ledger.ts';
import type { Workspaces } from '../workspaces/workspaces.ts';
import type { History, HistoryReader } from './history.ts';
import { reportsOf } from './read-history.ts';

export type AskedProvider =
  /** What the provider says of each number that the message went to; nothing where it does not know it. */
  | { kind: 'answered'; records: readonly MessageRecord[] }
  /** There is no such operation, the reader may not see it, or the provider has no id of it. */
  | { kind: 'no_entry' }
  | { kind: 'limited'; limit: ReachedLimit }
  | { kind: 'not_connected' }
  | { kind: 'failed'; error: ProviderError };

/** Asks the provider what became of a message, by an operation beyond the description. */
export interface ProviderHistory {
  /** Whether the provider's profile names the path of the operation. */
  readonly isOn: boolean;
  /**
   * Stores the answer as what is known of the message, like a report.
   *
   * @param id of the operation that sent it
   */
  ask(reader: HistoryReader, id: string): Promise<AskedProvider>;
}

/** The kinds whose provider's id is that of a message. */
export const messageKinds: ReadonlySet<string> = new Set([
  'sms.send',
  'sms.confirm_stop',
  'campaign.test',
  'otp.sms',
  'otp.voice',
  'otp.chat',
  'otp.sms_token',
]);

type AskedAbout = Pick<Operation, 'kind' | 'providerId' | 'receiptId'>;

/** Whether the provider has, or may have, a message of the operation. */
export function canBeAskedAbout(operation: AskedAbout): boolean {
  return messageIdOf(operation) !== undefined;
}

/** What the provider knows a message by: where the answer to its request was not clear, what that answer named. */
function messageIdOf({ kind, providerId, receiptId }: AskedAbout): string | undefined {
  return messageKinds.has(kind) ? (providerId ?? receiptId) : undefined;
}

export function createProviderHistory(options: {
  isOn: boolean;
  history: Pick<History, 'entry'>;
  deliveries: Pick<DeliveryRepository, 'record'>;
  /** Has what follows from an answer done. */
  wake: () => Promise<void>;
  workspaces: Pick<Workspaces, 'account' | 'defaults'>;
  takeLookups: (
    who: { workspaceId: string; userId: string },
    calls: number,
  ) => Promise<{ kind: 'taken' } | { kind: 'limited'; limit: ReachedLimit }>;
}): ProviderHistory {
  const { isOn, history, deliveries, wake, workspaces, takeLookups } = options;
  return {
    isOn,

    async ask(reader, id) {
      const entry = await history.entry(reader, { kind: 'operation', id });
      const operation = entry?.kind === 'operation' ? entry.operation : undefined;
      const messageId = operation && messageIdOf(operation);
      if (messageId === undefined) {
        return { kind: 'no_entry' };
      }
      const account = await workspaces.account(reader.workspaceId);
      if (account === undefined) {
        return { kind: 'not_connected' };
      }
      const taken = await takeLookups(reader, 1);
      if (taken.kind === 'limited') {
        return taken;
      }
      const outcome = await account.messages.history(messageId);
      if (outcome.kind !== 'accepted') {
        return { kind: 'failed', error: outcome.error };
      }
      const { country } = await workspaces.defaults(reader.workspaceId);
      const reports = reportsOf(outcome.value, country);
      if (reports.length > 0) {
        await deliveries.record(reader.workspaceId, reports);
        await wake();
      }
      return { kind: 'answered', records: outcome.value };
    },
  };
}
