import { idempotencyKey } from '../../../domain/access/request-keys.ts';
import { routeForAll } from '../../../domain/messages/routes.ts';
import type { CheckedNumber } from '../../../services/numbers/number-lookup.ts';
import { actions, button, present, section } from '../../block-kit/build.ts';
import { limits } from '../../block-kit/limits.ts';
import { message, type SlackMessage } from '../../block-kit/message.ts';
import { mrkdwn } from '../../block-kit/text.ts';
import type { AppContext } from '../../middleware/app-context.ts';
import { UserError } from '../../middleware/errors.ts';
import type { Router } from '../../middleware/router/router.ts';
import type { Viewer } from '../../navigation/navigation.ts';

/** *New message* under a lookup, *Send SMS* under a Do-Not-Disturb check. Its value is the id of a draft. */
export const sendToAction = 'dnd_send_sms';

export function registerSendTo(router: Router, { services, navigation }: AppContext): void {
  router.action(sendToAction, 'send', async ({ user, value, requestId, channelId, push }) => {
    const { workspaceId, userId } = user;
    const { draft } = await services.messages.find(workspaceId, value, userId);
    if (draft === undefined) {
      throw new UserError(mrkdwn`This result is too old. Check the number again.`);
    }
    const { recipients, route } = draft.content;
    const opening = { draftId: idempotencyKey(workspaceId, requestId), origin: channelId };
    await push(await navigation.messageForm(user, { recipients: recipients.join('\n'), route }, opening));
  });
}

/** Keeps the draft that *Send SMS* opens: to the numbers, on the user's route where that reaches all of them. */
export async function saveMessageDraft(
  { services: { workspaces, messages }, time }: Pick<AppContext, 'services' | 'time'>,
  { workspaceId, userId }: Pick<Viewer, 'workspaceId' | 'userId'>,
  draftId: string,
  numbers: readonly CheckedNumber[],
): Promise<void> {
  const [defaults, last] = await Promise.all([
    workspaces.defaults(workspaceId),
    workspaces.preferences(workspaceId, userId),
  ]);
  await messages.save(workspaceId, draftId, userId, {
    recipients: numbers.map(({ number }) => number),
    route: routeForAll(numbers, { workspaceRoute: last.route ?? defaults.route, now: time.now() }),
    text: '',
    senderId: last.senderId ?? defaults.senderId,
  });
}

/** What is wrong with the text of a command. *Edit* has the text as its value, unless Slack allows no value that long. */
export function correctionMessage(fault: string, editAction: string, typed: string): SlackMessage {
  const text = mrkdwn`${fault}`;
  const edit = button(editAction, 'Edit', { value: typed, style: 'primary' });
  return message(text, [
    section(text),
    ...present(typed.length <= limits.buttonValue && actions('correction', edit)),
  ]);
}
