import { formatNumber } from '../../../domain/phone/phone-number.ts';
import type { Listening } from '../../middleware/calls.ts';
import type { Tools } from '../../middleware/context.ts';
import { troubleMessage } from '../../middleware/errors.ts';
import { requestKey } from '../../middleware/idempotency-key.ts';
import { numbersOfMessage } from '../numbers/numbers-of-message.ts';
import { composeView } from './compose-view.ts';

/** *Send SMS to…* in the menu of a message: the form, filled in with the numbers in it. */
export function listenToSendTo(listening: Listening, tools: Tools): void {
  listening.shortcut('send_sms_to', async (call) => {
    const found = await numbersOfMessage(call, tools);
    if (found === undefined) {
      return;
    }
    const { workspaceId } = call.asker;
    const { senderId, route } = await tools.services.workspaces.defaults(workspaceId);
    const form = {
      recipients: found.numbers.map(formatNumber).join('\n'),
      senderId,
      route,
      text: '',
      place: { inChannel: false, channelId: call.channelId },
    };
    const draftId = requestKey(workspaceId, call.requestId);
    await call.open(composeView(form, { draftId, origin: call.channelId }));
    if (found.note !== undefined) {
      await call.reply(troubleMessage(found.note));
    }
  });
}
