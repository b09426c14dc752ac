import type { AppContext } from '../middleware/app-context.ts';
import type { Router } from '../middleware/router/router.ts';
import type { OutcomeRenderers } from '../notifier/outcome-notifier.ts';
import { registerCampaigns } from './campaigns/listeners.ts';
import { testRenderer } from './campaigns/preflight-views.ts';
import { registerContacts } from './contacts/listeners.ts';
import { contactRenderers } from './contacts/outcome-view.ts';
import { registerEsims } from './esims/listeners.ts';
import { esimRenderer } from './esims/outcome-view.ts';
import { registerEsimStatus } from './esims/status/listeners.ts';
import { registerHistory } from './history/listeners.ts';
import { registerHome } from './home/listeners.ts';
import { registerSms } from './messages/listeners.ts';
import { smsRenderer } from './messages/outcome-view.ts';
import { registerDndCheck } from './numbers/dnd-check/listeners.ts';
import { registerNumber } from './numbers/listeners.ts';
import { registerOtp } from './otp/listeners.ts';
import { codeRenderer } from './otp/outcome-view.ts';
import { registerSenderIds } from './sender-ids/listeners.ts';
import { senderIdRenderer } from './sender-ids/outcome-view.ts';
import { registerSettings } from './settings/listeners.ts';
import { registerSuppressionList } from './suppression-list/listeners.ts';

/** Every feature hears what people do with it. */
export function registerFeatures(router: Router, context: AppContext): void {
  registerSms(router, context);
  registerCampaigns(router, context);
  registerOtp(router, context);
  registerDndCheck(router, context);
  registerNumber(router, context);
  registerSenderIds(router, context);
  registerContacts(router, context);
  registerEsims(router, context);
  registerEsimStatus(router, context);
  registerHistory(router, context);
  registerSuppressionList(router, context);
  registerSettings(router, context);
  registerHome(router, context);
}

/** The words for each kind of operation that features perform. */
export const outcomeRenderers: OutcomeRenderers = {
  'sms.send': smsRenderer,
  'campaign.test': testRenderer,
  'otp.sms': codeRenderer,
  'otp.voice': codeRenderer,
  'otp.email': codeRenderer,
  'otp.chat': codeRenderer,
  'otp.in_app': codeRenderer,
  'sender_id.request': senderIdRenderer,
  'esim.create': esimRenderer,
  'esim.top_up': esimRenderer,
  ...contactRenderers,
};
