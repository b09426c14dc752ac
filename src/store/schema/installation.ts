import { boolean, count, encrypted, flag, id, instant, integer, optional, table, text } from './declare.ts';

/** One row, number 1: whose data this is. */
export const installation = table(
  {
    number: integer(),
    epoch: id(),
    /** On SQLite, transactions that wrote something; on PostgreSQL, how often the data was restored or copied. */
    writes: integer(),
    /**
     * The files that belong to this row, see `identityOf`. On PostgreSQL `databaseFile` is a `DatabaseIdentity` as JSON, and
     * `markFile` names the move that the data is from, see `MovedMark`; it is empty without one.
     */
    markFile: text('plain'),
    databaseFile: text('plain'),
    /** See `Machine`. Absent: not known. */
    machine: optional(text('plain')),
    boot: optional(text('plain')),
    /** When a takeover last happened. */
    restoredAt: optional(instant()),
    /** When the notices of that were put into the outbox. */
    notifiedAt: optional(instant()),
  },
  { key: ['number'], notMoved: 'the move ends with it' },
);

/** The live runs of the program. A run without a row is dead: others end what it held. */
export const instance = table(
  {
    run: id(),
    /** By the database's clock, as `heartbeatAt`. */
    startedAt: instant(),
    heartbeatAt: instant(),
    /** Whether it is stopping, and takes no further campaigns. */
    stopping: flag(),
    programVersion: text('plain'),
    /** The id of the key that it encrypts with. */
    keyId: id(),
  },
  { key: ['run'], notMoved: 'runs of the program on SQLite: they are dead' },
);

/** How often each instance has marked the data: with fewer marks than it remembers, the data was restored. Empty on SQLite. */
export const instanceMark = table(
  { id: id(), ticks: integer(), seenAt: instant() },
  { key: ['id'], notMoved: 'PostgreSQL alone has it' },
);

export const encryptionKey = table(
  {
    id: id(),
    canary: text('plain'),
    /**
     * When this key first became the primary key. Everything is re-encrypted with the last one in use, so instances with
     * other lists never re-encrypt back.
     */
    position: integer(),
    /** Whether values may be encrypted under it. */
    inUse: boolean(),
    /** How many runs have started to encrypt with it, to notice a new one since this was read. */
    starts: count(),
    /** About how many values are under it, once a later key re-encrypts them. Absent until they are counted. */
    valuesLeft: optional(integer()),
    /** How many of them the last complete walk could not decrypt. */
    unreadable: count(),
  },
  { key: ['id'] },
);

/** What the handler of a topic is to be called with. A row is deleted once that was done. Empty on PostgreSQL. */
export const job = table(
  {
    topic: id(),
    key: id(),
    /** 1970 is at once. */
    dueAt: instant(),
    /** `dueAt`, or when the next attempt is. */
    nextAt: instant(),
    /** How many attempts failed. */
    attempts: count(),
    /** How often it was enqueued: a run doesn't remove a job that was enqueued again meanwhile. */
    times: count(1),
  },
  { key: ['topic', 'key', 'dueAt'], notMoved: 'what jobs are about is looked at when an instance starts' },
);

/** Values that need no table of their own: connections, settings, drafts, codes, tokens. */
export const keyv = table(
  {
    workspaceId: id(),
    area: id(),
    key: id(),
    value: encrypted('personal', {
      to: ['workspaceId', 'area', 'key', 'expires'],
      area: ({ area }) => String(area),
    }),
    /** Absent: never. */
    expires: optional(instant()),
  },
  {
    key: ['workspaceId', 'area', 'key'],
    removal: 'at_once',
    indexes: { expires: { on: ['expires'], where: 'expires is not null' } },
  },
);

/** The key of the hashes that stand for phone numbers. */
export const numberKey = table(
  {
    workspaceId: id(),
    encryptedKey: encrypted('plain', {
      as: 'number_key',
      to: ['workspaceId'],
      area: () => 'key of the number search',
    }),
  },
  { key: ['workspaceId'], removal: 'at_once' },
);
