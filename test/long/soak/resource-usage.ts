import { setTimeout as pause } from 'node:timers/promises';

/** Resource usage, from the program's metrics. */
interface Sample {
  rss: number;
  heap: number;
  handles: number;
  files: number;
}

const names: Record<keyof Sample, string> = {
  rss: 'process_resident_memory_bytes',
  heap: 'nodejs_heap_size_used_bytes',
  handles: 'nodejs_active_handles_total',
  files: 'process_open_fds',
};

/** Allowed growth from the first third to the last: a fraction, plus an amount for short runs. */
const allowed: Record<keyof Sample, { part: number; amount: number }> = {
  rss: { part: 0.5, amount: 64 * 2 ** 20 },
  heap: { part: 0.5, amount: 32 * 2 ** 20 },
  handles: { part: 0.5, amount: 20 },
  files: { part: 0.5, amount: 20 },
};

const sampleEvery = 1_000;

export async function sampleWhile(working: AbortSignal, metricsUrl: string): Promise<Sample[]> {
  const samples: Sample[] = [];
  while (!working.aborted) {
    const text = await (await fetch(metricsUrl)).text();
    const of = (name: string) => Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1]);
    samples.push({
      rss: of(names.rss),
      heap: of(names.heap),
      handles: of(names.handles),
      files: of(names.files),
    });
    await pause(sampleEvery);
  }
  return samples;
}

export interface Growth {
  what: keyof Sample;
  first: number;
  last: number;
  isTooMuch: boolean;
}

/** Compares the medians of the first and the last third; for the heap the minima, which show the retained memory. */
export function growthOf(samples: readonly Sample[]): Growth[] {
  const third = Math.ceil(samples.length / 3);
  return (['rss', 'heap', 'handles', 'files'] as const).map((what) => {
    const figure = (part: readonly Sample[]) => {
      const sorted = part.map((sample) => sample[what]).sort((a, b) => a - b);
      return sorted[what === 'heap' ? 0 : Math.floor(sorted.length / 2)] ?? Number.NaN;
    };
    const first = figure(samples.slice(0, third));
    const last = figure(samples.slice(-third));
    const { part, amount } = allowed[what];
    return { what, first, last, isTooMuch: !(last <= first * (1 + part) + amount) };
  });
}
