import type { StoreContext } from '../context.ts';
import { additionalDataOf } from '../engine/encryption/encrypted-column.ts';
import { encryptedColumn } from '../schema/schema.ts';
import { type CampaignMove, moveCampaign } from './campaign-moves.ts';
import { createCampaignQueries, createShownCampaigns } from './campaign-queries.ts';
import type { Campaign, CampaignPatch, CampaignState, NewCampaign } from './campaigns.ts';
import type { StoreImportBatch } from './import/import-batch.ts';
import { ImportWriter } from './import/import-writer.ts';
import { createOptOutTokens } from './opt-out-tokens.ts';
import { createRecipientQueries, selectSequence } from './recipient-queries.ts';
import { toCampaignWithText } from './row-mapping.ts';
import { createCampaignLeases } from './sending/leases.ts';
import type { SettleAndClaim, SettledAndClaimed } from './sending/settle-and-claim.ts';
import { createTurns } from './sending/turns.ts';
import {
  discardDraft,
  expireCampaigns,
  forgetCampaigns,
  recordEndedCampaigns,
  recoverCampaigns,
} from './upkeep.ts';

/** What each database does in its own way. */
export interface CampaignStatements {
  /** A procedure in the thread of SQLite, or a statement of PostgreSQL. */
  settleAndClaim(argument: SettleAndClaim): Promise<SettledAndClaimed | null>;
  storeImportBatch: StoreImportBatch;
}

/**
 * The campaigns, their recipients and outcomes. What is written is on the disk when a call resolves; when one throws a
 * StoreError (`disk_full`, `locked`), nothing of it was written, and it may be made again.
 */
export type CampaignRepository = ReturnType<typeof createCampaignRepository>;

export function createCampaignRepository(context: StoreContext, statements: CampaignStatements) {
  const recipients = createRecipientQueries(context);

  return {
    ...createCampaignQueries(context),
    ...createShownCampaigns(context),
    ...recipients,
    ...createOptOutTokens(context),
    ...createTurns(context, statements, recipients),

    /** Which run of the program sends a campaign. */
    leases: createCampaignLeases(context),

    begin: (campaign: NewCampaign) => beginCampaign(context, campaign, statements.storeImportBatch),

    move: (
      workspaceId: string,
      id: string,
      from: readonly CampaignState[],
      to: CampaignState,
      patch: CampaignPatch = {},
      conditions: Pick<CampaignMove, 'checked' | 'reserve'> = {},
    ) => move(context, { workspaceId, id, from, to, patch, ...conditions }),

    recover: (now: Date) => recoverCampaigns(context, now),
    expire: (endedBefore: Date, readyBefore: Date) => expireCampaigns(context, endedBefore, readyBefore),
    recordEnded: () => recordEndedCampaigns(context),

    /** Discards a campaign that is `ready`, or whose import broke off. Resolves with false where it is neither. */
    async discard(workspaceId: string, id: string): Promise<boolean> {
      const row = await selectSequence(context.db, workspaceId, id).executeTakeFirst();
      return row === undefined ? false : discardDraft(context, row.sequence, id);
    },

    forget: (workspaceId: string) => forgetCampaigns(context, workspaceId),
  };
}

/**
 * Begins a campaign in `reading`. Resolves with undefined where the workspace has one of this id.
 *
 * @throws StoreError `outdated` for an id from before the data was restored, also for that of the draft it replaces
 */
async function beginCampaign(
  context: StoreContext,
  campaign: NewCampaign,
  store: StoreImportBatch,
): Promise<ImportWriter | undefined> {
  const { phoneHashes, audit, refuseOutdated } = context;
  refuseOutdated(campaign.id);
  if (campaign.replaces !== undefined) {
    refuseOutdated(campaign.replaces);
  }
  const hash = await phoneHashes.hasher(campaign.workspaceId);
  const sequence = await insertCampaign(context, campaign);
  if (sequence === undefined) {
    return undefined;
  }
  const appendAudit = await audit.prepare();
  const discard = () => discardDraft(context, sequence);
  return new ImportWriter(context, campaign, { sequence, hash, store, discard, appendAudit });
}

/**
 * Moves a campaign from any of the states to another, if `campaignMoves` has such a move. Resolves with undefined where
 * it is in none of them, is not the one that was `checked`, or would be sent without its text, which is deleted. Its
 * `pause` is cleared unless it becomes `paused`; one that ends with nothing in flight gets its `endedAt`. A notice of it
 * is put into the outbox. One that becomes `ready` again loses its times, its channel and its message.
 *
 * @throws StoreError `outdated` for a campaign that was `ready` or `missed` before the data was restored
 */
async function move(
  { db, clock, encryption, audit, log, refuseOutdated }: StoreContext,
  asked: CampaignMove,
): Promise<Campaign | undefined> {
  if (asked.from.includes('ready') || asked.from.includes('missed')) {
    refuseOutdated(asked.id);
  }
  const row = await moveCampaign(db, asked, { now: clock(), log, appendAudit: await audit.prepare() });
  return row && toCampaignWithText(row, encryption);
}

/** Returns the sequence of the new campaign; undefined where there is one of its id. */
async function insertCampaign(
  { db, encryption, instances, clock }: StoreContext,
  { workspaceId, id, createdBy, name, route, senderId, personal, text, retryOf }: NewCampaign,
): Promise<number | undefined> {
  const now = clock();
  const textColumn = encryptedColumn('campaign', 'text');
  const row = await db
    .insertInto('campaign')
    .values({
      ...{ workspaceId, id, createdBy, name, route, senderId, personal, retryOf },
      text: encryption.encrypt(text, additionalDataOf(textColumn, { workspaceId, id })),
      state: 'reading',
      run: instances.run(),
      createdAt: now,
      stateChangedAt: now,
    })
    .onConflict((conflict) => conflict.columns(['workspaceId', 'id']).doNothing())
    .returning('sequence')
    .executeTakeFirst();
  return row?.sequence;
}
