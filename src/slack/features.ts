import { listenToCampaigns } from './campaign/listeners.ts';
import { testWording } from './campaign/look-views.ts';
import { listenToContacts } from './contacts/listeners.ts';
import { contactWordings } from './contacts/outcome-view.ts';
import { listenToDndCheck } from './dnd-check/listeners.ts';
import { listenToDoNotContact } from './do-not-contact/listeners.ts';
import { listenToEsims } from './esim/listeners.ts';
import { esimWording } from './esim/outcome-view.ts';
import { listenToEsimStatus } from './esim-status/listeners.ts';
import { listenToHistory } from './history/listeners.ts';
import { listenToHome } from './home/listeners.ts';
import type { Listening } from './listening/calls.ts';
import { listenToNumber } from './number/listeners.ts';
import { listenToOtp } from './otp/listeners.ts';
import { codeWording } from './otp/outcome-view.ts';
import { listenToSenderIds } from './sender-id/listeners.ts';
import { senderIdWording } from './sender-id/outcome-view.ts';
import { listenToSettings } from './settings/listeners.ts';
import { listenToSms } from './sms/listeners.ts';
import { smsWording } from './sms/outcome-view.ts';
import type { Wordings } from './telling.ts';
import type { Tools } from './tools.ts';

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
