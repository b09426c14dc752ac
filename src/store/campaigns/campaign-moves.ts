import { type Expression, type Kysely, sql, type Transaction } from 'kysely';
import type { Change } from '../../domain/limits/seen.ts';
import type { AppendAudit, AuditDetails, NewAuditEntry } from '../audit/audit-trail.ts';
import type { StoreContext } from '../context.ts';
import { orRollBack } from '../engine/transaction.ts';
import { addNotices } from '../outbox/notices.ts';
import type { NoticeSubject } from '../schema/approvals.ts';
import { campaignRepeatSchema, type StoredState } from '../schema/campaigns.ts';
import type { Row, Schema } from '../schema/schema.ts';
import type { Campaign, CampaignPatch, CampaignPause, CampaignState, NewCampaign } from './campaigns.ts';

interface Move {
  from: readonly StoredState[];
  to: StoredState;
}

/** Every legal move of a campaign, by its verb. What is not listed here does not happen. */
export const campaignMoves = {
  /** All recipients are stored. */
  finishImport: { from: ['reading'], to: 'ready' },
  /** Its import broke off, or nobody started it. */
  discard: { from: ['reading', 'ready', 'missed'], to: 'discarded' },
  schedule: { from: ['ready', 'missed'], to: 'scheduled' },
  /** Its start is moved to another time. */
  changeTime: { from: ['scheduled'], to: 'scheduled' },
  /** It is a draft again, to be edited or discarded. */
  unschedule: { from: ['scheduled', 'repeating', 'missed'], to: 'ready' },
  /** Its runs begin, or go on once it is no longer held. */
  repeat: { from: ['ready', 'paused'], to: 'repeating' },
  /** Its next run is prepared or skipped, and the one after it is the next. */
  advance: { from: ['repeating'], to: 'repeating' },
  /** By a user, or because its time has come. */
  start: { from: ['ready', 'scheduled', 'missed'], to: 'running' },
  /** It couldn't start by `latestStart`, or it is a prepared or held run that is too late to catch up. */
  miss: { from: ['ready', 'scheduled', 'paused'], to: 'missed' },
  /** By a user, the provider's response or the program. */
  pause: { from: ['running'], to: 'paused' },
  /**
   * Its creator may no longer start it, no run can be made, or the data was restored or copied. Paused ones are held too:
   * they may have been resumed since the backup.
   */
  hold: { from: ['scheduled', 'repeating', 'running', 'paused'], to: 'paused' },
  resume: { from: ['paused'], to: 'running' },
  /** A campaign that was held before its time waits for it again. */
  reschedule: { from: ['paused'], to: 'scheduled' },
  /** Every recipient has an outcome. */
  complete: { from: ['running', 'paused'], to: 'done' },
  /** Its last run is prepared. */
  finishRepeating: { from: ['repeating'], to: 'done' },
  /** By a user, after a pause past the retention time, or when a scheduled campaign has no recipients left. */
  cancel: { from: ['scheduled', 'repeating', 'running', 'paused'], to: 'cancelled' },
  /** Its workspace is deleted. */
  forget: {
    from: [
      'reading',
      'ready',
      'scheduled',
      'repeating',
      'running',
      'paused',
      'done',
      'cancelled',
      'missed',
      'discarded',
    ],
    to: 'discarded',
  },
} as const satisfies Record<string, Move>;

export type CampaignVerb = keyof typeof campaignMoves;

/** Returns the verbs by which a campaign may move from one state to another: none where it may not. */
export function verbsBetween(from: StoredState, to: StoredState): string[] {
  const moves: Readonly<Record<string, Move>> = campaignMoves;
  return Object.entries(moves).flatMap(([verb, move]) =>
    move.from.includes(from) && move.to === to ? [verb] : [],
  );
}

/** Returns an update of the campaigns that may make a move, and moves them. */
export function moveCampaigns(db: Kysely<Schema>, verb: CampaignVerb) {
  const { from, to }: Move = campaignMoves[verb];
  return db.updateTable('campaign').set({ state: to }).where('state', 'in', from);
}

