import { idempotencyKey } from '../../../domain/access/request-keys.ts';
import { formatNumber } from '../../../domain/phone/phone-number.ts';
import type { AppContext } from '../../middleware/app-context.ts';
import { errorMessage } from '../../middleware/errors.ts';
import { numbersOfMessage } from '../../middleware/numbers-of-message.ts';
import type { Router } from '../../middleware/router/router.ts';

/** *Send SMS to…* in the menu of a message: the form, prefilled with the numbers in the message. */
export function registerSendTo(router: Router, context: AppContext): void {
  router.shortcut('send_sms_to', 'send', async (call) => {
    const found = await numbersOfMessage(call, context);
    if (found === undefined) {
      return;
    }
    const { workspaceId } = call.user;
    const recipients = found.numbers.map(formatNumber).join('\n');
    const draftId = idempotencyKey(workspaceId, call.requestId);
    const opening = { draftId, origin: call.channelId };
    await call.open(await context.navigation.messageForm(call.user, { recipients }, opening));
    if (found.note !== undefined) {
      await call.reply(errorMessage(found.note));
    }
  });
}
