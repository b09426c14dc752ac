import {
  type HistoryEntry,
  type HistoryState,
  stateOfCampaign,
  stateOfOperation,
} from '../../services/history/history.ts';
import { describeFailure } from '../../services/operations/outcomes.ts';
import type { Campaign, ChunkState } from '../../store/campaigns/campaigns.ts';
import type { FoundChunk } from '../../store/deliveries/phone-index.ts';
import { countNotDelivered, otherCounts } from '../block-kit/descriptions/campaign-counts.ts';
import { codeIcons, codeStateOf, describeVerification } from '../block-kit/descriptions/codes.ts';
import {
  describeDeliveries,
  isOnlyOther,
  type KnownDeliveries,
} from '../block-kit/descriptions/deliveries.ts';
import { clampText } from '../block-kit/limits.ts';
import { formatCount, pluralize } from '../block-kit/plural.ts';
import { campaignIcons, operationIcons, stateIcons } from '../block-kit/state-icons.ts';
import { joinInline, type Markup, mrkdwn, timeFor, userMention } from '../block-kit/text.ts';
import type { OutcomeRenderers } from './outcome.ts';

/** One word for each state, wherever it is shown. */
export const stateWords: Readonly<Record<HistoryState, string>> = {
  accepted: 'accepted',
  rejected: 'rejected',
  not_sent: 'not sent',
  unconfirmed: 'unconfirmed',
  scheduled: 'scheduled',
  sending: 'sending',
  paused: 'paused',
  done: 'done',
  cancelled: 'cancelled',
  missed: 'missed',
};

const kindWords: Readonly<Record<string, string>> = {
  'sms.send': 'Message',
  'sms.confirm_stop': 'Stop confirmed',
  'campaign.test': 'Campaign test',
  'otp.sms': 'One-time code',
  'otp.voice': 'One-time code',
  'otp.email': 'One-time code',
  'otp.chat': 'One-time code',
  'otp.sms_token': 'One-time code',
  'otp.in_app': 'One-time code',
  'sender_id.request': 'Sender ID',
  'contact.add': 'Contact',
  'contact.upload': 'Contacts',
  'contact.delete': 'Contact',
  'esim.create': 'eSIM',
  'esim.top_up': 'eSIM',
};

const markWords = { received: 'marked as received', not_received: 'marked as not received' } as const;

const chunkStates: Record<ChunkState, string> = {
  waiting: 'not sent yet',
  claimed: 'sending',
  accepted: 'accepted',
  rejected: 'rejected',
  unconfirmed: 'unconfirmed',
};

/** Of a campaign, in characters. */
const maxNameLength = 75;
const maxReasonLength = 300;

/**
 * Renders one entry in two lines: an icon and what it was; when, how it ended, and by whom if `withActor`. In a search by
 * number, a third line has the outcome for that number. Numbers are masked, but for the user who sent to them.
 */
export function historyLine(
  entry: HistoryEntry,
  outcomeRenderers: OutcomeRenderers,
  { withActor }: { withActor: boolean },
): Markup {
  const missed = missedAt(entry);
  // Of a one-time code that has ended also when, by whom, and after how many wrong guesses.
  const operation = entry.kind === 'operation' ? entry.operation : undefined;
  const verification = operation?.codeOutcome && describeVerification(operation);
  const below = [
    timeFor(entry.at),
    ...(isAcceptedAsOther(entry) ? [] : [verification ?? mrkdwn`${stateWordOf(entry)}`]),
    ...(missed === undefined ? [] : [mrkdwn`*not delivered* ${timeFor(missed)}`]),
    ...(entry.kind === 'operation' ? describeDeliveries(knownOf(entry)) : []),
    ...(entry.kind === 'campaign' ? countsOf(entry.campaign) : []),
    ...(withActor ? [userMention(actorOf(entry))] : []),
  ];
  return mrkdwn`${[
    mrkdwn`${iconOf(entry)} ${describeEntry(entry, outcomeRenderers)}`,
    joinInline(below),
    ...(entry.kind === 'campaign' && entry.chunk !== undefined ? [numberOutcome(entry, entry.chunk)] : []),
  ]}`;
}

