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

/** A run that is not made: it is stored without recipients, so that it is listed, and never made later. */
export interface LeftOutRun {
  id: string;
  name: string;
  at: Date;
  /** `cancelled`: by a person. */
  state: 'missed' | 'cancelled';
}

/** A move of a campaign, if it is still the one that was read. */
type RunMove = Omit<CampaignMove, 'workspaceId'> & { checked: CheckedCampaign };

/** What becomes of runs of a campaign that repeats: all of it is stored in one transaction, or nothing is. */
export interface RunDecision {
  /** Of runs that are prepared, and of the campaign that repeats. */
  moves: readonly RunMove[];
  leftOut?: readonly LeftOutRun[];
  /** Drafts of runs to discard. `isMadeAgain`: another run takes their place. */
  discarded?: readonly { run: Campaign; isMadeAgain: boolean }[];
  /** The user who decided; undefined where the program did. */
  by?: string | undefined;
  /** Whether its creator is told which runs were missed. */
  isTold?: boolean;
}

/** The runs of campaigns that repeat. Of each time of a schedule there is one, whatever became of it. */
export function createOccurrences(context: StoreContext) {
  const { db, encryption, audit, clock, log, instances, refuseOutdated } = context;
  const select = (of: number) => db.selectFrom('campaign').selectAll().where('occurrenceOf', '=', of);
  const read = (rows: readonly Row<'campaign'>[]) =>
    rows.flatMap((row) => toCampaignWithText(row, encryption) ?? []);

  return {
    /** Returns what is stored of a run. `run` is undefined where it was discarded. */
    async findOccurrence(
      { sequence }: Pick<Campaign, 'sequence'>,
      at: Date,
    ): Promise<{ run: Campaign | undefined } | undefined> {
      const row = await select(sequence).where('occurrenceAt', '=', at).executeTakeFirst();
      return row && { run: toCampaignWithText(row, encryption) };
    },

    /** Returns the runs of a campaign in these states, the earliest first. */
    async runsOf(
      { sequence }: Pick<Campaign, 'sequence'>,
      states: readonly CampaignState[],
    ): Promise<Campaign[]> {
      return read(await select(sequence).where('state', 'in', states).orderBy('occurrenceAt').execute());
    },

    /** Returns the campaign whose run this is. */
    async repeatingOf({ occurrence }: Pick<Campaign, 'occurrence'>): Promise<Campaign | undefined> {
      if (occurrence === undefined) {
        return undefined;
      }
      const rows = db.selectFrom('campaign').selectAll().where('sequence', '=', occurrence.of);
      return read(await rows.execute())[0];
    },

    /** Returns the runs of all workspaces whose time has come: those that are scheduled, and those that nobody approved in time. */
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

    /** Returns the runs of a campaign that were missed at the same time, at last. */
    async lastMissed({ sequence }: Pick<Campaign, 'sequence'>): Promise<Campaign[]> {
      const missed = select(sequence).where('state', '=', 'missed');
      const newest = missed.clearSelect().select(({ fn }) => fn.max('endedAt').as('at'));
      return read(await missed.where('endedAt', '=', newest).orderBy('occurrenceAt').execute());
    },

    /**
     * Stores what becomes of runs. Resolves with the campaigns that were moved; with undefined where one of them is no longer
     * as it was found: then nothing is stored.
     *
     * @throws StoreError `outdated` for a draft from before the data was restored that is to be sent
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

/** Resolves with undefined where the run is stored already. */
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

/** Has a campaign take the place of another one, as the run that it is, and as what its runs are runs of. */
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

/** Makes the runs of a campaign that is gone campaigns like any other. */
export async function releaseRuns(db: Kysely<Schema>, sequence: number): Promise<void> {
  await db.updateTable('campaign').set(noOccurrence).where('occurrenceOf', '=', sequence).execute();
}
