import { readRoute } from '../../../domain/messages/routes.ts';
import { readSenderId } from '../../../domain/messages/sender-id.ts';
import { isCountry } from '../../../domain/phone/countries.ts';
import { countryAction, countryOptions } from '../../block-kit/country.ts';
import { senderIdAction, senderIdOptions } from '../../block-kit/sender-id.ts';
import { type Markup, mrkdwn } from '../../block-kit/text.ts';
import type { ActionCall, CommandCall, Listening } from '../../middleware/calls.ts';
import type { Tools } from '../../middleware/context.ts';
import { Refusal } from '../../middleware/errors.ts';
import { adminsOnly } from '../../middleware/require-admin.ts';
import { connectAction } from '../../middleware/require-connection.ts';
import { restoredRemark } from '../../notifier/restored-notices.ts';
import {
  connectCallback,
  connectView,
  disconnectAction,
  openSettingsAction,
  settingsCallback,
  settingsHelp,
  settingsView,
  statusMessage,
  tryingView,
} from './views.ts';

/** `/switchboard`: the provider key and the workspace's defaults. For its admins; others may look. */
export function listenToSettings(listening: Listening, { services, commandPrefix, clock }: Tools): void {
  const { workspaces, senderIds } = services;

  async function currentView(workspaceId: string, news?: Markup) {
    const [connection, defaults] = await Promise.all([
      workspaces.connection(workspaceId),
      workspaces.defaults(workspaceId),
    ]);
    return settingsView(connection, defaults, news ?? restoredRemark(services.restoredAt, clock()));
  }

  async function handle(call: CommandCall): Promise<void> {
    const { workspaceId, role } = call.asker;
    const connection = await workspaces.connection(workspaceId);
    if (role !== 'admin') {
      await call.reply(statusMessage(connection));
    } else if (connection === undefined || call.text.trim().toLowerCase() === 'connect') {
      await call.open(connectView());
    } else {
      await call.open(await currentView(workspaceId));
    }
  }

  listening.command('switchboard', handle, () => settingsHelp(commandPrefix));

  listening.action(connectAction, async (call: ActionCall) => {
    adminsOnly(call.asker);
    await (call.view?.replace(connectView()) ?? call.open(connectView()));
  });

  listening.action(openSettingsAction, async (call: ActionCall) => {
    adminsOnly(call.asker);
    await call.open(await currentView(call.asker.workspaceId));
  });

  listening.action(disconnectAction, async (call: ActionCall) => {
    adminsOnly(call.asker);
    await workspaces.disconnect(call.asker.workspaceId);
    await call.view?.replace(await currentView(call.asker.workspaceId));
  });

  listening.submission(connectCallback, async ({ asker, values, soon }) => {
    adminsOnly(asker);
    const { workspaceId, personId } = asker;
    const trying = workspaces.connect(workspaceId, values.key?.text ?? '', personId);
    const settle = async () => {
      const answer = await trying;
      if (answer.kind !== 'connected') {
        return { problem: answer.problem };
      }
      const news = mrkdwn`:tada: *Ready.* Type \`/${commandPrefix}sms\` to send the first message.`;
      return { view: await currentView(workspaceId, news) };
    };
    const settled = settle();
    const early = await soon(settled);
    if (early === undefined) {
      return {
        view: tryingView(),
        secrets: ['key'],
        afterwards: async () => {
          const late = await settled;
          if (late.view === undefined) {
            throw new Refusal(mrkdwn`${late.problem}`);
          }
          return late.view;
        },
      };
    }
    return early.view === undefined ? { errors: { key: early.problem } } : { view: early.view };
  });

  listening.submission(settingsCallback, async ({ asker, values }) => {
    adminsOnly(asker);
    const route = readRoute(values.route?.text);
    const country = values.country?.text ?? '';
    const typed = values.sender_id?.text?.trim() ?? '';
    const sender = typed === '' || route === 'chatapp' ? undefined : readSenderId(typed);
    if (route === undefined || !isCountry(country) || sender?.ok === false) {
      return {
        errors: {
          ...(route === undefined ? { route: 'Choose a route.' } : {}),
          ...(isCountry(country) ? {} : { country: 'Choose a country.' }),
          ...(sender?.ok === false ? { sender_id: sender.reason } : {}),
        },
      };
    }
    const emailConfigurationId = values.email_configuration?.text?.trim() ?? '';
    await workspaces.saveDefaults(asker.workspaceId, {
      country,
      route,
      ...(emailConfigurationId === '' ? {} : { emailConfigurationId }),
      ...(typed === '' ? {} : { senderId: typed }),
    });
    return { view: await currentView(asker.workspaceId, mrkdwn`:white_check_mark: Saved.`) };
  });

  listening.options(senderIdAction, async ({ asker, query }) => {
    const { names, note } = await senderIds.active(asker.workspaceId);
    return { options: senderIdOptions(names, query), ...(note === undefined ? {} : { note }) };
  });

  listening.options(countryAction, async ({ query }) => ({ options: countryOptions(query) }));
}
