import { z } from 'zod';
import type { PhoneNumber } from '../../domain/phone/phone-number.ts';
import type { CampaignRepository } from '../campaigns/campaign-repository.ts';
import type { Campaign, CampaignState } from '../campaigns/campaigns.ts';
import type { Deliveries, MessageDelivery } from '../deliveries/deliveries.ts';
import type { FoundChunk, PhoneIndex } from '../deliveries/phone-index.ts';
import type { Ledger } from '../operations/ledger.ts';
import { messageIdOf, type Operation, type OperationText } from '../operations/operation.ts';
import type { OperationQuery } from '../operations/operation-history.ts';
import type { ReplyRepository } from '../replies/replies.ts';
import type { InboundMessage } from '../replies/reply-threads.ts';

/** Which records are read: those for which all of it is true. */
export interface HistoryQuery {
  workspaceId: string;
  userId?: string | undefined;
  /** What was sent to this number, and what became of it there. */
  number?: PhoneNumber | undefined;
  /** Of the operations, those for which this is true. Undefined: none of them. */
  operations: Pick<OperationQuery, 'subject' | 'states' | 'isUnmarked' | 'messagesBeside'> | undefined;
  /** The states of the campaigns. Undefined: none of them. */
  campaigns: { states: readonly CampaignState[]; isUnconfirmed?: boolean | undefined } | undefined;
  /** Whether what the number wrote is read as well. */
  withReplies?: boolean | undefined;
  /** Whether only what has a message that was not delivered; of a number, to that number. */
  isNotDelivered?: boolean | undefined;
  /** Begun then or later. */
  from?: Date | undefined;
  /** Begun earlier. */
  until?: Date | undefined;
  /** The `next` of the page before. */
  after?: string | undefined;
  limit: number;
}

export interface OperationRecord {
  kind: 'operation';
  at: Date;
  operation: Operation;
  /** What was sent, and to whom, while it is kept. */
  sent: OperationText | undefined;
  /** Of its messages; of a number, of the message to it. Undefined where nothing is kept. */
  deliveries: readonly MessageDelivery[] | undefined;
  /** What became of the message to each number, of an operation with several. */
  byRecipient: readonly { number: PhoneNumber; delivery: MessageDelivery | undefined }[] | undefined;
}

export interface CampaignRecord {
  kind: 'campaign';
  at: Date;
  campaign: Campaign;
  /** Of a number: the chunk that has it, and what became of the message to it. */
  chunk?: FoundChunk | undefined;
  deliveries?: readonly MessageDelivery[] | undefined;
  /** As it is sent; of a number, as it is sent to that. */
  text: string | undefined;
}

/** What a number wrote. */
export interface ReplyRecord {
  kind: 'reply';
  at: Date;
  reply: InboundMessage;
}

/** One thing that was sent, done or received. */
export type HistoryRecord = OperationRecord | CampaignRecord | ReplyRecord;

/** The ids of the last operation, campaign and reply on the previous pages. */
const cursorSchema = z.tuple([z.string().nullable(), z.string().nullable(), z.string().nullable()]);

/** Codes to a number that are looked at for one that was verified. */
const maxCodes = 20;

interface HistoryDeps {
  ledger: Ledger;
  campaigns: CampaignRepository;
  replies: ReplyRepository;
  deliveries: Deliveries;
  phoneIndex: PhoneIndex;
}

export type HistoryStore = ReturnType<typeof createHistoryStore>;

/** What was sent, done and received, whatever it is stored as: messages, codes, orders, campaigns and replies. */
export function createHistoryStore(deps: HistoryDeps) {
  return {
    /** Returns a page, newest first. `next` is the `after` of the next page, if there is one. */
    async page(query: HistoryQuery): Promise<{ records: HistoryRecord[]; next: string | undefined }> {
      const { workspaceId, number, limit } = query;
      const [operation, campaign, reply] =
        query.after === undefined ? [null, null, null] : cursorSchema.parse(JSON.parse(query.after));
      const found = await readSome(deps, query, { operation, campaign, reply });
      const merged = newestFirst(found);
      const shown = merged.slice(0, limit);
      const last = <Kind extends HistoryRecord['kind']>(kind: Kind, before: string | null) => {
        const record = shown.findLast((each) => each.kind === kind);
        return record === undefined ? before : idOf(record);
      };
      const after = [last('operation', operation), last('campaign', campaign), last('reply', reply)];
      return {
        // A campaign is sent to a number once it starts.
        records: newestFirst(await complete(deps, workspaceId, number, shown)),
        next: merged.length > limit ? JSON.stringify(after) : undefined,
      };
    },

    /** Resolves with undefined if it doesn't exist. */
    async find(
      workspaceId: string,
      { kind, id }: { kind: 'operation' | 'campaign'; id: string },
    ): Promise<OperationRecord | CampaignRecord | undefined> {
      if (kind === 'campaign') {
        const campaign = await deps.campaigns.find(workspaceId, id);
        return campaign && ofCampaign(campaign);
      }
      const operation = await deps.ledger.find(workspaceId, { id });
      const [record] =
        operation === undefined ? [] : await withContents(deps, workspaceId, [ofOperation(operation)]);
      return record;
    },

    /** Returns the last verified one-time code to a number, or else the last one. Whoever sent it. */
    async lastCode(workspaceId: string, number: PhoneNumber): Promise<Operation | undefined> {
      const ids = await deps.phoneIndex.findCodes(workspaceId, number, maxCodes);
      const codes = await Promise.all(ids.map((id) => deps.ledger.find(workspaceId, { id })));
      return codes.find((code) => code?.codeOutcome?.kind === 'verified') ?? codes[0];
    },
  };
}

