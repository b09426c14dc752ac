import type { HistoryEntry } from '../../services/history/history.ts';
import { describeFailure } from '../../services/operations/describe-failure.ts';
import type { Campaign, CampaignState, ChunkState } from '../../store/campaigns/campaigns.ts';
import type { Operation } from '../../store/operations/ledger.ts';
import type { FoundChunk } from '../../store/phone-index/phone-index.ts';
import { clampText } from '../block-kit/limits.ts';
import { formatCount, pluralize } from '../block-kit/plural.ts';
import { campaignIcons, operationIcons } from '../block-kit/state-icons.ts';
import { type Markup, mrkdwn, timeFor, userMention } from '../block-kit/text.ts';
import type { OutcomeRenderers } from './outcome-notifier.ts';

const operationStates: Record<Operation['state'], string> = {
  underway: 'under way',
  accepted: 'accepted',
  rejected: 'refused, nothing done',
  not_sent: 'not sent',
  unconfirmed: 'unconfirmed, may have been done',
};

const campaignStates: Record<CampaignState, string> = {
  reading: 'being read',
  ready: 'not started',
  scheduled: 'waits for its start',
  running: 'running',
  paused: 'paused',
  done: 'done',
  cancelled: 'cancelled',
  missed: 'missed its start, nothing sent',
};

const chunkStates: Record<ChunkState, string> = {
  waiting: 'not sent yet',
  claimed: 'being sent',
  accepted: 'accepted',
  rejected: 'rejected',
  unconfirmed: 'unconfirmed, may have been sent',
};

/** Of a campaign, in characters. */
const maxNameLength = 75;
const maxReasonLength = 300;

/**
 * Renders one entry: an icon and what it was; on a short line below, when, how it ended, and by whom if `withActor`.
 * Numbers are masked.
 */
export function historyLine(
  entry: HistoryEntry,
  outcomeRenderers: OutcomeRenderers,
  { withActor }: { withActor: boolean },
): Markup {
  const { icon, state } = stateOf(entry);
  const by = withActor ? mrkdwn` · ${userMention(actorOf(entry))}` : mrkdwn``;
  const found =
    entry.kind === 'campaign' && entry.chunk !== undefined ? [numberOutcome(entry, entry.chunk)] : [];
  return mrkdwn`${[
    mrkdwn`${icon} ${describeEntry(entry, outcomeRenderers)}`,
    mrkdwn`${timeFor(entry.at)} · ${state}${by}`,
    ...found,
  ]}`;
}

function stateOf(entry: HistoryEntry): { icon: Markup; state: string } {
  if (entry.kind === 'operation') {
    const { state } = entry.operation;
    return { icon: operationIcons[state], state: operationStates[state] };
  }
  const { state } = entry.campaign;
  return { icon: campaignIcons[state].history, state: campaignStates[state] };
}

export function describeEntry(entry: HistoryEntry, outcomeRenderers: OutcomeRenderers): Markup {
  if (entry.kind === 'campaign') {
    return describeCampaign(entry.campaign);
  }
  const { operation } = entry;
  return outcomeRenderers[operation.kind]?.line(operation) ?? mrkdwn`${operation.kind}`;
}

export function actorOf(entry: HistoryEntry): string {
  return entry.kind === 'operation' ? entry.operation.userId : entry.campaign.createdBy;
}

function describeCampaign({ name, senderId, counts }: Campaign): Markup {
  const { recipients, accepted, rejected, unconfirmed } = counts;
  const outcomes = [
    [accepted, 'accepted'],
    [rejected, 'rejected'],
    [unconfirmed, 'unconfirmed'],
  ] as const;
  const counted = outcomes
    .filter(([count]) => count > 0)
    .map(([count, word]) => ` · ${formatCount(count)} ${word}`);
  return mrkdwn`Campaign *${clampText(name, maxNameLength)}* to ${pluralize(recipients, 'recipient')} · from ${senderId}${counted.join('')}`;
}

/** How the campaign ended for the number that was searched for. */
function numberOutcome({ campaign }: { campaign: Campaign }, { state, error }: FoundChunk): Markup {
  const isOver = campaign.state === 'cancelled' || campaign.state === 'missed';
  const words = state === 'waiting' && isOver ? 'not sent' : chunkStates[state];
  return mrkdwn`This number: *${words}*${error === undefined ? '' : ` · ${clampText(describeFailure(error).happened, maxReasonLength)}`}`;
}
