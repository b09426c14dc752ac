/** The dates of an eSIM’s plan, as the provider names them. */
interface DatedPlan {
  status?: string | undefined;
  windowActivationEndDate?: Date | undefined;
  expiryDate?: Date | undefined;
}

/** A date of an eSIM's plan that is near or has passed. */
export interface EsimDeadline {
  kind: 'activate' | 'expire';
  at: Date;
  over: boolean;
}

/** In milliseconds: how long before a date the warning begins. */
const warningMs = 3 * 24 * 60 * 60_000;

/**
 * Returns the dates to warn about: a plan that is not activated by the end of its window may become invalid (API §3), and
 * one past its expiry date is unusable.
 */
export function deadlinesOf(plan: DatedPlan, now: Date): EsimDeadline[] {
  const { status, windowActivationEndDate, expiryDate } = plan;
  const toActivate = status === 'NOT_ACTIVE' ? windowActivationEndDate : undefined;
  return [
    ...(toActivate === undefined ? [] : [{ kind: 'activate' as const, at: toActivate }]),
    ...(expiryDate === undefined ? [] : [{ kind: 'expire' as const, at: expiryDate }]),
  ]
    .filter(({ at }) => at.getTime() - now.getTime() <= warningMs)
    .map((deadline) => ({ ...deadline, over: deadline.at <= now }));
}
