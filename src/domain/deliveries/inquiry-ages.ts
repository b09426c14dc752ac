const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

/**
 * How old a message is when the provider is asked what became of it, in milliseconds: each time only if that is not known
 * by then. The gaps grow; after the last one it is not asked again.
 */
const ages = [30 * minuteMs, 2 * hourMs, 6 * hourMs, 24 * hourMs, 72 * hourMs] as const;
/** How late the last time may be. */
const lastLateMs = 24 * hourMs;

/** One of the times at which the provider is asked. */
export interface InquiryRound {
  round: number;
  /** A message is asked about from this age on, in milliseconds … */
  fromAge: number;
  /** … until it has this one, which is where the next round begins. */
  untilAge: number;
}

export const inquiryRounds: readonly InquiryRound[] = ages.map((fromAge, round) => ({
  round,
  fromAge,
  untilAge: ages[round + 1] ?? fromAge + lastLateMs,
}));

/** The age at which a message is asked about no more, in milliseconds. */
export const maxInquiryAge = Math.max(...inquiryRounds.map(({ untilAge }) => untilAge));
