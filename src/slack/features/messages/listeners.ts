import type { Listening } from '../../middleware/calls.ts';
import type { Tools } from '../../middleware/context.ts';
import { listenToComposing } from './compose-listeners.ts';
import { listenToReviewing } from './review-listeners.ts';
import { listenToSendTo } from './shortcut-listeners.ts';

/** Everything of `/sms`. */
export function listenToSms(listening: Listening, tools: Tools): void {
  listenToComposing(listening, tools);
  listenToReviewing(listening, tools);
  listenToSendTo(listening, tools);
}
