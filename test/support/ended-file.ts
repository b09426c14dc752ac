import { z } from 'zod';

/** What became of one test file, as `run-files.ts` tells it to the process that started it. Times are in seconds. */
export const endedFileSchema = z.object({
  file: z.string(),
  seconds: z.number(),
  /** Of this process and of the processes that it waited for, without loading. */
  cpuSeconds: z.number(),
  passed: z.int(),
  skipped: z.array(z.object({ name: z.string(), reason: z.string() })),
  failed: z.array(z.object({ name: z.string(), line: z.int(), error: z.string() })),
  /** For example the seed of what is random. */
  notes: z.array(z.string()),
});

export type EndedFile = z.infer<typeof endedFileSchema>;

/** What a process tells when all of its files have ended. `slowness`: see `measureSlowness`. */
export const endedProcessSchema = z.object({ slowness: z.number() });
