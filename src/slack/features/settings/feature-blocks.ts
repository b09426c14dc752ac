import type { KnownBlock } from '@slack/types';
import type { Dialect } from '../../../provider/dialect.ts';
import { context, divider, header, section } from '../../block-kit/build.ts';
import { stateIcons } from '../../block-kit/state-icons.ts';
import { type Markup, mrkdwn } from '../../block-kit/text.ts';

/** What depends on the settings of the program, with the variable that switches it on. For admins. */
export function featureBlocks(dialect: Dialect): KnownBlock[] {
  const features = [
    feature(
      'Emoji and all alphabets',
      dialect.unicodeType,
      mrkdwn`set \`PROVIDER_UNICODE_TYPE\` to the provider’s name for Unicode text.`,
    ),
    feature(
      'Deleting contacts',
      dialect.contactDeleteBy,
      mrkdwn`set \`PROVIDER_CONTACT_DELETE_BY\` to how the provider names the contact.`,
    ),
    feature(
      'Currency of the balance',
      dialect.currency,
      mrkdwn`set \`PROVIDER_CURRENCY\` to the account’s currency, such as \`NGN\`.`,
    ),
    feature('Chat app messages', dialect.chatChannel, mrkdwn`set \`PROVIDER_CHAT_CHANNEL\`.`),
    feature('Chat app codes', dialect.chatOtpChannel, mrkdwn`set \`PROVIDER_CHAT_OTP_CHANNEL\`.`),
    feature('Voice codes', dialect.voiceOtpPath, mrkdwn`set \`PROVIDER_VOICE_OTP_PATH\`.`),
  ];
  return [
    divider(),
    header('Features'),
    section(mrkdwn`${features}`),
    context(mrkdwn`Set in the environment of the program, by the person who runs Switchboard.`),
  ];
}

function feature(name: string, value: string | undefined, remedy: Markup): Markup {
  return value === undefined
    ? mrkdwn`${stateIcons.off} *${name}* is off: ${remedy}`
    : mrkdwn`${stateIcons.done} *${name}*: \`${value}\``;
}
