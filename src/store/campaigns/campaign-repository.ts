import type { Expression, Kysely } from 'kysely';
import type { RejectedRow } from '../../domain/csv/rejected-row.ts';
import type { Log } from '../../lib/log.ts';
import type { Clock } from '../../lib/time/clock.ts';
import type { AuditTrail } from '../audit/audit-trail.ts';
import type { Encryption } from '../encryption/cipher.ts';
import type { PhoneHashes } from '../encryption/phone-hashes.ts';
import type { RefuseOutdated } from '../installation/epoch.ts';
import type { Instances } from '../instances/instances.ts';
import type { Schema } from '../schema.ts';
import { recordEnded } from './audit-entries.ts';
import { createCampaignQueries, toCampaignWithText } from './campaign-queries.ts';
import { type CampaignSpending, readCampaignSpendings } from './campaign-spendings.ts';
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
} from './campaigns.ts';
import { readDigits } from './chunk-content.ts';
import { recoverCampaigns } from './crash-recovery.ts';
import { columnsAdditionalData, textAdditionalData } from './encrypted-columns.ts';
import { ImportWriter } from './import/import-writer.ts';
import { type CampaignMove, moveCampaign } from './move-campaign.ts';
import { createRecipientQueries, sequenceOf } from './recipient-queries.ts';
import { createRetention, type Retention } from './retention.ts';
import { toCampaign, writeColumns } from './row-mapping.ts';
import { type CampaignLeases, createCampaignLeases, type Lease } from './sending/leases.ts';
import { releaseChunks } from './sending/release-chunks.ts';
import type {
  PaceRequest,
  SettleAndClaim,
  SettledAndClaimed,
  SettledChunk,
} from './sending/settle-and-claim.ts';
import { storeShown } from './shown-progress.ts';

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

  /** The campaigns of all workspaces in these states, the oldest first. */
  inState(states: readonly CampaignState[]): Promise<Campaign[]>;

  /** Returns what the workspace's campaigns that were started, and had not ended before a time, show of their costs. */
  spendings(workspaceId: string, since: Date): Promise<CampaignSpending[]>;

  /**
   * Moves a campaign from any of the states to another, if `campaignMoves` has such a move. Resolves with undefined where
   * it is in none of them, has other times than `planned`, or would be sent without its text, which is deleted. Its
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
    conditions?: Pick<CampaignMove, 'planned' | 'reserve'>,
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

  /** Reads the chunks in these states, state by state and in each by their numbers, in constant memory. */
  chunks(workspaceId: string, id: string, states: readonly ChunkState[]): AsyncIterable<KnownChunk>;

  /** Reads the rejected rows in their order, in constant memory. */
  rejectedRows(workspaceId: string, id: string): AsyncIterable<RejectedRow>;

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

interface CampaignRepositoryOptions {
  db: Kysely<Schema>;
  encryption: Encryption;
  phoneHashes: PhoneHashes;
  instances: Instances;
  /** See `InstancesOptions`. */
  databaseNow: () => Expression<number>;
  clock: Clock;
  log: Pick<Log, 'error'> | undefined;
  /** The procedure in the database's thread. */
  settleAndClaim(argument: SettleAndClaim): Promise<SettledAndClaimed | null>;
  /** See `OpenDatabase`. */
  purge: () => Promise<void>;
  /** See `InstallationState`. */
  restoredAt: Date | undefined;
  refuseOutdated: RefuseOutdated;
  audit: Pick<AuditTrail, 'prepare'>;
}

export function createCampaignRepository(
  options: CampaignRepositoryOptions,
): CampaignRepository & Pick<Retention, 'forget'> {
  const { db, encryption, phoneHashes, instances, clock, log, purge, restoredAt, refuseOutdated, audit } =
    options;
  const retention = createRetention({ db, clock, purge, audit });

  return {
    ...createCampaignQueries(db, encryption),
    ...createRecipientQueries(db, encryption),
    spendings: (workspaceId, since) => readCampaignSpendings(db, workspaceId, since),
    leases: createCampaignLeases({ db, instances, now: options.databaseNow }),
    ...createTurns(options),

    async begin(campaign) {
      refuseOutdated(campaign.id);
      if (campaign.replaces !== undefined) {
        refuseOutdated(campaign.replaces);
      }
      const hash = await phoneHashes.hasher(campaign.workspaceId);
      const sequence = await insertCampaign(campaign, options);
      if (sequence === undefined) {
        return undefined;
      }
      const discard = async () => {
        await retention.discard(sequence, campaign.id);
      };
      return new ImportWriter(campaign, sequence, {
        db,
        encryption,
        hash,
        clock,
        discard,
        appendAudit: await audit.prepare(),
      });
    },

    async move(workspaceId, id, from, to, patch = {}, conditions = {}) {
      if (from.includes('ready') || from.includes('missed')) {
        refuseOutdated(id);
      }
      const options = { now: clock().getTime(), log, appendAudit: await audit.prepare() };
      const row = await moveCampaign(db, { workspaceId, id, from, to, patch, ...conditions }, options);
      return row && toCampaignWithText(row, encryption);
    },

    async setMessage(workspaceId, id, { channel, ts }) {
      await db
        .updateTable('campaign')
        .set({ message_channel: channel, message_ts: ts })
        .where('workspace_id', '=', workspaceId)
        .where('id', '=', id)
        .execute();
    },

    setShown: (campaign) => storeShown(db, campaign),

    recover: (at) => recoverCampaigns(db, { restoredAt, at }),

    expire: retention.expire,

    recordEnded: () => recordEnded(db, { audit, now: clock().getTime() }),

    async discard(workspaceId, id) {
      const sequence = await sequenceOf(db, workspaceId, id);
      return sequence === undefined ? false : retention.discard(sequence, id);
    },

    forget: retention.forget,
  };
}

