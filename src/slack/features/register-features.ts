import type { Listening } from '../middleware/calls.ts';
import type { Tools } from '../middleware/context.ts';
import type { Wordings } from '../notifier/outcome-notifier.ts';
import { listenToCampaigns } from './campaigns/listeners.ts';
import { testWording } from './campaigns/look-views.ts';
import { listenToContacts } from './contacts/listeners.ts';
import { contactWordings } from './contacts/outcome-view.ts';
import { listenToEsims } from './esims/listeners.ts';
import { esimWording } from './esims/outcome-view.ts';
import { listenToEsimStatus } from './esims/status/listeners.ts';
import { listenToHistory } from './history/listeners.ts';
import { listenToHome } from './home/listeners.ts';
import { listenToSms } from './messages/listeners.ts';
import { smsWording } from './messages/outcome-view.ts';
import { listenToDndCheck } from './numbers/dnd-check/listeners.ts';
import { listenToNumber } from './numbers/listeners.ts';
import { listenToOtp } from './otp/listeners.ts';
import { codeWording } from './otp/outcome-view.ts';
import { listenToSenderIds } from './sender-ids/listeners.ts';
import { senderIdWording } from './sender-ids/outcome-view.ts';
import { listenToSettings } from './settings/listeners.ts';
import { listenToDoNotContact } from './suppression-list/listeners.ts';

/** Every feature hears what people do with it. */
export function listenToFeatures(listening: Listening, tools: Tools): void {
  listenToSms(listening, tools);
  listenToCampaigns(listening, tools);
  listenToOtp(listening, tools);
  listenToDndCheck(listening, tools);
  listenToNumber(listening, tools);
  listenToSenderIds(listening, tools);
  listenToContacts(listening, tools);
  listenToEsims(listening, tools);
  listenToEsimStatus(listening, tools);
  listenToHistory(listening, tools);
  listenToDoNotContact(listening, tools);
  listenToSettings(listening, tools);
  listenToHome(listening, tools);
}

/** The words for each kind of operation that features perform. */
export const wordings: Wordings = {
  'sms.send': smsWording,
  'campaign.test': testWording,
  'otp.sms': codeWording,
  'otp.voice': codeWording,
  'otp.email': codeWording,
  'otp.chat': codeWording,
  'otp.in_app': codeWording,
  'sender_id.request': senderIdWording,
  'esim.create': esimWording,
  'esim.top_up': esimWording,
  ...contactWordings,
};
