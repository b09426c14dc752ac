import { countPages } from '../../domain/messages/pages.ts';
import { codePlaceholder, fillCodeText, fillMinutes } from '../../domain/otp/code-text.ts';
import { toDigits } from '../../domain/phone/phone-number.ts';
import type { Secret } from '../../lib/secret.ts';
import type { ProviderAccount } from '../../provider/client.ts';
import type { Ending } from '../../store/operations/operation.ts';
import { toEnding } from '../operations/outcomes.ts';
import type { OwnCode, ProviderCode } from './code-form.ts';

/** API §1: on the generic route codes may not arrive, and the sender ID may be blocked. */
export const codeRoute = 'dnd';

/** Sends a code that Switchboard generated. */
export async function sendOwnCode(
  account: ProviderAccount,
  code: OwnCode,
  made: { secret: Secret; emailConfigurationId: string },
): Promise<Ending> {
  const { secret, emailConfigurationId } = made;
  const accepted = ({ messageId, balance }: { messageId: string; balance?: string | undefined }) => ({
    providerId: messageId,
    balance,
  });
  switch (code.way) {
    case 'sms':
      return sendBySms(account, code, secret);
    case 'voice':
      return toEnding(await account.tokens.call({ phoneNumber: toDigits(code.to), code: secret }), accepted);
    case 'chat':
      return toEnding(
        await account.messages.sendChatOtp({ to: toDigits(code.to), from: code.device, code: secret }),
        accepted,
      );
    case 'email':
      return toEnding(
        await account.tokens.email({ emailAddress: code.address, code: secret, emailConfigurationId }),
        accepted,
      );
  }
}

/** Returns the billed pages, which don't depend on the code's digits. A call counts as one. */
export function pagesOfCode(code: OwnCode | ProviderCode): number {
  switch (code.way) {
    case 'sms':
    case 'sms_token': {
      const filled = fillCodeText(code.text, { code: '0'.repeat(code.length), minutes: code.minutes });
      return countPages(filled).pages;
    }
    case 'voice':
    case 'chat':
      return 1;
    case 'email':
    case 'in_app':
      return 0;
  }
}

/** As an ordinary message (API §4.1). Its text, like the code, is stored nowhere. */
async function sendBySms(
  account: ProviderAccount,
  code: OwnCode & { way: 'sms' },
  secret: Secret,
): Promise<Ending> {
  const text = fillCodeText(code.text, { code: secret.reveal(), minutes: code.minutes });
  const { pages, needsUnicode } = countPages(text);
  const outcome = await account.messages.send({
    to: toDigits(code.to),
    from: code.senderId,
    route: codeRoute,
    text,
    code: secret,
    ...(needsUnicode ? { type: 'unicode' as const } : {}),
  });
  return toEnding(outcome, ({ messageId, balance }) => ({ providerId: messageId, pages, balance }));
}

/**
 * Has the provider generate a code, which only the provider can verify, by its `pinId`: sent by SMS (API §4.4), or returned
 * to be shown (API §4.5). The `pinId` verifies the code, so it is of no operation, whose ids are shown and written to files.
 */
export async function requestProviderCode(
  account: ProviderAccount,
  code: ProviderCode,
): Promise<{ ending: Ending; shown?: Secret | undefined; pinId?: string | undefined }> {
  const pin = {
    pinType: code.characters,
    pinAttempts: code.attempts,
    pinTimeToLive: code.minutes,
    pinLength: code.length,
  };
  if (code.way === 'sms_token') {
    const outcome = await account.tokens.send({
      to: toDigits(code.to),
      from: code.senderId,
      route: codeRoute,
      pinPlaceholder: codePlaceholder,
      text: fillMinutes(code.text, code.minutes),
      ...pin,
    });
    return {
      ending: toEnding(outcome, ({ messageId }) => ({ providerId: messageId })),
      pinId: outcome.kind === 'accepted' ? outcome.value.pinId : undefined,
    };
  }
  const outcome = await account.tokens.generate({ phoneNumber: toDigits(code.to), ...pin });
  return {
    ending: toEnding(outcome, () => ({})),
    shown: outcome.kind === 'accepted' ? outcome.value.otp : undefined,
  };
}
