import type { KnownBlock } from '@slack/types';
import type { Setup } from '../../../services/home/setup.ts';
import { actions, button, divider, header, section } from '../../block-kit/build.ts';
import { stateIcons } from '../../block-kit/state-icons.ts';
import { channelMention, type Markup, mrkdwn } from '../../block-kit/text.ts';
import { openActions } from '../../navigation/open-actions.ts';

export const dismissSetupAction = 'setup_dismiss';

/** The checklist of an admin after connecting: each step that is left with the button that does it. */
export function setupBlocks({ senderId, hasPrice, incoming }: Setup): KnownBlock[] {
  const steps = [
    step('Sender ID', senderId && mrkdwn`${senderId}`, {
      text: mrkdwn`Choose the name that recipients see.`,
      button: [openActions.defaults, 'Choose sender ID'],
    }),
    step('Price', hasPrice && mrkdwn`entered`, {
      text: mrkdwn`Enter what a page costs. Reviews then say what a message will cost.`,
      button: [openActions.priceForm, 'Add price'],
    }),
    ...(incoming === undefined
      ? []
      : [
          step('Delivery reports', incoming.reports === 'received' && mrkdwn`arriving`, {
            text: reportTexts[incoming.reports],
            button: [
              openActions.reports,
              incoming.reports === 'no_address' ? 'Set up reports' : 'Open reports',
            ],
          }),
          step('Replies', incoming.repliesIn && channelMention(incoming.repliesIn), {
            text: mrkdwn`Choose the channel where customers’ messages are posted.`,
            button: [openActions.replySettings, 'Choose channel'],
          }),
        ]),
  ];
  return [
    header('Finish setting up'),
    ...steps,
    actions('setup', button(dismissSetupAction, 'Dismiss', { label: 'Dismiss the setup checklist' })),
    divider(),
  ];
}

const reportTexts: Readonly<Record<NonNullable<Setup['incoming']>['reports'], Markup>> = {
  no_address: mrkdwn`See whether messages arrive, and receive replies.`,
  no_key: mrkdwn`Enter the signing secret. Until then no report is accepted.`,
  none_received: mrkdwn`Enter the webhook URL in the provider’s dashboard. The first report follows your next message.`,
  received: mrkdwn``,
};

/** `done`: the value that was set; false or undefined while the step is left. */
function step(
  name: string,
  done: Markup | false | '' | undefined,
  left: { text: Markup; button: readonly [actionId: string, text: string] },
): KnownBlock {
  return done
    ? section(mrkdwn`${stateIcons.done} *${name}:* ${done}`)
    : section(mrkdwn`${stateIcons.off} *${name}:* ${left.text}`, button(...left.button));
}
