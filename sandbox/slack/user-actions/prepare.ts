import type { UserAction } from '../protocol.ts';
import type { SlackState } from '../slack.ts';
import { blockAction } from './actions/block-action.ts';
import { command } from './actions/command.ts';
import { homeAction } from './actions/home.ts';
import { messageAction } from './actions/message.ts';
import { options } from './actions/options.ts';
import { shortcut } from './actions/shortcut.ts';
import { close, fill, submit } from './actions/view.ts';
import type { Prepared } from './user-action.ts';

/** Does what Slack's client does of a deed, up to the request that the app gets. Throws DeedError. */
export function prepare(slack: SlackState, deed: UserAction): Prepared {
  switch (deed.do) {
    case 'command':
      return command(slack, deed);
    case 'message':
      return messageAction(slack, deed);
    case 'action':
      return blockAction(slack, deed);
    case 'fill':
      return fill(slack, deed);
    case 'submit':
      return submit(slack, deed);
    case 'close':
      return close(slack, deed);
    case 'options':
      return options(slack, deed);
    case 'shortcut':
      return shortcut(slack, deed);
    case 'home':
      return homeAction(slack, deed);
  }
}
