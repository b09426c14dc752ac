import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream, type WriteStream } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseDocument } from 'yaml';
import { z } from 'zod';

interface AppProcessOptions {
  /** What it is called in the terminal. */
  name: string;
  /** The app's settings. From this process's environment it inherits only what any program needs to run. */
  settings: Record<string, string>;
  /** How far the app's clock is ahead, in milliseconds. */
  clockOffsetMs: number;
  port: number;
  logFile: string;
  /** Whether it is started again until it gets ready, where its database may be away meanwhile. */
  keepsTrying: boolean;
  /** Called with each line for the terminal. */
  print: (line: string) => void;
}

const mainFile = fileURLToPath(new URL('../../src/main.ts', import.meta.url));
const exitWithParent = new URL('exit-with-parent.ts', import.meta.url).href;
const shiftDate = new URL('shift-date.ts', import.meta.url).href;
/** Environment variables that any program needs. */
const inherited = ['PATH', 'HOME', 'TMPDIR', 'TZ', 'LANG', 'SystemRoot', 'NODE_COMPILE_CACHE'];
const readyTimeoutMs = 30_000;
const readyPollMs = 100;
const stopTimeoutMs = 10_000;
const retryMs = 1_000;
const maxLastLines = 12;

/**
 * Starts the app as `npm start` does, and resolves when it is ready. Starts it again when it dies later. Throws with
 * the last lines of its log when it does not get ready.
 */
export async function startAppProcess(options: AppProcessOptions): Promise<AppProcess> {
  const app = new AppProcess(options);
  await app.launch();
  return app;
}

export class AppProcess {
  readonly #options: AppProcessOptions;
  readonly #log: WriteStream;
  readonly #failed = Promise.withResolvers<never>();
  #state: 'starting' | 'ready' | 'stopped' = 'starting';
  #stopping = false;
  #child: ChildProcess | undefined;

  constructor(options: AppProcessOptions) {
    this.#options = options;
    this.#log = createWriteStream(options.logFile, { flags: 'a', mode: 0o600 });
    this.#failed.promise.catch(() => {});
  }

  get port(): number {
    return this.#options.port;
  }

  get state(): 'starting' | 'ready' | 'stopped' {
    return this.#state;
  }

  /** Rejects when the app has died and could not be started again. */
  get failed(): Promise<never> {
    return this.#failed.promise;
  }

