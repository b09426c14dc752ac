import type { KnownBlock, ModalView } from '@slack/types';
import { routes } from '../../../domain/messages/routes.ts';
import type { Dialect } from '../../../provider/dialect.ts';
import type { Defaults } from '../../../services/workspaces/workspace-settings.ts';
import type { Connection } from '../../../services/workspaces/workspaces.ts';
import {
  actions,
  banner,
  button,
  confirmDialog,
  context,
  divider,
  header,
  loadingView,
  modal,
  option,
  section,
} from '../../block-kit/build.ts';
import { describeConnection } from '../../block-kit/descriptions/workspace.ts';
import { phoneCountryInput } from '../../block-kit/inputs/countries.ts';
import { selectInput, textInput, tickInput } from '../../block-kit/inputs/fields.ts';
import { senderIdInput } from '../../block-kit/inputs/selects.ts';
import { helpMessage, message, type SlackMessage } from '../../block-kit/message.ts';
import { stateIcons } from '../../block-kit/state-icons.ts';
import { type Markup, mrkdwn } from '../../block-kit/text.ts';
import type { FormValues } from '../../block-kit/view-state.ts';
import type { MissingGrant } from '../../client/granted-scopes.ts';
import { describeReinstall, describeScopes } from '../../middleware/missing-grant.ts';
import { connectAction } from '../../middleware/not-performed.ts';
import { type SettingsSummary, summaryBlocks } from './summary.ts';

export const connectCallback = 'switchboard_key';
export const settingsCallback = 'switchboard_settings';
export const disconnectAction = 'switchboard_disconnect';

export function connectView(): ModalView {
  return modal({
    callbackId: connectCallback,
    title: 'Connect the provider',
    submit: 'Connect',
    close: 'Cancel',
    blocks: [
      textInput('key', 'API key', undefined, {
        maxLength: 512,
        focus: true,
        hint: 'From the provider’s dashboard. We test it, store it encrypted, and never show it again.',
      }),
    ],
  });
}

export function tryingKeyView(): ModalView {
  return loadingView('Connect the provider', 'Testing the key with the provider…');
}

interface SettingsContent {
  connection: Connection | undefined;
  defaults: Defaults;
  features: FeatureSettings;
  summary: SettingsSummary;
  now: Date;
}

/** The settings of the workspace, for an admin. `said` is what was just done, or what to know first. */
export function settingsView(
  { connection, defaults, features, summary, now }: SettingsContent,
  said?: Markup,
): ModalView {
  return modal({
    callbackId: settingsCallback,
    title: 'Switchboard',
    submit: 'Save',
    blocks: [
      ...banner(said),
      ...summaryBlocks(summary, {
        connection,
        connectionBlocks: connectionBlocks(connection),
        reports: features.reports,
        now,
      }),
      divider(),
      header('Defaults'),
      senderIdInput('senderId', defaults.senderId, true),
      selectInput('route', 'Route', routeOptions, { chosen: defaults.route }),
      phoneCountryInput(
        'country',
        defaults.country,
        'Used for numbers without a country code: 0803… in Nigeria is +234803…',
      ),
      tickInput(esimPurchasesBlock, 'eSIM purchases', [
        [option('People who may buy can create and top up eSIMs', 'on'), defaults.esimPurchases],
      ]),
      ...featureBlocks(features),
    ],
  });
}

const routeOptions = Object.entries(routes).map(([value, { title }]) => option(title, value));
const esimPurchasesBlock = 'esim_purchases';

export function readEsimPurchases(values: FormValues): boolean {
  return values[esimPurchasesBlock]?.ticked?.includes('on') === true;
}

function connectionBlocks(connection: Connection | undefined): KnownBlock[] {
  if (connection === undefined) {
    return [
      section(describeConnection(connection)),
      actions('connection', button(connectAction, 'Connect', { style: 'primary' })),
    ];
  }
  return [
    section(describeConnection(connection)),
    actions(
      'connection',
      button(connectAction, 'Replace key'),
      button(disconnectAction, 'Disconnect', {
        confirm: confirmDialog({
          title: 'Disconnect?',
          text: 'The key is deleted here. Nobody can send until a key is connected again.',
          yes: 'Disconnect',
          no: 'Keep the key',
          danger: true,
        }),
      }),
    ),
  ];
}

/** For a user who may not change the settings. */
export function settingsMessage(connection: Connection | undefined): SlackMessage {
  const state =
    connection === undefined ? describeConnection(undefined) : mrkdwn`${stateIcons.done} *Connected*`;
  return message(state, [
    section(state),
    context(mrkdwn`Only admins of this workspace can change the settings.`),
  ]);
}

export function settingsHelp(prefix: string): SlackMessage {
  const name = `/${prefix}switchboard`;
  return helpMessage(
    mrkdwn`How to set up Switchboard with ${name}`,
    mrkdwn`*Connect this workspace to the provider*, and set its defaults.`,
    [
      mrkdwn`\`${name}\` opens the settings: connection, defaults, features.`,
      mrkdwn`\`${name} connect\` asks for the provider’s API key.`,
      mrkdwn`Every command has a help: \`/${prefix}sms help\`.`,
    ],
    mrkdwn`Admins can change the settings, and give the roles that say who can do what.`,
  );
}

/** What features depend on: the provider's profile, the settings of the program, and what Slack lets it do. */
type FeatureSettings = Dialect & {
  optOutLinks: boolean;
  reports: boolean;
  missing: MissingGrant | undefined;
};

/** Which features are on, for admins. Of one that is off, the field of the profile that switches it on. */
function featureBlocks(settings: FeatureSettings): KnownBlock[] {
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
