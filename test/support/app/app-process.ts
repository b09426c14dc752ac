import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

/** The program in a process of its own. */
export interface RunningProgram {
  child: ChildProcess;
  /** How it ended, and all it wrote. */
  ended: Promise<{ code: number | null; output: string }>;
  /** Resolves with all it wrote once these words are in it; rejects where it ends without them. */
  says(words: string): Promise<string>;
}

const main = fileURLToPath(new URL('../../../src/main.ts', import.meta.url));

/**
 * Runs the program as `npm start` does, with these settings and nothing else but where what was compiled is kept; killed
 * when the test ends, at the latest.
 */
export function runProgram(
  test: { after(end: () => void): void },
  env: Record<string, string>,
): RunningProgram {
  const child = spawn(process.execPath, [main], {
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

/** The port that a program which is ready says it listens on. */
export function portIn(output: string): number {
  return Number(/"port":(\d+)/.exec(output)?.[1]);
}
