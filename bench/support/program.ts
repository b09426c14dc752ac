import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';

/** A program in its own process, as every part of a benchmark is. */
export interface Program {
  /** Where it listens, without a trailing slash. */
  url: string;
  pid: number | undefined;
  stop(): Promise<void>;
}

const readySchema = z.object({ port: z.number() });

const running = new Set<ChildProcess>();
process.once('exit', () => {
  for (const child of running) {
    child.kill('SIGKILL');
  }
});

/**
 * Starts a program with these settings alone. Resolves when it writes a line of JSON with the `port` that it listens on.
 * `profileTo` is a folder for its CPU profile.
 */
export async function startProgram(
  file: URL,
  settings: Record<string, string> = {},
  profileTo?: string,
  nodeOptions: readonly string[] = [],
): Promise<Program> {
  const profiling = profileTo === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${profileTo}`];
  const child = spawn(process.execPath, [...nodeOptions, ...profiling, fileURLToPath(file)], {
    env: { PATH: process.env.PATH, ...settings },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  running.add(child);
  return {
    url: `http://127.0.0.1:${await portOf(child, child.stdout)}`,
    pid: child.pid,
    async stop() {
      running.delete(child);
      if (child.exitCode === null && child.signalCode === null) {
        child.kill('SIGTERM');
        await once(child, 'exit');
      }
    },
  };
}

function portOf(child: ChildProcess, output: Readable): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  createInterface({ input: output }).on('line', (line) => {
    const { data } = readySchema.safeParse(jsonIn(line));
    if (data !== undefined) {
      resolve(data.port);
    }
  });
  child.once('exit', (code, signal) =>
    reject(new Error(`${child.spawnargs.at(-1)} ended with ${code ?? signal} before it listened.`)),
  );
  return promise;
}

function jsonIn(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

/** Returns what a program holds in memory now: resident, of the whole process, in megabytes. */
export function residentMegabytes({ pid }: Program): number {
  const kilobytes = execFileSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' });
  return (Number(kilobytes) * 1024) / 1e6;
}

/** In milliseconds. */
const sampleEvery = 100;

/** Resolves with the program's peak resident memory until the promise settled, in megabytes. */
export async function mostMegabytes({ pid }: Program, until: Promise<unknown>): Promise<number> {
  let isOver = false;
  const end = () => {
    isOver = true;
  };
  until.then(end, end);
  let most = 0;
  while (!isOver) {
    const status = await readFile(`/proc/${pid}/status`, 'utf8');
    const [, kilobytes] = /^VmRSS:\s+(\d+)/m.exec(status) ?? [];
    most = Math.max(most, (Number(kilobytes) * 1024) / 1e6);
    await wait(sampleEvery);
  }
  return most;
}
