import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

/** The program in its own process. */
export interface RunningProgram {
  child: ChildProcess;
  /** The exit code and the whole output. */
  ended: Promise<{ code: number | null; output: string }>;
  /** Resolves to the output once it contains this text; rejects where the program ends without it. */
  says(words: string): Promise<string>;
}

export const mainFile = fileURLToPath(new URL('../../../src/main.ts', import.meta.url));

/** As in the script `start` of package.json. */
const nodeFlags = ['--max-semi-space-size=16', '--heap-growing-percent=50'];

/**
 * Runs the program as `npm start` does, with only these settings and the compile cache. Killed at the end of the test at
 * the latest.
 *
 * @param file the program; `src/main.ts` unless it is a bundle of it, see `bundleProgram`
 * @param parameters of the program
 */
export function runProgram(
  test: { after(end: () => void): void },
  env: Record<string, string>,
  file = mainFile,
  parameters: readonly string[] = [],
): RunningProgram {
  const child = spawn(process.execPath, [...nodeFlags, file, ...parameters], {
    env: { NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE, ...env },
  });
  test.after(() => child.kill('SIGKILL'));
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (bytes: Buffer) => {
      output += bytes;
    });
  }
  const ended = once(child, 'close').then(() => ({ code: child.exitCode, output }));
  return {
    child,
    ended,
    async says(words) {
      while (!output.includes(words)) {
        await Promise.race([once(child.stdout, 'data'), ended.then(() => Promise.reject(new Error(output)))]);
      }
      return output;
    },
  };
}

/** The port from the log line of a program that is ready. */
export function portIn(output: string): number {
  return Number(/"port":(\d+)/.exec(output)?.[1]);
}
