import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';

/** Runs an operator's command, a file of `src/programs`, to its end in a process of its own. */
export async function runCommand(
  name: 'audit' | 'erase',
  env: Record<string, string>,
  ...argv: string[]
): Promise<{ code: number; stdout: string; stderr: string }> {
  const file = join(import.meta.dirname, `../../../src/programs/${name}.ts`);
  return promisify(execFile)(process.execPath, [file, ...argv], { env }).then(
    (output) => ({ ...output, code: 0 }),
    (error: { stdout: string; stderr: string; code: number }) => error,
  );
}
