import type { Kysely } from 'kysely';
import { textAdditionalData } from './additional-data.ts';
import type { Encryption } from '../encryption/cipher.ts';
import type { RefuseOutdated } from '../installation/epoch.ts';
import { addNotices } from '../outbox/outbox.ts';
import type { PhoneHashes } from '../encryption/phone-hashes.ts';
import type { Schema } from '../schema.ts';
import type { Campaign, CampaignPatch, CampaignRepository, CampaignState, ChunkEnding } from './campaigns.ts';
import type { SettleAndClaim, SettledAndClaimed, SettledChunk } from './sending/claim-statements.ts';
import { recoverCampaigns } from './crash-recovery.ts';
import { createImportWriter } from './import/import-writer.ts';
import { createRecipientQueries } from './recipient-queries.ts';
import { releaseChunks } from './sending/release-chunks.ts';
import { createRetention, type Retention } from './retention.ts';
import { type CampaignRow, readContent, toCampaign } from './row-mapping.ts';

interface CampaignsOptions {
  db: Kysely<Schema>;
  encryption: Encryption;
  numberHashes: PhoneHashes;
  /** Names this run of the program: what belongs to another is left over by one that is gone. */
  run: string;
  clock: () => Date;
  takeTurn: (turn: SettleAndClaim) => Promise<SettledAndClaimed | undefined>;
  /** See `OpenDatabase`. */
  purge: () => Promise<void>;
  /** See `InstallationState`. */
  restoredAt: Date | undefined;
  refuseOutdated: RefuseOutdated;
}

