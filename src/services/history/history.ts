import { z } from 'zod';
import type { Permission } from '../../domain/access/roles.ts';
import { maskNumber, type PhoneNumber } from '../../domain/phone/phone-number.ts';
import { allOfPages } from '../../lib/paging.ts';
import type { Campaign, CampaignState } from '../../store/campaigns/campaigns.ts';
import type { MessageDelivery } from '../../store/deliveries/deliveries.ts';
import type { FoundChunk } from '../../store/deliveries/phone-index.ts';
import { messageIdOf, messageKinds, type Operation } from '../../store/operations/operation.ts';
import type { Store } from '../../store/store.ts';
import type { Context } from '../context.ts';
import { countRecipients } from '../operations/operations.ts';

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

/** Those in preparation have none: they are in no history. */
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
   * What is known of its messages beyond that they were accepted: in a search by number, of those to that number. Not of a
   * campaign as a whole. Undefined where nothing is kept.
   */
  deliveries?: readonly MessageDelivery[] | undefined;
  /** How many recipients those can be of: in a search by number, one. */
  recipients: number;
} /** `byRecipient`: in `all`, of an operation with several numbers while these are kept. */ & (
  | { kind: 'operation'; operation: Operation; byRecipient?: readonly RecipientDelivery[] | undefined }
  /** `chunk`: in a search by number, the chunk of the campaign that had the number. */
  | { kind: 'campaign'; campaign: Campaign; chunk?: FoundChunk }
);

/** Which entry. */
export interface HistoryEntryId {
  kind: HistoryEntry['kind'];
  id: string;
}

