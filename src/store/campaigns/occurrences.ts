import type { Kysely, Transaction } from 'kysely';
import type { StoreContext } from '../context.ts';
import { orRollBack } from '../engine/transaction.ts';
import { addNotices } from '../outbox/notices.ts';
import type { Row, Schema } from '../schema/schema.ts';
import {
  type CampaignMove,
  type CheckedCampaign,
  campaignEntry,
  discardedColumns,
  moveCampaigns,
  moveCampaignWithin,
  noOccurrence,
} from './campaign-moves.ts';
import type { Campaign, CampaignState } from './campaigns.ts';
import { toCampaignWithText } from './row-mapping.ts';

/**
 * A run that won't be created. It is stored without recipients, so that it is listed and never created later.
 */
export interface LeftOutRun {
  id: string;
  name: string;
  at: Date;
  /** `cancelled`: by a person. */
  state: 'missed' | 'cancelled';
}

/** A move of a campaign, if it hasn't changed since it was read. */
type RunMove = Omit<CampaignMove, 'workspaceId'> & { checked: CheckedCampaign };

/** A decision about the runs of a repeating campaign, stored in one transaction. */
export interface RunDecision {
  /** Moves of prepared runs and of the repeating campaign. */
  moves: readonly RunMove[];
  leftOut?: readonly LeftOutRun[];
  /** Drafts of runs to discard. `isMadeAgain`: whether the run will be created again. */
  discarded?: readonly { run: Campaign; isMadeAgain: boolean }[];
  /** The user who decided. Undefined if the program did. */
  by?: string | undefined;
  /** Whether to tell the creator which runs were missed. */
  isTold?: boolean;
}

/**
 * Stores the runs of repeating campaigns. Each scheduled time has exactly one run, whatever happened to it.
 */
export function createOccurrences(context: StoreContext) {
  const { db, encryption, audit, clock, log, instances, refuseOutdated } = context;
  const select = (of: number) => db.selectFrom('campaign').selectAll().where('occurrenceOf', '=', of);
  const read = (rows: readonly Row<'campaign'>[]) =>
    rows.flatMap((row) => toCampaignWithText(row, encryption) ?? []);

  return {
    /** Returns the stored record of a run. Its `run` is undefined if the run was discarded. */
    async findOccurrence(
      { sequence }: Pick<Campaign, 'sequence'>,
      at: Date,
    ): Promise<{ run: Campaign | undefined } | undefined> {
      const row = await select(sequence).where('occurrenceAt', '=', at).executeTakeFirst();
      return row && { run: toCampaignWithText(row, encryption) };
    },

    /** Returns a campaign's runs in these states, earliest first. */
    async runsOf(
      { sequence }: Pick<Campaign, 'sequence'>,
      states: readonly CampaignState[],
    ): Promise<Campaign[]> {
      return read(await select(sequence).where('state', 'in', states).orderBy('occurrenceAt').execute());
    },

    /** Returns the repeating campaign of a run. */
    async repeatingOf({ occurrence }: Pick<Campaign, 'occurrence'>): Promise<Campaign | undefined> {
      if (occurrence === undefined) {
        return undefined;
      }
      const rows = db.selectFrom('campaign').selectAll().where('sequence', '=', occurrence.of);
      return read(await rows.execute())[0];
    },

    /** Returns the due runs of all workspaces, both scheduled and not approved in time. */
    async dueRuns(now: Date): Promise<Campaign[]> {
      const rows = db
        .selectFrom('campaign')
        .selectAll()
        .where('occurrenceOf', 'is not', null)
        .where((eb) => {
          const requests = eb
            .selectFrom('approval')
            .select('approval.id')
            .whereRef('approval.workspaceId', '=', 'campaign.workspaceId')
            .whereRef('approval.subject', '=', 'campaign.id')
            .where('approval.kind', '=', 'campaign');
          const expired = requests
            .where('approval.state', 'in', ['waiting', 'expired'])
            .where('approval.expiresAt', '<=', now);
          const open = requests.where('approval.state', '=', 'waiting').where('approval.expiresAt', '>', now);
          return eb.or([
            eb.and([eb('state', '=', 'scheduled'), eb('startAt', '<=', now)]),
            eb.and([
              eb('state', '=', 'ready'),
              eb('occurrenceAt', '<=', now),
              eb.exists(expired),
              eb.not(eb.exists(open)),
            ]),
          ]);
        });
      return read(await rows.orderBy('sequence').execute());
    },

    /** Returns a campaign's runs that were last missed together. */
    async lastMissed({ sequence }: Pick<Campaign, 'sequence'>): Promise<Campaign[]> {
      const missed = select(sequence).where('state', '=', 'missed');
      const newest = missed.clearSelect().select(({ fn }) => fn.max('endedAt').as('at'));
      return read(await missed.where('endedAt', '=', newest).orderBy('occurrenceAt').execute());
    },

    /**
     * Stores a decision about runs. Resolves with the campaigns that were moved, or with undefined and no
     * change if one of them has changed since it was read.
     *
     * @throws StoreError `outdated` for a draft from before a restore that would be sent
     */
    async decideRuns(repeating: Campaign, decision: RunDecision): Promise<Campaign[] | undefined> {
      const { workspaceId, id, createdBy } = repeating;
      const { moves, leftOut = [], discarded = [], by, isTold = false } = decision;
      for (const move of moves) {
        if (move.from.includes('ready') && move.to === 'scheduled') {
          refuseOutdated(move.id);
        }
      }
      const appendAudit = await audit.prepare();
      const now = clock();
      return orRollBack(
        db,
        async (transaction) => {
          const moved: Row<'campaign'>[] = [];
          for (const move of moves) {
            const row = await moveCampaignWithin(
              transaction,
              { ...move, workspaceId },
              { now, log, appendAudit },
            );
            if (row === undefined) {
              return undefined;
            }
            moved.push(row);
          }
          for (const { run, isMadeAgain } of discarded) {
            await moveCampaigns(transaction, 'discard')
              .set({ ...discardedColumns, ...(isMadeAgain && noOccurrence) })
              .where('sequence', '=', run.sequence)
              .where('state', '=', 'ready')
              .execute();
          }
          for (const run of leftOut) {
            const row = await insertLeftOut(transaction, repeating, {
              run,
              by,
              now,
              instance: instances.run(),
            });
            const isAudited = row !== undefined && run.state === 'missed';
            await appendAudit(transaction, isAudited ? [campaignEntry('campaign.miss', row)] : []);
          }
          if (isTold) {
            const notice = {
              workspaceId,
              subject: 'campaign_missed',
              subjectId: id,
              userId: createdBy,
            } as const;
            await addNotices(transaction, [notice], now);
          }
          return read(moved);
        },
        (result) => result !== undefined,
      );
    },
  };
}

