import type { CodeLimits } from './limit-settings.ts';

/** A code that was sent. Times are in milliseconds since 1970. */
export interface SentCode {
  userId: string;
  /** Stands for the recipient, and for the block of its number: equal ones are the same. */
  recipient: string;
  block: string | undefined;
  isVerifiable: boolean;
  sentAt: number;
  verifiedAt: number | undefined;
}

/** The code that is about to be sent. */
export type NextCode = Pick<SentCode, 'userId' | 'recipient' | 'block'>;

export type FraudRule =
  | { rule: 'block' }
  | { rule: 'share'; scope: 'person' | 'workspace' }
  | { rule: 'same_recipient' }
  | { rule: 'too_fast' };

/** Returns when a rule was lifted for what it is about: codes sent until then do not count. */
export type LiftedAt = (rule: FraudRule) => number | undefined;

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;
/** For how long codes count. */
export const codeMemoryMs = 24 * hour;

/** A customer on the line reads a code out within this time. One that is younger is not judged. */
export const judgedAfterMs = 3 * minute;
/** Of how many codes the share is taken, the last ones. */
const shareOf = 50;
/** Fewer codes say nothing. */
export const fewestJudged = 20;
/** Nobody hears a code and reads it out as fast. */
export const tooFastMs = 5 * second;

interface Judging {
  limits: CodeLimits;
  next: NextCode;
  liftedAt: LiftedAt;
}

/** Returns the first rule that the next code would break at a time. `codes`: those of the last day, in any order. */
export function brokenRule(codes: readonly SentCode[], at: number, judging: Judging): FraudRule | undefined {
  const { limits, next } = judging;
  const known = codes.filter(({ sentAt }) => sentAt <= at && sentAt > at - codeMemoryMs);
  const counting = (rule: FraudRule) => {
    const since = judging.liftedAt(rule) ?? Number.NEGATIVE_INFINITY;
    return known.filter(({ sentAt }) => sentAt > since);
  };
  const own = (code: SentCode) => code.userId === next.userId;
  const rules: { rule: FraudRule; isBroken: (counted: readonly SentCode[]) => boolean }[] = [
    { rule: { rule: 'block' }, isBroken: (counted) => isBlockFull(counted, at, next, limits.block) },
    {
      rule: { rule: 'same_recipient' },
      isBroken: (counted) =>
        isAtLeast(
          counted.filter(
            (code) => own(code) && code.recipient === next.recipient && code.verifiedAt !== undefined,
          ),
          limits.sameRecipient,
        ),
    },
    {
      rule: { rule: 'too_fast' },
      isBroken: (counted) =>
        isAtLeast(
          counted.filter((code) => own(code) && wasTooFast(code)),
          limits.tooFast,
        ),
    },
    {
      rule: { rule: 'share', scope: 'person' },
      isBroken: (counted) => hasFallen(counted.filter(own), at, limits.verifiedPercent),
    },
    {
      rule: { rule: 'share', scope: 'workspace' },
      isBroken: (counted) => hasFallen(withoutFallen(counted, at, limits), at, limits.verifiedPercent),
    },
  ];
  return rules.find(({ rule, isBroken }) => isBroken(counting(rule)))?.rule;
}

/**
 * Returns when the next code would be allowed, if nothing else is sent or verified until then. At the latest when every
 * code has been forgotten.
 */
export function freesAt(codes: readonly SentCode[], at: number, judging: Judging): number {
  let moment = at;
  for (;;) {
    const broken = brokenRule(codes, moment, judging);
    const later = broken === undefined ? undefined : nextMoment(codes, moment, broken);
    if (later === undefined) {
      return moment;
    }
    moment = later;
  }
}

/** Returns the next moment at which a rule counts one code fewer. */
function nextMoment(codes: readonly SentCode[], after: number, { rule }: FraudRule): number | undefined {
  const terms = rule === 'block' ? [hour, codeMemoryMs] : [codeMemoryMs];
  const moments = codes
    .flatMap(({ sentAt }) => terms.map((term) => sentAt + term))
    .filter((moment) => moment > after);
  return moments.length === 0 ? undefined : Math.min(...moments);
}

/**
 * Whether as many codes to the block of the number wait or were never verified, in an hour, as are allowed: one more for
 * each that was verified, so that customers in one block are no attack.
 */
function isBlockFull(
  codes: readonly SentCode[],
  at: number,
  { block }: NextCode,
  limit: number | undefined,
): boolean {
  if (block === undefined || limit === undefined) {
    return false;
  }
  const toBlock = codes.filter((code) => code.block === block);
  const verified = toBlock.filter((code) => code.verifiedAt !== undefined).length;
  const open = toBlock.filter((code) => code.verifiedAt === undefined && code.sentAt > at - hour).length;
  return open >= limit + verified;
}

/** Whether too few of the last codes were verified, of those old enough to be judged. */
function hasFallen(codes: readonly SentCode[], at: number, percent: number | undefined): boolean {
  if (percent === undefined) {
    return false;
  }
  const judged = codes
    .filter(
      (code) => code.isVerifiable && (code.verifiedAt !== undefined || code.sentAt <= at - judgedAfterMs),
    )
    .sort((one, other) => other.sentAt - one.sentAt)
    .slice(0, shareOf);
  const verified = judged.filter((code) => code.verifiedAt !== undefined).length;
  return judged.length >= fewestJudged && verified * 100 < judged.length * percent;
}

/** Leaves out those whose own share has fallen: they are stopped, and must not stop the others. */
function withoutFallen(codes: readonly SentCode[], at: number, limits: CodeLimits): readonly SentCode[] {
  const byUser = Map.groupBy(codes, ({ userId }) => userId);
  const fallen = new Set(
    [...byUser].filter(([, own]) => hasFallen(own, at, limits.verifiedPercent)).map(([userId]) => userId),
  );
  return fallen.size === 0 ? codes : codes.filter(({ userId }) => !fallen.has(userId));
}

function wasTooFast({ sentAt, verifiedAt }: SentCode): boolean {
  return verifiedAt !== undefined && verifiedAt - sentAt < tooFastMs;
}

function isAtLeast(codes: readonly SentCode[], limit: number | undefined): boolean {
  return limit !== undefined && codes.length >= limit;
}
