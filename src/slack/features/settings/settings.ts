import type { KnownBlock, ModalView } from '@slack/types';
import { routeTitles } from '../../../domain/messages/routes.ts';
import { readSenderId } from '../../../domain/messages/sender-id.ts';
import { isCountry } from '../../../domain/phone/countries.ts';
import type { Dialect } from '../../../provider/dialect.ts';
import { banner, context as contextBlock, divider, header, notice, section } from '../../block-kit/build.ts';
import { describeConnection } from '../../block-kit/descriptions/workspace.ts';
import { phoneCountryAction, phoneCountryOptions } from '../../block-kit/inputs/countries.ts';
import { senderIdActions, senderIdOptions } from '../../block-kit/inputs/selects.ts';
import { message } from '../../block-kit/message.ts';
import { stateIcons } from '../../block-kit/state-icons.ts';
import { type Markup, mrkdwn } from '../../block-kit/text.ts';
import type { MissingGrant } from '../../client/granted-scopes.ts';
import { defineCommand } from '../../kit/command.ts';
import { choiceField, countryField, senderField, tickField } from '../../kit/fields.ts';
import { defineSettings } from '../../kit/settings.ts';
import type { AppContext } from '../../middleware/app-context.ts';
import { describeReinstall, describeScopes, findMissingGrant } from '../../middleware/missing-grant.ts';
import type { CommandRequest, User } from '../../middleware/requests.ts';
import type { Router } from '../../middleware/router/router.ts';
import { openActions } from '../../navigation/open-actions.ts';
import { restoredRemark } from '../../notifier/restored-notices.ts';
import { connectionBlocks, registerConnection } from './connection.ts';
import { registerCodeDefaults, registerDeliveryChecks } from './sending.ts';
import { readSettingsSummary, summaryBlocks } from './summary.ts';

/** `/switchboard`: the provider key and the defaults of the workspace. Only admins may change them. */
export function registerSettings(router: Router, context: AppContext): void {
  const { senderIds } = context.services;
  const keyForm = registerConnection(router, context, (user, feedback) =>
    settingsView(context, user, feedback),
  );

  createCommand(context, (user) => keyForm.view(user, undefined)).register(router);
  createDefaultsForm(context).register(router);
  registerCodeDefaults(router, context);
  registerDeliveryChecks(router, context);

  router.action(openActions.settings, 'administer', async ({ user, open }) => {
    await open(await settingsView(context, user));
  });
  // The options of sender ID and country selects in every form.
  for (const action of Object.values(senderIdActions)) {
    router.options(action, 'look_up', async ({ user, query }) => {
      const { names, note } = await senderIds.choices(user.workspaceId);
      return { options: senderIdOptions(names, query), ...(note === undefined ? {} : { note }) };
    });
  }
  router.options(phoneCountryAction, 'use', async ({ query }) => ({ options: phoneCountryOptions(query) }));
}

function createCommand(context: AppContext, keyView: (user: User) => Promise<ModalView>) {
  async function answer({ user, reply, open }: CommandRequest, asksToConnect: boolean): Promise<void> {
    const connection = await context.services.workspaces.connection(user.workspaceId);
    if (!user.permissions.has('administer')) {
      const state =
        connection === undefined ? describeConnection(undefined) : mrkdwn`${stateIcons.done} *Connected*`;
      const whoCan = mrkdwn`Only admins of this workspace can change the settings.`;
      await reply(message(state, [section(state), contextBlock(whoCan)]));
      return;
    }
    const asksForKey = asksToConnect || connection === undefined;
    await open(await (asksForKey ? keyView(user) : settingsView(context, user)));
  }

  return defineCommand(context, {
    name: 'switchboard',
    title: 'How to set up Switchboard',
    purpose: mrkdwn`*Connect this workspace to the provider*, and set its defaults.`,
    note: mrkdwn`Admins can change the settings, and decide who gets which role.`,
    words: {
      connect: {
        needs: 'administer',
        help: (name) => mrkdwn`\`${name} connect\` asks for the provider’s API key.`,
        run: (call) => answer(call, true),
      },
    },
    otherwise: {
      needs: 'use',
      help: (name) => [
        mrkdwn`\`${name}\` opens the settings: connection, defaults, features.`,
        mrkdwn`Every command has help: \`/${context.settings.commandPrefix}sms help\`.`,
      ],
      accepts: (text) => text === '',
      run: (call) => answer(call, false),
    },
  });
}

const defaultFields = {
  senderId: senderField({ optional: true }),
  route: choiceField('Route', routeTitles, { first: 'dnd' }),
  country: countryField('Used for numbers without a country code: 0803… in Nigeria is +234803…'),
  esimPurchases: tickField('eSIM purchases', 'Allow buyers to create and top up eSIMs'),
};

