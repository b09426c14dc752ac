import { z } from 'zod';
import { readMoney } from '../money/money.ts';
import { clockIn, momentOf } from '../time/start-time.ts';

/** What is watched for a workspace. */
export const watchKinds = ['balance', 'provider', 'route', 'campaign', 'reply', 'sender_id', 'esim'] as const;
export type WatchKind = (typeof watchKinds)[number];

/** What a notice shows. It lies in the clear: no numbers, no texts, no names that people chose. */
export const watchFactsSchema = z.object({
  /** A notice is updated when this changes, not for every new figure. */
  step: z.string(),
  /** A route, a sender ID, or an ICCID without its middle. */
  name: z.string().optional(),
  /** As the provider wrote it. */
  amount: z.string().optional(),
  /** From 0 to 1. */
  share: z.number().optional(),
  /** How many failures in a row. */
  failures: z.number().optional(),
  /** In milliseconds since 1970. */
  at: z.number().optional(),
});
export type WatchFacts = z.infer<typeof watchFactsSchema>;

/** What is known of one subject. Its notice is one message in Slack, from when it is raised until it is over. */
export interface Watched {
  state: 'raised' | 'cleared';
  /** When it was raised. It names the notice. */
  since: Date;
  changedAt: Date;
  facts: WatchFacts;
  /** Who muted the notice. */
  mutedBy: string | undefined;
  /** Whether the message in Slack shows all of it. */
  isShown: boolean;
}

/** What becomes of a subject. `tells`: whether its message is posted or changed. */
export type WatchChange = Omit<Watched, 'isShown'> & { tells: boolean };

/** Decides how a subject changes, if at all. `facts` is undefined if nothing is wrong. */
export function decideWatch(
  row: Watched | undefined,
  facts: WatchFacts | undefined,
  now: Date,
): WatchChange | undefined {
  if (row?.state !== 'raised') {
    return facts && { state: 'raised', ...begin(row, now), facts, tells: true };
  }
  if (facts === undefined) {
    return { ...row, state: 'cleared', changedAt: now, mutedBy: undefined, tells: true };
  }
  return facts.step === row.facts.step
    ? undefined
    : { ...row, facts, changedAt: now, tells: row.mutedBy === undefined };
}

/** The same for what happens at a moment, and is over at once. `isNews`: otherwise it is only remembered. */
export function decideEvent(
  row: Watched | undefined,
  facts: WatchFacts,
  { isNews, now }: { isNews: boolean; now: Date },
): WatchChange | undefined {
  return row?.facts.step === facts.step
    ? undefined
    : { state: 'cleared', ...begin(row, now), facts, tells: isNews };
}

/** Where the message does not show yet that it was over, the same message goes on: none is left that says less. */
function begin(row: Watched | undefined, now: Date) {
  return { since: row === undefined || row.isShown ? now : row.since, changedAt: now, mutedBy: undefined };
}

/** Returns how low a balance is; undefined if it isn't below the amount, or either can't be read. */
export function balanceStep(amount: string | undefined, below: string): 'low' | 'half' | 'tenth' | undefined {
  const available = amount === undefined ? undefined : readMoney(amount)?.nanos;
  const threshold = readMoney(below)?.nanos;
  if (available === undefined || threshold === undefined || available >= threshold) {
    return undefined;
  }
  if (available * 10n < threshold) {
    return 'tenth';
  }
  return available * 2n < threshold ? 'half' : 'low';
}

/** Messages whose outcome was reported. */
export interface RouteOutcomes {
  failed: number;
  all: number;
}

const leastOutcomes = 20;
const leastShare = 0.2;

/**
 * Returns a fault of a route: of at least 20 messages with an outcome in the last hour, more than a fifth failed, and at
 * least twice the share of the day before. Once raised, it stays while more than a fifth fails.
 */
export function routeFacts(
  name: string,
  hour: RouteOutcomes,
  dayBefore: RouteOutcomes,
  isRaised: boolean,
): WatchFacts | undefined {
  const share = shareOf(hour);
  const isWrong = hour.all >= leastOutcomes && share > leastShare;
  return isWrong && (isRaised || share >= 2 * shareOf(dayBefore))
    ? { step: share > 0.5 ? 'most' : 'many', name, share }
    : undefined;
}

const shareOf = ({ failed, all }: RouteOutcomes) => (all === 0 ? 0 : failed / all);

const leastFailures = 3;
const leastDownMs = 2 * 60_000;

/** Counts failures of the provider in a row: `failures`, with the first one's time in `at`. */
export function followFailures(
  before: WatchFacts,
  { failed, at }: { failed: boolean; at: Date },
): WatchFacts {
  const failures = failed ? (before.failures ?? 0) + 1 : 0;
  const first = failures <= 1 ? at.getTime() : before.at;
  return { step: failed ? 'down' : 'up', failures, at: first };
}

/** Whether the provider is down: it failed three times in a row, over at least two minutes. */
export function isDown({ failures = 0, at = 0 }: WatchFacts, now: Date): boolean {
  return failures >= leastFailures && now.getTime() - at >= leastDownMs;
}

/** Returns the date of the digest that is due in this time zone, or undefined if today's is not due yet. */
export function dueDigest({ hour, zone }: { hour: number; zone: string }, now: Date): string | undefined {
  const { date } = clockIn(now, zone);
  return now >= momentOf(date, `${String(hour).padStart(2, '0')}:00`, zone) ? date : undefined;
}
