import type { Log } from '../../../lib/log.ts';
import type { CampaignService } from '../../../services/campaigns/campaign-service.ts';
import type { Campaign } from '../../../store/campaigns/campaigns.ts';
import { isHeld } from '../../../store/campaigns/hold-campaigns.ts';
import type { Notice, NoticeKey, Outbox } from '../../../store/outbox/outbox.ts';
import { section } from '../../block-kit/build.ts';
import { message } from '../../block-kit/message.ts';
import { amount, countOf } from '../../block-kit/plural.ts';
import { mrkdwn, personMention } from '../../block-kit/text.ts';
import type { Posting } from '../../client/posting.ts';
import { deliverNotice, withRemarks } from '../../notifier/deliver-notice.ts';
import { endedUnseen, needsSomebody } from './campaign-end.ts';

/** That a campaign ended or needs its author: a message that changes notifies nobody, an answer to it does. */
export interface CampaignNews {
  /** Puts an end into the outbox. A pause is there since it was written down. */
  add(campaign: Campaign): Promise<void>;
  /** Tells its author what is in the outbox, with the campaign as it is now. */
  tell(campaign: Pick<Campaign, 'workspaceId' | 'id'>): Promise<void>;
  /** The same, for the outbox. */
  deliver(notice: Notice): Promise<void>;
}

export function createCampaignNews(context: {
  posting: Posting;
  campaigns: CampaignService;
  outbox: Outbox;
  log: Log;
}): CampaignNews {
  const { posting, campaigns, outbox, log } = context;

  async function post(campaign: Campaign, notice: Notice): Promise<void> {
    const { createdBy, name, message: stands } = campaign;
    // Where there is no message to answer in the channel, the author is told without it.
    const wanted = stands?.channel === notice.channelId ? notice.channelId : undefined;
    const news = newsOf(campaign);
    const answer = mrkdwn`${personMention(createdBy)} this campaign ${news}.`;
    const onItsOwn = mrkdwn`*${name}*: this campaign ${news}.`;
    await deliverNotice(
      { ...notice, channelId: wanted },
      {
        record: (known) => outbox.record(notice, known),
        async post(channelId, remarks) {
          const answered = channelId === wanted ? stands : undefined;
          const channel = answered?.channel ?? (await posting.conversationWith(createdBy));
          const text = answered === undefined ? onItsOwn : answer;
          await posting.postIn(channel, withRemarks(message(text, [section(text)]), remarks), answered?.ts);
        },
        log,
      },
    );
  }

  async function tell({ workspaceId, id }: Pick<Campaign, 'workspaceId' | 'id'>): Promise<void> {
    const campaign = await campaigns.findAny(workspaceId, id);
    if (campaign === undefined) {
      return;
    }
    try {
      await outbox.deliver(keyOf(campaign), async (notice) => {
        // No news any more is what somebody has resumed or cancelled meanwhile, or what restored data is told with.
        if (endedUnseen(campaign) || (needsSomebody(campaign) && !isHeld(campaign))) {
          await post(campaign, notice);
        }
      });
    } catch (error) {
      log.warn({ err: error, campaign: id }, 'an author is told of a halt or an end later');
    }
  }

  return {
    add: (campaign) =>
      outbox.add({ ...keyOf(campaign), userId: campaign.createdBy, channelId: campaign.channelId }),
    tell,
    deliver: ({ workspaceId, subjectId: id }) => tell({ workspaceId, id }),
  };
}

function keyOf({ workspaceId, id }: Pick<Campaign, 'workspaceId' | 'id'>): NoticeKey {
  return { workspaceId, subject: 'campaign_news', subjectId: id };
}

function newsOf({ state, counts }: Campaign): string {
  if (state === 'missed') {
    return 'was not started, and nothing was sent';
  }
  if (state === 'paused') {
    return 'is paused, and needs you';
  }
  return `is done: accepted for ${amount(counts.accepted)} of ${countOf(counts.recipients, 'recipient')}`;
}
