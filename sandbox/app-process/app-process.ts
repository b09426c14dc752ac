import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { formatLogLine } from './log-lines.ts';

export interface AppProcessOptions {
  /** The app's settings; nothing else of this process's environment reaches it but what a program needs to run. */
  settings: Record<string, string>;
  /** How far ahead its clock is, in milliseconds. */
  clockOffsetMs: number;
  port: number;
  logFile: string;
  /** Hears lines for the terminal. */
  print: (line: string) => void;
}

export interface AppProcess {
  readonly state: 'starting' | 'ready' | 'stopped';
  /** Kills it without a warning; it is started again. */
  crash(): void;
  /** Rejects once the app is gone for good although nobody stopped it. */
  readonly gone: Promise<never>;
  stop(): Promise<void>;
}

const mainFile = fileURLToPath(new URL('../../src/main.ts', import.meta.url));
const exitWithParent = new URL('exit-with-parent.ts', import.meta.url).href;
const shiftedDate = new URL('shift-date.ts', import.meta.url).href;
/** What a program needs of the environment whatever it does. */
const inherited = ['PATH', 'HOME', 'TMPDIR', 'TZ', 'LANG', 'SystemRoot', 'NODE_COMPILE_CACHE'];
const patience = 30_000;
const lookEvery = 100;
const stopPatience = 10_000;
const lastWordsKept = 12;

/**
 * Starts the app as its own `npm start` would, and resolves when it is ready. One that dies later is started again;
 * one that never gets ready is an error with its last words.
 */
export async function startAppProcess(options: AppProcessOptions): Promise<AppProcess> {
  const { port, print: say } = options;
  const log = createWriteStream(options.logFile, { flags: 'a', mode: 0o600 });
  const gone = Promise.withResolvers<never>();
  gone.promise.catch(() => {});
  let state: AppProcess['state'] = 'starting';
  let stopping = false;
  let child: ChildProcess;

  async function launch(): Promise<void> {
    state = 'starting';
    const lastWords: string[] = [];
    child = spawnApp(options, (line) => {
      log.write(`${line}\n`);
      lastWords.push(formatLogLine(line) ?? line);
      if (lastWords.length > lastWordsKept) {
        lastWords.shift();
      }
      const words = formatLogLine(line);
      if (words !== undefined && state === 'ready') {
        say(words);
      }
    });
    const started = child;
    const ended = new Promise<string>((resolve) => {
      started.once('close', (code, signal) =>
        resolve(signal ? `was ended by ${signal}` : `ended with code ${code}`),
      );
    });
    const waiting = new AbortController();
    const early = await Promise.race([ended, untilReady(port, waiting.signal)]);
    waiting.abort();
    if (early !== undefined) {
      started.kill('SIGKILL');
      state = 'stopped';
      throw new Error(
        [`The app ${early} before it was ready.`, ...lastWords.map((line) => `  ${line}`)].join('\n'),
      );
    }
    state = 'ready';
    void ended.then(revive);
  }

  function revive(how: string): void {
    state = 'stopped';
    if (stopping) {
      return;
    }
    say(`The app ${how}. Starting it again…`);
    launch().then(
      () => say('The app is ready again.'),
      (error: unknown) => {
        if (!stopping) {
          gone.reject(error);
        }
      },
    );
  }

  await launch();
  return {
    get state() {
      return state;
    },
    gone: gone.promise,
    crash() {
      state = 'stopped';
      child.kill('SIGKILL');
    },
    async stop() {
      stopping = true;
      if (child.exitCode === null && child.signalCode === null) {
        const closed = once(child, 'close');
        child.kill('SIGTERM');
        const force = AbortSignal.timeout(stopPatience);
        force.addEventListener('abort', () => child.kill('SIGKILL'));
        await closed;
      }
      log.end();
    },
  };
}

function spawnApp(
  { settings, clockOffsetMs: ahead }: AppProcessOptions,
  hear: (line: string) => void,
): ChildProcess {
  const shift = ahead === 0 ? [] : ['--import', `${shiftedDate}?ahead=${ahead}`];
  const surroundings = Object.fromEntries(inherited.map((name) => [name, process.env[name]]));
  const child = spawn(process.execPath, ['--import', exitWithParent, ...shift, mainFile], {
    env: { ...surroundings, ...settings },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  for (const input of [child.stdout, child.stderr]) {
    if (input) {
      createInterface({ input }).on('line', hear);
    }
  }
  return child;
}

/** Undefined once the app says it is ready; why not, if that takes too long or `ended` is aborted. */
async function untilReady(port: number, ended: AbortSignal): Promise<string | undefined> {
  const deadline = AbortSignal.any([ended, AbortSignal.timeout(patience)]);
  while (!deadline.aborted) {
    const ready = await fetch(`http://127.0.0.1:${port}/readyz`).then(
      (response) => response.ok,
      () => false,
    );
    if (ready) {
      return undefined;
    }
    await setTimeout(lookEvery);
  }
  return `was still not ready after ${patience / 1000} seconds: it was given up`;
}
