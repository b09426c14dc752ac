import type { HistoryEntry } from '../../services/history/history.ts';
import type { Campaign, CampaignState, ChunkState } from '../../store/campaigns/campaigns.ts';
import type { Operation } from '../../store/operations/ledger.ts';
import type { FoundChunk } from '../../store/phone-index/phone-index.ts';
import { clampText } from '../block-kit/limits.ts';
import { formatCount, pluralize } from '../block-kit/plural.ts';
import { type Markup, mrkdwn, timeFor, userMention } from '../block-kit/text.ts';
import type { OutcomeRenderers } from './outcome-notifier.ts';

const operationStates: Record<Operation['state'], { icon: Markup; label: string }> = {
  underway: { icon: mrkdwn`:hourglass_flowing_sand:`, label: 'under way' },
  accepted: { icon: mrkdwn`:white_check_mark:`, label: 'accepted' },
  rejected: { icon: mrkdwn`:x:`, label: 'refused, nothing done' },
  not_sent: { icon: mrkdwn`:x:`, label: 'not sent' },
  unconfirmed: { icon: mrkdwn`:warning:`, label: 'unconfirmed, may have been done' },
};

const campaignStates: Record<CampaignState, { icon: Markup; label: string }> = {
  reading: { icon: mrkdwn`:hourglass_flowing_sand:`, label: 'being read' },
  ready: { icon: mrkdwn`:hourglass_flowing_sand:`, label: 'not started' },
  scheduled: { icon: mrkdwn`:calendar:`, label: 'waits for its start' },
  running: { icon: mrkdwn`:hourglass_flowing_sand:`, label: 'running' },
  paused: { icon: mrkdwn`:hourglass_flowing_sand:`, label: 'paused' },
  done: { icon: mrkdwn`:white_check_mark:`, label: 'done' },
  cancelled: { icon: mrkdwn`:x:`, label: 'cancelled' },
  missed: { icon: mrkdwn`:x:`, label: 'missed its start, nothing sent' },
};

const chunkStates: Record<ChunkState, string> = {
  waiting: 'not sent yet',
  claimed: 'being sent',
  accepted: 'accepted',
  rejected: 'rejected',
  unconfirmed: 'unconfirmed, may have been sent',
};

/** In characters. */
const maxCampaignName = 75;
const maxReason = 300;

/**
 * Renders an entry of the history: an icon and what it was; below, on a short line, when, how it ended and, if wanted, by
 * whom. Numbers are masked.
 */
export function historyLine(
  entry: HistoryEntry,
  outcomeRenderers: OutcomeRenderers,
  { withActor }: { withActor: boolean },
): Markup {
  const { icon, label } =
    entry.kind === 'operation'
      ? operationStates[entry.operation.state]
      : campaignStates[entry.campaign.state];
  const by = withActor ? mrkdwn` · ${userMention(actorOf(entry))}` : mrkdwn``;
  const found =
    entry.kind === 'campaign' && entry.chunk !== undefined ? [numberOutcome(entry, entry.chunk)] : [];
  return mrkdwn`${[
    mrkdwn`${icon} ${describeEntry(entry, outcomeRenderers)}`,
    mrkdwn`${timeFor(entry.at)} · ${label}${by}`,
    ...found,
  ]}`;
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
  return mrkdwn`Campaign *${clampText(name, maxCampaignName)}* to ${pluralize(recipients, 'recipient')} · from ${senderId}${counted.join('')}`;
}

/** How the campaign ended for the number that was searched for. */
function numberOutcome({ campaign }: { campaign: Campaign }, { state, error }: FoundChunk): Markup {
  const isOver = campaign.state === 'cancelled' || campaign.state === 'missed';
  const words = state === 'waiting' && isOver ? 'not sent' : chunkStates[state];
  return mrkdwn`This number: *${words}*${error === undefined ? '' : ` · ${clampText(error.message, maxReason)}`}`;
}
