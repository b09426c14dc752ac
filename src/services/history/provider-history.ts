import { readReportedTime } from '../../domain/deliveries/reported-time.ts';
import { readCost } from '../../domain/money/money.ts';
import type { CountryCode } from '../../domain/phone/countries.ts';
import { readReportedNumber } from '../../domain/phone/read-number.ts';
import type { ProviderAccount } from '../../provider/client.ts';
import type { ProviderError, Reason } from '../../provider/errors.ts';
import type { MessageHistory, MessageRecord } from '../../provider/messages.ts';
import type { Campaign } from '../../store/campaigns/campaigns.ts';
import type { DeliveryReport } from '../../store/deliveries/deliveries.ts';
import { jobTopics } from '../../store/engine/jobs/jobs.ts';
import { messageKinds, type Operation } from '../../store/operations/operation.ts';
import type { Context } from '../context.ts';
import type { Limits } from '../limits/limits.ts';
import { Refusal } from '../refusal.ts';
import type { Workspaces } from '../workspaces/workspaces.ts';
import type { History, HistoryReader } from './history.ts';
import type { UnknownStatuses } from './unknown-statuses.ts';

export type AskedProvider =
  /** What the provider says about each number; empty if it doesn't know the message. `isOwn`: the user sent it. */
  | ({ kind: 'answered'; isOwn: boolean } & MessageHistory)
  /** The unconfirmed message may be any of several that were reported. */
  | { kind: 'asked_about_reports'; messages: number; unreadable: number }
  /** It is unconfirmed, and neither the answer to its request nor a report has named a message. */
  | { kind: 'no_message' };

export interface AskedAboutCampaign {
  /** The messages that were asked about, each to the recipients of one request. */
  asked: number;
  /** How many of them the provider knows. */
  known: number;
  /** How many entries in the answers couldn't be read. */
  unreadable: number;
  /** The error that ended the questions early. */
  error: ProviderError | undefined;
  /** Passed on to ask about the messages after these, where there are more. */
  next: number | undefined;
}

/** Messages of one call. */
const maxMessages = 500;
const concurrency = 5;

/** Errors of one message alone: the next message is asked about all the same. */
const errorsOfMessage: ReadonlySet<Reason> = new Set([
  'not_found',
  'refused',
  'invalid_request',
  'empty_answer',
  'unreadable_answer',
]);

type AskedAbout = Pick<Operation, 'kind' | 'providerId' | 'receiptId' | 'state'>;

/** Whether the provider has, or may have, a message of the operation. */
export function canBeAskedAbout(operation: AskedAbout): boolean {
  return lookupIdOf(operation) !== undefined || canBeFoundByReports(operation);
}

/** What the provider knows a message by: where the answer to its request was not clear, what that answer named. */
function lookupIdOf({ kind, providerId, receiptId }: AskedAbout): string | undefined {
  return messageKinds.includes(kind) ? (providerId ?? receiptId) : undefined;
}

/** Whether reports may name messages that turn out to be its own. The text of a code is not stored, so none can. */
function canBeFoundByReports({ kind, state }: AskedAbout): boolean {
  return state === 'unconfirmed' && messageKinds.includes(kind) && !kind.startsWith('otp.');
}

/**
 * Whether there may be messages of a campaign whose outcome is not known. Its recipients have to be stored still: what
 * is learned later would be counted a second time.
 */
export function canAskAboutCampaign({ state, text, counts, deliveries }: Campaign): boolean {
  const { accepted, unconfirmed } = counts;
  const { onTheWay, other, waiting } = deliveries ?? { onTheWay: 0, other: [], waiting: accepted };
  const open = other.reduce((sum, { recipients }) => sum + recipients, onTheWay + waiting);
  const isStill = state === 'done' || state === 'cancelled' || state === 'paused';
  return isStill && text !== undefined && open + unconfirmed > 0;
}

interface CampaignOptions {
  /** The `next` value of the previous call. */
  after: number | undefined;
  progress: (asked: number, of: number) => void;
  signal: AbortSignal;
}

interface Questions {
  reader: HistoryReader;
  account: ProviderAccount;
  messageIds: readonly string[];
  /** Called with the number of messages that were asked about. */
  progress?: (asked: number) => void;
  signal?: AbortSignal;
}

