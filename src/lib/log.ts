import { type DestinationStream, type Logger, pino } from 'pino';
import { currentLogFields } from './log-fields.ts';
import { redact } from './redact.ts';
import { mapFrame } from './source-frames.ts';

export type Log = Logger;

/**
 * Creates the program's log: one JSON object per line, with the fields of its work, see `withLogFields`. Nothing personal belongs in it: callers log ids, counts and names
 * of outcomes. An error may quote foreign text, so it is reduced to its type, its redacted message and its stack frames.
 */
export function createLog(level: string, destination?: DestinationStream): Log {
  return pino(
    { level, base: null, serializers: { err: describeError }, mixin: () => ({ ...currentLogFields() }) },
    destination,
  );
}

function describeError(error: unknown): object {
  if (!(error instanceof Error)) {
    return { type: typeof error };
  }
  const code = 'code' in error && typeof error.code === 'string' ? { code: error.code } : {};
  const cause = error.cause === undefined ? {} : { cause: describeError(error.cause) };
  return { type: error.name, message: redact(error.message), ...code, at: frames(error), ...cause };
}

/** Returns the stack frames. None if the stack does not contain the message, since part of that could pass for a frame. */
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
    .map((line) => redactFrame(mapFrame(line.trim())));
}

/** Redacts a frame, but not the `@` of a package's scope, which is no e-mail address. */
function redactFrame(frame: string): string {
  return frame.split('/@').map(redact).join('/@');
}
