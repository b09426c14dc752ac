import type { KnownBlock } from '@slack/types';
import type { Dialect } from '../../../provider/dialect.ts';
import { context, divider, header, section } from '../../block-kit/build.ts';
import { stateIcons } from '../../block-kit/state-icons.ts';
import { type Markup, mrkdwn } from '../../block-kit/text.ts';
import type { MissingGrant } from '../../client/granted-scopes.ts';
import { describeReinstall, describeScopes } from '../../middleware/missing-grant.ts';

/** What features depend on: the provider's profile, the settings of the program, and what Slack lets it do. */
export type FeatureSettings = Dialect & {
  optOutLinks: boolean;
  reports: boolean;
  missing: MissingGrant | undefined;
};

/** Which features are on, for admins. Of one that is off, the field of the profile that switches it on. */
export function featureBlocks(settings: FeatureSettings): KnownBlock[] {
  const { missing } = settings;
  return [
    divider(),
    header('Features'),
    section(mrkdwn`${featuresOf(settings)}`),
    context(
      mrkdwn`The people who run Switchboard switch these on and off, most of them in the provider’s profile.`,
    ),
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

/** The features that a field of the provider's profile switches on. */
const profileFeatures = [
  ['Emoji and all alphabets', 'unicodeType'],
  ['Deleting contacts', 'contactDeleteBy'],
  ['Currency of the balance', 'currency'],
  ['Choosing phonebooks from the provider’s list', 'phonebooksPath'],
  ['Asking the provider for the balance', 'balancePath'],
  ['Asking the provider what became of a message', 'historyPath'],
  ['Messages by chat app', 'chatChannel'],
  ['Codes by chat app', 'chatOtpChannel'],
  ['Codes by voice call', 'voiceOtpPath'],
  ['Verifying codes made by the provider', 'tokenVerifyPath'],
] as const satisfies readonly (readonly [string, keyof Dialect])[];

function featuresOf(settings: FeatureSettings): Markup[] {
  const { currency, optOutLinks, reports } = settings;
  return [
    ...profileFeatures.map(([name, field]) =>
      field === 'currency' && currency !== undefined
        ? mrkdwn`${stateIcons.done} *${name}*: ${currency}`
        : featureLine(name, settings[field] !== undefined, field),
    ),
    featureLine('Opt-out links in campaigns', optOutLinks),
    featureLine('Delivery reports', reports, 'reportSignature'),
    featureLine('Replies', reports, 'reportSignature'),
  ];
}

/** `field`: that of the profile which switches the feature on. */
function featureLine(name: string, isOn: boolean, field?: string): Markup {
  if (isOn) {
    return mrkdwn`${stateIcons.done} *${name}*`;
  }
  return field === undefined
    ? mrkdwn`${stateIcons.off} *${name}*: off`
    : mrkdwn`${stateIcons.off} *${name}*: off, \`${field}\` is not set`;
}
