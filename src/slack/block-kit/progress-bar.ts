const length = 20;

/** A share of a whole (0 to 1) as a bar: neither empty nor full unless it is. */
export function progressBar(share: number): string {
  const within = Math.min(1, Math.max(0, share));
  const filled =
    within === 0 || within === 1
      ? within * length
      : Math.min(length - 1, Math.max(1, Math.round(within * length)));
  return `${'█'.repeat(filled)}${'░'.repeat(length - filled)}`;
}

/** Neither 0 % nor 100 % unless it is. */
export function formatPercent(share: number): string {
  const within = Math.min(1, Math.max(0, share));
  return within === 0 || within === 1
    ? `${within * 100} %`
    : `${Math.min(99, Math.max(1, Math.round(within * 100)))} %`;
}
