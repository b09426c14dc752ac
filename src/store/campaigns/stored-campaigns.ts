import type { Expression, Kysely } from 'kysely';
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
import type { CampaignRepository } from './campaign-repository.ts';
import { readCampaignSpendings } from './campaign-spendings.ts';
import type { NewCampaign } from './campaigns.ts';
import { recoverCampaigns } from './crash-recovery.ts';
import { textAdditionalData } from './encrypted-columns.ts';
import type { StoreImportBatch } from './import/import-batch.ts';
import { ImportWriter } from './import/import-writer.ts';
import { moveCampaign } from './move-campaign.ts';
import { createOptOutTokens } from './opt-out-tokens.ts';
import { createRecipientQueries, sequenceOf } from './recipient-queries.ts';
import { createRetention, type Retention } from './retention.ts';
import { createCampaignLeases } from './sending/leases.ts';
import type { SettleAndClaim, SettledAndClaimed } from './sending/settle-and-claim.ts';
import { createTurns } from './sending/turns.ts';
import { storeShown } from './shown-progress.ts';

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
  storeImportBatch: StoreImportBatch;
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
    ...createCampaignQueries(db, encryption, log),
    ...createRecipientQueries(options),
    ...createOptOutTokens(options),
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
        await retention.discard(sequence);
      };
      return new ImportWriter(campaign, sequence, {
        db,
        encryption,
        hash,
        clock,
        store: options.storeImportBatch,
        discard,
        appendAudit: await audit.prepare(),
      });
    },

    async move(workspaceId, id, from, to, patch = {}, conditions = {}) {
      if (from.includes('ready') || from.includes('missed')) {
        refuseOutdated(id);
      }
      const options = {
        now: clock().getTime(),
        log,
        appendAudit: await audit.prepare(),
      };
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
  { workspaceId, id, createdBy, name, route, senderId, personal, text, retryOf }: NewCampaign,
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
