import { maxRecipientsPerRequest } from '../../domain/messages/chunk-size.ts';
import type { PhoneNumber } from '../../domain/phone/phone-number.ts';
import { findNumbers } from '../../domain/phone/read-numbers.ts';
import { type Markup, mrkdwn } from '../block-kit/text.ts';
import type { AppContext } from './app-context.ts';
import { errorMessage } from './errors.ts';
import type { CommandRequest } from './requests.ts';

/** In characters. Only an app posts a longer message. */
const maxText = 20_000;

/**
 * Resolves with the numbers in the message that a shortcut was used on, at most as many as one SMS goes to; `note` says
 * where there are more, or may be. If the message has no number, tells the user and resolves with undefined.
 */
export async function numbersOfMessage(
  call: CommandRequest,
  { services }: AppContext,
): Promise<{ numbers: PhoneNumber[]; note?: Markup } | undefined> {
  const { country } = await services.workspaces.defaults(call.user.workspaceId);
  const found = findNumbers(call.text.slice(0, maxText), country);
  if (found.length === 0) {
    await call.reply(errorMessage(mrkdwn`No phone number in this message.`));
    return undefined;
  }
  const numbers = found.slice(0, maxRecipientsPerRequest);
  if (found.length > numbers.length) {
    const note = mrkdwn`These are the first ${numbers.length} of ${found.length} numbers in the message.`;
    return { numbers, note };
  }
  if (call.text.length > maxText) {
    return { numbers, note: mrkdwn`The message is very long. These are the numbers at the beginning.` };
  }
  const note = mrkdwn`Slack passes on only the beginning of a long file. Look for more numbers in the rest of it.`;
  return call.isCut === true ? { numbers, note } : { numbers };
}
