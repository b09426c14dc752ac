import { boolean, encrypted, hash, id, instant, integer, optional, table, word } from './declare.ts';

/** The numbers that no campaign goes to. */
export const suppression = table(
  {
    workspaceId: id(),
    /** Stays once the number is erased, so that nothing is sent to it. */
    hash: hash('plain'),
    /** Empty once it is erased. */
    phoneNumber: encrypted('personal', {
      as: 'suppression',
      to: ['workspaceId', 'hash'],
      area: () => 'do-not-contact list',
    }),
    /** Empty where the owner of the number did it. */
    createdBy: id(),
    createdAt: instant(),
    /** A `SuppressionSource` as JSON; absent once the number is erased. */
    origin: optional(
      encrypted('personal', {
        as: 'suppression_source',
        to: ['workspaceId', 'hash'],
        area: () => 'do-not-contact list',
      }),
    ),
    /** When something but a reply with a time put the number there that was on the list; absent where nothing has. */
    listedAgainAt: optional(instant()),
  },
  {
    key: ['workspaceId', 'hash'],
    removal: 'in_slices',
    indexes: { latest: { on: ['workspaceId', 'createdAt', 'hash'] } },
  },
);

/** One for each number that wrote. */
export const replyThread = table(
  {
    workspaceId: id(),
    id: id(),
    /** Of the number. */
    hash: hash('personal'),
    /** The number, and what it wrote to, as JSON. */
    content: encrypted('personal', {
      as: 'reply_thread',
      to: ['workspaceId', 'id'],
      area: () => 'number that wrote',
    }),
    state: word<'open' | 'done'>(),
    /** A Slack user id. */
    assignedTo: optional(id()),
    /** Who wrote last: a Slack user id. Empty: the person. */
    lastBy: id(),
    lastAt: instant(),
    /** The parent message of the thread: posted where the position is known, else about to be. */
    parentId: optional(id()),
    messageChannel: optional(id()),
    messageTs: optional(id()),
    /** Counts up with each change. */
    version: integer(),
  },
  {
    key: ['workspaceId', 'id'],
    removal: 'in_slices',
    indexes: {
      ofNumber: { on: ['workspaceId', 'hash'], isUnique: true },
      ofMessage: { on: ['workspaceId', 'messageTs'], where: 'message_ts is not null' },
    },
  },
);

export const inboundMessage = table(
  {
    workspaceId: id(),
    id: id(),
    threadId: id(),
    /** The same for a message that is reported again. */
    digest: id(),
    /** The text, and the confirmation of a stop, as JSON. */
    content: encrypted('personal', {
      as: 'inbound_message',
      to: ['workspaceId', 'id'],
      area: () => 'message that came in',
    }),
    createdAt: instant(),
    /** Of a stop that is to be confirmed. */
    confirmation: optional(word<'pending' | 'ended'>()),
    /** True if it is nowhere in Slack: nobody to show it to, or no place where Slack accepted it. */
    unposted: optional(boolean()),
  },
  {
    key: ['workspaceId', 'id'],
    removal: 'in_slices',
    indexes: {
      once: { on: ['workspaceId', 'digest'], isUnique: true },
      pending: { on: ['confirmation'], where: "confirmation = 'pending'" },
      thread: { on: ['workspaceId', 'threadId', 'createdAt'] },
      time: { on: ['createdAt'] },
      unposted: { on: ['workspaceId', 'createdAt'], where: 'unposted = 1' },
    },
  },
);

/** Replied stops and starts, kept as long as an older one may still arrive. */
export const replyAnswer = table(
  {
    workspaceId: id(),
    /** The same for a message that is reported again. */
    digest: id(),
    /** Of the number. */
    hash: hash('personal'),
    answer: word<'stop' | 'start'>(),
    /** By the provider’s clock. Absent where it named no time. */
    sentAt: optional(instant()),
    receivedAt: instant(),
    /** Whether it put the number on the list. */
    listed: boolean(),
  },
  {
    key: ['workspaceId', 'digest'],
    removal: 'in_slices',
    indexes: {
      number: { on: ['workspaceId', 'hash', 'answer', 'sentAt'] },
      time: { on: ['receivedAt'] },
    },
  },
);
