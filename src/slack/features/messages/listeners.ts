import type { Router } from '../../middleware/calls.ts';
import type { AppContext } from '../../middleware/context.ts';
import { registerMessageForm } from './compose-listeners.ts';
import { registerReview } from './review-listeners.ts';
import { registerSendTo } from './shortcut-listeners.ts';

/** Everything of `/sms`. */
export function registerSms(router: Router, context: AppContext): void {
  registerMessageForm(router, context);
  registerReview(router, context);
  registerSendTo(router, context);
}
