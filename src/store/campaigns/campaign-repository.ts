import { randomUUID } from 'node:crypto';
import { ownId } from '../../domain/access/ownership.ts';
import { idempotencyKey } from '../../domain/access/request-keys.ts';
import type { StoreContext } from '../context.ts';
import { type CheckedCampaign, moveCampaign, type Reserve, type SendingState } from './campaign-moves.ts';
import { createCampaignQueries, createShownCampaigns } from './campaign-queries.ts';
import type { CampaignStatements } from './campaign-statements.ts';
import type { Campaign, CampaignPatch, CampaignState, NewCampaign, ShownCampaign } from './campaigns.ts';
import { changeSender } from './change-sender.ts';
import { finishImports } from './import/finish-imports.ts';
import type { StoreImportBatch } from './import/import-batch.ts';
import { ImportWriter } from './import/import-writer.ts';
import { createOccurrences } from './occurrences.ts';
import { createOptOutTokens } from './opt-out-tokens.ts';
import { createRecipientQueries, selectSequence } from './recipient-queries.ts';
import { createRecipientsAmong } from './recipients-among.ts';
import { encryptContent, toCampaignWithText } from './row-mapping.ts';
import { leaveOutCountries, splitByCountry } from './sending/countries.ts';
import { type CampaignToSend, createCampaignLeases, type Lease } from './sending/leases.ts';
import { createTurns } from './sending/turns.ts';
import {
  discardDraft,
  expireCampaigns,
  forgetCampaigns,
  recordEndedCampaigns,
  recoverCampaigns,
} from './upkeep.ts';

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
    ...createRecipientsAmong(context),
    ...createOptOutTokens(context),
    ...createOccurrences(context),
    ...createTurns(context, statements, recipients),

    splitByCountry: (campaign: CampaignToSend, lease: Lease, number: number) =>
      splitByCountry(context, campaign, { lease, number }),
    leaveOutCountries(campaign: CampaignToSend, userId: string) {
      const chunks = recipients.chunks(campaign.workspaceId, campaign.id, ['waiting', 'claimed']);
      return leaveOutCountries(context, campaign, { chunks, userId });
    },

    /** Which run of the program sends a campaign. */
    leases: createCampaignLeases(context),

    begin: (campaign: NewCampaign) => beginCampaign(context, campaign, statements.storeImportBatch),

    /**
     * Makes campaigns `ready` together, replacing a draft. Also stores what `remember` writes, all in one
     * transaction.
     */
    async exchange(
      writers: readonly ImportWriter[],
      replaced: ShownCampaign,
      remember: Parameters<typeof finishImports>[3],
    ): Promise<Campaign[]> {
      context.refuseOutdated(replaced.id);
      return finishImports(context, writers, replaced, remember);
    },

    move: createMove(context),

    changeSender: (workspaceId: string, shown: ShownCampaign, by: { senderId: string; userId: string }) =>
      changeSender(context, workspaceId, shown, by),

    recover: (now: Date) => recoverCampaigns(context, now),
    expire: (endedBefore: Date, readyBefore: Date) => expireCampaigns(context, endedBefore, readyBefore),
    recordEnded: () => recordEndedCampaigns(context),

    /** Discards a campaign in one of these states. Resolves with false if it is in another state. */
    async discard(
      workspaceId: string,
      id: string,
      from: readonly ('reading' | 'ready' | 'missed')[],
    ): Promise<boolean> {
      const row = await selectSequence(context.db, workspaceId, id).executeTakeFirst();
      return row === undefined ? false : discardDraft(context, row.sequence, { id, from });
    },

    forget: (workspaceId: string) => forgetCampaigns(context, workspaceId),
  };
}

/**
 * Creates a campaign in `reading`. Resolves with undefined if one with this id or for this run already
 * exists.
 *
 * @throws StoreError `outdated` if the id, or the id of the draft it replaces, is from before a restore
 */
async function beginCampaign(
  context: StoreContext,
  campaign: NewCampaign,
  store: StoreImportBatch,
): Promise<ImportWriter | undefined> {
  const { db, encryption, instances, clock, phoneHashes, audit, refuseOutdated } = context;
  refuseOutdated(campaign.id);
  if (campaign.replaces !== undefined) {
    refuseOutdated(campaign.replaces.id);
  }
  const hash = await phoneHashes.hasher(campaign.workspaceId);
  const isInPlace = campaign.replaces?.id === campaign.id;
  const id = isInPlace ? ownId(campaign.createdBy, idempotencyKey(campaign.id, randomUUID())) : campaign.id;
  const { workspaceId, createdBy, name, route, senderId, personal, withoutAccents, text, occurrence } =
    campaign;
  const { retryOf, followUpOf, isMessage, bySlackbot } = campaign;
  const now = clock();
  const row = await db
    .insertInto('campaign')
    .values({
      ...{ workspaceId, id, createdBy, name, route, senderId, personal, withoutAccents, retryOf, followUpOf },
      ...{ isMessage, bySlackbot, occurrenceOf: occurrence?.of, occurrenceAt: occurrence?.at },
      ...encryptContent(encryption, { workspaceId, id, text }),
      state: 'reading',
      run: instances.run(),
      createdAt: now,
      stateChangedAt: now,
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning('sequence')
    .executeTakeFirst();
  if (row === undefined) {
    return undefined;
  }
  const { sequence } = row;
  const appendAudit = await audit.prepare();
  const awaited = campaign.isAwaited ? campaign : undefined;
  const discard = () => context.retryWrite(() => discardDraft(context, sequence, { awaited }));
  return new ImportWriter(context, campaign, { sequence, id, hash, store, discard, appendAudit });
}

/**
 * Moves a campaign to another state, if `campaignMoves` allows it, and adds a notice to the outbox. Resolves
 * with undefined if it's in none of the `from` states, differs from `checked`, or would be sent after its
 * text was deleted. Moves that lead to sending need the version that was seen, which the types enforce.
 *
 * Clears `pause` unless it becomes `paused`, sets `endedAt` if it ends with nothing in flight, and clears its
 * times, channel and message if it becomes `ready` again.
 *
 * @throws StoreError `outdated` for a campaign that was `ready` or `missed` before a restore
 */
interface MoveStored {
  (
    workspaceId: string,
    id: string,
    from: readonly CampaignState[],
    to: SendingState,
    patch: CampaignPatch,
    conditions: { checked: CheckedCampaign; reserve?: Reserve | undefined },
  ): Promise<Campaign | undefined>;
  (
    workspaceId: string,
    id: string,
    from: readonly CampaignState[],
    to: Exclude<CampaignState, SendingState>,
    patch?: CampaignPatch,
    conditions?: { checked?: CheckedCampaign | undefined },
  ): Promise<Campaign | undefined>;
}

function createMove({ db, clock, encryption, audit, log, refuseOutdated }: StoreContext): MoveStored {
  return async (
    workspaceId: string,
    id: string,
    from: readonly CampaignState[],
    to: CampaignState,
    patch: CampaignPatch = {},
    conditions: { checked?: CheckedCampaign | undefined; reserve?: Reserve | undefined } = {},
  ) => {
    if (from.includes('ready') || from.includes('missed')) {
      refuseOutdated(id);
    }
    const move = { workspaceId, id, from, to, patch, ...conditions };
    const row = await moveCampaign(db, move, { now: clock(), log, appendAudit: await audit.prepare() });
    return row && toCampaignWithText(row, encryption);
  };
}
