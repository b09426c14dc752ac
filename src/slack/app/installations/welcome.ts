import type { SlackInstallation } from '../../../store/slack-installations/installation-record.ts';
import { actions, button, section } from '../../block-kit/build.ts';
import { message, type SlackMessage } from '../../block-kit/message.ts';
import { mrkdwn } from '../../block-kit/text.ts';
import type { Posting } from '../../client/posting.ts';
import type { ProgramContext } from '../../client/slack-context.ts';
import { connectAction } from '../../middleware/not-performed.ts';

/** What an installer is told: one step is left. */
function welcomeMessage(commandPrefix: string): SlackMessage {
  const text = mrkdwn`*Switchboard is installed.* Connect your messaging provider with the API key from its dashboard.`;
  return message(text, [
    section(text),
    section(mrkdwn`Then everyone can begin with \`/${commandPrefix}sms\` or \`/${commandPrefix}number\`.`),
    actions('welcome', button(connectAction, 'Connect', { style: 'primary' })),
  ]);
}

/** Returns a function that welcomes who installed the app. It never rejects. */
export function createWelcome(
  { settings, log }: ProgramContext,
  posting: Posting,
): (installation: SlackInstallation) => Promise<void> {
  return async ({ ownerId, installedBy }) => {
    try {
      const conversation = await posting.openConversation(ownerId, installedBy);
      await posting.postMessage(ownerId, conversation, welcomeMessage(settings.commandPrefix));
    } catch (error) {
      log.warn({ err: error }, 'an installer could not be welcomed');
    }
  };
}
