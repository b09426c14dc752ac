import { showNumber } from '../../domain/access/private-values.ts';
import type { Permission } from '../../domain/access/roles.ts';
import type { PhoneNumber } from '../../domain/phone/phone-number.ts';
import { allOfPages } from '../../lib/paging.ts';
import type { Campaign, CampaignState } from '../../store/campaigns/campaigns.ts';
import type { MessageDelivery } from '../../store/deliveries/deliveries.ts';
import type { FoundChunk } from '../../store/deliveries/phone-index.ts';
import type {
  CampaignRecord,
  HistoryQuery,
  HistoryRecord,
  OperationRecord,
} from '../../store/history/history-store.ts';
import { messageKinds, type Operation } from '../../store/operations/operation.ts';
import type { InboundMessage } from '../../store/replies/reply-threads.ts';
import type { Context } from '../context.ts';
import { countKnownRecipients } from '../operations/operations.ts';

/** What an entry is about: what comes before the dot of an operation's kind, or `campaign`. */
export const historySubjects = ['sms', 'campaign', 'otp', 'sender_id', 'contact', 'esim'] as const;
export type HistorySubject = (typeof historySubjects)[number];

/** The states of entries: one word for the same state of an operation and of a campaign. */
export const historyStates = [
  'accepted',
  'rejected',
  'not_sent',
  'unconfirmed',
  'scheduled',
  'sending',
  'paused',
  'done',
  'cancelled',
  'missed',
] as const;
export type HistoryState = (typeof historyStates)[number];

/** What entries are filtered by: their state, or that somebody’s message was not delivered. */
export const filterStates = [...historyStates, 'not_delivered'] as const;

/** Which entries are read: those for which all of it is true. */
export interface HistoryFilter {
  /** Who did it. Of no effect for a reader of their own entries. */
  userId?: string | undefined;
  /** Sent to this number. */
  number?: PhoneNumber | undefined;
  subject?: HistorySubject | undefined;
  state?: (typeof filterStates)[number] | undefined;
  /** Begun then or later. */
  from?: Date | undefined;
  /** Begun earlier. */
  until?: Date | undefined;
}

const operationStates: Readonly<Record<Operation['state'], HistoryState>> = {
  underway: 'sending',
  accepted: 'accepted',
  rejected: 'rejected',
  not_sent: 'not_sent',
  unconfirmed: 'unconfirmed',
};

/** States of preparation have no history state: such campaigns aren't in the history. */
const campaignStates: Readonly<Record<CampaignState, HistoryState | undefined>> = {
  reading: undefined,
  ready: undefined,
  scheduled: 'scheduled',
  repeating: 'scheduled',
  running: 'sending',
  paused: 'paused',
  done: 'done',
  cancelled: 'cancelled',
  missed: 'missed',
};

export function stateOfOperation(state: Operation['state']): HistoryState {
  return operationStates[state];
}

/** Returns undefined for a campaign in preparation. */
export function stateOfCampaign(state: CampaignState): HistoryState | undefined {
  return campaignStates[state];
}

function keysOf<Key extends string>(record: Readonly<Record<Key, unknown>>): Key[] {
  const keys: Key[] = [];
  for (const key in record) {
    keys.push(key);
  }
  return keys;
}

/** Who reads the history, and which entries: the user's own, or everyone's in the workspace. */
export interface HistoryReader {
  workspaceId: string;
  userId: string;
  scope: 'own' | 'everyone';
}

/** Only an admin reads everyone's history. */
export function historyReader({
  workspaceId,
  userId,
  permissions,
}: {
  workspaceId: string;
  userId: string;
  permissions: ReadonlySet<Permission>;
}): HistoryReader {
  return { workspaceId, userId, scope: permissions.has('administer') ? 'everyone' : 'own' };
}

/** What was sent, while it is stored: its text and, for the user who sent it, the numbers in E.164. */
export interface SentContent {
  text: string;
  to?: readonly PhoneNumber[] | undefined;
}

/** What is known of the message to one of several recipients. */
export interface RecipientDelivery {
  /** Masked. */
  number: string;
  delivery: MessageDelivery | undefined;
}

/** An operation or a campaign in the history. */
export type HistoryEntry = {
  at: Date;
  content?: SentContent | undefined;
  /**
   * What is known of its messages beyond that they were accepted: in a conversation, of those to that number. Not of a
   * campaign as a whole. Undefined where nothing is kept.
   */
  deliveries?: readonly MessageDelivery[] | undefined;
  /** How many recipients the deliveries can concern: in a conversation, one. */
  recipients: number;
  /** In a conversation: a colleague’s message. The reader sees only its time and outcome. */
  isColleagues?: boolean | undefined;
} /** `byRecipient`: in `all`, of an operation with several numbers while these are kept. */ & (
  | { kind: 'operation'; operation: Operation; byRecipient?: readonly RecipientDelivery[] | undefined }
  /** `chunk`: in a conversation, the chunk of the campaign that had the number. */
  | { kind: 'campaign'; campaign: Campaign; chunk?: FoundChunk | undefined }
);

