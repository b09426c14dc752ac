import type { RejectedRow } from '../../domain/csv/rejected-row.ts';
import type { OperationError } from '../operations/ledger.ts';

/**
 * - `reading`: its recipients are being written;
 * - `ready`: waits to be confirmed;
 * - `scheduled`: waits for `startAt`;
 * - `running`, `paused`;
 * - `done`: every recipient has its outcome;
 * - `cancelled`: nothing new starts; what is in flight ends;
 * - `missed`: it could not start by `latestStart`, and nothing was sent.
 */
export type CampaignState =
  | 'reading'
  | 'ready'
  | 'scheduled'
  | 'running'
  | 'paused'
  | 'done'
  | 'cancelled'
  | 'missed';

/**
 * - `waiting`: was never requested, or provably not taken;
 * - `claimed`: is being requested, by the run of the program that claimed it;
 * - `accepted`, `rejected`: as the provider answered;
 * - `unconfirmed`: the provider may have taken it, nobody knows.
 */
export type ChunkState = 'waiting' | 'claimed' | 'accepted' | 'rejected' | 'unconfirmed';

export interface NewCampaign {
  workspaceId: string;
  /** The idempotency key: the same id in the same workspace is the same campaign. Opaque; holds no personal data. */
  id: string;
  /** A Slack user id. */
  createdBy: string;
  /** What people call it. Lies in the clear. */
  name: string;
  route: string;
  senderId: string;
  /** Whether each recipient has a text of their own. Then a chunk has one recipient, otherwise up to 100. */
  personal: boolean;
  /** The text, with its columns where it is personal. Encrypted at rest. */
  text: string;
  /** The id of the campaign whose recipients these were. */
  retryOf?: string | undefined;
}

/** Recipients, unless said otherwise. Those that wait: `recipients - accepted - rejected - unconfirmed - inFlight`. */
export interface CampaignCounts {
  recipients: number;
  /** Rows whose number had been read before. */
  duplicates: number;
  /** Rows whose number is on the do-not-contact list. */
  suppressed: number;
  /** Rows without a number or text that could be used. */
  invalid: number;
  /** Message pages of all recipients together. */
  pages: number;
  /** Message pages of one recipient; 0 where there is none. */
  fewestPages: number;
  mostPages: number;
  /** Those whose operator has quiet hours. */
  quiet: number;
  accepted: number;
  rejected: number;
  unconfirmed: number;
  /** Chunks. */
  chunks: number;
}

/** Why a campaign is paused. It lies in the clear: no numbers, no message text. */
export interface CampaignPause {
  by: 'person' | 'provider' | 'program';
  /** A Slack user id. */
  userId?: string | undefined;
  error?: OperationError | undefined;
}

export interface Campaign extends Omit<NewCampaign, 'text'> {
  /** Undefined once the retention time is over, and in what `turn` gives. */
  text?: string | undefined;
  state: CampaignState;
  counts: CampaignCounts;
  /** Recipients in chunks that are claimed. */
  inFlight: number;
  /** Where it reports: a Slack channel id. */
  channelId?: string | undefined;
  startAt?: Date | undefined;
  /** When it is too late to start. */
  latestStart?: Date | undefined;
  /** The time zone in which the person chose `startAt`. */
  zone?: string | undefined;
  pause?: CampaignPause | undefined;
  /** Who paused, resumed or cancelled it last: a Slack user id. */
  lastActionBy?: string | undefined;
  createdAt: Date;
  startedAt?: Date | undefined;
  /** When it was done, missed, or cancelled with nothing left in flight. */
  endedAt?: Date | undefined;
  /** The balance after its latest answer, exactly as the provider wrote it. */
  balance?: string | undefined;
  /** The message in Slack that shows its progress. */
  message?: { channel: string; ts: string } | undefined;
}

/** A row as it was read. */
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
    }
  /** Encrypted at rest. */
  | ({ kind: 'invalid' } & RejectedRow);

/** Recipients of one request. */
export interface Chunk {
  /** Its place in the campaign, from 0. */
  number: number;
  /** E.164: `+2348031234567`. */
  to: string[];
  /** The recipient's own text; of personal campaigns only. */
  text?: string | undefined;
  /** Message pages of all its recipients. */
  pages: number;
}

/** A chunk to send. */
export interface ClaimedChunk extends Omit<Chunk, 'to'> {
  /** E.164 without its plus, as the provider takes numbers. */
  digits: string[];
}

export interface ChunkEnding {
  number: number;
  /** `waiting`: given back, since it was provably not taken. */
  state: 'accepted' | 'rejected' | 'unconfirmed' | 'waiting';
  providerId?: string | undefined;
  /** Exactly as the provider wrote it. */
  balance?: string | undefined;
  /** In the clear at rest: no numbers, no message text. */
  error?: OperationError | undefined;
}

