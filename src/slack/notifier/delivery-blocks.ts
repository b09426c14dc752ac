import type { ContextBlock } from '@slack/types';
import type { Operation } from '../../store/operations/ledger.ts';
import { context } from '../block-kit/build.ts';
import { channelMention, mrkdwn } from '../block-kit/text.ts';
import type { Delivery } from './outcome-notifier.ts';

/** For the last modal: where the outcome is that was for a channel. Nothing where this request did not deliver it. */
export function deliveryBlocks({ channelId }: Operation, delivery: Delivery | undefined): ContextBlock[] {
  if (channelId === undefined || !delivery?.delivered) {
    return [];
  }
  return [
    context(
      delivery.notPosted === undefined
        ? mrkdwn`The result is in ${channelMention(channelId)}.`
        : mrkdwn`${delivery.notPosted} The result is in your messages with Switchboard.`,
    ),
  ];
}