/** What a number wrote. */
export interface ReceivedReply {
  kind: 'reply';
  at: Date;
  /** Undefined: it answers somebody else than the reader. */
  text: string | undefined;
  answer: InboundMessage['answer'];
}

/** What was sent to a number, or what it wrote. */
export type ConversationLine = HistoryEntry | ReceivedReply;

/** Which entry. */
export interface HistoryEntryId {
  kind: HistoryEntry['kind'];
  id: string;
}

/** An entry as the value of a button or an option, or of a tool. */
export function writeEntryId(entry: HistoryEntry): string {
  return entry.kind === 'operation' ? writeOperationId(entry.operation.id) : writeCampaignId(entry.campaign);
}

export function writeCampaignId({ id }: Pick<Campaign, 'id'>): string {
  return `campaign:${id}`;
}

export function writeOperationId(id: string): string {
  return `operation:${id}`;
}

export function readEntryId(value: string): HistoryEntryId {
  const [kind, ...id] = value.split(':');
  return { kind: kind === 'campaign' ? 'campaign' : 'operation', id: id.join(':') };
}

/** A page of the history, newest first. `next` is the `after` of the next page, if there is one. */
export interface HistoryPage {
  entries: HistoryEntry[];
  next: string | undefined;
}

/** A page of the messages to a number and its answers, newest first. */
export interface Conversation {
  lines: ConversationLine[];
  next: string | undefined;
  /** The last verified one-time code to the number, by any user. If none was verified, the last one. */
  lastCode: Operation | undefined;
}

interface PageQuery {
  filter?: HistoryFilter | undefined;
  after?: string | undefined;
  limit: number;
}

const exportPageSize = 200;

/** Entries of a number that are looked at for who wrote to it. */
const maxSearched = 10;

export type History = ReturnType<typeof createHistory>;

/** Who did what in a workspace, how it ended, and the messages. */
export function createHistory({ store: { history } }: Context) {
  /** Of a number: everyone’s, as a reader of their own has colleagues’ messages in a conversation too. */
  async function readPage(
    reader: HistoryReader,
    { filter = {}, ...page }: PageQuery,
    { isConversation = false } = {},
  ) {
    const isOwn = reader.scope === 'own' && !isConversation;
    const { operations, ...query } = queryOf(filter, { withReplies: isConversation });
    const userId = isOwn ? reader.userId : filter.userId;
    // In a conversation, of colleagues only messages.
    const messagesBeside = reader.scope === 'own' && isConversation ? reader.userId : undefined;
    return history.page({
      ...query,
      ...page,
      operations: operations && { ...operations, messagesBeside },
      workspaceId: reader.workspaceId,
      userId,
    });
  }

  /** Returns the last message to a number, from any user. */
  async function lastTo(workspaceId: string, number: PhoneNumber, until?: Date): Promise<SentTo[]> {
    const query = queryOf({ number, until }, { withReplies: false });
    const { records } = await history.page({ ...query, workspaceId, limit: maxSearched });
    return records.flatMap((record) => sentBy(record) ?? []);
  }

  return {
    /** Without incoming messages, also where the filter is a number. */
    async page(reader: HistoryReader, query: PageQuery): Promise<HistoryPage> {
      const { records, next } = await readPage(reader, query);
      return { entries: records.flatMap((record) => toEntry(record, reader, query.filter) ?? []), next };
    },

    /** Returns the messages to a number and its answers, within the retention time. */
    async conversation(reader: HistoryReader, number: PhoneNumber, query: PageQuery): Promise<Conversation> {
      const filter = { ...query.filter, number };
      const { records, next } = await readPage(reader, { ...query, filter }, { isConversation: true });
      const isOwn = reader.scope === 'own';
      const [first] = records.slice(-1);
      const [before] =
        isOwn && first?.kind === 'reply' ? await lastTo(reader.workspaceId, number, first.at) : [];
      const lines = records.flatMap((record, index): ConversationLine[] => {
        if (record.kind !== 'reply') {
          const entry = toEntry(record, reader, filter);
          return entry === undefined ? [] : [entry];
        }
        const { text, answer } = record.reply;
        // An answer belongs to the last message before it.
        const [answered = before] = records.slice(index + 1).flatMap((earlier) => sentBy(earlier) ?? []);
        const isShown = !isOwn || answered?.userId === reader.userId;
        return [{ kind: 'reply', at: record.at, text: isShown ? text : undefined, answer }];
      });
      return { lines, next, lastCode: await history.lastCode(reader.workspaceId, number) };
    },

    /** Resolves with undefined if the entry doesn't exist, or the reader may not see it. */
    async entry(reader: HistoryReader, id: HistoryEntryId): Promise<HistoryEntry | undefined> {
      const record = await history.find(reader.workspaceId, id);
      const isShown =
        record !== undefined &&
        (record.kind === 'operation' || stateOfCampaign(record.campaign.state) !== undefined) &&
        (reader.scope === 'everyone' || actorIn(record) === reader.userId);
      return isShown ? toEntry(record, reader) : undefined;
    },

    /** Yields every entry, newest first, reading page by page; without texts and recipients, so with no number in full. */
    all: (reader: HistoryReader, filter?: HistoryFilter): AsyncIterable<HistoryEntry> =>
      allOfPages(async (after) => {
        const { records, next } = await readPage(reader, { filter, after, limit: exportPageSize });
        const entries = records.flatMap((record) => toEntry(record, reader, filter) ?? []);
        return { records: entries.map((entry) => ({ ...entry, content: undefined })), next };
      }),

    /**
     * Returns who sent to a number last, of what may have reached it, and the text. Undefined where nobody did; a text that
     * isn’t kept is.
     */
    async lastSent(workspaceId: string, number: PhoneNumber): Promise<SentTo | undefined> {
      const [last] = await lastTo(workspaceId, number);
      return last;
    },
  };
}

