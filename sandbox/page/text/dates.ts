/** Dates and times in a person's zone, worded as Slack does. Seconds are Unix seconds. */

const dayParts = (seconds: number, zone: string, options: Intl.DateTimeFormatOptions): string =>
  new Intl.DateTimeFormat('en-US', { timeZone: zone, ...options }).format(new Date(seconds * 1000));

export const timeOf = (seconds: number, zone: string): string =>
  dayParts(seconds, zone, { hour: 'numeric', minute: '2-digit' });

/** Formats the calendar day in the zone as `2025-04-30`. */
export const dayOf = (seconds: number, zone: string): string =>
  new Intl.DateTimeFormat('en-CA', { timeZone: zone }).format(new Date(seconds * 1000));

export const fullMoment = (seconds: number, zone: string): string =>
  dayParts(seconds, zone, { dateStyle: 'full', timeStyle: 'medium' });

function ordinal(day: number): string {
  const ending = { one: 'st', two: 'nd', few: 'rd' } as const;
  const rule = new Intl.PluralRules('en', { type: 'ordinal' }).select(day);
  return `${day}${rule === 'one' || rule === 'two' || rule === 'few' ? ending[rule] : 'th'}`;
}

function longDate(seconds: number, zone: string, options: Intl.DateTimeFormatOptions): string {
  return new Intl.DateTimeFormat('en-US', {
    timeZone: zone,
    month: 'long',
    day: 'numeric',
    year: 'numeric',
    ...options,
  })
    .formatToParts(new Date(seconds * 1000))
    .map((part) => (part.type === 'day' ? ordinal(Number(part.value)) : part.value))
    .join('');
}

/** Returns "Today", "Yesterday", "Tomorrow", or undefined. */
function nearDay(seconds: number, zone: string, now: number): string | undefined {
  const day = dayOf(seconds, zone);
  if (day === dayOf(now, zone)) {
    return 'Today';
  }
  if (day === dayOf(now - 86_400, zone)) {
    return 'Yesterday';
  }
  return day === dayOf(now + 86_400, zone) ? 'Tomorrow' : undefined;
}

/** Returns the text of the line between two days of messages. The year only when it is not this one. */
export function dayHeading(seconds: number, zone: string, now: number): string {
  const sameYear = dayOf(seconds, zone).slice(0, 4) === dayOf(now, zone).slice(0, 4);
  return nearDay(seconds, zone, now) ?? longDay(seconds, zone, sameYear);
}

function longDay(seconds: number, zone: string, sameYear: boolean): string {
  const text = longDate(seconds, zone, { weekday: 'long' });
  return sameYear ? text.replace(/, \d{4}$/, '') : text;
}

function ago(seconds: number, now: number): string {
  const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });
  const past = seconds - now;
  const units = [
    ['day', 86_400],
    ['hour', 3600],
    ['minute', 60],
  ] as const;
  const unit = units.find(([, length]) => Math.abs(past) >= length);
  return unit
    ? relative.format(Math.round(past / unit[1]), unit[0])
    : relative.format(Math.round(past), 'second');
}

const tokens: Record<string, (seconds: number, zone: string) => string> = {
  date_num: (seconds, zone) => dayOf(seconds, zone),
  date_slash: (seconds, zone) =>
    dayParts(seconds, zone, { year: 'numeric', month: '2-digit', day: '2-digit' }),
  date: (seconds, zone) => longDate(seconds, zone, {}),
  date_short: (seconds, zone) => dayParts(seconds, zone, { month: 'short', day: 'numeric', year: 'numeric' }),
  date_long: (seconds, zone) => longDate(seconds, zone, { weekday: 'long' }),
  time: timeOf,
  time_secs: (seconds, zone) =>
    dayParts(seconds, zone, { hour: 'numeric', minute: '2-digit', second: '2-digit' }),
};

/** Fills the tokens of `<!date^…>`: `{date_short_pretty} at {time}` → "yesterday at 6:39 AM". */
export function formatDate(format: string, seconds: number, zone: string, now: number): string {
  return format.replace(/\{(\w+)\}/g, (whole, name: string) => {
    if (name === 'ago') {
      return ago(seconds, now);
    }
    const pretty = name.endsWith('_pretty');
    const near = pretty ? nearDay(seconds, zone, now)?.toLowerCase() : undefined;
    const plainName = pretty ? name.slice(0, -'_pretty'.length) : name;
    return (
      near ?? (Object.hasOwn(tokens, plainName) ? tokens[plainName]?.(seconds, zone) : undefined) ?? whole
    );
  });
}
