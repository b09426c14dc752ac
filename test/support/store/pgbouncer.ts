import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { chmodSync, chownSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { closedPort } from '../http/raw-server.ts';
import { temporaryFolder } from '../temporary-folder.ts';

/** Where Debian's package has what it is installed with. */
const installed = '/etc/pgbouncer/pgbouncer.ini';

/** Undefined where PgBouncer is not installed. */
export const pgbouncerVersion: string | undefined = existsSync(installed)
  ? /PgBouncer ([\d.]+)/.exec(spawnSync('pgbouncer', ['--version'], { encoding: 'utf8' }).stdout)?.[1]
  : undefined;

/** It refuses to run as root. */
const nobody = 65_534;

/**
 * Starts PgBouncer as Debian's package configures it, with a database and its user, and returns the database's URL by it.
 *
 * @param settings lines of its section, besides those of the package
 */
export async function startPgBouncer(
  test: { after(end: () => void): void },
  database: string,
  settings: readonly string[] = [],
): Promise<string> {
  const folder = temporaryFolder(test);
  const { hostname, port, username, password, pathname } = new URL(database);
  const own = await closedPort();
  const users = join(folder, 'userlist.txt');
  writeFileSync(users, `"${username}" "${password}"\n`);
  const lines = readFileSync(installed, 'utf8')
    .replace('[databases]', `[databases]\n${pathname.slice(1)} = host=${hostname} port=${port}`)
    .replace('[pgbouncer]', `[pgbouncer]\n${settings.join('\n')}`)
    .replace(/^(?:logfile|pidfile) = .*$/gm, '')
    .replace(/^unix_socket_dir = .*$/m, `unix_socket_dir = ${folder}`)
    .replace(/^auth_file = .*$/m, `auth_file = ${users}`)
    .replace(/^listen_addr = .*$/m, 'listen_addr = 127.0.0.1')
    .replace(/^listen_port = .*$/m, `listen_port = ${own}`);
  const file = join(folder, 'pgbouncer.ini');
  writeFileSync(file, lines);
  const owner = process.getuid?.() === 0 ? { uid: nobody, gid: nobody } : {};
  if (owner.uid !== undefined) {
    chmodSync(folder, 0o755);
    for (const path of [folder, users, file]) {
      chownSync(path, nobody, nobody);
    }
  }
  const child = spawn('pgbouncer', [file], { ...owner, stdio: ['ignore', 'ignore', 'pipe'] });
  test.after(() => void child.kill('SIGKILL'));
  await saysItListens(child);
  const url = new URL(database);
  url.port = String(own);
  return url.href;
}

async function saysItListens(child: ChildProcess): Promise<void> {
  let log = '';
  const listening = Promise.withResolvers<void>();
  child.stderr?.on('data', (piece: Buffer) => {
    log += piece.toString();
    if (log.includes('process up')) {
      listening.resolve();
    }
  });
  child.once('exit', () => listening.reject(new Error(`PgBouncer has ended:\n${log}`)));
  await listening.promise;
}