/** What an admin can open, and which features are on. `feedback`: the outcome of the last action. */
async function settingsView(
  context: AppContext,
  { workspaceId }: User,
  feedback?: Markup,
): Promise<ModalView> {
  const { services, time } = context;
  const [connection, summary, missing] = await Promise.all([
    services.workspaces.connection(workspaceId),
    readSettingsSummary(services, workspaceId),
    findMissingGrant(context, workspaceId),
  ]);
  const now = time.now();
  return notice(
    'Switchboard',
    ...banner(feedback ?? restoredRemark(services.restoredAt, now)),
    ...summaryBlocks(summary, connectionBlocks(connection), {
      isConnected: connection !== undefined,
      reportsAreOn: services.reports.isOn,
      now,
    }),
    ...featureBlocks(context),
    ...missingBlocks(missing),
  );
}

/** What forms begin with, and how numbers without a country code are read. */
function createDefaultsForm(context: AppContext) {
  const { workspaces, senderIds } = context.services;
  return defineSettings(context, {
    id: 'switchboard_settings',
    opens: openActions.defaults,
    page: (user, feedback) => settingsView(context, user, feedback),
    title: 'Defaults',
    change: { action: 'settings.change', subject: 'defaults' },
    fields: defaultFields,
    load: async (workspaceId) => ({ defaults: await workspaces.defaults(workspaceId) }),
    first: ({ defaults }) => ({ ...defaults }),
    async save({ workspaceId }, { senderId: typed = '', route, country, esimPurchases }) {
      const senderId = typed.trim();
      const active = await senderIds.activeFor(workspaceId, { route, senderId });
      const sender = senderId === '' || route === 'chatapp' ? undefined : readSenderId(senderId, active);
      if (!isCountry(country) || sender?.ok === false) {
        return {
          country: isCountry(country) ? undefined : 'Choose a country.',
          senderId: sender?.ok === false ? sender.reason : undefined,
        };
      }
      const defaults = { country, route, esimPurchases, ...(senderId === '' ? {} : { senderId }) };
      await workspaces.saveDefaults(workspaceId, defaults);
      return undefined;
    },
  });
}

/** The features that a field of the provider's profile switches on. */
const profileFeatures = [
  ['Emoji and all alphabets', 'unicodeType'],
  ['Deleting contacts', 'contactDeleteBy'],
  ['Currency of the balance', 'currency'],
  ['Choosing phonebooks from the provider’s list', 'phonebooksPath'],
  ['Asking the provider for the balance', 'balancePath'],
  ['Checking delivery status with the provider', 'historyPath'],
  ['Messages by chat app', 'chatChannel'],
  ['Codes by chat app', 'chatOtpChannel'],
  ['Codes by voice call', 'voiceOtpPath'],
  ['Verifying codes made by the provider', 'tokenVerifyPath'],
] as const satisfies readonly (readonly [string, keyof Dialect])[];

/** Which features are on, for admins. Of one that is off, the field of the profile that switches it on. */
function featureBlocks({ services: { dialect, optOutAddress, reports } }: AppContext): KnownBlock[] {
  const features = [
    ...profileFeatures.map(([name, field]) =>
      field === 'currency' && dialect.currency !== undefined
        ? mrkdwn`${stateIcons.done} *${name}*: ${dialect.currency}`
        : featureLine(name, dialect[field] !== undefined, field),
    ),
    featureLine('Opt-out links in campaigns', optOutAddress !== undefined),
    featureLine('Delivery reports', reports.isOn, 'reportSignature'),
    featureLine('Replies', reports.isOn, 'reportSignature'),
  ];
  return [
    divider(),
    header('Features'),
    section(mrkdwn`${features}`),
    contextBlock(mrkdwn`Your operator turns these on and off, most of them in the provider’s profile.`),
  ];
}

/** `field`: the field of the profile that switches the feature on. */
function featureLine(name: string, isOn: boolean, field?: string): Markup {
  if (isOn) {
    return mrkdwn`${stateIcons.done} *${name}*`;
  }
  return field === undefined
    ? mrkdwn`${stateIcons.off} *${name}*: off`
    : mrkdwn`${stateIcons.off} *${name}*: off, \`${field}\` is not set`;
}

/** What Slack does not let the app do. */
function missingBlocks(missing: MissingGrant | undefined): KnownBlock[] {
  if (missing === undefined || missing.optional.length === 0) {
    return [];
  }
  const lines = [
    mrkdwn`*Not allowed when Switchboard was installed:*`,
    ...describeScopes(missing.optional),
    describeReinstall(missing.installAddress),
  ];
  return [section(mrkdwn`${lines}`)];
}
