import type { WebClient } from '@slack/web-api';
import type { Log } from '../../log.ts';
import type { Campaigns } from '../../services/campaigns.ts';
import type { Campaign } from '../../store/campaigns.ts';
import { context } from '../blocks/build.ts';
import type { Message } from '../blocks/message.ts';
import { type Markup, mrkdwn, personMention } from '../blocks/text.ts';
import { isSlackError } from '../errors.ts';
import { whyNotIn } from '../telling.ts';
import { statusMessage } from './status-view.ts';
import { amount, countOf } from './words.ts';

/** Where a campaign's message has come to stand. */
export interface Place {
  message?: { channel: string; ts: string } | undefined;
  /** Why it is not in the channel that was chosen. */
  elsewhere?: Markup;
}

/** The one message of each campaign. What throws was not said, or perhaps not, and is to be said again. */
export function createCampaignMessages(tools: { client: WebClient; campaigns: Campaigns; log: Log }) {
  const { client, campaigns, log } = tools;

  /** Changes the message that is there, else posts one: where it was wanted, else to the author. */
  async function say(place: Place, campaign: Campaign): Promise<void> {
    const { text, blocks } = statusMessage(campaign, campaigns.pace(campaign));
    const content = () => ({
      text,
      blocks: place.elsewhere === undefined ? blocks : [context(place.elsewhere), ...blocks],
    });
    const message = place.message ?? campaign.message;
    if (message !== undefined && (await update({ ...message, ...content() }))) {
      return;
    }
    if (campaign.place !== undefined) {
      try {
        await post(place, campaign, campaign.place, content());
        return;
      } catch (error) {
        if (!isSlackError(error) || isPassing(error)) {
          throw error;
        }
        place.elsewhere = whyNotIn(campaign.place, error);
      }
    }
    const { channel } = await client.conversations.open({ users: campaign.author });
    await post(place, campaign, channel?.id ?? '', content());
  }

  /** False: the message, or its channel, is not there any more. */
  async function update(message: Parameters<typeof client.chat.update>[0]): Promise<boolean> {
    try {
      await client.chat.update(message);
      return true;
    } catch (error) {
      if (!isSlackError(error) || isPassing(error)) {
        throw error;
      }
      return false;
    }
  }

  async function post(place: Place, campaign: Campaign, channel: string, content: Message): Promise<void> {
    const { ts, channel: at } = await client.chat.postMessage({ channel, unfurl_links: false, ...content });
    if (ts !== undefined) {
      place.message = { channel: at ?? channel, ts };
      await campaigns.showsIn(campaign, place.message);
    }
  }

  /** A message that changes rings nobody: an answer to it does. Not said again where Slack does not take it. */
  async function ring({ message }: Place, campaign: Campaign): Promise<void> {
    const { channel, ts } = message ?? campaign.message ?? {};
    if (channel !== undefined && ts !== undefined) {
      const { source: text } = mrkdwn`${personMention(campaign.author)} this campaign ${newsOf(campaign)}.`;
      await client.chat.postMessage({ channel, thread_ts: ts, text }).catch((error: unknown) => {
        log.warn({ err: error, campaign: campaign.id }, 'an author could not be told of a halt or an end');
      });
    }
  }

  return { say, ring };
}

function newsOf({ state, counts }: Campaign): string {
  if (state === 'missed') return 'was not started, and nothing was sent';
  if (state === 'paused') return 'is paused, and needs you';
  return `is done: accepted for ${amount(counts.accepted)} of ${countOf(counts.recipients, 'recipient')}`;
}

/** Slack's own trouble, which is over in a moment. */
function isPassing(error: unknown): boolean {
  return isSlackError(error, 'internal_error', 'fatal_error', 'service_unavailable', 'request_timeout');
}
