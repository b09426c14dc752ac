import type { WebClient } from '@slack/web-api';
import type { Log } from '../../log.ts';
import type { Campaigns } from '../../services/campaigns.ts';
import type { Campaign } from '../../store/campaigns.ts';
import type { Notice, Outbox } from '../../store/outbox.ts';
import { section } from '../blocks/build.ts';
import { type Message, message } from '../blocks/message.ts';
import { type Markup, mrkdwn, personMention } from '../blocks/text.ts';
import { deliver, remarksOn } from '../delivery.ts';
import { isAboutContent, isRefusal, type Posting } from '../posting.ts';
import { withRemarks } from '../telling.ts';
import { isOver, needsSomebody } from './standing.ts';
import { statusMessage } from './status-view.ts';
import { amount, countOf } from './words.ts';

/** Where a campaign's message has come to stand. */
export interface Place {
  message?: { channel: string; ts: string } | undefined;
  /** Whether Slack refused to show it to its author. */
  refused?: boolean;
}

/** The messages of each campaign. What throws is to be tried again. */
export function createCampaignMessages(tools: {
  client: WebClient;
  posting: Posting;
  campaigns: Campaigns;
  outbox: Outbox;
  log: Log;
}) {
  const { client, posting, campaigns, outbox, log } = tools;

  /** Changes the message that is there, else posts one: where it was wanted, else to the author. */
  async function show(place: Place, campaign: Campaign, notice: Notice): Promise<void> {
    const content = (remarks: readonly Markup[]) =>
      withRemarks(statusMessage(campaign, campaigns.pace(campaign)), remarks);
    const stands = place.message ?? campaign.message;
    if (stands !== undefined) {
      const remarks = stands.channel === notice.channelId ? [] : remarksOn(notice);
      if (await update(stands, content(remarks))) {
        return;
      }
    }
    const attempted = await deliver(notice, {
      record: (known) => outbox.record(notice, known),
      async post(channelId, remarks) {
        const channel = channelId ?? (await posting.conversationWith(notice.userId));
        const posted = await posting.postIn(channel, content(remarks));
        if (posted.ts !== undefined) {
          place.message = { channel: posted.channel, ts: posted.ts };
          await campaigns.showsIn(campaign, place.message);
        }
      },
      log,
    });
    place.refused = attempted === undefined;
    if (attempted !== undefined) {
      await outbox.record(notice, attempted);
    }
  }

  /** False: the message, or its channel, is not there any more. */
  async function update(
    { channel, ts }: { channel: string; ts: string },
    content: Message,
  ): Promise<boolean> {
    try {
      await client.chat.update({ channel, ts, ...content });
      return true;
    } catch (error) {
      if (isAboutContent(error)) {
        log.error({ err: error }, 'Slack does not take the blocks of a message: it is changed to plain text');
        await client.chat.update({ channel, ts, text: content.text, blocks: [] });
        return true;
      }
      if (isRefusal(error)) {
        return false;
      }
      throw error;
    }
  }

  /** A message that changes notifies nobody: an answer to it does. */
  async function tellNews(campaign: Campaign, notice: Notice): Promise<void> {
    const { message: stands } = campaign;
    if (!isOver(campaign) && !needsSomebody(campaign)) {
      return;
    }
    const text = mrkdwn`${personMention(campaign.author)} this campaign ${newsOf(campaign)}.`;
    const onItsOwn = mrkdwn`*${campaign.name}*: this campaign ${newsOf(campaign)}.`;
    await deliver(notice, {
      record: (known) => outbox.record(notice, known),
      async post(channelId, remarks) {
        if (channelId === undefined && notice.channelId !== undefined) {
          const told = withRemarks(message(onItsOwn, [section(onItsOwn)]), remarks);
          await posting.postIn(await posting.conversationWith(notice.userId), told);
        } else {
          const channel = channelId ?? stands?.channel ?? (await posting.conversationWith(notice.userId));
          await posting.postIn(channel, withRemarks(message(text, [section(text)]), remarks), stands?.ts);
        }
      },
      log,
    });
  }

  return { show, tellNews };
}

function newsOf({ state, counts }: Campaign): string {
  if (state === 'missed') return 'was not started, and nothing was sent';
  if (state === 'paused') return 'is paused, and needs you';
  return `is done: accepted for ${amount(counts.accepted)} of ${countOf(counts.recipients, 'recipient')}`;
}
