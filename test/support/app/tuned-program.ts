import type { RunOptions } from '../../../src/run.ts';
import { run } from '../../../src/run.ts';

/** What the program is started with in a process of its own, beside its settings. */
export type Tuning = Pick<RunOptions, 'stopMs' | 'providerLimits'>;

// `node tuned-program.ts '{"stopMs":1000}'`: the program as `src/main.ts` starts it, with other limits of time.
const tuning: Tuning = JSON.parse(process.argv[2] ?? '{}');
await run({ program: 'main.ts', ...tuning });