/** Asks the provider what happened to messages. The operation isn't part of the official description. */
export function createProviderHistory(
  { store: { deliveries, jobs, openMessages }, dialect }: Context,
  {
    history,
    workspaces,
    limits,
    unknownStatuses,
  }: { history: History; workspaces: Workspaces; limits: Limits; unknownStatuses: UnknownStatuses },
) {
  /**
   * Asks about several messages at once until an error that would affect the others too. Charges the requests
   * to the limits, and refunds those that were never made.
   */
  async function askAbout({ reader, account, messageIds, progress, signal }: Questions) {
    const { workspaceId } = reader;
    const taken = messageIds.length === 0 ? undefined : await limits.takeLookups(reader, messageIds.length);
    const { country } = await workspaces.defaults(workspaceId);
    const records: MessageRecord[] = [];
    let [asked, answered, known, unreadable] = [0, 0, 0, 0];
    let error: ProviderError | undefined;
    let isCutShort = false;
    const waiting = messageIds.values();
    async function worker(): Promise<void> {
      for (const messageId of waiting) {
        if (isCutShort) {
          return;
        }
        const outcome = await account.messages.history(messageId, signal === undefined ? {} : { signal });
        asked += 1;
        if (outcome.kind === 'accepted') {
          const { value } = outcome;
          records.push(...value.records);
          answered += 1;
          known += value.records.length > 0 ? 1 : 0;
          unreadable += value.unreadable;
          const reports = reportsOf(value.records, country);
          unknownStatuses.note(reports);
          await deliveries.record(workspaceId, reports);
        } else {
          error ??= outcome.error;
          isCutShort ||= !errorsOfMessage.has(outcome.error.reason);
        }
        progress?.(asked);
      }
    }
    await Promise.all(Array.from({ length: concurrency }, worker));
    if (records.length > 0) {
      // Processes the answers soon.
      await jobs.enqueue(jobTopics.deliveries, '');
    }
    await taken?.giveBack(messageIds.length - asked);
    return { records, unreadable, asked, known, error: answered === 0 || isCutShort ? error : undefined };
  }

  return {
    /** Whether the provider's profile defines a path for this operation. */
    isOn: dialect.historyPath !== undefined,

    /**
     * Stores the answers as the message's status, like delivery reports. Throws a Refusal if the reader can't see
     * the entry, or the provider can't be asked about it.
     *
     * @param id of the operation that sent it
     */
    async ask(reader: HistoryReader, id: string): Promise<AskedProvider> {
      const entry = await history.entry(reader, { kind: 'operation', id });
      const operation = entry?.kind === 'operation' ? entry.operation : undefined;
      if (operation === undefined || !canBeAskedAbout(operation)) {
        throw new Refusal({ kind: 'gone', what: 'entry' });
      }
      const account = await workspaces.connected(reader.workspaceId);
      const lookupId = lookupIdOf(operation);
      const reported = canBeFoundByReports(operation)
        ? await openMessages.reportedOf(operation, maxMessages)
        : [];
      const messageIds = [...new Set([...(lookupId === undefined ? [] : [lookupId]), ...reported])];
      if (messageIds.length === 0) {
        return { kind: 'no_message' };
      }
      const { records, unreadable, asked, error } = await askAbout({ reader, account, messageIds });
      if (error !== undefined && records.length === 0) {
        throw new Refusal({ kind: 'failed', error });
      }
      return lookupId === undefined
        ? { kind: 'asked_about_reports', messages: asked, unreadable }
        : // What was only reported may be the message of somebody else, so nothing of it is shown.
          {
            kind: 'answered',
            isOwn: operation.userId === reader.userId,
            records: records.filter(({ messageId }) => messageId === lookupId),
            unreadable,
          };
    },

    /**
     * Asks about up to 500 messages of an ended or paused campaign, and stores the answers like delivery
     * reports. Throws a Refusal as `ask` does.
     */
    async askAboutCampaign(
      reader: HistoryReader,
      id: string,
      { after, progress, signal }: CampaignOptions,
    ): Promise<AskedAboutCampaign> {
      const entry = await history.entry(reader, { kind: 'campaign', id });
      if (entry?.kind !== 'campaign' || !canAskAboutCampaign(entry.campaign)) {
        throw new Refusal({ kind: 'gone', what: 'entry' });
      }
      const account = await workspaces.connected(reader.workspaceId);
      const page = { after, limit: maxMessages };
      const { providerIds: messageIds, next } = await openMessages.ofCampaign(entry.campaign, page);
      const { asked, known, unreadable, error } = await askAbout({
        reader,
        account,
        messageIds,
        progress: (done) => progress(done, messageIds.length),
        signal,
      });
      if (error !== undefined && known === 0) {
        throw new Refusal({ kind: 'failed', error });
      }
      return { asked, known, unreadable, error, next: error === undefined ? next : undefined };
    },
  };
}

/** Skips answers that name no number. Numbers, times and costs are read like those in reports. */
export function reportsOf(records: readonly MessageRecord[], country: CountryCode): DeliveryReport[] {
  return records.flatMap(({ messageId, receiver = '', sender, text, status, writtenAt, cost }) => {
    const number = readReportedNumber(receiver, country);
    return number !== undefined && status !== ''
      ? [
          {
            providerId: messageId,
            number,
            sender,
            text,
            status,
            reportedAt: writtenAt === undefined ? undefined : readReportedTime(writtenAt),
            cost: cost === undefined ? undefined : readCost(cost),
            source: 'history' as const,
          },
        ]
      : [];
  });
}
