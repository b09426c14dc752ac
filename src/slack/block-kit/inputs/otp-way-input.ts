import type { InputBlock, PlainTextOption } from '@slack/types';
import type { OtpWay } from '../../../domain/otp/otp-ways.ts';
import { input, option } from '../build.ts';

const options: Record<OtpWay, PlainTextOption> = {
  sms: option('SMS', 'sms'),
  voice: option('Voice call', 'voice'),
  email: option('Email', 'email'),
  chat: option('Chat app', 'chat'),
  sms_token: option('SMS, code made by the provider', 'sms_token'),
  in_app: option('In-app token', 'in_app'),
};

/** The ways to send a one-time code. `actionId`: a change updates the form. */
export function otpWayInput(
  blockId: string,
  chosen: OtpWay,
  { ways, actionId }: { ways: readonly OtpWay[]; actionId?: string },
): InputBlock {
  return input(
    blockId,
    'Send by',
    {
      type: 'static_select',
      action_id: actionId ?? blockId,
      options: ways.map((way) => options[way]),
      initial_option: options[chosen],
    },
    { dispatch: actionId !== undefined },
  );
}
