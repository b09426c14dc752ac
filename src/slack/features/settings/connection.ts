import type { KnownBlock, ModalView } from '@slack/types';
import { LRUCache } from 'lru-cache';
import { workspaceKey } from '../../../lib/workspace-caches.ts';
import type { Connection } from '../../../services/workspaces/workspaces.ts';
import { actions, button, confirmDialog, loadingView, section } from '../../block-kit/build.ts';
import { describeConnection } from '../../block-kit/descriptions/workspace.ts';
import { type Markup, mrkdwn } from '../../block-kit/text.ts';
import { textField } from '../../kit/fields.ts';
import { defineForm } from '../../kit/form.ts';
import type { AppContext } from '../../middleware/app-context.ts';
import { connectAction, connectedMessage, replaceKey } from '../../middleware/not-performed.ts';
import type { User } from '../../middleware/requests.ts';
import type { Router } from '../../middleware/router/router.ts';

export const disconnectAction = 'switchboard_disconnect';

type SettingsView = (user: User, feedback?: Markup) => Promise<ModalView>;

/** Registers the provider’s key: its form, which this returns, and what removes it. `settingsView` is shown afterwards. */
export function registerConnection(router: Router, context: AppContext, settingsView: SettingsView) {
  const { workspaces } = context.services;
  const { refreshHome } = context.navigation;
  const waiting = createWaitingMessages(context);
  const form = createKeyForm(
    context,
    async (user) => {
      await Promise.all([waiting.connected(user), refreshHome(user)]);
      return undefined;
    },
    settingsView,
  );
  form.register(router);

  router.action(connectAction, 'administer', async ({ user, value, channelId, replaceMessage, show }) => {
    const connection = await workspaces.connection(user.workspaceId);
    const connected = () => replaceMessage(connectedMessage(context.settings, value));
    if (connection === undefined || value === replaceKey) {
      waiting.add(user, channelId === undefined ? undefined : connected);
      await show(await form.view(user, undefined));
    } else if (channelId !== undefined) {
      await connected();
    } else {
      await show(await settingsView(user));
      await refreshHome(user);
    }
  });
  router.action(disconnectAction, 'administer', async ({ user, view }) => {
    await workspaces.disconnect(user.workspaceId);
    await view?.replace(await settingsView(user));
    await refreshHome(user);
  });
  return form;
}

/** In milliseconds. Slack accepts answers to a click for this long. */
const waitsFor = 30 * 60_000;
const maxWaiting = 1_000;

/**
 * The message whose *Connect* each admin pressed last, which says so once the provider is connected. Where that happens on
 * another instance, the message says so when *Connect* is pressed in it again.
 */
function createWaitingMessages({ caches, log }: Pick<AppContext, 'caches' | 'log'>) {
  const waiting = new LRUCache<string, () => Promise<void>>({ max: maxWaiting, ttl: waitsFor });
  caches.add(waiting);
  const keyOf = ({ workspaceId, userId }: User) => workspaceKey(workspaceId, userId);
  return {
    add(user: User, showConnected: (() => Promise<void>) | undefined): void {
      if (showConnected !== undefined) {
        waiting.set(keyOf(user), showConnected);
      }
    },
    async connected(user: User): Promise<void> {
      const showConnected = waiting.get(keyOf(user));
      waiting.delete(keyOf(user));
      await showConnected?.().catch((error: unknown) =>
        log.warn({ err: error }, 'a message could not be updated to say that the provider is connected'),
      );
    },
  };
}

function createKeyForm(
  { services, settings }: AppContext,
  connected: (user: User) => Promise<undefined>,
  settingsView: SettingsView,
) {
  const title = 'Provider connection';
  return defineForm({
    id: 'switchboard_key',
    title,
    submit: 'Connect',
    needs: 'administer',
    fields: {
      key: textField('API key', {
        max: 512,
        focus: true,
        secret: true,
        hint: 'From the provider’s dashboard. We test it, store it encrypted, and never show it again.',
      }),
    },
    slow: { loading: loadingView(title, 'Testing the key with the provider…') },
    async submitted({ user, form: { key } }) {
      const result = await services.workspaces.connect(user.workspaceId, key, user.userId);
      if (result.kind !== 'connected') {
        return { faults: { key: result.problem } };
      }
      const left = await services.setup.left(user.workspaceId);
      const next = left === undefined ? '' : ' Switchboard’s Home shows what’s left to set up.';
      const feedback = mrkdwn`:tada: *Ready.* Type \`/${settings.commandPrefix}sms\` to send the first message.${next}`;
      return { view: await settingsView(user, feedback), background: () => connected(user) };
    },
  });
}

export function connectionBlocks(connection: Connection | undefined): KnownBlock[] {
  const disconnect = confirmDialog({
    title: 'Disconnect?',
    text: 'The key is deleted here. Nobody can send until a key is connected again.',
    yes: 'Disconnect',
    no: 'Keep the key',
    danger: true,
  });
  const buttons =
    connection === undefined
      ? [button(connectAction, 'Connect', { style: 'primary' })]
      : [
          button(connectAction, 'Replace key', { value: replaceKey }),
          button(disconnectAction, 'Disconnect', { confirm: disconnect }),
        ];
  return [section(describeConnection(connection)), actions('connection', ...buttons)];
}
