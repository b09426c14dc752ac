import { readFileSync } from 'node:fs';
import { relative } from 'node:path';

/** CPU seconds of each test file in this process, not counting the loading before its first test. */
export const cpuSeconds = new Map<string, number>();
let before: { own: number; ofChildren: number } | undefined;
/** The file of the last test. */
let last = '';

/** Returns the file of the test that is running, or of the last one. */
export const fileUnderWay = (): string => relative(process.cwd(), last);

/**
 * Charges the CPU time since the last call to a file. A child process is charged once it has ended, to the
 * file of the last test, whose `after` hook waits for it.
 */
export function chargeCpu(path = last): void {
  const now = { own: ownCpuSeconds(), ofChildren: childrensCpuSeconds() };
  if (before !== undefined) {
    charge(path, now.own - before.own);
    charge(last, now.ofChildren - before.ofChildren);
  }
  before = now;
  last = path;
}

/** Charges nobody for the time since the last call: it went into loading. */
export function leaveOutCpu(): void {
  before = { own: ownCpuSeconds(), ofChildren: childrensCpuSeconds() };
}

function charge(path: string, seconds: number): void {
  const file = relative(process.cwd(), path);
  cpuSeconds.set(file, (cpuSeconds.get(file) ?? 0) + seconds);
}

function ownCpuSeconds(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
}

/** CPU seconds of the processes that this one started and that have ended. 0 where it is not Linux, which alone tells. */
export function childrensCpuSeconds(): number {
  if (process.platform !== 'linux') {
    return 0;
  }
  // proc(5): cutime and cstime are fields 16 and 17, in ticks of 10 ms. Field 2 may contain spaces.
  const fields = readFileSync('/proc/self/stat', 'utf8').split(') ').at(-1)?.split(' ') ?? [];
  return (Number(fields[13]) + Number(fields[14])) / 100;
}