/** Reads one more of each kind than the page has room for. */
async function readSome(
  { ledger, campaigns, replies }: HistoryDeps,
  { operations: which, campaigns: started, withReplies, ...query }: HistoryQuery,
  last: Record<HistoryRecord['kind'], string | null>,
): Promise<HistoryRecord[]> {
  const { workspaceId, userId, number, isNotDelivered, from, until } = query;
  const shared = { workspaceId, number, isNotDelivered, from, until, limit: query.limit + 1 };
  const [someOperations, someCampaigns, someReplies] = await Promise.all([
    which === undefined
      ? []
      : ledger.recent({ ...shared, ...which, userId, before: last.operation ?? undefined }),
    started === undefined
      ? []
      : campaigns.recent({ ...shared, ...started, createdBy: userId, before: last.campaign ?? undefined }),
    number === undefined || withReplies !== true
      ? []
      : replies.recent({ ...shared, number, before: last.reply ?? undefined }),
  ]);
  return [
    ...someOperations.map(ofOperation),
    ...someCampaigns.map(ofCampaign),
    ...someReplies.map((reply) => ({ kind: 'reply' as const, at: reply.receivedAt, reply })),
  ];
}

/** Adds texts and reports. Of a number: what it was sent, and what became of that. */
async function complete(
  deps: HistoryDeps,
  workspaceId: string,
  number: PhoneNumber | undefined,
  records: HistoryRecord[],
): Promise<HistoryRecord[]> {
  const contents = await withContents(
    deps,
    workspaceId,
    records.filter((record) => record.kind === 'operation'),
  );
  const byId = new Map(contents.map((record) => [record.operation.id, record]));
  const completed = records.map((record) =>
    record.kind === 'operation' ? (byId.get(record.operation.id) ?? record) : record,
  );
  return number === undefined ? completed : toNumber(deps, { workspaceId, number }, completed);
}

async function withContents(
  { ledger, deliveries }: HistoryDeps,
  workspaceId: string,
  records: readonly OperationRecord[],
): Promise<OperationRecord[]> {
  const operations = records.map(({ operation }) => operation);
  const texts = await ledger.texts(
    workspaceId,
    operations.map(({ id }) => id),
  );
  const toSeveral = operations.filter(({ id }) => (texts.get(id)?.to.length ?? 0) > 1);
  const messageIdsOf = (some: readonly Operation[]) => some.flatMap((each) => messageIdOf(each) ?? []);
  const [known, deliveryOf] = await Promise.all([
    deliveries.of(workspaceId, messageIdsOf(operations)),
    deliveries.ofRecipients(workspaceId, messageIdsOf(toSeveral)),
  ]);
  const byMessage = Map.groupBy(known, ({ providerId }) => providerId);
  return records.map((record) => {
    const messageId = messageIdOf(record.operation) ?? '';
    const sent = texts.get(record.operation.id);
    const each = sent?.to.map((number) => ({ number, delivery: deliveryOf(messageId, number) }));
    const byRecipient = (each?.length ?? 0) > 1 ? each : undefined;
    return { ...record, sent, deliveries: byMessage.get(messageId), byRecipient };
  });
}

/** Narrows records to one number. */
async function toNumber(
  { campaigns, deliveries, phoneIndex }: HistoryDeps,
  { workspaceId, number }: { workspaceId: string; number: PhoneNumber },
  records: readonly HistoryRecord[],
): Promise<HistoryRecord[]> {
  const ids = records.flatMap((record) => (record.kind === 'campaign' ? [record.campaign.id] : []));
  const chunks = await phoneIndex.chunksOf(workspaceId, number, ids);
  const messageIdIn = (record: HistoryRecord) =>
    record.kind === 'operation'
      ? messageIdOf(record.operation)
      : record.kind === 'campaign'
        ? chunks.get(record.campaign.id)?.providerId
        : undefined;
  const deliveryOf = await deliveries.ofRecipients(
    workspaceId,
    records.flatMap((record) => messageIdIn(record) ?? []),
  );
  return Promise.all(
    records.map(async (record): Promise<HistoryRecord> => {
      if (record.kind === 'reply') {
        return record;
      }
      const delivery = deliveryOf(messageIdIn(record) ?? '', number);
      const known = delivery === undefined ? [] : [delivery];
      if (record.kind === 'operation') {
        return { ...record, deliveries: known };
      }
      const { id, personal, createdAt, startedAt = createdAt } = record.campaign;
      const chunk = chunks.get(id);
      // The text of its own chunk where each recipient has their own.
      const [content] = personal && chunk ? await campaigns.pick(workspaceId, id, [chunk.chunk]) : [];
      return { ...record, at: startedAt, chunk, deliveries: known, text: content?.text ?? record.text };
    }),
  );
}

function ofOperation(operation: Operation): OperationRecord {
  const unread = { sent: undefined, deliveries: undefined, byRecipient: undefined };
  return { kind: 'operation', at: operation.createdAt, operation, ...unread };
}

function ofCampaign(campaign: Campaign): CampaignRecord {
  return { kind: 'campaign', at: campaign.createdAt, campaign, text: campaign.text };
}

function idOf(record: HistoryRecord): string {
  switch (record.kind) {
    case 'operation':
      return record.operation.id;
    case 'campaign':
      return record.campaign.id;
    case 'reply':
      return record.reply.id;
  }
}

/** Stable: records of the same instant stay in order. */
function newestFirst(records: HistoryRecord[]): HistoryRecord[] {
  return records.sort((one, other) => other.at.getTime() - one.at.getTime());
}
