import { z } from 'zod';

const lineForm = z.looseObject({ level: z.number(), time: z.number(), msg: z.string().optional() });

const levelNames: Record<number, string> = { 40: 'warning', 50: 'error', 60: 'fatal' };

/**
 * A line of the app's log for a person at the terminal: warnings and worse, in words; the rest is in the log file.
 * What is no log line (a crash's last words) is shown as it is.
 */
export function formatLogLine(line: string): string | undefined {
  const parsed = lineForm.safeParse(jsonOr(undefined, line));
  if (!parsed.success) {
    return line.trim() === '' ? undefined : line;
  }
  const { level, time, msg, ...details } = parsed.data;
  if (level < 40) {
    return undefined;
  }
  const clock = new Date(time).toTimeString().slice(0, 8);
  const more = Object.keys(details).length > 0 ? ` ${JSON.stringify(details)}` : '';
  return `${clock} app ${levelNames[level] ?? level}: ${msg ?? ''}${more}`;
}

function jsonOr(fallback: unknown, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return fallback;
  }
}
