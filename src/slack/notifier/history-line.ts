import type { HistoryEntry } from '../../services/history/history.ts';
import type { Campaign, CampaignState, ChunkState } from '../../store/campaigns/campaigns.ts';
import type { Operation } from '../../store/operations/ledger.ts';
import type { FoundChunk } from '../../store/phone-index/phone-index.ts';
import { clampText } from '../block-kit/limits.ts';
import { type Markup, mrkdwn, timeFor, userMention } from '../block-kit/text.ts';
import type { OutcomeRenderers } from './outcome-notifier.ts';

const ends: Record<Operation['state'], { mark: Markup; words: string }> = {
  underway: { mark: mrkdwn`:hourglass_flowing_sand:`, words: 'under way' },
  accepted: { mark: mrkdwn`:white_check_mark:`, words: 'accepted' },
  rejected: { mark: mrkdwn`:x:`, words: 'refused, nothing done' },
  not_sent: { mark: mrkdwn`:x:`, words: 'not sent' },
  unconfirmed: { mark: mrkdwn`:warning:`, words: 'unconfirmed, may have been done' },
};

const campaignStates: Record<CampaignState, { mark: Markup; words: string }> = {
  reading: { mark: mrkdwn`:hourglass_flowing_sand:`, words: 'being read' },
  ready: { mark: mrkdwn`:hourglass_flowing_sand:`, words: 'not started' },
  scheduled: { mark: mrkdwn`:calendar:`, words: 'waits for its start' },
  running: { mark: mrkdwn`:hourglass_flowing_sand:`, words: 'running' },
  paused: { mark: mrkdwn`:hourglass_flowing_sand:`, words: 'paused' },
  done: { mark: mrkdwn`:white_check_mark:`, words: 'done' },
  cancelled: { mark: mrkdwn`:x:`, words: 'cancelled' },
  missed: { mark: mrkdwn`:x:`, words: 'missed its start, nothing sent' },
};

const chunkStates: Record<ChunkState, string> = {
  waiting: 'not sent yet',
  claimed: 'being sent',
  accepted: 'accepted',
  rejected: 'rejected',
  unconfirmed: 'unconfirmed, may have been sent',
};

/** Of a campaign. */
const longestName = 75;
const longestReason = 300;

/**
 * One deed: a mark to find it by and what it was; below, on a line that is never long, when, how it ended, and who did
 * it where that is not plain. Numbers masked.
 */
export function historyLine(
  deed: HistoryEntry,
  outcomeRenderers: OutcomeRenderers,
  { withActor }: { withActor: boolean },
): Markup {
  const { mark, words } =
    deed.kind === 'operation' ? ends[deed.operation.state] : campaignStates[deed.campaign.state];
  const by = withActor ? mrkdwn` · ${userMention(actorOf(deed))}` : mrkdwn``;
  const found = deed.kind === 'campaign' && deed.chunk !== undefined ? [ofThisNumber(deed, deed.chunk)] : [];
  return mrkdwn`${[
    mrkdwn`${mark} ${describeEntry(deed, outcomeRenderers)}`,
    mrkdwn`${timeFor(deed.at)} · ${words}${by}`,
    ...found,
  ]}`;
}

export function describeEntry(deed: HistoryEntry, outcomeRenderers: OutcomeRenderers): Markup {
  if (deed.kind === 'campaign') {
    return campaignInShort(deed.campaign);
  }
  const { operation } = deed;
  return outcomeRenderers[operation.kind]?.line(operation) ?? mrkdwn`${operation.kind}`;
}

export function actorOf(deed: HistoryEntry): string {
  return deed.kind === 'operation' ? deed.operation.userId : deed.campaign.createdBy;
}

function campaignInShort({ name, senderId, counts }: Campaign): Markup {
  const { recipients, accepted, rejected, unconfirmed } = counts;
  const outcomes = [
    [accepted, 'accepted'],
    [rejected, 'rejected'],
    [unconfirmed, 'unconfirmed'],
  ] as const;
  const told = outcomes
    .filter(([count]) => count > 0)
    .map(([count, word]) => ` · ${count.toLocaleString('en')} ${word}`);
  const to = recipients === 1 ? '1 recipient' : `${recipients.toLocaleString('en')} recipients`;
  return mrkdwn`Campaign *${clampText(name, longestName)}* to ${to} · from ${senderId}${told.join('')}`;
}

/** How the campaign ended for the number that was looked for. */
function ofThisNumber({ campaign }: { campaign: Campaign }, { state, error }: FoundChunk): Markup {
  const isOver = campaign.state === 'cancelled' || campaign.state === 'missed';
  const words = state === 'waiting' && isOver ? 'not sent' : chunkStates[state];
  return mrkdwn`This number: *${words}*${error === undefined ? '' : ` · ${clampText(error.message, longestReason)}`}`;
}
