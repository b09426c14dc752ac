import { readTimes } from './support/test-times.ts';

/**
 * Part of `npm run check`: fails where the last `npm test` recorded a test file that took more CPU time than one may. A file above
 * it is split, or draws fewer random cases in `npm test` than in `npm run test:long`. The seconds are those of a reference, so that
 * a slower machine has the same limit.
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
