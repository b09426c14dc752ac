import { z } from 'zod';
import { problemCountsSchema } from '../../domain/csv/rejected-row.ts';
import { seenSchema } from '../../domain/limits/seen.ts';
import { repeatSchema } from '../../domain/time/repeat.ts';
import {
  boolean,
  count,
  encrypted,
  flag,
  hash,
  id,
  identity,
  instant,
  integer,
  json,
  optional,
  real,
  table,
  text,
  word,
} from './declare.ts';
import { operationErrorSchema } from './operations.ts';

/** How many of something each country has. */
const byCountry = () => optional(json(z.record(z.string(), z.number()), 'plain'));

/** Why a campaign is paused. */
export const campaignPauseSchema = z.object({
  by: z.enum(['person', 'provider', 'program']),
  /** A Slack user id. */
  userId: z.string().optional(),
  error: operationErrorSchema.optional(),
  /**
   * If countries were refused: how many recipients in each are waiting, or were waiting when they were
   * skipped, by alpha-2 code.
   */
  countries: z.record(z.string(), z.number()).optional(),
  /** Whether those recipients have been skipped since. */
  areLeftOut: z.boolean().optional(),
  /** How many were skipped while others were in flight. `countries` then counts only those in flight. */
  leftOut: z.number().optional(),
  /**
   * Whether a person has edited the campaign since. It then needs a review, and approval where required, to
   * resume.
   */
  isEdited: z.boolean().optional(),
});

/** When a campaign is sent again, and what its runs are made with. */
export const campaignRepeatSchema = repeatSchema.extend({
  /** See `CampaignForm`. */
  plainCells: z.boolean(),
});
export type CampaignRepeat = z.infer<typeof campaignRepeatSchema>;

/** See `CampaignState`. `discarded`: nobody sees the campaign any more, and its recipients are still to be deleted. */
export type StoredState =
  | 'reading'
  | 'ready'
  | 'scheduled'
  | 'repeating'
  | 'running'
  | 'paused'
  | 'done'
  | 'cancelled'
  | 'missed'
  | 'discarded';

/** See `Campaign`. */
export const campaign = table(
  {
    /** What the other tables refer to. Never used twice: encrypted values are bound to it. */
    sequence: identity(),
    workspaceId: id(),
    /** Absent once it is discarded: its id may then be used again. */
    id: optional(id()),
    createdBy: id(),
    channelId: optional(id()),
    /** What a person called it, which may be a number. */
    name: text('personal'),
    route: id(),
    senderId: id(),
    personal: boolean(),
    /** See `NewCampaign`, as the next. */
    withoutAccents: flag(),
    isMessage: flag(),
    bySlackbot: flag(),
    /** Absent once the retention time is over. */
    text: optional(
      encrypted('personal', {
        as: 'campaign',
        to: ['workspaceId', 'id'],
        area: ({ id: campaignId }) => `text of campaign ${campaignId}`,
      }),
    ),
    /** The titles of the list's columns as JSON, if it has any; deleted with `text`. */
    columns: optional(
      encrypted('personal', {
        as: 'campaign_columns',
        to: ['workspaceId', 'id'],
        area: ({ id: campaignId }) => `columns of campaign ${campaignId}`,
      }),
    ),
    /**
     * Identifies its content, see `digestOf`; empty during the import. Keyed hashes that reveal nothing about
     * the content.
     */
    digest: optional(hash('plain')),
    /** See `Campaign`. */
    listSize: count(),
    /** Whose recipients these were; of a run, the campaign that repeats. */
    retryOf: optional(id()),
    /** The campaign that it follows up: some of whose recipients these are. */
    followUpOf: optional(id()),
    /**
     * For a run: the `sequence` of its repeating campaign and its scheduled time. They stay even if the run
     * or its draft is replaced, so that no run is created twice.
     */
    occurrenceOf: optional(integer()),
    occurrenceAt: optional(instant()),
    state: word<StoredState>(),
    stateChangedAt: instant(),
    lastActionBy: optional(id()),
    pause: optional(json(campaignPauseSchema, 'plain')),
    startAt: optional(instant()),
    latestStart: optional(instant()),
    zone: optional(id()),
    /**
     * What its user was shown when starting or scheduling it. Compared with the current facts when it starts.
     */
    seen: optional(json(seenSchema, 'plain')),
    /** For a repeating campaign: `startAt` is then when its next run starts. */
    repeat: optional(json(campaignRepeatSchema, 'plain')),
    recipients: count(),
    duplicates: count(),
    suppressed: count(),
    invalid: count(),
    /** Absent where they were not counted. */
    invalidByProblem: optional(json(problemCountsSchema, 'plain')),
    chunks: count(),
    pages: count(),
    fewestPages: count(),
    mostPages: count(),
    /** How many recipients each country has; absent where they were not counted. */
    countries: byCountry(),
    /** How many pages go to each country; absent where they were not counted. */
    countryPages: byCountry(),
    quiet: count(),
    accepted: count(),
    acceptedBefore: count(),
    rejected: count(),
    unconfirmed: count(),
    inFlight: count(),
    /** Whether a request was accepted since it was last started or resumed. */
    isProven: flag(),
    balance: optional(text('plain')),
    balanceAt: optional(instant()),
    messageChannel: optional(id()),
    messageTs: optional(id()),
    /** What the message shows, see `progressOf`. */
    messageShown: optional(text('plain')),
    /** The run of the program that imports it. */
    run: id(),
    /** The run that sends it, see `Lease`. */
    worker: optional(id()),
    leaseEpoch: count(),
    /** By the database's clock. Absent: as long as its worker lives. */
    leaseUntil: optional(instant()),
    createdAt: instant(),
    startedAt: optional(instant()),
    endedAt: optional(instant()),
    /** When its end was put into the audit. */
    auditedAt: optional(instant()),
  },
  {
    key: ['sequence'],
    removal: 'with_its_row',
    checks: {
      state:
        "state in ('reading', 'ready', 'scheduled', 'repeating', 'running', 'paused', 'done', 'cancelled', 'missed', 'discarded')",
      discarded: "(state = 'discarded') = (id is null)",
      occurrence: '(occurrence_of is null) = (occurrence_at is null)',
      counts: 'in_flight >= 0 and accepted + rejected + unconfirmed + in_flight <= recipients',
    },
    indexes: {
      once: { on: ['workspaceId', 'id'], isUnique: true },
      recent: { on: ['workspaceId', 'sequence'] },
      recentOfUser: { on: ['workspaceId', 'createdBy', 'sequence'] },
      retryOf: { on: ['workspaceId', 'retryOf'], where: 'retry_of is not null' },
      followUpOf: { on: ['workspaceId', 'followUpOf'], where: 'follow_up_of is not null' },
      occurrence: {
        on: ['occurrenceOf', 'occurrenceAt'],
        isUnique: true,
        where: 'occurrence_of is not null',
      },
      // It has only campaigns that have just ended, so it stays small however many there are.
      unaudited: { on: ['endedAt'], where: 'ended_at is not null and audited_at is null' },
    },
  },
);

