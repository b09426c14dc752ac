import { type DestinationStream, type Logger, pino } from 'pino';
import { scrub } from './scrub.ts';

export type Log = Logger;

/**
 * The program's log: one JSON object a line. Nothing personal belongs in it, so callers log ids, counts and names of
 * outcomes; an error, whose text others wrote, is reduced to its kind, its scrubbed message and where it was thrown.
 */
export function createLog(level: string, destination?: DestinationStream): Log {
  return pino({ level, base: null, serializers: { err: describeError } }, destination);
}

function describeError(error: unknown): object {
  if (!(error instanceof Error)) {
    return { type: typeof error };
  }
  const code = 'code' in error && typeof error.code === 'string' ? { code: error.code } : {};
  const cause = error.cause === undefined ? {} : { cause: describeError(error.cause) };
  return { type: error.name, message: scrub(error.message), ...code, at: frames(error), ...cause };
}

/** The stack without its first lines, which repeat the message. */
function frames(error: Error): string[] {
  return (error.stack ?? '')
    .split('\n')
    .filter((line) => /^\s+at /.test(line))
    .slice(0, 12)
    .map((line) => line.trim());
}
