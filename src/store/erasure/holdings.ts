import { z } from 'zod';
import { showNumber } from '../../domain/access/private-values.ts';
import { createNumberMentions } from '../../domain/phone/number-mentions.ts';
import { type PhoneNumber, toE164 } from '../../domain/phone/phone-number.ts';
import { maskPersonal } from '../../lib/redact.ts';
import { readRecipients } from '../campaigns/row-mapping.ts';
import type { StoreContext } from '../context.ts';
import { additionalDataOf, type DecryptedValue, walkColumn } from '../engine/encryption/encrypted-column.ts';
import type { HistoryRecord, HistoryStore } from '../history/history-store.ts';
import { type EncryptedColumn, encryptedColumn, encryptedColumns, tables } from '../schema/schema.ts';
import type { ErasedAreas } from './erase-from-values.ts';

/** Something that is stored of a person. */
export interface Holding {
  /** What it is, such as `sms.send`, *reply* or *audit*. */
  what: string;
  at?: Date | undefined;
  /** A Slack user id. */
  userId?: string | undefined;
  outcome?: string | undefined;
  /** In full if it was sent to the person or came from them; otherwise only the parts that name them, with numbers masked. */
  text?: string | undefined;
}

interface HoldingsRequest {
  workspaceId: string;
  number: PhoneNumber;
  /** What an erasure looks at of the values of a workspace. */
  areas: ErasedAreas;
}

const pageSize = 500;
const everyState = [
  ...(['reading', 'ready', 'scheduled', 'repeating', 'running', 'paused'] as const),
  ...(['done', 'cancelled', 'missed'] as const),
];

/** Everything that is stored of a person, by their phone number: what an erasure would find, and the audit. */
export function createHoldings(context: StoreContext, history: HistoryStore) {
  return async function* holdings(request: HoldingsRequest): AsyncGenerator<Holding> {
    yield* fromHistory(history, request);
    yield* fromLists(context, request);
    yield* fromTexts(context, request);
    yield* fromAudit(context, request);
  };
}

/** Messages, codes, orders, campaigns and replies, each with how it ended. */
async function* fromHistory(
  history: HistoryStore,
  { workspaceId, number }: HoldingsRequest,
): AsyncGenerator<Holding> {
  let after: string | undefined;
  do {
    const query = { operations: {}, campaigns: { states: everyState }, withReplies: true };
    const page = await history.page({ ...query, workspaceId, number, after, limit: pageSize });
    yield* page.records.map(ofRecord);
    after = page.next;
  } while (after !== undefined);
}

function ofRecord(record: HistoryRecord): Holding {
  const { at } = record;
  if (record.kind === 'reply') {
    const { text, answer } = record.reply;
    return { what: 'reply', at, outcome: answer, text };
  }
  const reported = (record.deliveries ?? []).map(({ status }) => status);
  if (record.kind === 'campaign') {
    const { createdBy: userId, name } = record.campaign;
    const outcome = [record.chunk?.state, ...reported].join(', ');
    return { what: `campaign ${maskPersonal(name)}`, at, userId, outcome, text: record.text };
  }
  const { kind: what, userId, state } = record.operation;
  return { what, at, userId, outcome: [state, ...reported].join(', '), text: record.sent?.text };
}

/** What is found by the hash of the number alone. */
async function* fromLists(
  { db, encryption, phoneHashes }: StoreContext,
  { workspaceId, number }: HoldingsRequest,
): AsyncGenerator<Holding> {
  const hash = (await phoneHashes.hasher(workspaceId))(number);
  const listed = await db
    .selectFrom('suppression')
    .select(['createdAt', 'createdBy', 'origin'])
    .where('workspaceId', '=', workspaceId)
    .where('hash', '=', hash)
    .execute();
  for (const { createdAt: at, createdBy: userId, origin } of listed) {
    const key = additionalDataOf(encryptedColumn('suppression', 'origin'), { workspaceId, hash });
    const text = origin && maskPersonal(encryption.decrypt(origin, key));
    yield { what: 'do-not-contact list', at, userId: userId || undefined, text };
  }
  const answers = await db
    .selectFrom('replyAnswer')
    .select(['answer', 'receivedAt'])
    .where('workspaceId', '=', workspaceId)
    .where('hash', '=', hash)
    .execute();
  yield* answers.map(({ answer: outcome, receivedAt: at }) => ({ what: 'opt-out or opt-in', at, outcome }));
  const reports = await db
    .selectFrom('delivery')
    .select(['status', 'receivedAt'])
    .where('workspaceId', '=', workspaceId)
    .where('hash', '=', hash)
    .execute();
  yield* reports.map(({ status: outcome, receivedAt: at }) => ({ what: 'delivery report', at, outcome }));
  const claims = await db
    .selectFrom('messageClaim')
    .select(['source', 'claimedAt'])
    .where('workspaceId', '=', workspaceId)
    .where('hash', '=', hash)
    .execute();
  yield* claims.map(({ source: outcome, claimedAt: at }) => ({ what: 'message found later', at, outcome }));
  const windows = db.selectFrom('limitWindow').select(['key', 'points', 'expires']);
  const counted = await windows
    .where('workspaceId', '=', workspaceId)
    .where('key', 'like', `%${hash}%`)
    .execute();
  for (const { points, expires: at } of counted) {
    yield { what: 'counts towards a limit, until', at, outcome: String(points) };
  }
}

