import type { KnownBlock } from '@slack/types';
import type { Operation } from '../../store/operations/operation.ts';
import { actions, button, context, present } from '../block-kit/build.ts';
import { channelMention, mrkdwn } from '../block-kit/text.ts';
import type { OutcomePost } from '../notifier/outcome-notifier.ts';
import { connectAction, replaceKey } from './not-performed.ts';
import type { User } from './requests.ts';

/** Who sees the last modal of an operation, and how its outcome was delivered. */
export interface LastModal {
  user: Pick<User, 'permissions'>;
  delivery: OutcomePost;
}

/** Stands below the outcome in the last modal: where it was posted, and help if the key is no longer accepted. */
export function lastModalBlocks(operation: Operation, modal: LastModal | undefined): KnownBlock[] {
  if (modal === undefined) {
    return [];
  }
  const { delivery, user } = modal;
  const { channelId, error } = operation;
  const connect = button(connectAction, 'Connect', { style: 'primary', value: replaceKey });
  return present<KnownBlock>(
    // Skip it if another request has delivered the outcome, or will.
    channelId !== undefined &&
      delivery.postedHere &&
      context(
        delivery.notPosted === undefined
          ? mrkdwn`The result is in ${channelMention(channelId)}.`
          : mrkdwn`${delivery.notPosted} The result is in your messages with Switchboard.`,
      ),
    // The provider rejects the workspace's key, so retrying can't help.
    error?.reason === 'bad_key' && user.permissions.has('administer') && actions('reconnect', connect),
  );
}
