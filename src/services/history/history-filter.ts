import type { CampaignState } from '../../store/campaigns/campaigns.ts';
import type { Operation } from '../../store/operations/operation.ts';

/** What an entry is about: what comes before the dot of an operation's kind, or `campaign`. */
export const historySubjects = ['sms', 'campaign', 'otp', 'sender_id', 'contact', 'esim'] as const;
export type HistorySubject = (typeof historySubjects)[number];

/** The states of entries: one word for the same state of an operation and of a campaign. */
export const historyStates = [
  'accepted',
  'rejected',
  'not_sent',
  'unconfirmed',
  'scheduled',
  'sending',
  'paused',
  'done',
  'cancelled',
  'missed',
] as const;
export type HistoryState = (typeof historyStates)[number];

/** Which entries are read: those for which all of it is true. */
export interface HistoryFilter {
  /** Who did it. Of no effect for a reader of their own entries. */
  userId?: string | undefined;
  subject?: HistorySubject | undefined;
  state?: HistoryState | undefined;
  /** Begun then or later. */
  from?: Date | undefined;
  /** Begun earlier. */
  until?: Date | undefined;
}

const operationStates: Readonly<Record<Operation['state'], HistoryState>> = {
  underway: 'sending',
  accepted: 'accepted',
  rejected: 'rejected',
  not_sent: 'not_sent',
  unconfirmed: 'unconfirmed',
};

/** Those in preparation have none: they are in no history. */
const campaignStates: Readonly<Record<CampaignState, HistoryState | undefined>> = {
  reading: undefined,
  ready: undefined,
  scheduled: 'scheduled',
  running: 'sending',
  paused: 'paused',
  done: 'done',
  cancelled: 'cancelled',
  missed: 'missed',
};

export function stateOfOperation(state: Operation['state']): HistoryState {
  return operationStates[state];
}

/** Returns undefined for a campaign in preparation. */
export function stateOfCampaign(state: CampaignState): HistoryState | undefined {
  return campaignStates[state];
}

export function operationStatesOf(state: HistoryState): Operation['state'][] {
  return keysOf(operationStates).filter((own) => operationStates[own] === state);
}

/** Of all states of the history if none is given. */
export function campaignStatesOf(state: HistoryState | undefined): CampaignState[] {
  return keysOf(campaignStates).filter(
    (own) => campaignStates[own] !== undefined && (state === undefined || campaignStates[own] === state),
  );
}

function keysOf<Key extends string>(record: Readonly<Record<Key, unknown>>): Key[] {
  const keys: Key[] = [];
  for (const key in record) {
    keys.push(key);
  }
  return keys;
}
