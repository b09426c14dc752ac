import { readTimes } from './support/test-times.ts';

/**
 * Part of `npm run check`: fails if a test file took too much CPU time in the last `npm test`. Split such a
 * file, or draw fewer random cases in `npm test` than in `npm run test:long`. Seconds are those of the
 * reference machine, so that a slower one has the same limit.
 */
const mostCpuSeconds = 8;

const times = Object.entries(readTimes() ?? {});
const slow = times.filter(([, { cpuSeconds }]) => cpuSeconds > mostCpuSeconds);
if (times.length === 0) {
  console.log('No times of test files are recorded: `npm test` records them.');
}
for (const [file, { cpuSeconds }] of slow) {
  console.error(`${file} took ${cpuSeconds.toFixed(1)} s of CPU time, and ${mostCpuSeconds} s is the most.`);
}
process.exitCode = slow.length === 0 ? 0 : 1;
