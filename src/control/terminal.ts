import { once } from 'node:events';
import type { Writable } from 'node:stream';
import { askProgram } from './client.ts';
import type { CommandContext } from './command.ts';

interface TerminalCommand {
  dataDir: string;
  command: string;
  /** What the program gets: plain data. */
  input: unknown;
  /** Runs the command on the data itself. Called where no program runs on it. Resolves with the exit code. */
  alone(context: CommandContext): Promise<number>;
}

/**
 * Runs a command from a terminal: by the program that runs on the data, or alone where none does. Ctrl-C stops it where
 * nothing is half done; a second one ends it at once.
 *
 * @returns the exit code
 */
export async function runInTerminal({ dataDir, command, input, alone }: TerminalCommand): Promise<number> {
  const interrupted = new AbortController();
  const interrupt = () => {
    if (interrupted.signal.aborted) {
      process.exit(130);
    }
    interrupted.abort();
  };
  const signals = ['SIGINT', 'SIGTERM'] as const;
  for (const signal of signals) {
    process.on(signal, interrupt);
  }
  // Its reader has gone, as in `… | head`.
  process.stdout.on('error', () => interrupted.abort());
  const context: CommandContext = {
    signal: interrupted.signal,
    print: (line) => writeLine(process.stdout, line),
    warn: (line) => writeLine(process.stderr, line),
  };
  try {
    return (await askProgram(dataDir, { command, input }, context)) ?? (await alone(context));
  } finally {
    for (const signal of signals) {
      process.off(signal, interrupt);
    }
  }
}

async function writeLine(stream: Writable, line: string): Promise<void> {
  if (!stream.write(`${line}\n`)) {
    await once(stream, 'drain').catch(() => {});
  }
}
