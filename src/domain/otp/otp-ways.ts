import { z } from 'zod';

/**
 * The ways to send a one-time code (API §4.1, §4.2, §4.4–4.7). The provider generates those of `sms_token` and `in_app`;
 * Switchboard generates the others.
 */
export const otpWaySchema = z.enum(['sms', 'voice', 'email', 'chat', 'sms_token', 'in_app']);
export type OtpWay = z.infer<typeof otpWaySchema>;

/** A way whose codes Switchboard generates, and so can verify. */
export const ownWaySchema = otpWaySchema.exclude(['sms_token', 'in_app']);
export type OwnWay = z.infer<typeof ownWaySchema>;

export function isOwnWay(way: OtpWay): way is OwnWay {
  return ownWaySchema.safeParse(way).success;
}

const maxChatLength = 6;

/** Returns how many characters a code has: fewer in the chat app than a workspace may choose (API §4.2). */
export function codeLength(way: OtpWay, chosen: number): number {
  return way === 'chat' ? Math.min(chosen, maxChatLength) : chosen;
}
