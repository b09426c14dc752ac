import { formatNumber } from '../../rules/phone-number.ts';
import { troubleMessage } from '../errors.ts';
import type { Listening } from '../listening/calls.ts';
import { numbersOfMessage } from '../numbers-of-message.ts';
import { requestKey } from '../request-key.ts';
import type { Tools } from '../tools.ts';
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