/** Hides a discarded campaign until it is deleted: it is found nowhere, and its id may be used again. */
export const discardedColumns = { id: null, text: null, columns: null } as const;

/** Clears the link of a run that may be created again, or whose repeating campaign is gone. */
export const noOccurrence = { occurrenceOf: null, occurrenceAt: null } as const;

/** By how much the recipients in each state become more. */
export interface CounterChange {
  accepted: number;
  rejected: number;
  unconfirmed: number;
  inFlight: number;
}

/** Adds to a campaign's counters, and completes the campaign where nothing is left of it: see `countersUpdate`. */
export function addToCounters(
  transaction: Transaction<Schema>,
  campaign: number,
  change: Partial<CounterChange>,
  now: Date,
): Promise<Row<'campaign'>> {
  const { accepted = 0, rejected = 0, unconfirmed = 0, inFlight = 0 } = change;
  const settled = accepted + rejected + unconfirmed;
  const values = { campaign, accepted, rejected, unconfirmed, inFlight, settled, now, balance: null };
  return countersUpdate(transaction, values).executeTakeFirstOrThrow();
}

const { from, to: completed } = campaignMoves.complete;
const mayComplete = sql`state in (${sql.join(from.map((state) => sql.lit(state)))})`;

/**
 * Adds to a campaign's counters, and ends it when nothing is left: a running or paused one is done once every recipient has
 * an outcome; a cancelled one has ended once nothing is in flight.
 */
export function countersUpdate(
  db: Kysely<Schema>,
  values: Record<keyof CounterChange | 'campaign' | 'settled', number | Expression<number>> & {
    now: Date | Expression<number>;
    balance: null | Expression<string | null>;
  },
) {
  const { campaign, accepted, rejected, unconfirmed, inFlight, settled, now, balance } = values;
  const isDone = sql<boolean>`${mayComplete}
    and accepted + rejected + unconfirmed + ${settled} = recipients`;
  const hasEnded = sql<boolean>`(${isDone}) or (state = 'cancelled' and in_flight + ${inFlight} = 0)`;
  return db
    .updateTable('campaign')
    .set((eb) => ({
      accepted: eb('accepted', '+', accepted),
      rejected: eb('rejected', '+', rejected),
      unconfirmed: eb('unconfirmed', '+', unconfirmed),
      inFlight: eb('inFlight', '+', inFlight),
      isProven: sql`case when ${accepted} > 0 then 1 else is_proven end`,
      state: sql`case when ${isDone} then ${sql.lit(completed)} else state end`,
      pause: sql`case when ${isDone} then null else pause end`,
      stateChangedAt: sql`case when ${isDone} then ${now} else state_changed_at end`,
      endedAt: sql`case when ${hasEnded} then coalesce(ended_at, ${now}) else ended_at end`,
      balance: sql`coalesce(${balance}, balance)`,
      balanceAt: sql`case when cast(${balance} as text) is null then balance_at else ${now} end`,
    }))
    .where('sequence', '=', campaign)
    .returningAll();
}

/** A campaign as read. The move applies only if its version is unchanged. */
export type CheckedCampaign = Pick<Campaign, 'sequence' | 'version'>;

/** States in which a campaign sends, now or at its scheduled time. */
export type SendingState = Extract<CampaignState, 'scheduled' | 'repeating' | 'running'>;

export interface CampaignMove {
  workspaceId: string;
  id: string;
  from: readonly CampaignState[];
  to: CampaignState;
  patch: CampaignPatch;
  checked?: CheckedCampaign | undefined;
  reserve?: Reserve | undefined;
}

/**
 * Moves that lead to sending check the version that the user saw. Moves that stop or pause a campaign always
 * work.
 */
export interface SendingMove extends CampaignMove {
  to: SendingState;
  checked: CheckedCampaign;
}

