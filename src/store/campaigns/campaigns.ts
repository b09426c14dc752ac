import type { z } from 'zod';
import { bytesOf } from '../../domain/csv/file-bounds.ts';
import type { ProblemCounts, RejectedRow, RowProblem } from '../../domain/csv/rejected-row.ts';
import type { CampaignDeliveries } from '../../domain/deliveries/delivery-status.ts';
import type { Seen } from '../../domain/limits/seen.ts';
import type { BatchSize } from '../../lib/batches.ts';
import type { OperationError } from '../operations/operation.ts';
import type { CampaignRepeat, campaignPauseSchema } from '../schema/campaigns.ts';

/** In milliseconds: how long a draft is kept, and what a person filled in for it. */
export const draftMs = 7 * 24 * 60 * 60_000;

/**
 * - `reading`: its recipients are being imported;
 * - `ready`: a draft, which waits to be confirmed;
 * - `scheduled`: waits for `startAt`;
 * - `repeating`: is never sent itself: from `startAt` on, its next run is a campaign of its own;
 * - `running`, `paused`;
 * - `done`: every recipient has an outcome;
 * - `cancelled`: nothing new starts; requests in flight end. With no recipients: the last of them was removed;
 * - `missed`: it could not start by `latestStart`, and nothing was sent. It may still be started.
 *
 * `campaignMoves` lists the moves between them.
 */
export type CampaignState =
  | 'reading'
  | 'ready'
  | 'scheduled'
  | 'repeating'
  | 'running'
  | 'paused'
  | 'done'
  | 'cancelled'
  | 'missed';

/**
 * - `waiting`: was never requested, or provably not taken;
 * - `claimed`: is being requested, by the run of the program that claimed it;
 * - `accepted`, `rejected`: by the provider's response;
 * - `unconfirmed`: the provider may have taken it, nobody knows.
 */
export type ChunkState = 'waiting' | 'claimed' | 'accepted' | 'rejected' | 'unconfirmed';

export interface NewCampaign {
  workspaceId: string;
  /** The idempotency key: the same id in the same workspace is the same campaign. Opaque; holds no personal data. */
  id: string;
  /** A Slack user id. */
  createdBy: string;
  /** What users call it. Lies in the clear. */
  name: string;
  route: string;
  senderId: string;
  /** Whether each recipient has a text of their own. Then a chunk has one recipient, otherwise up to 100. */
  personal: boolean;
  /** The text as it is sent, with its columns where it is personal. Encrypted at rest. */
  text: string;
  /** Whether the values of its text's columns are sent without accents, as the text itself is. */
  withoutAccents?: boolean | undefined;
  /** Whether it is a message of `/sms` for later: people with the role for single messages manage their own. */
  isMessage?: boolean | undefined;
  /** Whether Slackbot drafted it, and nobody has edited it since. */
  bySlackbot?: boolean | undefined;
  /** The id of the campaign whose recipients these were; for a run, of its repeating campaign. */
  retryOf?: string | undefined;
  /** The id of the campaign that it follows up; the same for its parts, its runs and its replacement. */
  followUpOf?: string | undefined;
  /** For a run: the `sequence` of its repeating campaign and its scheduled time. Each pair is unique. */
  occurrence?: { of: number; at: Date } | undefined;
  /** The draft that this campaign replaces once it is `ready`. With the same id, this one has another id until then. */
  replaces?: ShownCampaign | undefined;
  /**
   * Whether its creator is waiting for it. If so, they get a notice of how the import ended unless they saw
   * it on screen.
   */
  isAwaited?: boolean | undefined;
  /**
   * Whether the values of its text's columns are simplified to plain text. Not stored, but part of the
   * version.
   */
  plainCells?: boolean | undefined;
  /** The size of the whole list, if these recipients are a part of one. */
  partOf?: number | undefined;
}

/** A campaign as a user saw it. It can only be started or replaced if it still has this version. */
export type ShownCampaign = Pick<Campaign, 'id' | 'version'>;

/** Numbers of recipients, unless said otherwise. `recipients - accepted - rejected - unconfirmed - inFlight` wait. */
export interface CampaignCounts {
  recipients: number;
  /** Rows whose number is in an earlier row. */
  duplicates: number;
  /** Rows whose number is on the suppression list. */
  suppressed: number;
  /** Recipients that were removed, as they turned out to be accepted by a campaign that this one is a rest of. */
  acceptedBefore: number;
  /** Rows without a usable number or text. */
  invalid: number;
  /** Message pages of all recipients together. */
  pages: number;
  /** Message pages of one recipient; 0 without recipients. */
  fewestPages: number;
  mostPages: number;
  /** Recipients whose operator has quiet hours. */
  quiet: number;
  accepted: number;
  rejected: number;
  unconfirmed: number;
  /** Chunks. */
  chunks: number;
}

/** What a campaign is sent by: there may be many, and the rest of each is read once it is sent. */
export interface SendableCampaign {
  workspaceId: string;
  id: string;
  /** Otherwise it is scheduled. */
  isRunning: boolean;
  startAt?: Date | undefined;
  latestStart?: Date | undefined;
}