/** What may have reached a number, and who sent it. */
interface SentTo {
  userId: string;
  text: string | undefined;
}

/** Undefined where a record isn’t such. */
function sentBy(record: HistoryRecord): SentTo | undefined {
  if (record.kind === 'reply') {
    return undefined;
  }
  if (record.kind === 'campaign') {
    const state = record.chunk?.state;
    return state === 'waiting' || state === 'rejected'
      ? undefined
      : { userId: record.campaign.createdBy, text: record.text };
  }
  const { kind, state, userId } = record.operation;
  // Who confirms a stop did not write: the program answers in their name.
  const isWritten = messageKinds.includes(kind) && kind !== 'sms.confirm_stop';
  return isWritten && state !== 'rejected' && state !== 'not_sent'
    ? { userId, text: record.sent?.text }
    : undefined;
}

/** What of the store has entries of a filter. */
function queryOf(
  { userId, number, subject, state, from, until }: HistoryFilter,
  { withReplies }: { withReplies: boolean },
): Omit<HistoryQuery, 'workspaceId' | 'limit'> {
  const isOutcomeOfCampaign = state === 'not_delivered' || state === 'unconfirmed';
  const ownState = state === 'not_delivered' ? undefined : state;
  const states = ownState && keysOf(operationStates).filter((each) => operationStates[each] === ownState);
  const campaignsInState = keysOf(campaignStates).filter((each) =>
    // All that the history shows, unless one is asked for.
    ownState === undefined || isOutcomeOfCampaign
      ? campaignStates[each] !== undefined
      : campaignStates[each] === ownState,
  );
  const hasCampaigns = campaignsInState.length > 0 && (subject === undefined || subject === 'campaign');
  return {
    number,
    operations: states?.length === 0 ? undefined : { subject, states, isUnmarked: state === 'unconfirmed' },
    campaigns: hasCampaigns
      ? { states: campaignsInState, isUnconfirmed: state === 'unconfirmed' }
      : undefined,
    withReplies: withReplies && userId === undefined && subject === undefined && state === undefined,
    isNotDelivered: state === 'not_delivered',
    from,
    until,
  };
}

/** Returns a record as a reader sees it. Undefined where it is no entry. */
function toEntry(
  record: HistoryRecord,
  reader: HistoryReader,
  { number }: HistoryFilter = {},
): HistoryEntry | undefined {
  if (record.kind === 'reply') {
    return undefined;
  }
  const { at, deliveries } = record;
  const isColleagues = reader.scope === 'own' && actorIn(record) !== reader.userId;
  if (record.kind === 'campaign') {
    const { campaign, chunk, text } = record;
    return {
      kind: 'campaign',
      at,
      campaign,
      chunk,
      deliveries,
      content: text === undefined || isColleagues ? undefined : { text },
      recipients: number === undefined ? campaign.counts.recipients : 1,
      isColleagues,
    };
  }
  const { operation, sent, byRecipient } = record;
  const to = operation.userId === reader.userId ? sent?.to : undefined;
  return {
    kind: 'operation',
    at,
    operation,
    deliveries,
    content: sent === undefined || isColleagues ? undefined : { text: sent.text, to },
    byRecipient: isColleagues
      ? undefined
      : byRecipient?.map((each) => ({ ...each, number: showNumber(each.number, 'record') })),
    recipients: number === undefined ? countKnownRecipients(operation) : 1,
    isColleagues,
  };
}

function actorIn(record: OperationRecord | CampaignRecord): string {
  return record.kind === 'operation' ? record.operation.userId : record.campaign.createdBy;
}
