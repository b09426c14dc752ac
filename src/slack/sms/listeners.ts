import type { Listening } from '../listening/calls.ts';
import type { Tools } from '../tools.ts';
import { listenToComposing } from './compose-listeners.ts';
import { listenToReviewing } from './review-listeners.ts';
import { listenToSendTo } from './shortcut-listeners.ts';

/** Everything of `/sms`. */
export function listenToSms(listening: Listening, tools: Tools): void {
  listenToComposing(listening, tools);
  listenToReviewing(listening, tools);
  listenToSendTo(listening, tools);
}
