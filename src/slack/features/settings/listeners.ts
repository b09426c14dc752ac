import { readRoute } from '../../../domain/messages/routes.ts';
import { readSenderId } from '../../../domain/messages/sender-id.ts';
import { isCountry } from '../../../domain/phone/countries.ts';
import { phoneCountryAction, phoneCountryOptions } from '../../block-kit/inputs/countries.ts';
import { senderIdAction, senderIdOptions } from '../../block-kit/inputs/selects.ts';
import { stateIcons } from '../../block-kit/state-icons.ts';
import { type Markup, mrkdwn } from '../../block-kit/text.ts';
import type { AppContext } from '../../middleware/app-context.ts';
import { answerWhenReady, type FormResult } from '../../middleware/forms/answer-when-ready.ts';
import { findMissingGrant } from '../../middleware/missing-grant.ts';
import { connectAction } from '../../middleware/not-performed.ts';
import type { CommandRequest, User } from '../../middleware/requests.ts';
import type { Router } from '../../middleware/router/router.ts';
import { openActions } from '../../navigation/open-actions.ts';
import { restoredRemark } from '../../notifier/restored-notices.ts';
import { registerCodeDefaults, registerDeliveryChecks } from './sending.ts';
import { readSettingsSummary } from './summary.ts';
import {
  connectCallback,
  connectView,
  disconnectAction,
  readEsimPurchases,
  settingsCallback,
  settingsHelp,
  settingsMessage,
  settingsView,
  tryingKeyView,
} from './views.ts';

/** `/switchboard`: the provider key and the defaults of the workspace. Only admins may change them. */
export function registerSettings(router: Router, context: AppContext): void {
  router.command(
    'switchboard',
    'use',
    (call) => onSettingsCommand(context, call),
    () => settingsHelp(context.settings.commandPrefix),
    { subcommands: ['connect', 'help'], accepts: () => false },
  );
  router.action(openActions.settings, 'administer', async ({ user, open }) => {
    await open(await currentView(context, user.workspaceId));
  });
  registerConnection(router, context);
  registerDefaults(router, context);
  registerCodeDefaults(router, context);
  registerDeliveryChecks(router, context);
  registerSelectOptions(router, context);
}

async function onSettingsCommand(context: AppContext, call: CommandRequest): Promise<void> {
  const { workspaceId, permissions } = call.user;
  const connection = await context.services.workspaces.connection(workspaceId);
  if (!permissions.has('administer')) {
    await call.reply(settingsMessage(connection));
  } else if (connection === undefined || call.text.trim().toLowerCase() === 'connect') {
    await call.open(connectView());
  } else {
    await call.open(await currentView(context, workspaceId));
  }
}

async function currentView(context: AppContext, workspaceId: string, banner?: Markup) {
  const { services, time } = context;
  const [connection, defaults, summary, missing] = await Promise.all([
    services.workspaces.connection(workspaceId),
    services.workspaces.defaults(workspaceId),
    readSettingsSummary(services, workspaceId),
    findMissingGrant(context, workspaceId),
  ]);
  return settingsView(
    {
      connection,
      defaults,
      summary,
      features: {
        ...services.dialect,
        optOutLinks: services.optOutAddress !== undefined,
        reports: services.reports.isOn,
        missing,
      },
      now: time.now(),
    },
    banner ?? restoredRemark(services.restoredAt, time.now()),
  );
}

function registerConnection(router: Router, context: AppContext): void {
  const { workspaces } = context.services;

  router.action(connectAction, 'administer', async ({ show }) => {
    await show(connectView());
  });

  router.action(disconnectAction, 'administer', async ({ user, view }) => {
    await workspaces.disconnect(user.workspaceId);
    await view?.replace(await currentView(context, user.workspaceId));
  });

  router.submission(connectCallback, 'administer', async ({ user, values, beforeAckDeadline }) => {
    return answerWhenReady(connect(context, user, values.key?.text ?? ''), {
      beforeAckDeadline,
      loading: tryingKeyView(),
      secrets: ['key'],
    });
  });
}

async function connect(context: AppContext, { workspaceId, userId }: User, key: string): Promise<FormResult> {
  const result = await context.services.workspaces.connect(workspaceId, key, userId);
  if (result.kind !== 'connected') {
    return { errors: { key: result.problem } };
  }
  const banner = mrkdwn`:tada: *Ready.* Type \`/${context.settings.commandPrefix}sms\` to send the first message.`;
  return { view: await currentView(context, workspaceId, banner) };
}

function registerDefaults(router: Router, context: AppContext): void {
  const { workspaces } = context.services;

  router.submission(settingsCallback, 'administer', async ({ user, values }) => {
    const route = readRoute(values.route?.text);
    const country = values.country?.text ?? '';
    const typed = values.senderId?.text?.trim() ?? '';
    const sender = typed === '' || route === 'chatapp' ? undefined : readSenderId(typed);
    if (route === undefined || !isCountry(country) || sender?.ok === false) {
      return {
        errors: {
          ...(route === undefined ? { route: 'Choose a route.' } : {}),
          ...(isCountry(country) ? {} : { country: 'Choose a country.' }),
          ...(sender?.ok === false ? { senderId: sender.reason } : {}),
        },
      };
    }
    await workspaces.saveDefaults(user.workspaceId, {
      country,
      route,
      ...(typed === '' ? {} : { senderId: typed }),
      esimPurchases: readEsimPurchases(values),
    });
    return { view: await currentView(context, user.workspaceId, mrkdwn`${stateIcons.done} Saved.`) };
  });
}

/** The options of the selects for sender IDs and countries, in every form that has one. */
function registerSelectOptions(router: Router, { services: { senderIds } }: AppContext): void {
  router.options(senderIdAction, 'look_up', async ({ user, query }) => {
    const { names, note } = await senderIds.choices(user.workspaceId);
    return { options: senderIdOptions(names, query), ...(note === undefined ? {} : { note }) };
  });

  router.options(phoneCountryAction, 'use', async ({ query }) => ({ options: phoneCountryOptions(query) }));
}
