import { type SpawnOptions, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

/** A test, or a script that does what a test does. */
export interface TestHooks {
  after(end: () => void | Promise<void>): void;
}

/** How a process ended, and what it printed. */
export interface EndedProcess {
  code: number | null;
  signal: NodeJS.Signals | null;
  stdout: string;
  stderr: string;
  /** Both in the order in which they came. */
  output: string;
}

/** A process of a test. What waits for it rejects with its output after a minute. */
export interface RunningProcess {
  pid: number | undefined;
  isRunning(): boolean;
  /** Resolves to the output once it contains these words. Rejects where the process ends without them. */
  says(words: string): Promise<string>;
  /** Resolves to its port once the program is ready. */
  ready(): Promise<number>;
  /** Resolves when it has ended, however long that takes. */
  ended: Promise<EndedProcess>;
  /** Resolves when it has ended by itself. */
  ends(): Promise<EndedProcess>;
  /** Ends it by SIGTERM, or another signal that it takes for itself. */
  stop(signal?: NodeJS.Signals): Promise<EndedProcess>;
  /** Ends it by SIGKILL. */
  kill(): Promise<EndedProcess>;
  /** Stops it by SIGSTOP until `thaw`. */
  freeze(): void;
  thaw(): void;
  /** Starts another one as it was started. */
  restart(): RunningProcess;
}

export interface ProcessOptions extends Pick<SpawnOptions, 'cwd' | 'env' | 'uid' | 'gid'> {
  /** Whether its children end with it, by the same signals. */
  isGroup?: boolean;
  /** Called with each line of its standard output. */
  onLine?: (line: string) => void;
}

const limitMs = 60_000;

/** Starts a process, which is killed at the end of the test at the latest. */
export function startProcess(
  test: TestHooks,
  command: readonly string[],
  options: ProcessOptions = {},
): RunningProcess {
  const [file = '', ...args] = command;
  const { isGroup = false, onLine, ...others } = options;
  const child = spawn(file, args, { ...others, detached: isGroup, stdio: ['ignore', 'pipe', 'pipe'] });
  const printed = { stdout: '', stderr: '', output: '' };
  const waiting = new Set<() => void>();
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].setEncoding('utf8').on('data', (text: string) => {
      printed[name] += text;
      printed.output += text;
      for (const look of waiting) {
        look();
      }
    });
  }
  if (onLine !== undefined) {
    createInterface({ input: child.stdout }).on('line', onLine);
  }
  const ended = once(child, 'close').then(() => ({
    code: child.exitCode,
    signal: child.signalCode,
    ...printed,
  }));

  const isRunning = () => child.exitCode === null && child.signalCode === null;
  function signal(name: NodeJS.Signals): void {
    if (isGroup && child.pid !== undefined && isRunning()) {
      process.kill(-child.pid, name);
    } else {
      child.kill(name);
    }
  }

  async function withinLimit<Result>(awaited: Promise<Result>, what: string): Promise<Result> {
    const { promise: late, reject } = Promise.withResolvers<never>();
    const timer = setTimeout(() => reject(new Error(`Not in a minute: ${what}\n${printed.output}`)), limitMs);
    try {
      return await Promise.race([awaited, late]);
    } finally {
      clearTimeout(timer);
    }
  }

  async function says(words: string): Promise<string> {
    const { promise: said, resolve } = Promise.withResolvers<void>();
    const look = () => {
      if (printed.output.includes(words)) {
        resolve();
      }
    };
    waiting.add(look);
    look();
    try {
      await withinLimit(Promise.race([said, ended]), words);
    } finally {
      waiting.delete(look);
    }
    if (!printed.output.includes(words)) {
      throw new Error(`It ended without: ${words}\n${printed.output}`);
    }
    return printed.output;
  }

  const started: RunningProcess = {
    pid: child.pid,
    isRunning,
    says,
    async ready() {
      return Number(/"port":(\d+)/.exec(await says('Switchboard is ready'))?.[1]);
    },
    ended,
    ends: () => withinLimit(ended, 'its end'),
    async stop(name = 'SIGTERM') {
      signal(name);
      return withinLimit(ended, `its end after ${name}`);
    },
    async kill() {
      signal('SIGKILL');
      return withinLimit(ended, 'its end after SIGKILL');
    },
    freeze: () => signal('SIGSTOP'),
    thaw: () => signal('SIGCONT'),
    restart: () => startProcess(test, command, options),
  };
  test.after(async () => {
    await started.kill();
  });
  return started;
}

/** Runs a script of node with this environment alone and the compile cache. */
export function startScript(
  test: TestHooks,
  words: readonly string[],
  { env, ...options }: ProcessOptions & { env: NodeJS.ProcessEnv },
): RunningProcess {
  return startProcess(test, [process.execPath, ...words], {
    ...options,
    env: { NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE, ...env },
  });
}

const sources = join(import.meta.dirname, '../../../src');
export const mainFile = join(sources, 'main.ts');

/** As in the script `start` of package.json. */
const nodeFlags = ['--max-semi-space-size=8', '--heap-growing-percent=30'];

/**
 * Runs the program as `npm start` does, with only these settings and the compile cache.
 *
 * @param file the program; `src/main.ts` unless it is a bundle of it, see `bundleProgram`
 * @param parameters of the program
 */
export function runProgram(
  test: TestHooks,
  env: Record<string, string>,
  file = mainFile,
  parameters: readonly string[] = [],
): RunningProcess {
  return startScript(test, [...nodeFlags, file, ...parameters], { env });
}

/** Runs an operator's command to its end. */
export function runCommand(
  test: TestHooks,
  name: 'audit' | 'erase' | 'restored',
  env: Record<string, string>,
  ...argv: string[]
): Promise<EndedProcess> {
  return startScript(test, [join(sources, 'programs', `${name}.ts`), ...argv], { env }).ends();
}

/** Runs in a script what tests run. Its ends are called in reverse. */
export async function asTest(work: (test: TestHooks) => Promise<void>): Promise<void> {
  const ends: (() => void | Promise<void>)[] = [];
  try {
    await work({ after: (end) => void ends.unshift(end) });
  } finally {
    for (const end of ends) {
      await end();
    }
  }
}