/** When it was learned that a message of an operation was not delivered, if its report is no longer kept. */
export function missedAt(entry: HistoryEntry): Date | undefined {
  return entry.kind === 'operation' && entry.deliveries === undefined
    ? entry.operation.notDeliveredAt
    : undefined;
}

export function iconOf(entry: HistoryEntry): Markup {
  if (entry.kind === 'campaign') {
    return campaignIcons[entry.campaign.state];
  }
  if (isAcceptedAsOther(entry)) {
    return stateIcons.unknown;
  }
  const { operation } = entry;
  if (operation.codeOutcome !== undefined) {
    return codeIcons[operation.codeOutcome.kind];
  }
  const { deliveries, recipients } = knownOf(entry);
  const failed = deliveries.filter(({ state }) => state === 'failed').length;
  if (operation.state !== 'accepted' || (failed === 0 && missedAt(entry) === undefined)) {
    return operationIcons[operation.state];
  }
  return failed < recipients && recipients > 1 ? stateIcons.unconfirmed : stateIcons.failed;
}

export function knownOf({ deliveries = [], recipients }: HistoryEntry): KnownDeliveries {
  return { deliveries, recipients };
}

export function stateWordOf(entry: HistoryEntry): string {
  const ofCode = entry.kind === 'operation' ? codeStateOf(entry.operation) : undefined;
  if (ofCode !== undefined) {
    return ofCode;
  }
  if (entry.kind === 'operation' && entry.operation.state === 'unconfirmed' && entry.operation.mark) {
    return markWords[entry.operation.mark.kind];
  }
  const state =
    entry.kind === 'operation'
      ? stateOfOperation(entry.operation.state)
      : stateOfCampaign(entry.campaign.state);
  return state === undefined ? 'draft' : stateWords[state];
}

/** Whether to show a status that isn't in the table instead of *Accepted*. */
export function isAcceptedAsOther(entry: HistoryEntry): boolean {
  return entry.kind === 'operation' && entry.operation.state === 'accepted' && isOnlyOther(knownOf(entry));
}

export function kindOf(entry: HistoryEntry): string {
  return entry.kind === 'campaign' ? 'Campaign' : (kindWords[entry.operation.kind] ?? entry.operation.kind);
}

export function describeEntry(entry: HistoryEntry, outcomeRenderers: OutcomeRenderers): Markup {
  if (entry.kind === 'campaign') {
    const { name, senderId, counts } = entry.campaign;
    return mrkdwn`Campaign *${clampText(name, maxNameLength)}* to ${pluralize(counts.recipients, 'recipient')} · from ${senderId}`;
  }
  const { operation, content } = entry;
  return outcomeRenderers[operation.kind]?.line(operation, content?.to) ?? mrkdwn`${operation.kind}`;
}

export function actorOf(entry: HistoryEntry): string {
  return entry.kind === 'operation' ? entry.operation.userId : entry.campaign.createdBy;
}

function countsOf({ counts, deliveries }: Campaign): Markup[] {
  const outcomes = [
    [counts.accepted, 'accepted'],
    [counts.rejected, 'rejected'],
    [counts.unconfirmed, 'unconfirmed'],
    [deliveries?.delivered ?? 0, 'delivered'],
    [deliveries === undefined ? 0 : countNotDelivered(deliveries), 'not delivered'],
  ] as const;
  const others = deliveries === undefined ? [] : otherCounts(deliveries);
  return [...outcomes, ...others]
    .filter(([count]) => count > 0)
    .map(([count, word]) => mrkdwn`${formatCount(count)} ${word}`);
}

/** How the campaign ended for the number that was searched for. */
function numberOutcome(
  entry: Extract<HistoryEntry, { kind: 'campaign' }>,
  { state, error }: FoundChunk,
): Markup {
  const { campaign } = entry;
  const isOver = campaign.state === 'cancelled' || campaign.state === 'missed';
  const words = state === 'waiting' && isOver ? 'not sent' : chunkStates[state];
  const known = knownOf(entry);
  const parts = [
    ...(state === 'accepted' && isOnlyOther(known) ? [] : [mrkdwn`*${words}*`]),
    ...(error === undefined ? [] : [mrkdwn`${clampText(describeFailure(error).happened, maxReasonLength)}`]),
    ...describeDeliveries(known),
  ];
  return mrkdwn`This number: ${joinInline(parts)}`;
}
