import { defaultWebhook } from '../provider/webhook/account-webhook.ts';

/** Switches on what is beyond the provider’s description: the provider of the sandbox has all of it. */
export const defaultSettings: Readonly<Record<string, string>> = {
  PROVIDER_BALANCE_PATH: '/api/get-balance',
  PROVIDER_HISTORY: '/api/sms/inbox',
  PROVIDER_PHONEBOOKS_PATH: '/api/phonebooks',
  PROVIDER_TOKEN_VERIFY_PATH: '/api/sms/otp/verify',
  PROVIDER_REPORT_SIGNATURE_HEADER: defaultWebhook.header,
};
