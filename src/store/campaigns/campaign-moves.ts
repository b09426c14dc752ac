import type { Kysely } from 'kysely';
import type { StoredState } from '../schema/campaigns.ts';
import type { Schema } from '../schema.ts';

interface Move {
  from: readonly StoredState[];
  to: StoredState;
}

/** Every legal move of a campaign, by its verb. What is not listed here does not happen. */
export const campaignMoves = {
  /** All recipients are stored. */
  finishImport: { from: ['reading'], to: 'ready' },
  /** Its import broke off, or nobody started it. */
  discard: { from: ['reading', 'ready'], to: 'discarded' },
  schedule: { from: ['ready', 'missed'], to: 'scheduled' },
  /** Its start is moved to another time. */
  changeTime: { from: ['scheduled'], to: 'scheduled' },
  /** It is a draft again, to be edited or discarded. */
  unschedule: { from: ['scheduled', 'missed'], to: 'ready' },
  /** By a user, or because its time has come. */
  start: { from: ['ready', 'scheduled', 'missed'], to: 'running' },
  /** It could not start by `latestStart`. */
  miss: { from: ['scheduled'], to: 'missed' },
  /** By a user, the provider's response or the program. */
  pause: { from: ['running'], to: 'paused' },
  /** Its creator may no longer start it; or the data was restored or copied. A paused one is held too, as it may have been resumed since the back-up. */
  hold: { from: ['scheduled', 'running', 'paused'], to: 'paused' },
  resume: { from: ['paused'], to: 'running' },
  /** A campaign that was held before its time waits for it again. */
  reschedule: { from: ['paused'], to: 'scheduled' },
  /** Every recipient has an outcome. */
  complete: { from: ['running', 'paused'], to: 'done' },
  /** By a user; or it was paused past the retention time; or it was scheduled, and nobody is left of its recipients. */
  cancel: { from: ['scheduled', 'running', 'paused'], to: 'cancelled' },
  /** Its workspace is deleted. */
  forget: {
    from: ['reading', 'ready', 'scheduled', 'running', 'paused', 'done', 'cancelled', 'missed', 'discarded'],
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
