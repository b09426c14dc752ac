import { once } from 'node:events';
import type { Writable } from 'node:stream';
import { createLog } from '../lib/log.ts';
import { withOrigin } from '../lib/request-origin.ts';
import { runExplained } from './explain.ts';

export interface Terminal {
  /** Writes a line to the standard output. Resolves once there is room for the next. */
  print(line: string): Promise<void>;
  /** The same to the standard error. */
  warn(line: string): Promise<void>;
  /** Logs, redacted, what fails without ending the program. */
  report(error: unknown): void;
  /** Aborted by Ctrl-C, and where nobody reads the output: the work ends at the next place where nothing is half done. */
  signal: AbortSignal;
}

/**
 * Runs a command of `package.json` that works on the stored data, and sets the exit code that it resolves with. A second
 * Ctrl-C ends it at once.
 */
export async function runInTerminal(work: (terminal: Terminal) => Promise<number>): Promise<void> {
  const interrupted = new AbortController();
  const interrupt = () => {
    if (interrupted.signal.aborted) {
      process.exit(130);
    }
    interrupted.abort();
  };
  process.on('SIGINT', interrupt);
  process.on('SIGTERM', interrupt);
  // Its reader has gone, as in `… | head`.
  process.stdout.on('error', () => interrupted.abort());
  const terminal: Terminal = {
    print: (line) => writeLine(process.stdout, line),
    warn: (line) => writeLine(process.stderr, line),
    report: (error) =>
      // The standard output is for the command's own: an export is redirected to a file.
      createLog('error', process.stderr).error(
        { err: error },
        'an error occurred, and the command continues',
      ),
    signal: interrupted.signal,
  };
  await runExplained(async () => {
    process.exitCode = await withOrigin({ surface: 'terminal' }, () => work(terminal));
  });
  process.off('SIGINT', interrupt);
  process.off('SIGTERM', interrupt);
}

async function writeLine(stream: Writable, line: string): Promise<void> {
  if (!stream.write(`${line}\n`)) {
    await once(stream, 'drain').catch(() => {});
  }
}

/** Returns a count with its noun: `1 row`, `1,200 rows`. */
export function plural(count: number, one: string, many = `${one}s`): string {
  return `${count.toLocaleString('en')} ${count === 1 ? one : many}`;
}
