import { type DestinationStream, type Logger, pino } from 'pino';
import { redact } from './redact.ts';

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
  return { type: error.name, message: redact(error.message), ...code, at: frames(error), ...cause };
}

/** Where it was thrown. None where the stack does not begin with the message, which could then pass for a part of it. */
function frames({ message, stack = '' }: Error): string[] {
  const start = stack.indexOf(message);
  if (start === -1) {
    return [];
  }
  return stack
    .slice(start + message.length)
    .split('\n')
    .filter((line) => /^\s+at /.test(line))
    .slice(0, 12)
    .map((line) => scrubFrame(line.trim()));
}

/** The `@` of a package's scope begins no e-mail address. */
function scrubFrame(frame: string): string {
  return frame.split('/@').map(redact).join('/@');
}
