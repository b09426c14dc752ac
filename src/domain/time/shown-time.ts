const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
const dayMs = 24 * 60 * 60_000;

/** `28 Nov 2026`, by the clock of UTC. */
export function shownDay(at: Date): string {
  return `${dayOfYear(at)} ${at.getUTCFullYear()}`;
}

/** `12:06 PM`, by the clock of UTC. */
export function shownTime(at: Date): string {
  const hour = at.getUTCHours();
  const minutes = String(at.getUTCMinutes()).padStart(2, '0');
  return `${hour % 12 === 0 ? 12 : hour % 12}:${minutes} ${hour < 12 ? 'AM' : 'PM'}`;
}

/** `today`, `tomorrow`, `28 Nov`, or with another year `3 Mar 2027`, by the clock of UTC. */
export function shownDayFrom(now: Date, at: Date): string {
  const days = Math.floor(at.getTime() / dayMs) - Math.floor(now.getTime() / dayMs);
  if (days === 0 || days === 1) {
    return days === 0 ? 'today' : 'tomorrow';
  }
  return at.getUTCFullYear() === now.getUTCFullYear() ? dayOfYear(at) : shownDay(at);
}

const dayOfYear = (at: Date) => `${at.getUTCDate()} ${months[at.getUTCMonth()]}`;
