import type {
  AllMiddlewareArgs,
  App,
  BlockAction,
  MessageShortcut,
  SlackActionMiddlewareArgs,
  SlackCommandMiddlewareArgs,
  SlackOptionsMiddlewareArgs,
  SlackShortcutMiddlewareArgs,
  SlackViewMiddlewareArgs,
  ViewClosedAction,
  ViewSubmitAction,
} from '@slack/bolt';
import type { Log } from '../../../lib/log.ts';
import { type RequestOrigin, withOrigin } from '../../../lib/request-origin.ts';
import type { Stopwatch } from '../../../lib/time/clock.ts';
import { traced } from '../../../lib/tracing/tracing.ts';
import { readMenuOption } from '../../block-kit/build.ts';

type Listener<Args> = (args: Args & AllMiddlewareArgs) => Promise<void>;

/**
 * Registers one listener of each kind with Bolt, which looks up the feature's own by name. Bolt runs every registered
 * listener's matcher on every request, of any kind: with fifty listeners that takes longer than the rest of an
 * acknowledgement.
 */
export function createDispatch(app: App, observe: ObserveRequest) {
  const byName = createByName(observe);
  const commands = byName<SlackCommandMiddlewareArgs>(
    'command',
    ({ command }) => command.command,
    ({ command }) => ({
      surface: 'command',
      userId: readId(command.user_id),
      channelId: readId(command.channel_id),
    }),
  );
  const actions = byName<SlackActionMiddlewareArgs<BlockAction>>(
    'action',
    ({ action }) =>
      action.type === 'overflow'
        ? readMenuOption(action.selected_option?.value ?? '').actionId
        : action.action_id,
    ({ body }) => originOfAction(body),
  );
  const options = byName<SlackOptionsMiddlewareArgs<'block_suggestion'>>(
    'options',
    ({ options }) => options.action_id,
    ({ body }) => ({ surface: 'options', userId: readId(body.user?.id) }),
  );
  const submissions = byName<SlackViewMiddlewareArgs<ViewSubmitAction>>(
    'submission',
    ({ view }) => view.callback_id,
    ({ body }) => ({ surface: 'modal', userId: readId(body.user?.id) }),
  );
  const closed = byName<SlackViewMiddlewareArgs<ViewClosedAction>>(
    'closed',
    ({ view }) => view.callback_id,
    ({ body }) => ({ surface: 'modal', userId: readId(body.user?.id) }),
  );
  const shortcuts = byName<SlackShortcutMiddlewareArgs<MessageShortcut>>(
    'shortcut',
    ({ shortcut }) => shortcut.callback_id,
    ({ shortcut: { user, channel } }) => ({
      surface: 'shortcut',
      userId: readId(user?.id),
      channelId: readId(channel?.id),
    }),
  );

  app.command(/^\//, commands.handle);
  app.action<BlockAction>({ type: 'block_actions' }, actions.handle);
  app.options<'block_suggestion'>({ type: 'block_suggestion' }, options.handle);
  app.view<ViewSubmitAction>({ type: 'view_submission' }, submissions.handle);
  app.view<ViewClosedAction>({ type: 'view_closed' }, closed.handle);
  app.shortcut<MessageShortcut>({ type: 'message_action' }, shortcuts.handle);

  return {
    command: commands.add,
    action: actions.add,
    options: options.add,
    submission: submissions.add,
    closed: closed.add,
    shortcut: shortcuts.add,
  };
}

/** A button is in a modal, in the Home or in a message, which is in a channel. */
function originOfAction({ user, view, channel }: BlockAction): RequestOrigin {
  const userId = readId(user?.id);
  if (view === undefined) {
    return { surface: 'button', userId, channelId: readId(channel?.id) };
  }
  return { surface: view.type === 'home' ? 'home' : 'modal', userId };
}

/** In characters: an id of Slack's is shorter. */
const maxIdLength = 32;

/** A request can lack what its type says it has. */
function readId(id: unknown): string | undefined {
  return typeof id === 'string' ? id.slice(0, maxIdLength) : undefined;
}

/** Calls each listener with the origin of its request, see `currentOrigin`. */
function createByName(observe: ObserveRequest) {
  return <Args>(
    kind: Parameters<ObserveRequest>[0]['kind'],
    nameOf: (args: Args) => string,
    originOf: (args: Args) => RequestOrigin,
  ) => {
    const listeners = new Map<string, Listener<Args>>();
    return {
      add(name: string, listener: Listener<Args>): void {
        if (listeners.has(name)) {
          throw new Error(`${name} has a listener already`);
        }
        listeners.set(name, listener);
      },
      async handle(args: Args & AllMiddlewareArgs): Promise<void> {
        const name = nameOf(args);
        const listener = listeners.get(name);
        if (listener !== undefined) {
          await withOrigin(originOf(args), () => observe({ kind, name }, () => listener(args)));
        }
      },
    };
  };
}

export type RequestKind =
  | 'command'
  | 'submission'
  | 'action'
  | 'options'
  | 'shortcut'
  | 'home'
  | 'closed'
  | 'tool';

/** Calls `work`, which handles a request of Slack. `name` is its listener's. */
export type ObserveRequest = (
  request: { kind: RequestKind; name: string },
  work: () => Promise<void>,
) => Promise<void>;

/** Each request of Slack is a step of a trace, and a line of the log once it is handled, work in the background included. */
export function observeRequests({ log, elapsed }: { log: Log; elapsed: Stopwatch }): ObserveRequest {
  return ({ kind, name }, work) =>
    traced({ name: `${kind} ${name}`, kind: 'server', attributes: { 'slack.request': kind } }, async () => {
      const from = elapsed();
      try {
        await work();
      } finally {
        log.info({ kind, name, ms: Math.round(elapsed() - from) }, 'a request was handled');
      }
    });
}