/** Everything else that names the number: encrypted values, and the names that people chose. */
async function* fromTexts(
  { db, encryption }: StoreContext,
  { workspaceId, number, areas }: HoldingsRequest,
): AsyncGenerator<Holding> {
  const mentions = createNumberMentions(number);
  const isWanted = (value: { workspaceId: string }) => value.workspaceId === workspaceId;
  for (const column of encryptedColumns) {
    if (tables[column.table].columns[column.column]?.privacy !== 'personal') {
      continue;
    }
    for await (const value of walkColumn(db, encryption, column, { isWanted })) {
      const isLooked = column.table !== 'keyv' || areas[value.area] !== undefined;
      if (isLooked && mentions.areIn(value.text) && !isInHistory(column, value, number)) {
        yield { what: value.area, text: partsOf(value.text, mentions.areIn) };
      }
    }
  }
  const campaigns = await db
    .selectFrom('campaign')
    .select(['name', 'createdAt', 'createdBy'])
    .where('workspaceId', '=', workspaceId)
    .execute();
  for (const { name, createdAt: at, createdBy: userId } of campaigns) {
    if (mentions.areIn(name)) {
      yield { what: 'name of a campaign', at, userId, text: maskPersonal(name) };
    }
  }
  const notices = await db
    .selectFrom('outbox')
    .select('title')
    .where('workspaceId', '=', workspaceId)
    .where('title', 'is not', null)
    .execute();
  for (const { title = '' } of notices) {
    if (mentions.areIn(title)) {
      yield { what: 'name of a list', text: maskPersonal(title) };
    }
  }
  let after = '';
  for (;;) {
    const operations = await db
      .selectFrom('operation')
      .select(['id', 'kind', 'summary', 'createdAt', 'userId'])
      .where('workspaceId', '=', workspaceId)
      .where('id', '>', after)
      .orderBy('id')
      .limit(pageSize)
      .execute();
    for (const { kind: what, summary, createdAt: at, userId } of operations) {
      const json = JSON.stringify(summary);
      if (mentions.areIn(json)) {
        yield { what, at, userId, text: partsOf(json, mentions.areIn) };
      }
    }
    const last = operations.at(-1);
    if (last === undefined) {
      return;
    }
    after = last.id;
  }
}

/** Whether a value is the text of a message to the number, which the history has. */
function isInHistory(column: EncryptedColumn, { text }: DecryptedValue, number: PhoneNumber): boolean {
  switch (column.table) {
    case 'operationText':
      return JSON.parse(text).to.includes(toE164(number));
    case 'campaignChunkContent':
      return readRecipients(text).to.includes(toE164(number));
    default:
      return false;
  }
}

/** Returns the texts in a value that name the number, and no others: they may be of other people. */
function partsOf(value: string, isNamedIn: (text: string) => boolean): string {
  const { data = value } = jsonText.safeParse(value);
  return maskPersonal(textsIn(data).filter(isNamedIn).join(' · '));
}

const jsonText = z.string().transform((text, { addIssue }): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    addIssue({ code: 'custom' });
    return z.NEVER;
  }
});

function textsIn(value: unknown): string[] {
  if (typeof value === 'string') {
    return [value];
  }
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
}

/** Numbers are masked there: entries of a number with the same visible digits are among them. */
async function* fromAudit(
  { audit }: StoreContext,
  { workspaceId, number }: HoldingsRequest,
): AsyncGenerator<Holding> {
  const masked = showNumber(number, 'record');
  for await (const entry of audit.all({ workspaceId })) {
    const { at, userId, action, outcome, subject = '', details = '' } = entry;
    if (subject.includes(masked) || details.includes(masked)) {
      yield { what: 'audit', at, userId, outcome, text: action };
    }
  }
}
