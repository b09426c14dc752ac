import type { KnownBlock } from '@slack/types';
import type { Dialect } from '../../../provider/dialect.ts';
import { context, divider, header, section } from '../../block-kit/build.ts';
import { stateIcons } from '../../block-kit/state-icons.ts';
import { type Markup, mrkdwn } from '../../block-kit/text.ts';
import type { MissingGrant } from '../../client/granted-scopes.ts';
import { describeReinstall, describeScopes } from '../../middleware/missing-grant.ts';

/** What features depend on: the settings of the program, and what Slack lets it do. */
export type FeatureSettings = Dialect & {
  esimPurchases: boolean;
  optOutLinks: boolean;
  reports: boolean;
  missing: MissingGrant | undefined;
};

/** Which features are on, for admins. The names of the settings are for those who run the program, in its README. */
export function featureBlocks(settings: FeatureSettings): KnownBlock[] {
  const { missing } = settings;
  return [
    divider(),
    header('Features'),
    section(mrkdwn`${featuresOf(settings)}`),
    context(mrkdwn`The people who run Switchboard switch these on and off.`),
    ...(missing === undefined || missing.optional.length === 0
      ? []
      : [
          section(
            mrkdwn`${[
              mrkdwn`*Not allowed when Switchboard was installed:*`,
              ...describeScopes(missing.optional),
              describeReinstall(missing.installAddress),
            ]}`,
          ),
        ]),
  ];
}

function featuresOf(settings: FeatureSettings): Markup[] {
  const {
    unicodeType,
    contactDeleteBy,
    currency,
    chatChannel,
    chatOtpChannel,
    voiceOtpPath,
    balancePath,
    tokenVerifyPath,
    phonebooksPath,
    historyPath,
  } = settings;
  return [
    featureLine('Emoji and all alphabets', unicodeType !== undefined),
    featureLine('Deleting contacts', contactDeleteBy !== undefined),
    currency === undefined
      ? featureLine('Currency of the balance', false)
      : mrkdwn`${stateIcons.done} *Currency of the balance*: ${currency}`,
    featureLine('Choosing phonebooks from the provider’s list', phonebooksPath !== undefined),
    featureLine('Asking the provider for the balance', balancePath !== undefined),
    featureLine('Asking the provider what became of a message', historyPath !== undefined),
    featureLine('Messages by chat app', chatChannel !== undefined),
    featureLine('Codes by chat app', chatOtpChannel !== undefined),
    featureLine('Codes by voice call', voiceOtpPath !== undefined),
    featureLine('Verifying codes made by the provider', tokenVerifyPath !== undefined),
    featureLine('Opt-out links in campaigns', settings.optOutLinks),
    featureLine('Buying eSIMs', settings.esimPurchases),
    featureLine('Delivery reports', settings.reports),
    featureLine('Replies', settings.reports),
  ];
}

function featureLine(name: string, isOn: boolean): Markup {
  return isOn ? mrkdwn`${stateIcons.done} *${name}*` : mrkdwn`${stateIcons.off} *${name}*: off`;
}
