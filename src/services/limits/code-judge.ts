import type { Transaction } from 'kysely';
import { brokenRule, type FraudRule, freesAt, type NextCode } from '../../domain/limits/code-fraud.ts';
import type { CodeLimits } from '../../domain/limits/limit-settings.ts';
import type { LimitReason } from '../../domain/limits/reached-limit.ts';
import type { Clock } from '../../lib/time/clock.ts';
import type { LimitStore } from '../../store/limits/limit-store.ts';
import type { Schema } from '../../store/schema.ts';
import type { NotedLimit } from './charging.ts';

/** A code that is about to be sent. */
export interface JudgedCode extends NextCode {
  workspaceId: string;
  /** The key of its operation. */
  id: string;
  isVerifiable: boolean;
  /** The masked recipient. */
  shown: string;
}

/** Returns what the codes before say against this one; where nothing does, it is one of them. */
export async function judgeCode(
  transaction: Transaction<Schema>,
  code: JudgedCode,
  { store, limits, clock }: { store: LimitStore; limits: CodeLimits; clock: Clock },
): Promise<NotedLimit | undefined> {
  const { workspaceId, userId, recipient, block } = code;
  const next = { userId, recipient, block };
  const now = clock().getTime();
  const codes = await store.codes.before(transaction, workspaceId, next);
  const lifted = await store.reached.liftedAt(
    transaction,
    workspaceId,
    fraudRules.map((rule) => subjectOf(rule, next)),
  );
  const judging = { limits, next, liftedAt: (rule: FraudRule) => lifted.get(subjectOf(rule, next)) };
  const broken = brokenRule(codes, now, judging);
  if (broken === undefined) {
    await store.codes.add(transaction, code);
    return undefined;
  }
  return {
    subject: subjectOf(broken, next),
    reason: reasonOf(broken, code, limits),
    freesAt: new Date(freesAt(codes, now, judging)),
  };
}

const fraudRules: readonly FraudRule[] = [
  { rule: 'block' },
  { rule: 'same_recipient' },
  { rule: 'too_fast' },
  { rule: 'share', scope: 'person' },
  { rule: 'share', scope: 'workspace' },
];

function subjectOf(rule: FraudRule, { userId, recipient, block = '' }: NextCode): string {
  switch (rule.rule) {
    case 'block':
      return `block/${block}`;
    case 'same_recipient':
      return `same_recipient/${userId}/${recipient}`;
    case 'too_fast':
      return `too_fast/${userId}`;
    case 'share':
      return rule.scope === 'person' ? `share/${userId}` : 'share';
  }
}

/** A rule without a limit is never broken. */
function reasonOf(broken: FraudRule, { shown }: JudgedCode, limits: CodeLimits): LimitReason {
  switch (broken.rule) {
    case 'block':
      return { rule: 'block', limit: limits.block ?? 0, shown };
    case 'same_recipient':
      return { rule: 'same_recipient', limit: limits.sameRecipient ?? 0, shown };
    case 'too_fast':
      return { rule: 'too_fast', limit: limits.tooFast ?? 0 };
    case 'share':
      return { rule: 'share', scope: broken.scope, percent: limits.verifiedPercent ?? 0 };
  }
}
