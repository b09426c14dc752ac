import type { RejectedRow } from '../../domain/csv/rejected-row.ts';
import type { CampaignSpending } from './campaign-spendings.ts';
import type {
  Campaign,
  CampaignPatch,
  CampaignState,
  Chunk,
  ChunkEnding,
  ChunkState,
  ClaimedChunk,
  KnownChunk,
  NewCampaign,
  SendableCampaign,
} from './campaigns.ts';
import type { ImportWriter } from './import/import-writer.ts';
import type { CampaignMove } from './move-campaign.ts';
import type { MakeOptOutToken, OptOutRecipient } from './opt-out-tokens.ts';
import type { CampaignLeases, Lease } from './sending/leases.ts';
import type { PaceRequest, SettledAndClaimed } from './sending/settle-and-claim.ts';

/**
 * The campaigns, their recipients and outcomes. What is written is on the disk when a call resolves; when one throws a
 * StoreError (`disk_full`, `locked`), nothing of it was written, and it may be made again.
 */
export interface CampaignRepository {
  /**
   * Begins a campaign in `reading`. Resolves with undefined where the workspace has one of this id.
   *
   * @throws StoreError `outdated` for an id from before the data was restored, also for that of the draft it replaces
   */
  begin(campaign: NewCampaign): Promise<ImportWriter | undefined>;

  find(workspaceId: string, id: string): Promise<Campaign | undefined>;

  /** The newest first; `before` is the id of the last one seen, of the same user if one is given. */
  recent(query: {
    workspaceId: string;
    createdBy?: string | undefined;
    states?: readonly CampaignState[] | undefined;
    /** Begun then or later. */
    from?: Date | undefined;
    /** Begun earlier. */
    until?: Date | undefined;
    limit: number;
    before?: string | undefined;
  }): Promise<Campaign[]>;

  /** The campaigns of all workspaces that are to be sent, now or at their time, the oldest first. */
  sendable(): Promise<SendableCampaign[]>;

  /** The campaigns of all workspaces in these states, the oldest first. */
  inState(states: readonly CampaignState[]): Promise<Campaign[]>;

  /** Returns what the workspace's campaigns that were started, and had not ended before a time, show of their costs. */
  spendings(workspaceId: string, since: Date): Promise<CampaignSpending[]>;

  /**
   * Moves a campaign from any of the states to another, if `campaignMoves` has such a move. Resolves with undefined where
   * it is in none of them, is not the one that was `checked`, or would be sent without its text, which is deleted. Its
   * `pause` is cleared unless it becomes `paused`; one that ends with nothing in flight gets its `endedAt`. A notice of it
   * is put into the outbox. One that becomes `ready` again loses its times, its channel and its message.
   *
   * @throws StoreError `outdated` for a campaign that was `ready` or `missed` before the data was restored
   */
  move(
    workspaceId: string,
    id: string,
    from: readonly CampaignState[],
    to: CampaignState,
    patch?: CampaignPatch,
    conditions?: Pick<CampaignMove, 'checked' | 'reserve'>,
  ): Promise<Campaign | undefined>;

  /** Which run of the program sends a campaign. */
  readonly leases: CampaignLeases;

  /**
   * Stores the endings of chunks that the run of the lease claimed (others are left as they are), then claims up to
   * `count` waiting ones, in their order, if the campaign is running, the lease is not lost and the workspace's pace
   * allows it. A claimed chunk is claimed by nobody else, ever, unless it is
   * released: it then waits without the numbers that were put on the suppression list since. With nothing waiting or
   * claimed, a running or paused campaign is done. Resolves with undefined where there is no such campaign.
   *
   * @throws StoreError `disk_full` or `locked`: nothing is claimed, and the same turn may be made again
   */
  settleAndClaim(campaign: { workspaceId: string; id: string }, turn: Turn): Promise<TurnResult | undefined>;

  /**
   * Has the chunks wait again that the run has claimed, for a worker that has none of them: the answer to a claim was lost
   * after PostgreSQL had made it, and nothing of it was sent. Returns how many there were.
   */
  releaseClaims(campaign: { workspaceId: string; id: string }, run: string): Promise<number>;

  /** Returns those of the chunks that exist, in whatever state. */
  pick(workspaceId: string, id: string, numbers: readonly number[]): Promise<Chunk[]>;

  /**
   * Reads the chunks in these states, state by state and in each by their numbers, in constant memory. Recipients of an
   * unconfirmed chunk of whom more is known by now are in a part of it that is accepted.
   */
  chunks(workspaceId: string, id: string, states: readonly ChunkState[]): AsyncIterable<KnownChunk>;

  /** Reads the rejected rows in their order, in constant memory. */
  rejectedRows(workspaceId: string, id: string): AsyncIterable<RejectedRow>;

  /** Returns what makes the tokens of a personal campaign's opt-out links; undefined where there is no such campaign. */
  optOutTokens(workspaceId: string, id: string): Promise<MakeOptOutToken | undefined>;

  /** Returns the recipient whose token it is, while the recipients of the campaign are kept. */
  findByOptOutToken(token: string): Promise<OptOutRecipient | undefined>;

  setMessage(workspaceId: string, id: string, message: { channel: string; ts: string }): Promise<void>;

  /** Stores that the campaign's message shows it as it is given. */
  setShown(campaign: Campaign): Promise<void>;

  /** Returns the campaigns that are scheduled, running or paused, and whose message does not show that. */
  unshown(): Promise<Campaign[]>;

  /**
   * After a crash: chunks that a dead run had claimed become `unconfirmed`, and imports that it had begun are discarded,
   * with a notice to their authors. Never touches those of a run that lives. Returns how many recipients became
   * unconfirmed. Several instances may call it at once.
   */
  recover(now: Date): Promise<number>;

  /**
   * Applies the retention time, in small transactions. Campaigns that ended before `endedBefore` lose their recipients,
   * text and rejected rows, and are no longer found by number; their counts stay. Campaigns that have been paused since
   * before then are cancelled. Operations that began before then lose their text and are no longer found by number.
   * Discarded campaigns, and those that have been `ready` since before `readyBefore`, are deleted. Returns how many
   * campaigns were emptied or deleted.
   */
  expire(endedBefore: Date, readyBefore: Date): Promise<number>;

  /**
   * Puts an entry into the audit for each campaign that has ended since the last call, with its counts. That there is one
   * is on the disk with the entry: after a crash none is missing, and none is there twice.
   */
  recordEnded(): Promise<void>;

  /** Discards a campaign that is `ready`, or whose import broke off. Resolves with false where it is neither. */
  discard(workspaceId: string, id: string): Promise<boolean>;
}

/** What a worker asks of the store from time to time. */
export interface Turn {
  lease: Lease;
  endings: readonly ChunkEnding[];
  /** How many chunks to claim, at most. */
  count: number;
  pace: PaceRequest;
}

export interface TurnResult extends Pick<SettledAndClaimed, 'isLeaseLost' | 'pace'> {
  campaign: Campaign;
  claimed: ClaimedChunk[];
}
