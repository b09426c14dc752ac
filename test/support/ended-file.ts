import { z } from 'zod';

/** The result of a test file, as `run-files.ts` reports it to its parent process. Times are in seconds. */
export const endedFileSchema = z.object({
  file: z.string(),
  seconds: z.number(),
  /** Of this process and of the children it waited for, without loading. */
  cpuSeconds: z.number(),
  passed: z.int(),
  skipped: z.array(z.object({ name: z.string(), reason: z.string() })),
  failed: z.array(z.object({ name: z.string(), line: z.int(), error: z.string() })),
  /** For example a random seed. */
  notes: z.array(z.string()),
});

export type EndedFile = z.infer<typeof endedFileSchema>;

/** What a process tells when all of its files have ended. `slowness`: see `measureSlowness`. */
export const endedProcessSchema = z.object({ slowness: z.number() });
