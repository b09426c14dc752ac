import type { AppContext } from '../../middleware/app-context.ts';
import type { Router } from '../../middleware/router/router.ts';
import { registerSmsCommand } from './command-listeners.ts';
import { registerMessageForm } from './compose-listeners.ts';
import { registerReview } from './review-listeners.ts';
import { registerSendTo } from './shortcut-listeners.ts';

/** Everything of `/sms`. */
export function registerSms(router: Router, context: AppContext): void {
  registerSmsCommand(router, context);
  registerMessageForm(router, context);
  registerReview(router, context);
  registerSendTo(router, context);
}