/** See `KnownChunk`. The columns that change during sending have a table of their own: a claim writes bytes, not kilobytes. */
export const campaignChunk = table(
  {
    campaign: integer(),
    number: integer(),
    state: word<'waiting' | 'claimed' | 'accepted' | 'rejected' | 'unconfirmed'>(),
    recipients: integer(),
    pages: integer(),
    /** The run of the program that claimed it, while it is claimed. */
    run: optional(id()),
    providerId: optional(id()),
    error: optional(json(operationErrorSchema, 'plain')),
    /** When it was claimed last; absent where it never was. */
    claimedAt: optional(instant()),
    /** The id of a message that an unclear answer to it names. */
    receiptId: optional(id()),
  },
  {
    key: ['campaign', 'number'],
    isCompact: true,
    checks: {
      state: "state in ('waiting', 'claimed', 'accepted', 'rejected', 'unconfirmed')",
      claimed: "(state = 'claimed') = (run is not null)",
    },
    indexes: {
      byState: { on: ['campaign', 'state', 'number'] },
      ofProvider: { on: ['providerId'], where: 'provider_id is not null' },
      receipt: { on: ['receiptId'], where: 'receipt_id is not null' },
    },
  },
);

/** The recipients of each chunk, see `writeRecipients`. */
export const campaignChunkContent = table(
  {
    campaign: integer(),
    number: integer(),
    workspaceId: id(),
    value: encrypted('personal', {
      as: 'campaign_chunk_content',
      to: ['workspaceId', 'campaign', 'number'],
      area: () => 'recipients of a campaign',
    }),
  },
  { key: ['campaign', 'number'], removal: 'with_its_row' },
);

/** Which chunk of a campaign a number is in: in one only. The campaign comes first in the key, so its numbers lie together. */
export const campaignNumber = table(
  { campaign: integer(), hash: hash('personal'), chunk: integer() },
  { key: ['campaign', 'hash'], isCompact: true },
);

/** One row for each batch of rejected rows, see `writeRejectedRows`. */
export const campaignRejectedRow = table(
  {
    campaign: integer(),
    number: integer(),
    workspaceId: id(),
    value: encrypted('personal', {
      as: 'campaign_rejected_row',
      to: ['workspaceId', 'campaign', 'number'],
      area: () => 'rows left out of a campaign',
    }),
  },
  { key: ['campaign', 'number'], removal: 'with_its_row' },
);

/** What became of accepted recipients, see `addToDeliveryCounts`. One row for each outcome that there was. */
export const campaignDelivery = table(
  {
    campaign: integer(),
    /** See `outcomeOf`. */
    outcome: id(),
    recipients: integer(),
  },
  { key: ['campaign', 'outcome'], isCompact: true, checks: { recipients: 'recipients >= 0' } },
);

/** One row for each campaign with reports. */
export const campaignReport = table(
  {
    campaign: integer(),
    /** Counts up with each change of the counts and of the unconfirmed recipients. */
    version: integer(),
    /** The version that the campaign's message shows. */
    shown: integer(),
    /** Whether its user was told that unconfirmed recipients have an outcome. */
    userNotified: boolean(),
  },
  { key: ['campaign'], indexes: { unshown: { on: ['campaign'], where: 'version <> shown' } } },
);

/** One row for each workspace that has sent a campaign, see `Pace`. Its times are of a clock that nobody sets. */
export const pace = table(
  {
    workspaceId: id(),
    rate: real(),
    tokens: real(),
    refilledAt: real(),
    backOffUntil: real(),
    backOffs: integer(),
  },
  { key: ['workspaceId'], removal: 'at_once' },
);
