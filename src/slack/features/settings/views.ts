import type { KnownBlock, ModalView } from '@slack/types';
import { routes } from '../../../domain/messages/routes.ts';
import type { Connection } from '../../../services/workspaces/connections.ts';
import type { Defaults } from '../../../services/workspaces/workspace-settings.ts';
import {
  actions,
  banner,
  button,
  context,
  divider,
  header,
  modal,
  option,
  section,
} from '../../block-kit/build.ts';
import { confirmDialog } from '../../block-kit/confirm-dialog.ts';
import { describeConnection } from '../../block-kit/descriptions/connection.ts';
import { selectInput, textInput, tickInput } from '../../block-kit/inputs/fields.ts';
import { phoneCountryInput } from '../../block-kit/inputs/phone-country-input.ts';
import { senderIdInput } from '../../block-kit/inputs/sender-id-input.ts';
import { loadingView } from '../../block-kit/loading-view.ts';
import { message, type SlackMessage } from '../../block-kit/message.ts';
import { stateIcons } from '../../block-kit/state-icons.ts';
import { type Markup, mrkdwn } from '../../block-kit/text.ts';
import type { FormValues } from '../../block-kit/view-state.ts';
import { connectAction } from '../../middleware/not-performed.ts';
import { type FeatureSettings, featureBlocks } from './feature-blocks.ts';
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

export interface SettingsContent {
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
  return message(mrkdwn`How to set up Switchboard with ${name}`, [
    section(mrkdwn`*Connect this workspace to the provider*, and set its defaults.`),
    section(
      mrkdwn`${[
        mrkdwn`\`${name}\` opens the settings: connection, defaults, features.`,
        mrkdwn`\`${name} connect\` asks for the provider’s API key.`,
        mrkdwn`Every command has a help: \`/${prefix}sms help\`.`,
      ]}`,
    ),
    context(mrkdwn`Admins can change the settings, and give the roles that say who can do what.`),
  ]);
}
