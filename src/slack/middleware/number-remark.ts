import { readNumber } from '../../domain/phone/read-number.ts';
import type { Workspaces } from '../../services/workspaces/workspaces.ts';
import { clampText } from '../block-kit/limits.ts';
import { mrkdwn } from '../block-kit/text.ts';
import { errorMessage } from './errors.ts';
import type { CommandRequest } from './requests.ts';

/** In characters, of the typed text. */
const maxShown = 60;

/**
 * Wraps the handler of a command whose form takes the number that was typed: once the form is open, the user is told why
 * that is no number.
 */
export function withNumberRemark(
  handle: (call: CommandRequest) => Promise<void>,
  workspaces: Pick<Workspaces, 'defaults'>,
): (call: CommandRequest) => Promise<void> {
  return async (call) => {
    const typed = call.text.trim();
    const { country } = await workspaces.defaults(call.user.workspaceId);
    const read = readNumber(typed, country);
    if (read.ok || !/^[+(]?\d/.test(typed)) {
      await handle(call);
      return;
    }
    const remark = errorMessage(mrkdwn`“${clampText(typed, maxShown)}” ${read.reason}.`);
    await handle({
      ...call,
      async open(view) {
        const replace = await call.open(view);
        await call.reply(remark);
        return replace;
      },
    });
  };
}
