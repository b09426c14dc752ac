import type { Deed } from '../protocol.ts';
import type { Slack } from '../slack.ts';
import { action } from './action.ts';
import { command } from './command.ts';
import type { Prepared } from './deed.ts';
import { home } from './home.ts';
import { message } from './message.ts';
import { options } from './options.ts';
import { shortcut } from './shortcut.ts';
import { close, fill, submit } from './view.ts';

/** Does what Slack's client does of a deed, up to the request that the app gets. Throws DeedError. */
export function prepare(slack: Slack, deed: Deed): Prepared {
  switch (deed.do) {
    case 'command':
      return command(slack, deed);
    case 'message':
      return message(slack, deed);
    case 'action':
      return action(slack, deed);
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
      return home(slack, deed);
  }
}