/** Why a campaign is paused. It lies in the clear: no numbers, no message text. */
export type CampaignPause = z.infer<typeof campaignPauseSchema>;

export interface Campaign
  extends Omit<NewCampaign, 'text' | 'replaces' | 'isAwaited' | 'plainCells' | 'partOf'> {
  /** Tells it from one that takes its place under the same id. */
  sequence: number;
  /** Identifies what a person reviews: the content, the full list and the times. See `versionOf`. */
  version: string;
  /** Number of recipients in the reviewed list; this campaign may be a part of it. Decides whether approval is needed. */
  listSize: number;
  /** Undefined once the retention time is over, and in what `settleAndClaim` returns; `columns` as well. */
  text?: string | undefined;
  /** The titles of the list's columns, where it has some. Encrypted at rest. */
  columns?: readonly string[] | undefined;
  state: CampaignState;
  counts: CampaignCounts;
  /** The rows of `counts.invalid` by their problem. Undefined while it is imported. */
  invalidByProblem?: ProblemCounts | undefined;
  /** How many recipients each country has, by its alpha-2 code. Undefined while it is imported. */
  countries?: Readonly<Record<string, number>> | undefined;
  /** The same in pages, without recipients that were removed since. */
  countryPages?: Readonly<Record<string, number>> | undefined;
  /** Recipients in chunks that are claimed. */
  inFlight: number;
  /**
   * What became of the accepted ones. Undefined where nothing was reported of any, and in what `settleAndClaim` returns.
   */
  deliveries?: CampaignDeliveries | undefined;
  /** Counts up with each change of `deliveries`, and is there with it. */
  reportsVersion?: number | undefined;
  /** Where its progress is posted: a Slack channel id. */
  channelId?: string | undefined;
  startAt?: Date | undefined;
  /** When it is too late to start. */
  latestStart?: Date | undefined;
  /** The time zone in which the user chose `startAt`. */
  zone?: string | undefined;
  /** What its user was shown when starting or scheduling it. */
  seen?: Seen | undefined;
  /** Set while it repeats, and once it has. */
  repeat?: CampaignRepeat | undefined;
  pause?: CampaignPause | undefined;
  /** The user who paused, resumed or cancelled it last: a Slack user id. */
  lastActionBy?: string | undefined;
  createdAt: Date;
  startedAt?: Date | undefined;
  /** When it was done, missed, or cancelled with nothing left in flight. */
  endedAt?: Date | undefined;
  /** The balance after its latest response, exactly as the provider wrote it. */
  balance?: string | undefined;
  /** The message in Slack that shows its progress. */
  message?: { channel: string; ts: string } | undefined;
}

/** A row of the list that is imported. */
export type ReadRow =
  | {
      kind: 'recipient';
      line: number;
      /** E.164: `+2348031234567`. */
      number: string;
      /** The recipient's own text; of personal campaigns only. */
      text?: string | undefined;
      pages: number;
      quiet: boolean;
      /** The whole row as it is in the file, in the order of the campaign's `columns`. Encrypted at rest. */
      cells?: readonly string[] | undefined;
    }
  /** Encrypted at rest, but for the problem, which is counted. */
  | ({ kind: 'invalid'; problem: RowProblem } & RejectedRow);

/** The recipients of one request. */
export interface Chunk {
  /** Its position in the campaign, from 0. */
  number: number;
  /** E.164: `+2348031234567`. */
  to: string[];
  /** The recipient's own text; of personal campaigns only. */
  text?: string | undefined;
  /** Message pages of all its recipients. */
  pages: number;
  /** Each recipient's row of the file, in the order of `to`; empty for one whose row was not kept. */
  cells?: readonly (readonly string[])[] | undefined;
}

/** Returns the recipients of a chunk and its bytes in memory. */
export function sizeOfChunk({ to, text = '', cells = [] }: Chunk): BatchSize {
  const rows = cells.reduce((sum, row) => sum + bytesOf(row), 0);
  return { count: to.length, bytes: bytesOf(to) + bytesOf([text]) + rows };
}

/** A chunk to send. */
export interface ClaimedChunk extends Omit<Chunk, 'to' | 'cells'> {
  /** E.164 without its plus, as the provider takes numbers. */
  digits: string[];
}

export interface ChunkEnding {
  number: number;
  /** `waiting`: it is released, since it was provably not taken. */
  state: 'accepted' | 'rejected' | 'unconfirmed' | 'waiting';
  providerId?: string | undefined;
  /** The id of a message that an unclear answer names. */
  receiptId?: string | undefined;
  /** Exactly as the provider wrote it. */
  balance?: string | undefined;
  /** In the clear at rest: no numbers, no message text. */
  error?: OperationError | undefined;
}

/** A chunk with its outcome. */
export interface KnownChunk extends Chunk {
  state: ChunkState;
  providerId?: string | undefined;
  error?: OperationError | undefined;
}

/** A key with the value undefined clears its column. */
export type CampaignPatch = Partial<
  Pick<
    Campaign,
    | 'channelId'
    | 'startAt'
    | 'latestStart'
    | 'zone'
    | 'seen'
    | 'repeat'
    | 'pause'
    | 'lastActionBy'
    | 'startedAt'
  >
>;