/** In SQL: whether a campaign still has this version, see `versionOf`. */
export const isVersion = (version: string | Expression<string | null | undefined>) => sql<boolean>`
  coalesce(campaign.digest, '') || '.' || coalesce(cast(campaign.start_at as text), '') || '.' ||
  coalesce(cast(campaign.latest_start as text), '') || coalesce('.' || campaign.repeat, '') = ${version}`;

/** Takes what a campaign needs to run. Called first in the transaction that moves it, and undone where nothing is moved. */
export type Reserve = (transaction: Transaction<Schema>) => Promise<void>;

type MoveOptions = Pick<StoreContext, 'log'> & { now: Date; appendAudit: AppendAudit };

/** See `move` in campaign-repository.ts. Illegal moves are logged and made from none of their states. */
export function moveCampaign(
  db: Kysely<Schema>,
  move: CampaignMove,
  options: MoveOptions,
): Promise<Row<'campaign'> | undefined> {
  return orRollBack(
    db,
    async (transaction) => {
      await move.reserve?.(transaction);
      return moveCampaignWithin(transaction, move, options);
    },
    (row) => row !== undefined,
  );
}

/** As `moveCampaign`, together with what else the transaction does, which has reserved before. */
export async function moveCampaignWithin(
  transaction: Transaction<Schema>,
  { workspaceId, id, from, to, patch, checked }: CampaignMove,
  options: MoveOptions,
): Promise<Row<'campaign'> | undefined> {
  const { now, log, appendAudit } = options;
  const legal = from.filter((state) => verbsBetween(state, to).length > 0);
  if (legal.length < from.length) {
    log.error({ campaign: id, from, to }, 'an illegal move of a campaign was refused');
  }
  if (legal.length === 0) {
    return undefined;
  }
  const needsUser =
    to === 'paused' &&
    patch.pause?.by !== 'person' &&
    !(await isResumedInVain(transaction, { workspaceId, id }, now));
  const continues = to === 'running' || to === 'scheduled' || to === 'repeating' || to === 'ready';
  const moved = await transaction
    .updateTable('campaign')
    .$if(continues, (update) => update.where('text', 'is not', null).set({ endedAt: null }))
    .$if(to === 'ready', (update) => update.set(unscheduledColumns))
    .$if(checked !== undefined, (update) =>
      update.where('sequence', '=', checked?.sequence ?? null).where(isVersion(checked?.version ?? '')),
    )
    .where('workspaceId', '=', workspaceId)
    .where('id', '=', id)
    .where('state', 'in', legal)
    .set({
      state: to,
      stateChangedAt: now,
      ...(to === 'running' && { isProven: false }),
      ...(to !== 'paused' && { pause: null }),
      ...patchColumns(patch),
    })
    .set((eb) => ({
      ...(to === 'running' &&
        patch.startedAt === undefined && { startedAt: eb.fn.coalesce('startedAt', eb.val(now)) }),
      ...((to === 'done' || to === 'cancelled' || to === 'missed') && {
        endedAt: sql<Date>`case when in_flight = 0 then cast(${now} as bigint) end`,
      }),
    }))
    .returningAll()
    .executeTakeFirst();
  if (moved !== undefined) {
    if (to === 'repeating' && from.includes('ready')) {
      // Scheduling a repeat again brings back runs skipped before.
      await transaction
        .updateTable('campaign')
        .set(noOccurrence)
        .where('occurrenceOf', '=', moved.sequence)
        .where('occurrenceAt', '>', now)
        .where('startedAt', 'is', null)
        .where('state', 'in', ['cancelled', 'missed', 'discarded'])
        .execute();
    }
    if (to === 'ready') {
      await dropNotices(transaction, { workspaceId, id });
    } else {
      const { createdBy: userId, channelId } = moved;
      const notice = { workspaceId, subjectId: id, userId, channelId };
      // A delivery under way may show the state before.
      await addNotices(transaction, [{ ...notice, subject: 'campaign' }], now, { renew: true });
      if (needsUser) {
        await addNotices(transaction, [{ ...notice, subject: 'campaign_news' }], now);
      }
    }
    await appendAudit(transaction, moveEntry(moved, { id, from, to, patch }));
  }
  return moved;
}

