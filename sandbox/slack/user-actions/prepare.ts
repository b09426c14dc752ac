import type { UserAction } from '../protocol.ts';
import type { SlackState } from '../slack.ts';
import { prepareBlockAction } from './actions/block-action.ts';
import { prepareCommand } from './actions/command.ts';
import { prepareHome } from './actions/home.ts';
import { prepareMessage } from './actions/message.ts';
import { prepareOptions } from './actions/options.ts';
import { prepareShortcut } from './actions/shortcut.ts';
import { prepareClose, prepareFill, prepareSubmit } from './actions/view.ts';
import type { PreparedAction } from './user-action.ts';
import { notDelivered } from './user-action.ts';

/**
 * Performs an action as Slack's client does, up to the request to the app. Slack sends none where the app is not installed.
 * Throws UserActionError.
 */
export function prepare(slack: SlackState, action: UserAction): PreparedAction {
  const prepared = prepareAction(slack, action);
  return 'request' in prepared && !slack.workspace.installation
    ? notDelivered('The app is not installed in this workspace.')
    : prepared;
}

function prepareAction(slack: SlackState, action: UserAction): PreparedAction {
  switch (action.do) {
    case 'command':
      return prepareCommand(slack, action);
    case 'message':
      return prepareMessage(slack, action);
    case 'action':
      return prepareBlockAction(slack, action);
    case 'fill':
      return prepareFill(slack, action);
    case 'submit':
      return prepareSubmit(slack, action);
    case 'close':
      return prepareClose(slack, action);
    case 'options':
      return prepareOptions(slack, action);
    case 'shortcut':
      return prepareShortcut(slack, action);
    case 'home':
      return prepareHome(slack, action);
  }
}
