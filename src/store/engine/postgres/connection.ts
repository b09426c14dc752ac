import { readFileSync } from 'node:fs';
import type { ClientBase, ClientConfig, PoolConfig } from 'pg';
import { readDatabaseUrl } from '../../../lib/postgres-url.ts';
import type { Secret } from '../../../lib/secret.ts';
import { StoreError } from '../errors.ts';

/** How PostgreSQL is reached. */
export interface PostgresOptions {
  /** See `readDatabaseUrl`. */
  url: Secret;
  /** The path of a file with the certificates of the authority that the server is trusted by. Default: Node's. */
  ca?: string | undefined;
  /** Whether any certificate is accepted. Default: no. */
  unverified?: boolean | undefined;
  /** How many connections an instance may have, including its listener. Default: `defaultConnections`. */
  connections?: number | undefined;
}

/** As in the setting. */
const defaultConnections = 5;
/** How long a statement waits for a connection. */
const connectTimeoutMs = 10_000;
/**
 * How long a new session’s first answer is awaited. A pooler accepts a session at once, and may have no server process for it.
 * Less than `connectTimeoutMs`, so that a statement can still wait for one of the instance’s connections.
 */
export const firstAnswerMs = 5_000;
/** How long the server works on a statement. */
export const statementTimeoutMs = 60_000;
/** How long a transaction may be idle: a suspended machine must not keep a campaign from going on elsewhere. */
const idleTransactionMs = 5_000;
/** How long a response is awaited: longer than the server takes to give up. */
const responseTimeoutMs = 75_000;

/**
 * Returns what the pool connects with. The connection is encrypted and the server's certificate verified, except on this
 * machine and where `sslmode=disable` says that it need not be.
 *
 * @throws StoreError `unreachable` where the URL is wrong, or the file of the authority cannot be read
 */
export function connectionConfig({
  url,
  ca,
  unverified = false,
  connections = defaultConnections,
}: PostgresOptions): PoolConfig & ClientConfig {
  const address = readDatabaseUrl(url.reveal(), { unverified });
  if ('problem' in address) {
    throw new StoreError('unreachable', `DATABASE_URL ${address.problem}. ${address.remedy}`);
  }
  const { host, port, user, password, database, options, encryption, schema } = address;
  const authority = ca ?? address.ca;
  const isLocal = authority === undefined && encryption === 'default' && loopback.test(host);
  const isPlain = host.startsWith('/') || isLocal || encryption === 'off';
  return {
    host,
    port,
    user,
    password,
    database,
    options,
    ssl: !isPlain && {
      rejectUnauthorized: !unverified,
      ...(authority && { ca: readAuthority(authority, ca === undefined ? 'sslrootcert' : 'DATABASE_CA') }),
      ...(authority && encryption === 'verify-ca' && { checkServerIdentity: () => undefined }),
    },
    sslnegotiation: address.startsWithTls && !isPlain ? 'direct' : undefined,
    application_name: address.applicationName,
    // The listener has one of its own.
    max: Math.max(1, connections - 1),
    connectionTimeoutMillis: connectTimeoutMs,
    query_timeout: responseTimeoutMs,
    keepAlive: true,
    // A transaction's `begin` leaves with its first statement.
    pipeline: true,
    onConnect: (client) => prepareSession(client, schema),
  };
}

/** The settings of a session. Not as start-up parameters, which PgBouncer refuses. */
async function prepareSession(client: ClientBase, schema: string | undefined): Promise<void> {
  const settings = [
    `set statement_timeout = ${statementTimeoutMs}`,
    `set idle_in_transaction_session_timeout = ${idleTransactionMs}`,
    ...(schema === undefined ? [] : [`set search_path = ${client.escapeIdentifier(schema)}`]),
  ];
  const first = { text: settings.join('; '), query_timeout: firstAnswerMs };
  await client.query(first);
}

function readAuthority(path: string, setting: string): string {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (cause) {
    throw new StoreError('unreachable', `The file of ${setting}, ${path}, cannot be read.`, { cause });
  }
  // Node takes a file without any, and then trusts nobody.
  if (!/-----BEGIN (?:TRUSTED |X509 )?CERTIFICATE-----/.test(text)) {
    throw new StoreError('unreachable', `The file of ${setting}, ${path}, has no certificate in PEM format.`);
  }
  return text;
}

const loopback = /^(?:localhost|127(?:\.\d+){3}|::1)$/;