/** A chunk with what became of it. */
export interface KnownChunk extends Chunk {
  state: ChunkState;
  providerId?: string | undefined;
  error?: OperationError | undefined;
}

/** A key that is there and undefined clears what was set. */
export type CampaignPatch = Partial<
  Pick<Campaign, 'channelId' | 'startAt' | 'latestStart' | 'zone' | 'pause' | 'lastActionBy' | 'startedAt'>
>;

/**
 * The recipients of campaigns and what became of them. All that is written is on the disk when a call resolves; when
 * one throws a StoreError (`disk_full`, `locked`), nothing of it was written, and it may be made again.
 */
export interface CampaignRepository {
  /**
   * Begins a campaign in `reading`. Undefined: the workspace has one of this id. Throws a StoreError `outdated` for an id
   * of before the data was restored.
   */
  begin(campaign: NewCampaign): Promise<ImportWriter | undefined>;

  find(workspaceId: string, id: string): Promise<Campaign | undefined>;

  /** The newest first; `before` is the id of the last one seen, which has to be the author's too. */
  recent(query: {
    workspaceId: string;
    createdBy?: string | undefined;
    states?: readonly CampaignState[] | undefined;
    limit: number;
    before?: string | undefined;
  }): Promise<Campaign[]>;

  /** Those in these states, of all workspaces, the oldest first. */
  inState(states: readonly CampaignState[]): Promise<Campaign[]>;

  /**
   * Moves a campaign from any of the states to another. Undefined: it is in none of them. A `pause` goes when the
   * state is no longer `paused`; what ends with nothing in flight gets its `endedAt`. Once it has left `ready`, the
   * outbox has a notice of it. Throws a StoreError `outdated` where one is to start that was `ready` before the data was
   * restored.
   */
  move(
    workspaceId: string,
    id: string,
    from: readonly CampaignState[],
    to: CampaignState,
    patch?: CampaignPatch,
  ): Promise<Campaign | undefined>;

  /**
   * Writes down what became of chunks that this run claimed (others are left as they are), then claims up to `count`
   * waiting ones, the first first, if the campaign is running. A claimed chunk is claimed by nobody else, ever, unless
   * it is given back: it then waits without whom was put on the do-not-contact list since. With nothing waiting or
   * claimed, a running or paused campaign is done. Undefined: there is no such campaign, or its workspace was forgotten.
   *
   * @throws StoreError `disk_full` or `locked`: nothing is claimed, and the same endings may be given again
   */
  settleAndClaim(
    campaign: { workspaceId: string; id: string },
    endings: readonly ChunkEnding[],
    count: number,
  ): Promise<{ campaign: Campaign; claimed: ClaimedChunk[] } | undefined>;

  /** These chunks, as far as there are, whatever became of them. */
  pick(workspaceId: string, id: string, numbers: readonly number[]): Promise<Chunk[]>;

  /** Chunks in these states, state by state and in each by their numbers. Constant memory. */
  chunks(workspaceId: string, id: string, states: readonly ChunkState[]): AsyncIterable<KnownChunk>;

  /** The rows without a usable number or text, in their order. Constant memory. */
  rejectedRows(workspaceId: string, id: string): AsyncIterable<RejectedRow>;

  setMessage(workspaceId: string, id: string, message: { channel: string; ts: string }): Promise<void>;

  /**
   * After a crash: what another run had claimed becomes `unconfirmed`, and what it was reading is dropped, with a notice
   * to its author. Never touches what this run does. Gives how many recipients became unconfirmed.
   */
  recover(now: Date): Promise<number>;

  /**
   * Retention. Of campaigns that ended before `endedBefore` the recipients, texts and left-out rows go, and what finds
   * them by number; the campaign with its counts stays. Those paused since before then are cancelled. Operations begun
   * before then are no longer found by number. What was still `ready` and begun before `readyBefore` goes altogether,
   * and so does what was discarded. In slices: other things go on meanwhile. Gives how many campaigns it emptied.
   */
  expire(endedBefore: Date, readyBefore: Date): Promise<number>;

  /** Drops a campaign that is `ready`, or whose reading broke off. False: it is neither. */
  discard(workspaceId: string, id: string): Promise<boolean>;
}

/** Writes the recipients of a campaign that is read. One call at a time. */
export interface ImportWriter {
  /** Up to some 500 rows a call. Gives the counts so far. After a throw, the same rows may be added again. */
  add(rows: readonly ReadRow[]): Promise<CampaignCounts>;
  /** Nothing more comes: the campaign is `ready`. */
  finish(): Promise<Campaign>;
  /** Drops the campaign. */
  abandon(): Promise<void>;
}
