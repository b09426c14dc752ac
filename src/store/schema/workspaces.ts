import { z } from 'zod';
import { grantSchema } from '../../domain/access/decision.ts';
import { limitReasonSchema } from '../../domain/limits/reached-limit.ts';
import { type Watched, type WatchKind, watchFactsSchema } from '../../domain/watch/watch.ts';
import { encrypted, id, instant, integer, json, optional, table, text, word } from './declare.ts';

/** Which enterprise-wide installation a workspace belongs to. */
export const slackWorkspace = table(
  { workspaceId: id(), enterpriseId: id() },
  {
    key: ['workspaceId'],
    removal: 'at_once',
    indexes: { ofEnterprise: { on: ['enterpriseId'] } },
  },
);

/** Who may change the installation of an owner, and until when. */
export const slackLease = table(
  {
    /** The owner's id; `state:` and a hash for the state of an installation that was begun, which counts once. */
    workspaceId: id(),
    holder: id(),
    expires: instant(),
  },
  { key: ['workspaceId'], removal: 'kept' },
);

/** Workspaces that removed the app, while work for them may still be under way. */
export const slackRemoval = table(
  {
    workspaceId: id(),
    /** Whose installation was removed. */
    ownerId: id(),
    removedAt: instant(),
  },
  { key: ['workspaceId'], removal: 'kept' },
);

export const workspaceRoles = table(
  {
    workspaceId: id(),
    /** How often the roles were changed. */
    version: integer(),
    /** Absent: no admin has set roles. */
    grants: optional(json(z.array(grantSchema), 'plain')),
    /** A Slack user id. */
    changedBy: optional(id()),
    changedAt: optional(instant()),
  },
  { key: ['workspaceId'], removal: 'at_once' },
);

/** One row. It shows if the entries of a workspace were deleted together with its `auditChain`. */
export const auditRegister = table(
  {
    /** `installationId`. */
    workspaceId: id(),
    /** What all MACs are made with. */
    encryptedKey: encrypted('plain', {
      as: 'audit_register',
      to: ['workspaceId'],
      area: () => 'key of the audit',
    }),
    /** The ids of the workspaces with an `auditChain`, in order. JSON that is checked before it is read. */
    chains: text('plain'),
    /** Over `chains`, see `registerMac`. */
    mac: id(),
  },
  { key: ['workspaceId'], removal: 'kept' },
);

/** Where the entries of a workspace begin and end: an entry that was cut off at either end is missed. */
export const auditChain = table(
  {
    workspaceId: id(),
    /** The sequence of the oldest entry that is kept. */
    first: integer(),
    /** The `mac` of the entry before it, which has expired; the name of the chain's beginning where there was none. */
    before: id(),
    /** The sequence of the latest entry; one less than `first` when all have expired. */
    last: integer(),
    /** Its `mac`. */
    end: id(),
    /** Over all other columns, see `chainMac`. */
    mac: id(),
  },
  { key: ['workspaceId'], removal: 'kept' },
);

/** See `AuditEntry`. In the clear: numbers are masked, and there are no texts, codes or keys. */
export const auditEntry = table(
  {
    workspaceId: id(),
    /** From 1 on, without a gap in a workspace. */
    sequence: integer(),
    at: instant(),
    userId: optional(id()),
    action: id(),
    subject: optional(id()),
    outcome: id(),
    surface: id(),
    channelId: optional(id()),
    /** JSON, unchanged since its MAC was made. */
    details: optional(text('plain')),
    /** The `mac` of the entry before. */
    previous: id(),
    /** Over all other columns, see `entryMac`. */
    mac: id(),
  },
  {
    key: ['workspaceId', 'sequence'],
    removal: 'kept',
    indexes: {
      ofAction: { on: ['workspaceId', 'action', 'at', 'sequence'] },
      ofUser: { on: ['workspaceId', 'userId', 'at', 'sequence'] },
      recent: { on: ['workspaceId', 'at', 'sequence'] },
    },
  },
);

/** What counts towards a limit. A row is deleted an hour after its window ended, or later. */
export const limitWindow = table(
  {
    workspaceId: id(),
    /** Which limit, and whose: Slack user ids in the clear, recipients as keyed hashes. */
    key: id(),
    points: integer(),
    expires: instant(),
  },
  {
    key: ['workspaceId', 'key'],
    removal: 'in_slices',
    indexes: { expires: { on: ['expires'] } },
  },
);

/** The pages that a campaign has taken of the budget since it was last started. */
export const limitReservation = table(
  {
    workspaceId: id(),
    campaignId: id(),
    /** The keys of the windows. */
    windows: json(z.array(z.string()), 'plain'),
    pages: integer(),
    /** Pages of the campaign that were taken before, by earlier reservations. */
    takenBefore: integer(),
  },
  { key: ['workspaceId', 'campaignId'], removal: 'at_once' },
);

/** The last refusal by each limit and subject. A row is deleted a day after it stopped having an effect. */
export const limitReached = table(
  {
    workspaceId: id(),
    /** The rule, and whom it is about: recipients as keyed hashes. */
    subject: id(),
    /** Numbers masked. */
    reached: json(limitReasonSchema, 'personal'),
    /** Who asked last. */
    userId: id(),
    refusals: integer(),
    at: instant(),
    /** Absent: only when somebody acts. */
    freesAt: optional(instant()),
  },
  { key: ['workspaceId', 'subject'], removal: 'at_once' },
);

/** Message templates, a row for each version. The newest says whether the template was deleted. */
export const template = table(
  {
    workspaceId: id(),
    id: id(),
    /** From 1 on. */
    version: integer(),
    /** Name, text, route and sender as JSON. */
    content: encrypted('personal', {
      as: 'template',
      to: ['workspaceId', 'id', 'version'],
      area: () => 'template',
    }),
    /** `previous`: every version but the newest. */
    state: word<'current' | 'previous' | 'deleted'>(),
    /** A Slack user id. */
    changedBy: id(),
    changedAt: instant(),
  },
  {
    key: ['workspaceId', 'id', 'version'],
    removal: 'in_slices',
    indexes: { ofState: { on: ['workspaceId', 'state'] } },
  },
);

/** What is watched for a workspace, by what it is about. */
export const watch = table(
  {
    workspaceId: id(),
    /** Such as `balance`, or `campaign:` and an id; of an eSIM a keyed hash of its number. `look:` and a kind: see `look`. */
    subject: id(),
    /** `digest`: one row of each workspace with a channel, whose `step` is the date of the last one. */
    kind: word<WatchKind | 'look' | 'digest'>(),
    state: word<Watched['state']>(),
    since: instant(),
    changedAt: instant(),
    facts: json(watchFactsSchema, 'plain'),
    /** A Slack user id. For `digest`: who turned watchers off, until the open alerts are resolved. */
    mutedBy: optional(id()),
    /** Counts up with each change to show. */
    version: integer(),
    /** The version that the message shows. */
    shownVersion: integer(),
    messageChannel: optional(id()),
    messageTs: optional(id()),
  },
  {
    key: ['workspaceId', 'subject'],
    removal: 'at_once',
    indexes: { kind: { on: ['kind', 'workspaceId'] } },
  },
);
