import type { InputBlock, KnownBlock, ModalView } from '@slack/types';
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
  input,
  modal,
  option,
  section,
} from '../../block-kit/build.ts';
import { confirmDialog } from '../../block-kit/confirm-dialog.ts';
import { describeConnection } from '../../block-kit/descriptions/connection.ts';
import { phoneCountryInput } from '../../block-kit/inputs/phone-country-input.ts';
import { senderIdInput } from '../../block-kit/inputs/sender-id-input.ts';
import { loadingView } from '../../block-kit/loading-view.ts';
import { message, type SlackMessage } from '../../block-kit/message.ts';
import { stateIcons } from '../../block-kit/state-icons.ts';
import { type Markup, mrkdwn } from '../../block-kit/text.ts';
import type { FormValues } from '../../block-kit/view-state.ts';
import { connectAction } from '../../middleware/not-connected.ts';
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
      input(
        'key',
        'API key',
        { type: 'plain_text_input', action_id: 'key', focus_on_load: true, max_length: 512 },
        { hint: 'From the provider’s dashboard. We test it, store it encrypted, and never show it again.' },
      ),
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
  const routeOptions = Object.entries(routes).map(([value, { title }]) => option(title, value));
  const route = routeOptions.find(({ value }) => value === defaults.route);
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
      input('route', 'Route', {
        type: 'static_select',
        action_id: 'route',
        options: routeOptions,
        ...(route === undefined ? {} : { initial_option: route }),
      }),
      phoneCountryInput(
        'country',
        defaults.country,
        'Used for numbers without a country code: 0803… in Nigeria is +234803…',
      ),
      esimPurchasesInput(defaults.esimPurchases),
      ...featureBlocks(features),
    ],
  });
}

const esimPurchasesBlock = 'esim_purchases';
const purchasesOn = option('People who may buy can create and top up eSIMs', 'on');

function esimPurchasesInput(isOn: boolean): InputBlock {
  return input(
    esimPurchasesBlock,
    'eSIM purchases',
    {
      type: 'checkboxes',
      action_id: esimPurchasesBlock,
      options: [purchasesOn],
      ...(isOn ? { initial_options: [purchasesOn] } : {}),
    },
    { optional: true },
  );
}

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
