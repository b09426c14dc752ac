import type { KnownBlock } from '@slack/types';
import { canBeAskedAbout } from '../../services/history/provider-history.ts';
import type { Operation } from '../../store/operations/operation.ts';
import { actions, button, context } from '../block-kit/build.ts';
import { channelMention, mrkdwn } from '../block-kit/text.ts';
import { withAskProviderButton } from '../navigation/open-actions.ts';
import type { Delivery } from '../notifier/outcome-notifier.ts';
import { connectAction } from './not-performed.ts';
import type { User } from './requests.ts';

/** Who sees the last modal of an operation, and how its outcome was delivered. */
export interface LastModal {
  user: Pick<User, 'permissions'>;
  delivery: Delivery;
  /** Whether the provider can be asked what became of messages. */
  canAsk?: boolean | undefined;
}

/** What stands in the last modal below an outcome: where it is, and what helps if the key is not accepted any more. */
export function lastModalBlocks(operation: Operation, modal: LastModal | undefined): KnownBlock[] {
  return modal === undefined
    ? []
    : [...deliveryBlocks(operation, modal.delivery), ...reconnectBlocks(operation, modal.user)];
}

/** The buttons at the end of the last modal of a message, with *Ask the provider* where it can be asked what became of it. */
export function lastModalSteps(
  steps: readonly KnownBlock[],
  operation: Operation,
  modal: LastModal | undefined,
): KnownBlock[] {
  return modal?.canAsk === true && canBeAskedAbout(operation)
    ? withAskProviderButton(steps, operation)
    : [...steps];
}

/** Whether an operation failed because the provider does not accept the workspace's key: trying again cannot help. */
function needsNewKey({ error }: Pick<Operation, 'error'>): boolean {
  return error?.reason === 'bad_key';
}

/** Nothing where another request has delivered the outcome, or will. */
function deliveryBlocks({ channelId }: Operation, { delivered, notPosted }: Delivery): KnownBlock[] {
  if (channelId === undefined || !delivered) {
    return [];
  }
  return [
    context(
      notPosted === undefined
        ? mrkdwn`The result is in ${channelMention(channelId)}.`
        : mrkdwn`${notPosted} The result is in your messages with Switchboard.`,
    ),
  ];
}

function reconnectBlocks(operation: Operation, { permissions }: Pick<User, 'permissions'>): KnownBlock[] {
  return needsNewKey(operation) && permissions.has('administer')
    ? [actions('reconnect', button(connectAction, 'Connect', { style: 'primary' }))]
    : [];
}