/** In milliseconds: a creator is assumed to watch a campaign that they resumed for this long. */
const watchedFor = 60_000;

/** Whether its creator just resumed it and nothing was accepted since: its message then shows them that it paused again. */
async function isResumedInVain(
  transaction: Transaction<Schema>,
  { workspaceId, id }: Pick<CampaignMove, 'workspaceId' | 'id'>,
  now: Date,
): Promise<boolean> {
  const row = await transaction
    .selectFrom('campaign')
    .select(['createdBy', 'lastActionBy', 'isProven', 'stateChangedAt'])
    .where('workspaceId', '=', workspaceId)
    .where('id', '=', id)
    .where('state', '=', 'running')
    .executeTakeFirst();
  return (
    row !== undefined &&
    !row.isProven &&
    row.lastActionBy === row.createdBy &&
    now.getTime() - row.stateChangedAt.getTime() < watchedFor
  );
}

/** Only its user sees a draft, which is scheduled or started like a new one. */
const unscheduledColumns = {
  channelId: null,
  messageChannel: null,
  messageTs: null,
  startAt: null,
  latestStart: null,
  zone: null,
  seen: null,
  repeat: null,
} as const;

/** In milliseconds: within this time, a person waiting for an import learns of it on screen. */
const toldWithin = 60_000;

/**
 * Sends the creator a notice of how an import ended, unless they see it on screen first.
 *
 * @param import.title of a failed import, which leaves nothing else behind
 */
export async function awaitTelling(
  transaction: Transaction<Schema>,
  {
    workspaceId,
    id,
    createdBy: userId,
    title,
  }: Pick<NewCampaign, 'workspaceId' | 'id' | 'createdBy'> & { title?: string },
  now: Date,
): Promise<void> {
  await dropNotices(transaction, { workspaceId, id }, ['import']);
  const notice = { workspaceId, subject: 'import' as const, subjectId: id, userId, title };
  await addNotices(transaction, [notice], new Date(now.getTime() + toldWithin));
}

/** Withdraws a notice that the creator hasn't been sent yet. */
export async function dropNotices(
  transaction: Transaction<Schema>,
  { workspaceId, id }: { workspaceId: string; id: string },
  subjects: readonly NoticeSubject[] = ['campaign', 'campaign_news', 'import'],
): Promise<void> {
  await transaction
    .deleteFrom('outbox')
    .where('workspaceId', '=', workspaceId)
    .where('subject', 'in', subjects)
    .where('subjectId', '=', id)
    .execute();
}

/** Returns the columns of the keys that are there: undefined clears one. */
function patchColumns(patch: CampaignPatch) {
  return {
    ...('channelId' in patch && { channelId: patch.channelId ?? null }),
    ...('startAt' in patch && { startAt: patch.startAt ?? null }),
    ...('latestStart' in patch && { latestStart: patch.latestStart ?? null }),
    ...('zone' in patch && { zone: patch.zone ?? null }),
    ...('seen' in patch && { seen: patch.seen ?? null }),
    // Keep the order of the schema, so that the text matches what `versionOf` produces.
    ...('repeat' in patch && { repeat: patch.repeat ? campaignRepeatSchema.parse(patch.repeat) : null }),
    ...('pause' in patch && { pause: patch.pause ?? null }),
    ...('lastActionBy' in patch && { lastActionBy: patch.lastActionBy ?? null }),
    ...('startedAt' in patch && { startedAt: patch.startedAt ?? null }),
  };
}

type MoveAction = Exclude<CampaignState, 'reading' | 'done'>;

const moveActions: Readonly<Record<MoveAction, string>> = {
  ready: 'campaign.unschedule',
  scheduled: 'campaign.schedule',
  repeating: 'campaign.repeat',
  running: 'campaign.start',
  paused: 'campaign.pause',
  cancelled: 'campaign.cancel',
  missed: 'campaign.miss',
};

