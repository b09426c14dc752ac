import type { Kysely, Transaction } from 'kysely';
import type { Log } from '../../lib/log.ts';
import type { Clock } from '../../lib/time/clock.ts';
import { toCampaignWithText } from '../campaigns/campaign-queries.ts';
import { type CampaignMove, moveCampaignWithin } from '../campaigns/move-campaign.ts';
import type { Encryption } from '../encryption/cipher.ts';
import type { RefuseOutdated } from '../installation/epoch.ts';
import type { Schema } from '../schema.ts';
import { toApproval, writeContent, writeReason } from './approval-row.ts';
import type { ApprovalRepository, ApprovalRow, NewApproval, Yes } from './approvals.ts';
import { afterEnd, endWaiting, noticesOfRequest, sweepApprovals } from './end-approvals.ts';

interface ApprovalRepositoryOptions {
  db: Kysely<Schema>;
  encryption: Encryption;
  clock: Clock;
  log: Pick<Log, 'error'> | undefined;
  refuseOutdated: RefuseOutdated;
}

/** Rolls a transaction back. */
class ChangedError extends Error {
  override readonly name = 'ChangedError';
}

export function createApprovalRepository(options: ApprovalRepositoryOptions): ApprovalRepository {
  const { db, encryption, refuseOutdated } = options;
  const now = () => options.clock().getTime();
  const read = (row: ApprovalRow) => toApproval(row, encryption);

  return {
    ...createApprovalQueries(db, encryption),

    async request(approval) {
      refuseOutdated(approval.id);
      const { row, first } = await db
        .transaction()
        .execute((transaction) => insertOrFind(transaction, approval, { encryption, now: now() }));
      return { approval: read(row), first };
    },

    async end({ workspaceId, id }, { state, by, cause, reason }) {
      const row = await db.transaction().execute((transaction) =>
        endWaiting(
          transaction,
          { workspaceId, id },
          {
            state,
            cause: cause ?? null,
            ended_by: by ?? null,
            reason: writeReason({ workspaceId, id }, reason, encryption),
          },
          now(),
        ),
      );
      return row && read(row);
    },

    async approve(key, yes) {
      refuseOutdated(key.id);
      const row = await db.transaction().execute((transaction) => claim(transaction, key, yes, null));
      return row && read(row);
    },

    async approveMove(key, yes, move, isSame) {
      refuseOutdated(key.id);
      refuseOutdated(move.id);
      try {
        return await db.transaction().execute(async (transaction) => {
          const row = await claim(transaction, key, yes, yes.at.getTime());
          if (row === undefined) {
            return { kind: 'ended' as const };
          }
          const campaign = await moveIfSame(transaction, { ...move, workspaceId: key.workspaceId });
          return { kind: 'approved' as const, approval: read(row), campaign };
        });
      } catch (error) {
        if (error instanceof ChangedError) {
          return { kind: 'changed' };
        }
        throw error;
      }

      async function moveIfSame(transaction: Transaction<Schema>, asked: CampaignMove) {
        const before = await transaction
          .selectFrom('campaign')
          .selectAll()
          .where('workspace_id', '=', asked.workspaceId)
          .where('id', '=', asked.id)
          .executeTakeFirst();
        const campaign = before && toCampaignWithText(before, encryption);
        if (campaign === undefined || !isSame(campaign)) {
          throw new ChangedError();
        }
        const moved = await moveCampaignWithin(transaction, asked, { now: now(), log: options.log });
        const started = moved && toCampaignWithText(moved, encryption);
        if (started === undefined) {
          throw new ChangedError();
        }
        return started;
      }
    },

    async setPerformed({ workspaceId, id }, at) {
      await db
        .updateTable('approval')
        .set({ performed_at: at.getTime() })
        .where('workspace_id', '=', workspaceId)
        .where('id', '=', id)
        .execute();
    },

    async revoke({ workspaceId, id }, cause) {
      const row = await db.transaction().execute(async (transaction) => {
        const revoked = await transaction
          .updateTable('approval')
          .set({ state: 'void', cause })
          .where('workspace_id', '=', workspaceId)
          .where('id', '=', id)
          .where('state', '=', 'approved')
          .where('performed_at', 'is', null)
          .returningAll()
          .executeTakeFirst();
        await afterEnd(transaction, revoked === undefined ? [] : [revoked], now());
        return revoked;
      });
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
      if (any === undefined) {
        return [];
      }
      const ended = await db.transaction().execute((transaction) => sweepApprovals(transaction, at, now()));
      return ended.map(read);
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

function createApprovalQueries(
  db: Kysely<Schema>,
  encryption: Encryption,
): Pick<ApprovalRepository, 'find' | 'waiting' | 'unperformed'> {
  const read = (row: ApprovalRow) => toApproval(row, encryption);
  return {
    async find(workspaceId, id) {
      const row = await db
        .selectFrom('approval')
        .selectAll()
        .where('workspace_id', '=', workspaceId)
        .where('id', '=', id)
        .executeTakeFirst();
      return row && read(row);
    },

    async waiting({ workspaceId, kind, subjects }) {
      if (subjects?.length === 0) {
        return [];
      }
      const rows = await db
        .selectFrom('approval')
        .selectAll()
        .where('workspace_id', '=', workspaceId)
        .where('state', '=', 'waiting')
        .$if(kind !== undefined, (query) => query.where('kind', '=', kind ?? 'campaign'))
        .$if(subjects !== undefined, (query) => query.where('subject', 'in', subjects ?? []))
        .orderBy('created_at')
        .orderBy('id')
        .execute();
      return rows.map(read);
    },

    async unperformed() {
      const rows = await db
        .selectFrom('approval')
        .selectAll()
        .where('state', '=', 'approved')
        .where('performed_at', 'is', null)
        .orderBy('created_at')
        .execute();
      return rows.map(read);
    },
  };
}

/** Inserts a request with its notice, or finds the one of its id or that waits for its subject. */
async function insertOrFind(
  transaction: Transaction<Schema>,
  approval: NewApproval,
  { encryption, now }: { encryption: Encryption; now: number },
): Promise<{ row: ApprovalRow; first: boolean }> {
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
    await noticesOfRequest(transaction, inserted, now);
    return { row: inserted, first: true };
  }
  const row = await transaction
    .selectFrom('approval')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .where((eb) => eb.or([eb('id', '=', id), eb.and({ kind, subject, state: 'waiting' })]))
    .orderBy((eb) => eb.case().when('id', '=', id).then(0).else(1).end())
    .executeTakeFirstOrThrow();
  return { row, first: false };
}

/** Approves a request in one statement: it waits, in time, for somebody who neither asked nor owns it. */
async function claim(
  transaction: Transaction<Schema>,
  { workspaceId, id }: { workspaceId: string; id: string },
  { by, at }: Yes,
  performedAt: number | null,
): Promise<ApprovalRow | undefined> {
  const row = await transaction
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
  await afterEnd(transaction, row === undefined ? [] : [row], at.getTime());
  return row;
}
