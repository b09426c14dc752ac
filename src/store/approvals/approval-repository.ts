import type { Kysely } from 'kysely';
import type { Log } from '../../lib/log.ts';
import type { Clock } from '../../lib/time/clock.ts';
import type { AuditTrail } from '../audit/audit-trail.ts';
import { toCampaignWithText } from '../campaigns/campaign-queries.ts';
import type { Campaign } from '../campaigns/campaigns.ts';
import { type CampaignMove, moveCampaignWithin } from '../campaigns/move-campaign.ts';
import type { Encryption } from '../encryption/cipher.ts';
import type { RefuseOutdated } from '../installation/epoch.ts';
import type { Schema } from '../schema.ts';
import { orRollBack } from '../transaction.ts';
import { createApprovalQueries } from './approval-queries.ts';
import { toApproval, writeContent, writeReason } from './approval-row.ts';
import type { Approval, ApprovalRepository, ApprovalRow, NewApproval, Yes } from './approvals.ts';
import {
  type ApprovalWrite,
  afterEnd,
  afterRequest,
  endWaiting,
  sweepApprovals,
  voidRestored,
} from './end-approvals.ts';

export interface ApprovalRepositoryOptions {
  db: Kysely<Schema>;
  encryption: Encryption;
  audit: Pick<AuditTrail, 'prepare'>;
  clock: Clock;
  /** Whether no other instance can have the database. */
  isAlone: boolean;
  log: Pick<Log, 'error'> | undefined;
  /** See `InstallationState`. */
  restoredAt: Date | undefined;
  refuseOutdated: RefuseOutdated;
}

type ApprovalKey = Pick<Approval, 'workspaceId' | 'id'>;

export function createApprovalRepository(options: ApprovalRepositoryOptions): ApprovalRepository {
  const { db, encryption, audit, restoredAt, refuseOutdated } = options;
  const read = (row: ApprovalRow) => toApproval(row, encryption);

  async function transact<Result>(
    work: (write: ApprovalWrite) => Promise<Result>,
    isKept: (result: Result) => boolean = () => true,
  ): Promise<Result> {
    const append = await audit.prepare();
    const now = options.clock().getTime();
    return orRollBack(db, (transaction) => work({ transaction, append, now }), isKept);
  }

  return {
    ...createApprovalQueries(options),

    async request(approval) {
      const { row, first } = await transact((write) => insertOrFind(write, approval, encryption));
      return { approval: read(row), first };
    },

    async end(key, { state, by, cause, reason }) {
      const ending = {
        state,
        cause: cause ?? null,
        ended_by: by ?? null,
        reason: writeReason(key, reason, encryption),
      };
      const row = await transact((write) => endWaiting(write, key, ending));
      return row && read(row);
    },

    async approve(key, yes) {
      const row = await transact((write) => claim(write, key, yes, null));
      return row && read(row);
    },

    async approveMove(key, yes, move, isSame) {
      if (move.from.includes('ready') || move.from.includes('missed')) {
        refuseOutdated(move.id);
      }
      return transact<Awaited<ReturnType<ApprovalRepository['approveMove']>>>(
        async (write) => {
          // The campaign is locked before the request, as by everything that locks both.
          await move.reserve?.(write.transaction);
          const row = await claim(write, key, yes, write.now);
          if (row === undefined) {
            return { kind: 'ended' };
          }
          const asked = { ...move, workspaceId: key.workspaceId };
          const campaign = await moveIfSame(write, asked, isSame, options);
          return campaign === undefined
            ? { kind: 'changed' }
            : { kind: 'approved', approval: read(row), campaign };
        },
        ({ kind }) => kind === 'approved',
      );
    },

    async setPerformed({ workspaceId, id }, at) {
      await db
        .updateTable('approval')
        .set({ performed_at: at.getTime() })
        .where('workspace_id', '=', workspaceId)
        .where('id', '=', id)
        .execute();
    },

    async revoke(key, cause) {
      const row = await transact((write) => revoke(write, key, cause));
      return row && read(row);
    },

    async sweep(at) {
      // It is asked often, and mostly nothing waits.
      const any = await db
        .selectFrom('approval')
        .select('id')
        .where('state', '=', 'waiting')
        .limit(1)
        .executeTakeFirst();
      return any === undefined ? [] : (await transact((write) => sweepApprovals(write, at))).map(read);
    },

    async recover() {
      if (restoredAt !== undefined) {
        await transact((write) => voidRestored(write, restoredAt));
      }
    },

    async setMessage({ workspaceId, id }, { channel, ts }) {
      await db
        .updateTable('approval')
        .set({ message_channel: channel, message_ts: ts })
        .where('workspace_id', '=', workspaceId)
        .where('id', '=', id)
        .execute();
    },

    async expire(endedBefore) {
      await db.deleteFrom('approval').where('ended_at', '<', endedBefore.getTime()).execute();
    },
  };
}

