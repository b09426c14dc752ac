import type { PhoneNumber } from '../phone/phone-number.ts';
import type { LimitedSubject, RateWindow } from './limit-settings.ts';

/** What an action takes of the limits. */
export type Usage =
  /** `pages` of all recipients together. */
  | { kind: 'messages'; to: readonly PhoneNumber[]; pages: number }
  | {
      kind: 'code';
      /** `shown`: masked. */
      recipient: { to: PhoneNumber } | { address: string; shown: string };
      pages: number;
      /** Whether it is sent by SMS or a call, and verified here. */
      isVerifiable: boolean;
    }
  /** Requests to the provider. */
  | { kind: 'lookups'; calls: number }
  | { kind: 'purchase' }
  /** Costs nothing, and says nothing about a person. */
  | { kind: 'free' };

/** The rules on codes that an admin can lift: each is a suspicion. */
export type CodeRule = 'recipient' | 'again' | 'block' | 'share' | 'same_recipient' | 'too_fast';

/** Why something was refused: nothing was sent, and nothing was counted. */
export type ReachedLimit = {
  /** When the same is allowed again, if nothing else happens. Undefined: never, until a setting changes. */
  freesAt: Date | undefined;
} & (
  | {
      rule: 'rate';
      subject: LimitedSubject;
      scope: 'person' | 'workspace';
      window: RateWindow;
      limit: number;
      /** Its own part. More than the limit: it never passes. */
      asked: number;
    }
  /** `countries` are in English, with how many recipients each has where there are several recipients. */
  | { rule: 'country'; subject: 'messages' | 'codes'; countries: readonly string[]; recipients: number }
  | { rule: 'budget'; window: 'day' | 'month'; limit: number; used: number; asked: number }
  /** `shown` is the masked recipient, or what stands for the block of numbers. */
  | { rule: 'recipient'; window: 'hour' | 'day'; limit: number; shown: string }
  | { rule: 'again'; seconds: number; shown: string }
  | { rule: 'block'; limit: number; shown: string }
  | { rule: 'share'; scope: 'person' | 'workspace'; percent: number }
  | { rule: 'same_recipient'; limit: number; shown: string }
  | { rule: 'too_fast'; limit: number }
);
