import { z } from 'zod';

const lineSchema = z.looseObject({ level: z.number(), time: z.number(), msg: z.string().optional() });

const levelNames: Record<number, string> = { 40: 'warning', 50: 'error', 60: 'fatal' };

/**
 * Formats a line of the app's log for the terminal. Returns undefined for lines below a warning, which are in the log
 * file only. Returns text that is not a log line, such as the stack of a crash, unchanged.
 */
export function formatLogLine(line: string): string | undefined {
  const parsed = lineSchema.safeParse(jsonOr(undefined, line));
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