/** Resolves with undefined if the run is already stored. */
function insertLeftOut(
  transaction: Transaction<Schema>,
  {
    workspaceId,
    id: retryOf,
    sequence,
    createdBy,
    route,
    senderId,
    personal,
    zone,
    startAt,
    latestStart,
    pause,
  }: Campaign,
  { run, by, now, instance }: { run: LeftOutRun; by: string | undefined; now: Date; instance: string },
): Promise<Row<'campaign'> | undefined> {
  const { id, name, at, state } = run;
  const delay = startAt && latestStart && latestStart.getTime() - startAt.getTime();
  return transaction
    .insertInto('campaign')
    .values({
      ...{ workspaceId, id, retryOf, createdBy, name, route, senderId, personal, zone, state },
      ...{ occurrenceOf: sequence, occurrenceAt: at, startAt: at, lastActionBy: by, pause },
      ...(delay !== undefined && { latestStart: new Date(at.getTime() + delay) }),
      ...{ createdAt: now, stateChangedAt: now, endedAt: now, auditedAt: now, run: instance },
    })
    .onConflict((conflict) => conflict.doNothing())
    .returningAll()
    .executeTakeFirst();
}

/** Transfers a campaign's place as a run, and its own runs, to its replacement. */
export async function passOccurrences(
  db: Kysely<Schema>,
  { sequence, occurrenceOf, occurrenceAt }: Row<'campaign'>,
  to: number,
): Promise<void> {
  if (occurrenceOf !== undefined) {
    await db.updateTable('campaign').set(noOccurrence).where('sequence', '=', sequence).execute();
    await db.updateTable('campaign').set({ occurrenceOf, occurrenceAt }).where('sequence', '=', to).execute();
  }
  await db.updateTable('campaign').set({ occurrenceOf: to }).where('occurrenceOf', '=', sequence).execute();
}

/** Turns the runs of a deleted campaign into ordinary campaigns. */
export async function releaseRuns(db: Kysely<Schema>, sequence: number): Promise<void> {
  await db.updateTable('campaign').set(noOccurrence).where('occurrenceOf', '=', sequence).execute();
}
