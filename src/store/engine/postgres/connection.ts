import { readFileSync } from 'node:fs';
import type { PoolConfig } from 'pg';
import type { Secret } from '../../../lib/secret.ts';
import { StoreError } from '../errors.ts';

/** How PostgreSQL is reached. */
export interface PostgresOptions {
  /** `postgres://user:password@host:port/database`, with `?sslmode=disable` where the way there is private. */
  url: Secret;
  /** The path of a file with the certificates of the authority that the server is trusted by. Default: Node's. */
  ca?: string | undefined;
  /** How many connections there may be at once. Default: `defaultConnections`. */
  connections?: number | undefined;
}

/**
 * Statements take milliseconds, so ten serve hundreds of requests a second; eight instances stay below the 100 that a
 * server of PostgreSQL allows by default.
 */
const defaultConnections = 10;
const connectTimeoutMs = 10_000;
/** How long the server works on a statement. */
const statementTimeoutMs = 60_000;
/**
 * How long a transaction may stand still: that of an instance that was stopped in its midst, as a suspended machine is, must
 * not keep a campaign from going on elsewhere.
 */
const idleTransactionMs = 5_000;
/** How long a response is awaited: longer than the server takes to give up. */
const responseTimeoutMs = 75_000;

/**
 * Returns what the pool connects with. The connection is encrypted and the server's certificate verified, except on this
 * machine and where `sslmode=disable` says that it need not be.
 *
 * @throws StoreError `unreachable` where the file of the authority cannot be read
 */
export function connectionConfig({ url, ca, connections = defaultConnections }: PostgresOptions): PoolConfig {
  const { hostname, port, username, password, pathname, searchParams } = new URL(url.reveal());
  const host = searchParams.get('host') ?? decodeURIComponent(hostname);
  const isPlain = searchParams.get('sslmode') === 'disable' || host.startsWith('/') || loopback.test(host);
  return {
    host,
    port: port === '' ? undefined : Number(port),
    user: decodeURIComponent(username),
    password: decodeURIComponent(password),
    database: decodeURIComponent(pathname.slice(1)),
    ssl:
      isPlain && ca === undefined
        ? false
        : { rejectUnauthorized: true, ...(ca && { ca: readAuthority(ca) }) },
    application_name: 'switchboard',
    max: connections,
    connectionTimeoutMillis: connectTimeoutMs,
    statement_timeout: statementTimeoutMs,
    idle_in_transaction_session_timeout: idleTransactionMs,
    query_timeout: responseTimeoutMs,
    keepAlive: true,
    // A transaction's `begin` leaves with its first statement.
    pipeline: true,
  };
}

function readAuthority(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (cause) {
    throw new StoreError('unreachable', `The file of DATABASE_CA, ${path}, cannot be read.`, { cause });
  }
}

const loopback = /^(?:localhost|127(?:\.\d+){3}|\[?::1\]?)$/;