/** Returns the sequence of the new campaign; undefined where there is one of its id. */
async function insertCampaign(
  { workspaceId, id, createdBy, name, route, senderId, personal, text, columns, retryOf }: NewCampaign,
  { db, encryption, instances, clock }: CampaignRepositoryOptions,
): Promise<number | undefined> {
  const now = clock().getTime();
  const row = await db
    .insertInto('campaign')
    .values({
      workspace_id: workspaceId,
      id,
      created_by: createdBy,
      name,
      route,
      sender_id: senderId,
      personal: personal ? 1 : 0,
      text: encryption.encrypt(text, textAdditionalData(workspaceId, id)),
      columns:
        columns === undefined
          ? null
          : encryption.encrypt(writeColumns(columns), columnsAdditionalData(workspaceId, id)),
      retry_of: retryOf ?? null,
      state: 'reading',
      run: instances.run(),
      created_at: now,
      state_changed_at: now,
    })
    .onConflict((conflict) => conflict.columns(['workspace_id', 'id']).doNothing())
    .returning('sequence')
    .executeTakeFirst();
  return row?.sequence;
}

function createTurns(
  options: CampaignRepositoryOptions,
): Pick<CampaignRepository, 'settleAndClaim' | 'releaseClaims'> {
  const { db, encryption, phoneHashes, clock } = options;
  const { pick } = createRecipientQueries(db, encryption);
  const now = () => clock().getTime();

  async function release(
    { workspaceId, id }: { workspaceId: string; id: string },
    endings: readonly ChunkEnding[],
    run: string,
  ): Promise<void> {
    if (endings.length === 0) {
      return;
    }
    const numbers = endings.map(({ number }) => number);
    const chunks = await pick(workspaceId, id, numbers);
    const context = { db, encryption, phoneHashes, run, now: now() };
    await releaseChunks({ workspaceId, id }, endings, chunks, context);
  }

  return {
    async settleAndClaim({ workspaceId, id }, { lease, endings, count, pace }) {
      const released = endings.filter(({ state }) => state === 'waiting');
      await release({ workspaceId, id }, released, lease.run);
      const settled = endings.filter(isSettled);
      const argument = { workspaceId, id, lease, endings: settled, count, pace, now: now() };
      const result = await options.settleAndClaim(argument);
      if (result === null) {
        return undefined;
      }
      return {
        campaign: toCampaign(result.campaign, id),
        claimed: result.claimed.map(({ content, ...chunk }) => ({ ...chunk, ...readDigits(content) })),
        isLeaseLost: result.isLeaseLost,
        pace: result.pace,
      };
    },

    async releaseClaims(campaign, run) {
      const claimed = await claimsOf(db, campaign, run);
      const endings = claimed.map(({ number }) => ({ number, state: 'waiting' as const }));
      await release(campaign, endings, run);
      return endings.length;
    },
  };
}

async function claimsOf(
  db: Kysely<Schema>,
  { workspaceId, id }: { workspaceId: string; id: string },
  run: string,
): Promise<{ number: number }[]> {
  return db
    .selectFrom('campaign_chunk as chunk')
    .innerJoin('campaign', 'campaign.sequence', 'chunk.campaign')
    .select('chunk.number')
    .where('campaign.workspace_id', '=', workspaceId)
    .where('campaign.id', '=', id)
    .where('chunk.state', '=', 'claimed')
    .where('chunk.run', '=', run)
    .execute();
}

const isSettled = (ending: ChunkEnding): ending is SettledChunk => ending.state !== 'waiting';