/** Inserts a request with its notice, or finds the one of its id or that waits for its subject. */
async function insertOrFind(
  write: ApprovalWrite,
  approval: NewApproval,
  encryption: Encryption,
): Promise<{ row: ApprovalRow; first: boolean }> {
  const { transaction, now } = write;
  const { workspaceId, id, kind, subject, campaign } = approval;
  const inserted = await transaction
    .insertInto('approval')
    .values({
      workspace_id: workspaceId,
      id,
      kind,
      subject,
      requested_by: approval.requestedBy,
      owner: approval.owner,
      channel_id: approval.channelId,
      content: writeContent(approval, encryption),
      campaign_state: campaign?.state ?? null,
      recipients: campaign?.recipients ?? null,
      suppressed: campaign?.suppressed ?? null,
      state: 'waiting',
      created_at: now,
      expires_at: approval.expiresAt.getTime(),
    })
    .onConflict((conflict) => conflict.doNothing())
    .returningAll()
    .executeTakeFirst();
  if (inserted !== undefined) {
    await afterRequest(write, inserted);
    return { row: inserted, first: true };
  }
  const row = await transaction
    .selectFrom('approval')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .where((eb) => eb.or([eb('id', '=', id), eb.and({ kind, subject, state: 'waiting' })]))
    .orderBy((eb) => eb.case().when('id', '=', id).then(0).else(1).end())
    .executeTakeFirst();
  // Another instance has ended the one that waited, in between.
  return row === undefined ? insertOrFind(write, approval, encryption) : { row, first: false };
}

/** Approves a request in one statement: it waits, in time, for somebody who neither asked nor owns it. */
async function claim(
  write: ApprovalWrite,
  { workspaceId, id }: ApprovalKey,
  { by, at }: Yes,
  performedAt: number | null,
): Promise<ApprovalRow | undefined> {
  const row = await write.transaction
    .updateTable('approval')
    .set({ state: 'approved', ended_by: by, ended_at: at.getTime(), performed_at: performedAt })
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .where('state', '=', 'waiting')
    .where('expires_at', '>', at.getTime())
    .where('requested_by', '<>', by)
    .where('owner', '<>', by)
    .returningAll()
    .executeTakeFirst();
  await afterEnd(write, row === undefined ? [] : [row]);
  return row;
}

/** Moves a campaign that is what was asked for. Resolves with undefined for any other. */
async function moveIfSame(
  { transaction, append, now }: ApprovalWrite,
  move: CampaignMove,
  isSame: (campaign: Campaign) => boolean,
  { encryption, log }: Pick<ApprovalRepositoryOptions, 'encryption' | 'log'>,
): Promise<Campaign | undefined> {
  const before = await transaction
    .selectFrom('campaign')
    .selectAll()
    .where('workspace_id', '=', move.workspaceId)
    .where('id', '=', move.id)
    .forUpdate()
    .executeTakeFirst();
  const campaign = before && toCampaignWithText(before, encryption);
  if (campaign === undefined || !isSame(campaign)) {
    return undefined;
  }
  const row = await moveCampaignWithin(transaction, move, { now, log, appendAudit: append });
  return row && toCampaignWithText(row, encryption);
}

async function revoke(
  write: ApprovalWrite,
  { workspaceId, id }: ApprovalKey,
  cause: ApprovalRow['cause'],
): Promise<ApprovalRow | undefined> {
  const row = await write.transaction
    .updateTable('approval')
    .set({ state: 'void', cause })
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .where('state', '=', 'approved')
    .where('performed_at', 'is', null)
    .returningAll()
    .executeTakeFirst();
  await afterEnd(write, row === undefined ? [] : [row]);
  return row;
}