/** An entry as the value of a button or an option, or of a tool. */
export function writeEntryId(entry: HistoryEntry): string {
  return entry.kind === 'operation' ? `operation:${entry.operation.id}` : `campaign:${entry.campaign.id}`;
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

/** The entries of a number, newest first. `more`: whether there are more than these. */
export interface HistorySearchResult {
  entries: HistoryEntry[];
  more: boolean;
  /** How many entries of other users the reader may not see. */
  byColleagues: number;
}

interface PageQuery {
  filter?: HistoryFilter | undefined;
  after?: string | undefined;
  limit: number;
}

const exportPageSize = 200;

/** Entries of a number that are looked at for who wrote to it. */
const maxSearched = 10;

/** The ids of the last operation and the last campaign on the previous pages. */
const cursorSchema = z.tuple([z.string().nullable(), z.string().nullable()]);

export type History = ReturnType<typeof createHistory>;

/** What was done in a workspace, by whom, how it ended, and what was sent. */
export function createHistory({ store }: Context) {
  const { ledger, campaigns } = store;

  return {
    async page(reader: HistoryReader, query: PageQuery): Promise<HistoryPage> {
      const { entries, next } = await readPage(store, reader, query);
      return { entries: await withContents(store, reader, entries), next };
    },

    /** Returns what was sent to a number within the retention time. */
    search: (reader: HistoryReader, number: PhoneNumber, limit: number) =>
      searchNumber(store, reader, number, limit),

    /** Resolves with undefined where there is none, or where the reader may not see it. */
    async entry(reader: HistoryReader, { kind, id }: HistoryEntryId): Promise<HistoryEntry | undefined> {
      const { workspaceId, userId, scope: whose } = reader;
      const isVisible = (createdBy: string) => whose === 'everyone' || createdBy === userId;
      if (kind === 'campaign') {
        const campaign = await campaigns.find(workspaceId, id);
        const isShown =
          campaign !== undefined && stateOfCampaign(campaign.state) && isVisible(campaign.createdBy);
        return isShown ? ofCampaign(campaign) : undefined;
      }
      const operation = await ledger.find(workspaceId, { id });
      if (operation === undefined || !isVisible(operation.userId)) {
        return undefined;
      }
      const [entry] = await withContents(store, reader, [ofOperation(operation)]);
      return entry;
    },

    /** Yields every entry, newest first, reading page by page; without what was sent, so with no number in full. */
    all: (reader: HistoryReader, filter?: HistoryFilter): AsyncIterable<HistoryEntry> =>
      allOfPages(async (after) => {
        const { entries, next } = await readPage(store, reader, { filter, after, limit: exportPageSize });
        const records = await withContents(store, reader, entries);
        return { records: records.map((entry) => ({ ...entry, content: undefined })), next };
      }),

    /** Returns the Slack user who sent to a number last, of what may have reached it. */
    async lastSender(workspaceId: string, number: PhoneNumber): Promise<string | undefined> {
      const everyones = { workspaceId, userId: '', scope: 'everyone' as const };
      const { entries } = await searchNumber(store, everyones, number, maxSearched);
      const sendings = entries.flatMap((entry) => {
        if (entry.kind === 'campaign') {
          const { createdBy: userId, createdAt, startedAt: at = createdAt } = entry.campaign;
          const state = entry.chunk?.state;
          return state === 'waiting' || state === 'rejected' ? [] : [{ userId, at }];
        }
        const { kind, state, userId } = entry.operation;
        // Who confirms a stop did not write: the program answers in their name.
        const isWritten = messageKinds.includes(kind) && kind !== 'sms.confirm_stop';
        return isWritten && state !== 'rejected' && state !== 'not_sent' ? [{ userId, at: entry.at }] : [];
      });
      return newestFirst(sendings)[0]?.userId;
    },
  };
}

/** Reads one page with a query for each table that can have entries of the filter. */
async function readPage(
  { ledger, campaigns }: Store,
  { workspaceId, userId: readerId, scope: whose }: HistoryReader,
  { filter = {}, after, limit }: PageQuery,
): Promise<HistoryPage> {
  const [lastOperation, lastCampaign] =
    after === undefined ? [null, null] : cursorSchema.parse(JSON.parse(after));
  const { subject, from, until } = filter;
  const userId = whose === 'own' ? readerId : filter.userId;
  const shared = { workspaceId, from, until, limit: limit + 1 };
  const isNotDelivered = filter.state === 'not_delivered';
  const state = filter.state === 'not_delivered' ? undefined : filter.state;
  const states = state && keysOf(operationStates).filter((own) => operationStates[own] === state);
  // All that the history shows, unless one is asked for.
  const statesOfCampaigns = keysOf(campaignStates).filter((own) =>
    state === undefined ? campaignStates[own] !== undefined : campaignStates[own] === state,
  );
  const [someOperations, someCampaigns] = await Promise.all([
    states?.length === 0
      ? []
      : ledger.recent({
          ...shared,
          userId,
          subject,
          states,
          isNotDelivered,
          before: lastOperation ?? undefined,
        }),
    statesOfCampaigns.length === 0 || (subject !== undefined && subject !== 'campaign')
      ? []
      : campaigns.recent({
          ...shared,
          createdBy: userId,
          states: statesOfCampaigns,
          isNotDelivered,
          before: lastCampaign ?? undefined,
        }),
  ]);
  const merged = newestFirst<HistoryEntry>([
    ...someOperations.map(ofOperation),
    ...someCampaigns.map(ofCampaign),
  ]);
  const entries = merged.slice(0, limit);
  const operation = entries.findLast((entry) => entry.kind === 'operation')?.operation.id ?? lastOperation;
  const campaign = entries.findLast((entry) => entry.kind === 'campaign')?.campaign.id ?? lastCampaign;
  return { entries, next: merged.length > limit ? JSON.stringify([operation, campaign]) : undefined };
}

async function searchNumber(
  store: Store,
  reader: HistoryReader,
  number: PhoneNumber,
  limit: number,
): Promise<HistorySearchResult> {
  const { ledger, phoneIndex, deliveries, campaigns } = store;
  const { workspaceId, userId, scope: whose } = reader;
  const found = await phoneIndex.find(workspaceId, number, {
    limit: limit + 1,
    userId: whose === 'own' ? userId : undefined,
  });
  const [foundOperations, foundCampaigns] = await Promise.all([
    Promise.all(found.operationIds.map((id) => ledger.find(workspaceId, { id }))),
    Promise.all(
      found.campaigns.map(async (chunk) => {
        const campaign = await campaigns.find(workspaceId, chunk.id);
        if (campaign === undefined) {
          return [];
        }
        // What the number got: the text of its own chunk where each recipient has their own.
        const [own] = campaign.personal ? await campaigns.pick(workspaceId, chunk.id, [chunk.chunk]) : [];
        const text = own?.text ?? campaign.text;
        return [{ ...ofCampaign(campaign), chunk, content: text === undefined ? undefined : { text } }];
      }),
    ),
  ]);
  const entries = newestFirst<HistoryEntry>([
    ...foundOperations.flatMap((operation) => (operation === undefined ? [] : [ofOperation(operation)])),
    ...foundCampaigns.flat(),
  ]);
  const shown = await withContents(store, reader, entries.slice(0, limit));
  const ids = shown.flatMap((entry) => providerIdOf(entry) ?? []);
  const deliveryOf = await deliveries.ofRecipients(workspaceId, ids);
  return {
    entries: shown.map((entry) => {
      const delivery = deliveryOf(providerIdOf(entry) ?? '', number);
      return { ...entry, deliveries: delivery === undefined ? [] : [delivery], recipients: 1 };
    }),
    more: entries.length > limit,
    byColleagues: whose === 'own' ? await phoneIndex.countOfOthers(workspaceId, number, userId) : 0,
  };
}

/** Adds to operations what was sent and what is known of their messages. */
async function withContents(
  { ledger, deliveries }: Store,
  { workspaceId, userId }: HistoryReader,
  entries: HistoryEntry[],
): Promise<HistoryEntry[]> {
  const operations = entries.flatMap((entry) => (entry.kind === 'operation' ? [entry.operation] : []));
  const messageIdsOf = (some: readonly Operation[]) => some.flatMap((each) => messageIdOf(each) ?? []);
  const toSeveral = operations.filter((operation) => countRecipients(operation) > 1);
  const [texts, known, deliveryOf] = await Promise.all([
    ledger.texts(
      workspaceId,
      operations.map(({ id }) => id),
    ),
    deliveries.of(workspaceId, messageIdsOf(operations)),
    deliveries.ofRecipients(workspaceId, messageIdsOf(toSeveral)),
  ]);
  const byMessage = Map.groupBy(known, ({ providerId }) => providerId);
  return entries.map((entry) => {
    if (entry.kind === 'campaign') {
      return entry;
    }
    const { id, userId: sender } = entry.operation;
    const { text, to = [] } = texts.get(id) ?? {};
    const messageId = messageIdOf(entry.operation) ?? '';
    return {
      ...entry,
      deliveries: byMessage.get(messageId),
      content: text === undefined ? undefined : { text, to: sender === userId ? to : undefined },
      byRecipient:
        to.length > 1
          ? to.map((number) => ({ number: maskNumber(number), delivery: deliveryOf(messageId, number) }))
          : undefined,
    };
  });
}

function ofOperation(operation: Operation) {
  const recipients = countRecipients(operation);
  return { kind: 'operation' as const, at: operation.createdAt, operation, recipients };
}

function ofCampaign(campaign: Campaign) {
  const { createdAt: at, text, counts } = campaign;
  const content = text === undefined ? undefined : { text };
  return { kind: 'campaign' as const, at, campaign, content, recipients: counts.recipients };
}

function providerIdOf(entry: HistoryEntry): string | undefined {
  return entry.kind === 'operation' ? messageIdOf(entry.operation) : entry.chunk?.providerId;
}

/** Stable: entries of the same instant stay in order. */
function newestFirst<Entry extends { at: Date }>(entries: Entry[]): Entry[] {
  return entries.sort((one, other) => other.at.getTime() - one.at.getTime());
}
