import { z } from 'zod';
import { encrypted, hash, id, instant, integer, json, optional, table, text, word } from './declare.ts';

/** Why something was not accepted. It lies in the clear at rest: no numbers, no message text. */
export const operationErrorSchema = z.object({
  /** A reason of the provider client, or one of the program. */
  reason: z.string(),
  /** What is particular to this failure, in sentences. */
  detail: z.string().optional(),
  status: z.number().optional(),
  providerMessage: z.string().optional(),
  /** Milliseconds that the provider asked to wait. */
  retryAfter: z.number().optional(),
});

/** What became of a one-time code. `unknown`: the data was restored meanwhile, and may have forgotten it. */
const codeOutcomeSchema = z.object({
  kind: z.enum(['verified', 'used_up', 'expired', 'unknown']),
  /** In milliseconds since 1970. */
  at: z.number(),
  /** The Slack user who verified it, or read the last wrong guess. */
  by: z.string().optional(),
});

/** What a person found out about something unconfirmed. */
const markSchema = z.object({
  kind: z.enum(['received', 'not_received']),
  /** In milliseconds since the epoch. */
  at: z.number(),
  /** A Slack user. */
  by: z.string(),
});

/** What is sent, asked or bought once. See `Operation`. */
export const operation = table(
  {
    id: id(),
    workspaceId: id(),
    key: id(),
    kind: id(),
    userId: id(),
    channelId: optional(id()),
    /** Numbers masked; names that people chose. */
    summary: json(z.record(z.string(), z.json()), 'personal'),
    state: word<'underway' | 'accepted' | 'rejected' | 'not_sent' | 'unconfirmed'>(),
    providerId: optional(id()),
    pages: optional(integer()),
    balance: optional(text('plain')),
    error: optional(json(operationErrorSchema, 'plain')),
    /** The run of the program that performs it. */
    run: id(),
    createdAt: instant(),
    endedAt: optional(instant()),
    /** What its outcome is known from, where the answer to its request was lost. */
    resolvedFrom: optional(word<'report' | 'history'>()),
    /** What its user found out while it was unconfirmed. */
    mark: optional(json(markSchema, 'plain')),
    /** The message of Slack that shows its outcome, where that can change. */
    messageChannel: optional(id()),
    messageTs: optional(id()),
    /** The message that told its user of the resolved outcome; it shows the outcome too. */
    resolvedChannel: optional(id()),
    resolvedTs: optional(id()),
    /** The id of a message that an unclear answer to it names. */
    receiptId: optional(id()),
    /** When the one-time code that it sent expires. */
    expiresAt: optional(instant()),
    wrongGuesses: optional(integer()),
    /** What became of the code. */
    codeOutcome: optional(json(codeOutcomeSchema, 'plain')),
    /** When the program last learned that one of its messages was not delivered, if ever. */
    notDeliveredAt: optional(instant()),
  },
  {
    key: ['id'],
    removal: 'with_its_row',
    checks: {
      state: "state in ('underway', 'accepted', 'rejected', 'not_sent', 'unconfirmed')",
      ended: "(state = 'underway') = (ended_at is null)",
    },
    indexes: {
      once: { on: ['workspaceId', 'key'], isUnique: true },
      named: { on: ['providerId'], where: 'provider_id is not null' },
      ofProvider: { on: ['workspaceId', 'providerId'], where: 'provider_id is not null' },
      receipt: { on: ['receiptId'], where: 'receipt_id is not null' },
      recent: { on: ['workspaceId', 'createdAt', 'id'] },
      // What an operation is about: of `sms.send` it is `sms`. A query has to spell it like this to use the index.
      recentBySubject: {
        on: ['workspaceId', { sql: "substr(kind, 1, instr(kind, '.') - 1)" }, 'createdAt', 'id'],
      },
      recentInState: { on: ['workspaceId', 'state', 'createdAt', 'id'] },
      recentOfUser: { on: ['workspaceId', 'userId', 'createdAt', 'id'] },
      notDelivered: { on: ['workspaceId', 'createdAt', 'id'], where: 'not_delivered_at is not null' },
      notDeliveredOfUser: {
        on: ['workspaceId', 'userId', 'createdAt', 'id'],
        where: 'not_delivered_at is not null',
      },
      // It has only operations under way, so it stays small however long the history grows.
      underway: { on: ['id'], where: "state = 'underway'" },
      openCodes: { on: ['expiresAt'], where: 'expires_at is not null and code_outcome is null' },
    },
  },
);

/** The numbers that an operation goes to. */
export const operationNumber = table(
  { hash: hash('personal'), operationId: id(), createdAt: instant() },
  {
    key: ['hash', 'operationId'],
    isCompact: true,
    indexes: { age: { on: ['createdAt', 'operationId'] } },
  },
);

export const operationText = table(
  {
    operationId: id(),
    workspaceId: id(),
    /** An `OperationText` as JSON. */
    value: encrypted('personal', {
      as: 'operation_text',
      to: ['workspaceId', 'operationId'],
      area: () => 'text of a message',
    }),
    createdAt: instant(),
  },
  {
    key: ['operationId'],
    removal: 'with_its_row',
    indexes: { age: { on: ['createdAt'] }, workspace: { on: ['workspaceId'] } },
  },
);