/** Returns the entry of a move, by the user of the current request. A run that is prepared has entries of its own. */
function moveEntry(
  row: Row<'campaign'>,
  { id, from, to, patch }: Pick<CampaignMove, 'id' | 'from' | 'to' | 'patch'>,
): NewAuditEntry[] {
  const isAdvanced = to === 'repeating' && from.includes('repeating');
  if (to === 'reading' || to === 'done' || (isAdvanced && patch.lastActionBy === undefined)) {
    return [];
  }
  const isWaiting = to === 'scheduled' || to === 'repeating';
  const isResumed = from.every((state) => state === 'paused') && (to === 'running' || isWaiting);
  const action = isResumed ? 'campaign.resume' : moveActions[to];
  const { pause } = patch;
  return [
    campaignEntry(isAdvanced ? 'campaign.skip' : action, row, {
      id,
      details: {
        ...(isWaiting && { startAt: row.startAt?.toISOString() }),
        ...(pause?.error !== undefined && { reason: pause.error.reason }),
      },
    }),
  ];
}

/** @param campaign.id passed in, because the row of a discarded campaign no longer holds it */
export function campaignEntry(
  action: string,
  row: Row<'campaign'>,
  { id = row.id, details = {} }: { id?: string | undefined; details?: AuditDetails } = {},
): NewAuditEntry {
  const { workspaceId, name, createdBy, isMessage, route, senderId, recipients, pages } = row;
  return {
    workspaceId,
    action,
    subject: id,
    outcome: 'done',
    details: {
      name,
      createdBy,
      ...(isMessage && { isMessage }),
      route,
      senderId,
      recipients,
      pages,
      ...details,
    },
  };
}

/** The pause of a campaign whose data was restored or copied. */
const restoredPause = {
  by: 'program',
  error: { reason: 'restored' },
} as const satisfies CampaignPause;

/** Whether the campaign is paused because its data was restored or copied. */
export function isHeld({ pause }: Pick<Campaign, 'pause'>): boolean {
  return pause?.error?.reason === restoredPause.error.reason;
}

/** The pause of a campaign that was to start when its creator might no longer start campaigns. */
export const withheldPause = {
  by: 'program',
  error: { reason: 'not_permitted' },
} as const satisfies CampaignPause;

/** The pause of a campaign whose workspace Slack does not let the app into any more. */
export const shutOutPause = {
  by: 'program',
  error: { reason: 'shut_out' },
} as const satisfies CampaignPause;

/** The pause of a repeating campaign whose text can no longer be sent, so no run can be made. */
export const unpreparedPause = {
  by: 'program',
  error: { reason: 'not_prepared' },
} as const satisfies CampaignPause;

/** Returns the pause of a campaign that was due, but something had changed since its user saw it. */
export function changedPause(changes: readonly Change[]): CampaignPause {
  return { by: 'program', error: { reason: changes[0] ?? 'changed' } };
}

/** Whether the campaign is paused because its creator might not start it. */
export function isWithheld({ pause }: Pick<Campaign, 'pause'>): boolean {
  return pause?.error?.reason === withheldPause.error.reason;
}

/**
 * Pauses all campaigns in progress, in data that may have forgotten whom they were sent to. Those that are paused get
 * the reason too. Returns how many there are.
 */
export async function holdCampaigns(transaction: Transaction<Schema>, now: Date): Promise<number> {
  const paused = transaction
    .selectFrom('campaign')
    .select(['sequence', 'pause'])
    .where('state', '=', 'paused');
  const edited = (await paused.execute()).filter(({ pause }) => pause?.isEdited === true);
  const { numUpdatedRows } = await moveCampaigns(transaction, 'hold')
    .set({ pause: restoredPause, stateChangedAt: now })
    .executeTakeFirst();
  // Changes made while it was paused need approval before it resumes.
  for (const { sequence } of edited) {
    await transaction
      .updateTable('campaign')
      .set({ pause: { ...restoredPause, isEdited: true } })
      .where('sequence', '=', sequence)
      .execute();
  }
  return Number(numUpdatedRows);
}
