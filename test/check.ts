import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';

/**
 * `npm run check`: everything that has to be clean, two at a time. Prints the output of each when it ends, and fails if one
 * of them does.
 */
const checks = [
  // One checker each: a second one checks some of it again, and there are two processes for the two cores of CI already.
  'tsc --noEmit --checkers 1',
  'tsc --noEmit -p sandbox --checkers 1',
  'knip',
  'biome check .',
  'node test/check-house.ts',
  'node test/check-times.ts',
  'node test/check-voice.ts',
];

const failed: string[] = [];

async function run(command: string): Promise<void> {
  const begin = performance.now();
  const child = spawn(command, { shell: true, stdio: ['ignore', 'pipe', 'pipe'] });
  const [output, errors, [status]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close'),
  ]);
  const seconds = ((performance.now() - begin) / 1_000).toFixed(1);
  console.log(`${status === 0 ? '✔' : '✖'} ${command} (${seconds} s)\n${output}${errors}`.trimEnd());
  if (status !== 0) {
    failed.push(command);
  }
}

const next = checks.values();
await Promise.all(
  Array.from({ length: 2 }, async () => {
    for (const command of next) {
      await run(command);
    }
  }),
);
if (failed.length > 0) {
  console.error(`✖ Not clean: ${failed.join(', ')}`);
  process.exitCode = 1;
}
