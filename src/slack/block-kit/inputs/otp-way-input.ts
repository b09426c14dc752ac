import type { InputBlock, PlainTextOption } from '@slack/types';
import type { OtpWay } from '../../../domain/otp/otp-ways.ts';
import { option } from '../build.ts';
import { selectInput } from './fields.ts';

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
  const offered = ways.map((way) => options[way]);
  return selectInput(blockId, 'Send by', offered, {
    actionId,
    chosen,
    dispatch: actionId !== undefined,
  });
}
