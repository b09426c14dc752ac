import { z } from 'zod';
import type { PhoneNumber } from '../phone/phone-number.ts';
import { limitedSubjects, rateWindows } from './limit-settings.ts';

/** What an action takes of the limits. */
export type Usage =
  /** `pages` of all recipients together. */
  | { kind: 'messages'; to: readonly PhoneNumber[]; pages: number }
  | {
      kind: 'code';
      /** Undefined where nothing is sent to anybody. */
      to: { number: PhoneNumber } | { address: string; shown: string } | undefined;
      pages: number;
    }
  | { kind: 'purchase' }
  /** Costs nothing, and says nothing about a person. */
  | { kind: 'free' };

/** Why something was refused. Stored as JSON: no number in full. `shown` is a masked recipient. */
export const limitReasonSchema = z.discriminatedUnion('rule', [
  z.object({
    rule: z.literal('rate'),
    subject: z.enum(limitedSubjects),
    scope: z.enum(['person', 'workspace']),
    window: z.enum(rateWindows),
    limit: z.number(),
    /** What was asked for. More than the limit: it never passes. */
    asked: z.number(),
  }),
  z.object({
    rule: z.literal('country'),
    subject: z.enum(['messages', 'codes']),
    /** In English. */
    countries: z.array(z.string()),
    recipients: z.number(),
  }),
  z.object({
    rule: z.literal('budget'),
    window: z.enum(['day', 'month']),
    limit: z.number(),
    used: z.number(),
    asked: z.number(),
  }),
  z.object({
    rule: z.literal('recipient'),
    window: z.enum(['hour', 'day']),
    limit: z.number(),
    shown: z.string(),
  }),
  z.object({ rule: z.literal('again'), seconds: z.number(), shown: z.string() }),
]);
export type LimitReason = z.infer<typeof limitReasonSchema>;

/** A limit that refused something: nothing was sent, and nothing was counted. */
export interface ReachedLimit {
  reason: LimitReason;
  /** When the same is allowed again, if nothing else happens. Undefined: not before a setting changes. */
  freesAt: Date | undefined;
  /** How long that is from the refusal, in milliseconds. */
  waitMs?: number;
}

/** Whether an admin can lift it: many codes to one recipient are only a suspicion. */
export function isLiftable({ rule }: LimitReason): boolean {
  return rule === 'recipient' || rule === 'again';
}

/** Returns the limit that refuses for longest: once it is free, all of them are. */
export function lastToFree<Reached extends ReachedLimit>(reached: readonly Reached[]): Reached | undefined {
  const time = ({ freesAt }: ReachedLimit) => freesAt?.getTime() ?? Number.POSITIVE_INFINITY;
  return reached.reduce<Reached | undefined>(
    (last, each) => (last === undefined || time(each) > time(last) ? each : last),
    undefined,
  );
}
