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

type Listener<Args> = (args: Args & AllMiddlewareArgs) => Promise<void>;

/** The listeners by name: one for each. */
export interface Dispatch {
  command(command: string, listener: Listener<SlackCommandMiddlewareArgs>): void;
  action(actionId: string, listener: Listener<SlackActionMiddlewareArgs<BlockAction>>): void;
  options(actionId: string, listener: Listener<SlackOptionsMiddlewareArgs<'block_suggestion'>>): void;
  submission(callbackId: string, listener: Listener<SlackViewMiddlewareArgs<ViewSubmitAction>>): void;
  closed(callbackId: string, listener: Listener<SlackViewMiddlewareArgs<ViewClosedAction>>): void;
  shortcut(callbackId: string, listener: Listener<SlackShortcutMiddlewareArgs<MessageShortcut>>): void;
}

/**
 * Registers one listener of each kind with Bolt, which looks up the feature's own by name. Bolt runs every registered
 * listener's matcher on every request, of any kind: with fifty listeners that takes longer than the rest of an
 * acknowledgement.
 */
export function createDispatch(app: App): Dispatch {
  const commands = byName<SlackCommandMiddlewareArgs>(({ command }) => command.command);
  const actions = byName<SlackActionMiddlewareArgs<BlockAction>>(({ action }) => action.action_id);
  const options = byName<SlackOptionsMiddlewareArgs<'block_suggestion'>>(({ options }) => options.action_id);
  const submissions = byName<SlackViewMiddlewareArgs<ViewSubmitAction>>(({ view }) => view.callback_id);
  const closed = byName<SlackViewMiddlewareArgs<ViewClosedAction>>(({ view }) => view.callback_id);
  const shortcuts = byName<SlackShortcutMiddlewareArgs<MessageShortcut>>(
    ({ shortcut }) => shortcut.callback_id,
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

function byName<Args>(nameOf: (args: Args) => string) {
  const listeners = new Map<string, Listener<Args>>();
  return {
    add(name: string, listener: Listener<Args>): void {
      if (listeners.has(name)) {
        throw new Error(`${name} has a listener already`);
      }
      listeners.set(name, listener);
    },
    async handle(args: Args & AllMiddlewareArgs): Promise<void> {
      await listeners.get(nameOf(args))?.(args);
    },
  };
}