  async launch(): Promise<void> {
    this.#state = 'starting';
    const lastLines: string[] = [];
    const child = spawnApp(this.#options, (line) => {
      lastLines.push(formatLogLine(line) ?? line);
      if (lastLines.length > maxLastLines) {
        lastLines.shift();
      }
      this.#record(line);
    });
    this.#child = child;
    const exited = exitOf(child);
    const polling = new AbortController();
    const failure = await Promise.race([exited, untilReady(this.#options.port, polling.signal)]);
    polling.abort();
    if (failure !== undefined) {
      child.kill('SIGKILL');
      this.#state = 'stopped';
      throw new Error(
        [
          `${this.#options.name} ${failure} before it was ready.`,
          ...lastLines.map((line) => `  ${line}`),
        ].join('\n'),
      );
    }
    this.#state = 'ready';
    void exited.then((how) => this.#restart(how));
  }

  /** Kills the app with SIGKILL. It is started again. */
  crash(): void {
    this.#state = 'stopped';
    this.#child?.kill('SIGKILL');
  }

  async stop(): Promise<void> {
    this.#stopping = true;
    const child = this.#child;
    if (child && child.exitCode === null && child.signalCode === null) {
      const closed = once(child, 'close');
      child.kill('SIGTERM');
      const force = AbortSignal.timeout(stopTimeoutMs);
      force.addEventListener('abort', () => child.kill('SIGKILL'));
      await closed;
    }
    this.#log.end();
  }

  #record(line: string): void {
    this.#log.write(`${line}\n`);
    const readable = formatLogLine(line);
    if (readable !== undefined && this.#state === 'ready') {
      this.#options.print(readable);
    }
  }

  async #restart(how: string): Promise<void> {
    const { name, print, keepsTrying } = this.#options;
    this.#state = 'stopped';
    if (this.#stopping) {
      return;
    }
    print(`${name} ${how}. Starting it again…`);
    for (;;) {
      try {
        await this.launch();
        return print(`${name} is ready again.`);
      } catch (error) {
        if (this.#stopping) {
          return;
        }
        if (!keepsTrying) {
          return this.#failed.reject(error);
        }
        await setTimeout(retryMs);
      }
    }
  }
}

function spawnApp(
  { settings, clockOffsetMs }: AppProcessOptions,
  onLine: (line: string) => void,
): ChildProcess {
  const shift = clockOffsetMs === 0 ? [] : ['--import', `${shiftDate}?ahead=${clockOffsetMs}`];
  const environment = Object.fromEntries(inherited.map((name) => [name, process.env[name]]));
  const child = spawn(process.execPath, ['--import', exitWithParent, ...shift, mainFile], {
    env: { ...environment, ...settings },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  for (const input of [child.stdout, child.stderr]) {
    if (input) {
      createInterface({ input }).on('line', onLine);
    }
  }
  return child;
}

async function exitOf(child: ChildProcess): Promise<string> {
  const [code, signal] = await once(child, 'close');
  return signal ? `was ended by ${signal}` : `ended with code ${code}`;
}

/** Resolves with undefined when the app is ready, or with the reason when it takes too long or `cancel` aborts. */
async function untilReady(port: number, cancel: AbortSignal): Promise<string | undefined> {
  const deadline = AbortSignal.any([cancel, AbortSignal.timeout(readyTimeoutMs)]);
  while (!deadline.aborted) {
    const ready = await fetch(`http://127.0.0.1:${port}/readyz`).then(
      (response) => response.ok,
      () => false,
    );
    if (ready) {
      return undefined;
    }
    await setTimeout(readyPollMs);
  }
  return `was still not ready after ${readyTimeoutMs / 1000} seconds`;
}

const lineSchema = z.looseObject({ level: z.number(), time: z.number(), msg: z.string().optional() });

const levelNames: Record<number, string> = { 40: 'warning', 50: 'error', 60: 'fatal' };

/**
 * Formats a line of the app's log for the terminal. Returns undefined for lines below a warning, which are in the log
 * file only. Returns text that is not a log line, such as the stack of a crash, unchanged.
 */
export function formatLogLine(line: string): string | undefined {
  const parsed = lineSchema.safeParse(jsonOr(undefined, line));
  if (!parsed.success) {
    return line.trim() === '' ? undefined : line;
  }
  const { level, time, msg, ...details } = parsed.data;
  if (level < 40) {
    return undefined;
  }
  const clock = new Date(time).toTimeString().slice(0, 8);
  const more = Object.keys(details).length > 0 ? ` ${JSON.stringify(details)}` : '';
  return `${clock} app ${levelNames[level] ?? level}: ${msg ?? ''}${more}`;
}

function jsonOr(fallback: unknown, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return fallback;
  }
}

/** The settings of the app that are passed on. Slack, keys, folder and ports are the sandbox's own. */
const passedOn: ReadonlySet<string> = new Set([
  'CAMPAIGN_MESSAGES_PER_SECOND',
  'COMMAND_PREFIX',
  'DATABASE_CA',
  'DATABASE_CERTIFICATE',
  'DATABASE_CONNECTIONS',
  'DATABASE_URL',
  'HTTPS_PROXY',
  'LOG_LEVEL',
  'METRICS_PORT',
  'NO_PROXY',
  'OPT_OUT_ADDRESS',
  'OTEL_EXPORTER_OTLP_ENDPOINT',
  'PRIVACY_URL',
  'PROVIDER_PROFILE',
  'PUBLIC_ADDRESS',
  'RETENTION_DAYS',
  'SECURITY_CONTACT',
  'SUPPORT_URL',
]);

/** Returns the settings of the app in the sandbox's environment, except those that the sandbox sets itself. */
export function passedSettings(environment: Record<string, string | undefined>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(environment).flatMap(([name, value]) =>
      value !== undefined && passedOn.has(name) ? [[name, value]] : [],
    ),
  );
}

/** The profile of the sandbox’s provider: switches on all that is beyond the provider’s description. */
export const exampleProfile = fileURLToPath(new URL('../../provider-profile.example.yml', import.meta.url));

/**
 * Copies a profile with other fields: `unicodeType=unicode` sets one, `historyPath=` removes one, `reportSignature.key=secret` one
 * within another. Without a file, the copy has these alone. Throws with what is expected.
 */
export async function copyProfile(from: string, to: string, changes: readonly string[]): Promise<void> {
  const profile = parseDocument(from === '' ? '' : await readFile(from, 'utf8'));
  for (const change of changes) {
    const [, name = '', value = ''] = /^([\w.]+)=(.*)$/.exec(change) ?? [];
    if (name === '') {
      throw new Error('--profile takes a field and its value, such as unicodeType=unicode.');
    }
    const path = name.split('.');
    if (value !== '') {
      profile.setIn(path, value);
    } else if (profile.hasIn(path)) {
      profile.deleteIn(path);
    }
  }
  await writeFile(to, profile.toString());
}
