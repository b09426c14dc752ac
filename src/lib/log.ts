import { existsSync, readFileSync } from 'node:fs';
import { SourceMap } from 'node:module';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type DestinationStream, type Logger, pino } from 'pino';
import { currentLogFields } from './log-fields.ts';
import { redact } from './redact.ts';

export type Log = Logger;

/**
 * Creates the program's log: one JSON object per line, with the fields of its work, see `withLogFields`. Nothing personal
 * belongs in it: callers log ids, counts and names of outcomes. An error may quote foreign text, so it is reduced to its
 * type, its redacted message and its stack frames.
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
  return (
    stack
      .slice(start + message.length)
      .split('\n')
      .filter((line) => /^\s+at /.test(line))
      .slice(0, 12)
      // The `@` of a package's scope is no e-mail address.
      .map((line) => mapFrame(line.trim()).split('/@').map(redact).join('/@'))
  );
}

const bundleFolder = dirname(import.meta.url);
const location = /(?<file>file:\/\/[^\s()]+):(?<line>\d+):(?<column>\d+)/;
/** The source maps of the bundle, read at the first logged error: `--enable-source-maps` reads all at the start, in 70 MB. */
const maps = new Map<string, SourceMap | undefined>();

/** Returns a stack frame with the place in the sources, where it names one in a bundle. */
function mapFrame(frame: string): string {
  const { file, line, column } = location.exec(frame)?.groups ?? {};
  if (file === undefined || dirname(file) !== bundleFolder) {
    return frame;
  }
  const origin = mapOf(file)?.findOrigin(Number(line), Number(column));
  return origin !== undefined && 'fileName' in origin
    ? frame.replace(
        location,
        `${new URL(origin.fileName, file).href}:${origin.lineNumber}:${origin.columnNumber}`,
      )
    : frame;
}

function mapOf(file: string): SourceMap | undefined {
  if (!maps.has(file)) {
    const path = `${fileURLToPath(file)}.map`;
    maps.set(file, existsSync(path) ? new SourceMap(JSON.parse(readFileSync(path, 'utf8'))) : undefined);
  }
  return maps.get(file);
}
