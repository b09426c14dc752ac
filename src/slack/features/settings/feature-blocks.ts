import type { KnownBlock } from '@slack/types';
import type { Dialect } from '../../../provider/dialect.ts';
import { context, divider, header, section } from '../../block-kit/build.ts';
import { stateIcons } from '../../block-kit/state-icons.ts';
import { type Markup, mrkdwn } from '../../block-kit/text.ts';

interface Feature {
  name: string;
  /** The variable that switches it on. */
  variable: string;
  value: string | undefined;
  /** Completes *Set the variable to*. */
  meaning: string;
}

/** The settings of the program that features depend on. */
export type FeatureSettings = Dialect & { esimPurchases: boolean };

/** What depends on the settings of the program: on with its value, or off with what switches it on. For admins. */
export function featureBlocks(settings: FeatureSettings): KnownBlock[] {
  return [
    divider(),
    header('Features'),
    section(mrkdwn`${featuresOf(settings).map(featureLine)}`),
    context(mrkdwn`These are set in the environment that Switchboard runs in, and read when it starts.`),
  ];
}

function featuresOf(settings: FeatureSettings): Feature[] {
  const { unicodeType, contactDeleteBy, currency, chatChannel, chatOtpChannel, voiceOtpPath } = settings;
  return [
    {
      name: 'Emoji and all alphabets',
      variable: 'PROVIDER_UNICODE_TYPE',
      value: unicodeType,
      meaning: 'the provider’s name for Unicode text',
    },
    {
      name: 'Deleting contacts',
      variable: 'PROVIDER_CONTACT_DELETE_BY',
      value: contactDeleteBy,
      meaning: 'how a request names the contact',
    },
    {
      name: 'Currency of the balance',
      variable: 'PROVIDER_CURRENCY',
      value: currency,
      meaning: 'the account’s currency, such as NGN',
    },
    {
      name: 'Messages by chat app',
      variable: 'PROVIDER_CHAT_CHANNEL',
      value: chatChannel,
      meaning: 'the provider’s name for its chat app',
    },
    {
      name: 'Codes by chat app',
      variable: 'PROVIDER_CHAT_OTP_CHANNEL',
      value: chatOtpChannel,
      meaning: 'the provider’s name for codes in its chat app',
    },
    {
      name: 'Codes by voice call',
      variable: 'PROVIDER_VOICE_OTP_PATH',
      value: voiceOtpPath,
      meaning: 'the path of the provider’s call',
    },
    {
      name: 'Buying eSIMs',
      variable: 'ESIM_PURCHASES',
      value: settings.esimPurchases ? 'on' : undefined,
      meaning: 'on',
    },
  ];
}

function featureLine({ name, variable, value, meaning }: Feature): Markup {
  return value === undefined
    ? mrkdwn`${stateIcons.off} *${name}*: off. Set \`${variable}\` to ${meaning}.`
    : mrkdwn`${stateIcons.done} *${name}*: \`${value}\` (\`${variable}\`)`;
}
