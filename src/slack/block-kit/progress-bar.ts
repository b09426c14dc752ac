const length = 20;

/** A share of a whole (0 to 1) as a bar, which is empty or full only at exactly 0 or 1. */
export function progressBar(share: number): string {
  const clamped = Math.min(1, Math.max(0, share));
  const filled =
    clamped === 0 || clamped === 1
      ? clamped * length
      : Math.min(length - 1, Math.max(1, Math.round(clamped * length)));
  return `${'█'.repeat(filled)}${'░'.repeat(length - filled)}`;
}

/** A share of a whole as `42%`, which is 0% or 100% only at exactly 0 or 1. */
export function formatPercent(share: number): string {
  const clamped = Math.min(1, Math.max(0, share));
  return clamped === 0 || clamped === 1
    ? `${clamped * 100}%`
    : `${Math.min(99, Math.max(1, Math.round(clamped * 100)))}%`;
}
