import { z } from 'zod';
import {
  boolean,
  count,
  encrypted,
  hash,
  id,
  instant,
  integer,
  json,
  money,
  optional,
  table,
  text,
  word,
} from './declare.ts';

/** The secret part of the address that a workspace's delivery reports are sent to. */
export const reportAddress = table(
  {
    workspaceId: id(),
    /** SHA-256 of the token, which the address is found by. */
    hash: id(),
    token: encrypted('plain', {
      as: 'report_address',
      to: ['workspaceId'],
      area: () => 'address of delivery reports',
    }),
    createdBy: id(),
    createdAt: instant(),
  },
  { key: ['workspaceId'], removal: 'at_once', indexes: { hash: { on: ['hash'], isUnique: true } } },
);

/** What is known of one message to one number. */
export const delivery = table(
  {
    workspaceId: id(),
    /** The provider’s id of the message. */
    providerId: id(),
    /** Of the number, see `PhoneHashes`. */
    hash: hash('personal'),
    /** A hash with the same key of sender and text, see `hashContent`; absent where one of them is not known. */
    contentHash: optional(hash('plain')),
    state: word<'unknown' | 'sent' | 'failed' | 'delivered'>(),
    /** See `reportedProgress`. */
    progress: integer(),
    /** In the provider’s words, without numbers. */
    status: text('plain'),
    /** By the provider, in milliseconds since 1970; 0 where it names no time, so that the earliest can be told by `max`. */
    reportedAt: integer(),
    cost: optional(money()),
    /** When this state was learned, and where from. */
    receivedAt: instant(),
    source: word<'report' | 'history'>(),
    /** Whether `followDeliveries` still has to act on it. */
    pending: boolean(),
    /** The sequence of the campaign that it is counted in; absent where it is not. */
    campaign: optional(integer()),
    /** What it is counted as there, see `outcomeOf`. */
    countedAs: optional(id()),
    /** Of the number, see `quickCountryOf`. */
    country: id(),
    /** The cost that is counted, see `countCosts`. */
    countedCost: optional(money()),
    /** The progress and the time of the report that named the cost; absent where none has. */
    costProgress: optional(integer()),
    costAt: optional(integer()),
    /** When the cost is to be counted, at the earliest, in milliseconds since 1970. */
    countAfter: count(),
    /** The earliest time that the provider has named of it, in milliseconds since 1970; absent where it named none. */
    firstReportedAt: optional(integer()),
  },
  {
    key: ['workspaceId', 'providerId', 'hash'],
    removal: 'in_slices',
    indexes: {
      ofNumber: { on: ['workspaceId', 'hash'] },
      pending: { on: ['receivedAt'], where: 'pending = 1' },
      recent: { on: ['workspaceId', 'receivedAt'] },
      uncounted: { on: ['countAfter'], where: 'cost is not null and counted_cost is distinct from cost' },
    },
  },
);

/** Which message of the provider an operation without an answer turned out to be. */
export const deliveryClaim = table(
  { workspaceId: id(), providerId: id(), operationId: id(), claimedAt: instant() },
  {
    key: ['workspaceId', 'providerId'],
    removal: 'in_slices',
    indexes: { operation: { on: ['operationId'], isUnique: true } },
  },
);

/** Which number of an operation, or which recipient of a campaign, without an answer a message turned out to be of. */
export const messageClaim = table(
  {
    workspaceId: id(),
    providerId: id(),
    hash: hash('personal'),
    operationId: optional(id()),
    /** The sequence of the campaign. */
    campaign: optional(integer()),
    chunk: optional(integer()),
    source: word<'report' | 'history'>(),
    claimedAt: instant(),
  },
  {
    key: ['workspaceId', 'providerId', 'hash'],
    removal: 'in_slices',
    checks: {
      ofOne: '(operation_id is null) = (campaign is not null) and (campaign is null) = (chunk is null)',
    },
    indexes: {
      ofOperation: { on: ['operationId', 'hash'], isUnique: true },
      ofRecipient: { on: ['campaign', 'chunk', 'hash'], isUnique: true },
      ofMessage: { on: ['providerId'] },
      ofNumber: { on: ['workspaceId', 'hash'] },
    },
  },
);

/** What an estimate is of: an operation by its key, a campaign by its id. */
export type CostSubject = 'operation' | 'campaign';

/** What was shown before sending. Amounts are decimals, followed by a space and the currency's code where it is known. */
const keptEstimateSchema = z.object({
  /** Of the pages whose price was known. */
  total: z.string(),
  /** Where all pages had one price. */
  perPage: z.string().optional(),
  pages: z.number(),
  /** Pages whose price was not known. */
  unknownPages: z.number(),
});
export type KeptEstimate = z.infer<typeof keptEstimateSchema>;

/** What was shown before sending. */
export const costEstimate = table(
  {
    workspaceId: id(),
    subject: word<CostSubject>(),
    subjectId: id(),
    estimate: json(keptEstimateSchema, 'plain'),
    madeAt: instant(),
  },
  {
    key: ['workspaceId', 'subject', 'subjectId'],
    removal: 'in_slices',
    indexes: { made: { on: ['madeAt'] } },
  },
);

/** What the provider reported to have charged for the messages of a subject to a country. */
export const messageCost = table(
  {
    workspaceId: id(),
    subject: word<CostSubject>(),
    subjectId: id(),
    /** See `quickCountryOf`. */
    country: id(),
    begunAt: instant(),
    amount: money(),
    /** Messages whose cost is known. */
    messages: integer(),
    /** Messages that cost nothing. */
    free: integer(),
    /** Pages without free messages. */
    pages: integer(),
  },
  {
    key: ['workspaceId', 'subject', 'subjectId', 'country'],
    removal: 'in_slices',
    indexes: { begun: { on: ['begunAt'] } },
  },
);

/** The same by month, user and sender. */
export const monthCost = table(
  {
    workspaceId: id(),
    /** In Lagos, of when the sending began: `2026-11`. */
    month: id(),
    userId: id(),
    /** See `noSenderId`. */
    senderId: id(),
    /** ISO 4217, of the account when the cost was counted; empty where it was not known. */
    currency: id(),
    amount: money(),
    messages: integer(),
  },
  { key: ['workspaceId', 'month', 'userId', 'senderId', 'currency'], removal: 'in_slices' },
);