/** The campaigns in the table `campaign` and those named after it. */
export function createCampaignRepository(
  options: CampaignsOptions,
): CampaignRepository & Pick<Retention, 'forget'> {
  const { db, encryption, numberHashes, run, clock, purge, restoredAt, refuseOutdated } = options;
  const now = () => clock().getTime();
  const retention = createRetention({ db, clock, purge });
  const recipients = createRecipientQueries({ db, encryption });

  function withText(row: CampaignRow): Campaign[] {
    if (row.id === null) {
      return [];
    }
    const campaign = toCampaign(row, row.id);
    if (row.text === null) {
      return [campaign];
    }
    return [
      { ...campaign, text: encryption.decrypt(row.text, textAdditionalData(row.workspace_id, row.id)) },
    ];
  }

  const theOne = (workspaceId: string, id: string) =>
    db.selectFrom('campaign').selectAll().where('workspace_id', '=', workspaceId).where('id', '=', id);
  const changeTheOne = (workspaceId: string, id: string) =>
    db.updateTable('campaign').where('workspace_id', '=', workspaceId).where('id', '=', id);

  return {
    async begin(campaign) {
      const { workspaceId, id } = campaign;
      refuseOutdated(id);
      const row = await db
        .insertInto('campaign')
        .values({
          workspace_id: workspaceId,
          id,
          created_by: campaign.createdBy,
          name: campaign.name,
          route: campaign.route,
          sender_id: campaign.senderId,
          personal: campaign.personal ? 1 : 0,
          text: encryption.encrypt(campaign.text, textAdditionalData(workspaceId, id)),
          retry_of: campaign.retryOf ?? null,
          state: 'reading',
          run,
          created_at: now(),
          state_changed_at: now(),
        })
        .onConflict((conflict) => conflict.columns(['workspace_id', 'id']).doNothing())
        .returning('sequence')
        .executeTakeFirst();
      if (row === undefined) {
        return undefined;
      }
      const discard = () => retention.discard(row.sequence, ['reading', 'ready']).then(() => undefined);
      return createImportWriter(campaign, row.sequence, { db, encryption, numberHashes, clock, discard });
    },

    async find(workspaceId, id) {
      const row = await theOne(workspaceId, id).executeTakeFirst();
      return row && withText(row)[0];
    },

    async recent({ workspaceId, createdBy, states, limit, before }) {
      let query = db
        .selectFrom('campaign')
        .selectAll()
        .where('workspace_id', '=', workspaceId)
        .where('id', 'is not', null);
      if (createdBy !== undefined) {
        query = query.where('created_by', '=', createdBy);
      }
      if (states !== undefined) {
        query = query.where('state', 'in', states);
      }
      if (before !== undefined) {
        let seen = theOne(workspaceId, before).clearSelect().select('sequence');
        if (createdBy !== undefined) {
          seen = seen.where('created_by', '=', createdBy);
        }
        query = query.where('sequence', '<', seen);
      }
      const rows = await query.orderBy('sequence', 'desc').limit(limit).execute();
      return rows.flatMap(withText);
    },

    async inState(states) {
      const rows = await db
        .selectFrom('campaign')
        .selectAll()
        .where('state', 'in', states)
        .orderBy('sequence')
        .execute();
      return rows.flatMap(withText);
    },

    async move(workspaceId, id, from, to, patch = {}) {
      if (from.includes('ready')) {
        refuseOutdated(id);
      }
      const row = await db.transaction().execute(async (transaction) => {
        const moved = await transaction
          .updateTable('campaign')
          .where('workspace_id', '=', workspaceId)
          .where('id', '=', id)
          .where('state', 'in', from)
          .set({
            state: to,
            state_changed_at: now(),
            ...(to === 'paused' ? {} : { pause: null }),
            ...columnsOf(patch),
          })
          .set((eb) => ({
            ...(to === 'running' && patch.startedAt === undefined
              ? { started_at: eb.fn.coalesce('started_at', eb.val(now())) }
              : {}),
            ...(hasEnded(to)
              ? { ended_at: eb.case().when('in_flight', '=', 0).then(now()).else(null).end() }
              : {}),
          }))
          .returningAll()
          .executeTakeFirst();
        if (moved !== undefined) {
          const { created_by: userId, channel_id } = moved;
          const notice = { workspaceId, subjectId: id, userId, channelId: channel_id ?? undefined };
          const needsAuthor = to === 'paused' && patch.pause?.by !== 'person';
          await addNotices(
            transaction,
            [
              { subject: 'campaign', ...notice },
              ...(needsAuthor ? [{ subject: 'campaign_news' as const, ...notice }] : []),
            ],
            now(),
          );
        }
        return moved;
      });
      return row && withText(row)[0];
    },

    async settleAndClaim({ workspaceId, id }, endings, count) {
      const returned = endings.filter(({ state }) => state === 'waiting');
      if (returned.length > 0) {
        const numbers = returned.map(({ number }) => number);
        const chunks = await recipients.pick(workspaceId, id, numbers);
        await releaseChunks({ workspaceId, id }, returned, chunks, {
          db,
          encryption,
          numberHashes,
          run,
          now: now(),
        });
      }
      const settled = endings.filter(isSettled);
      const turned = await options.takeTurn({ workspaceId, id, run, endings: settled, count, now: now() });
      return (
        turned && {
          campaign: toCampaign(turned.campaign, id),
          claimed: turned.claimed.map(({ content, ...chunk }) => ({ ...chunk, ...readContent(content) })),
        }
      );
    },

    ...recipients,

    async setMessage(workspaceId, id, { channel, ts }) {
      await changeTheOne(workspaceId, id).set({ message_channel: channel, message_ts: ts }).execute();
    },

    recover: (at) => recoverCampaigns(db, { run, restoredAt }, at),

    expire: retention.expire,

    async discard(workspaceId, id) {
      const row = await theOne(workspaceId, id).executeTakeFirst();
      return row === undefined ? false : retention.discard(row.sequence, ['reading', 'ready']);
    },

    forget: retention.forget,
  };
}

const isSettled = (ending: ChunkEnding): ending is SettledChunk => ending.state !== 'waiting';

const hasEnded = (state: CampaignState) => state === 'done' || state === 'cancelled' || state === 'missed';

function columnsOf(patch: CampaignPatch) {
  return {
    ...('channelId' in patch && { channel_id: patch.channelId ?? null }),
    ...('startAt' in patch && { start_at: patch.startAt?.getTime() ?? null }),
    ...('latestStart' in patch && { latest_start: patch.latestStart?.getTime() ?? null }),
    ...('zone' in patch && { zone: patch.zone ?? null }),
    ...('pause' in patch && { pause: patch.pause === undefined ? null : JSON.stringify(patch.pause) }),
    ...('lastActionBy' in patch && { last_action_by: patch.lastActionBy ?? null }),
    ...('startedAt' in patch && { started_at: patch.startedAt?.getTime() ?? null }),
  };
}
