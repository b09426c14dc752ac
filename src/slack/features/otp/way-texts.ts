import { fillMinutes } from '../../../domain/otp/code-text.ts';
import { codeLength, isOwnWay, type OtpWay } from '../../../domain/otp/otp-ways.ts';
import type { CodeSetup } from '../../../services/otp/code-form.ts';
import { pluralize } from '../../block-kit/plural.ts';
import { type Markup, mrkdwn } from '../../block-kit/text.ts';

/** In a sentence: *by SMS*. */
export const wayNames: Record<OtpWay, string> = {
  sms: 'SMS',
  voice: 'voice call',
  email: 'email',
  chat: 'chat app',
  sms_token: 'SMS, code made by the provider',
  in_app: 'in-app token',
};

/** Says what a code of this way is like, and what to do with it. */
export function describeWay(way: OtpWay, { defaults, verifiesProviderCodes }: CodeSetup): Markup[] {
  const { length, minutes, attempts, characters, text } = defaults;
  const isOwn = isOwnWay(way);
  const unit = isOwn || characters === 'NUMERIC' ? 'digit' : 'character';
  return [
    ...(way === 'sms' || way === 'sms_token' ? [mrkdwn`Text: “${fillMinutes(text, minutes)}”`] : []),
    mrkdwn`${pluralize(codeLength(way, length), unit)} · expires after ${pluralize(minutes, 'minute')} · ${pluralize(attempts, 'attempt')}`,
    way === 'sms_token' && verifiesProviderCodes
      ? mrkdwn`The provider makes the code. ${readBack}`
      : advice[way],
  ];
}

const readBack = mrkdwn`The customer reads the code back, and you verify it here.`;

export const cannotVerify = mrkdwn`You can’t verify this code in Slack.`;

const advice: Record<OtpWay, Markup> = {
  sms: readBack,
  voice: mrkdwn`A call reads the code out. ${readBack}`,
  email: readBack,
  chat: mrkdwn`${readBack} The provider has to activate this route first.`,
  sms_token: mrkdwn`${cannotVerify} Verifying codes made by the provider is off: the people who run Switchboard can switch it on.`,
  in_app: mrkdwn`The code is shown to you once, and nothing is sent. ${cannotVerify}`,
};
