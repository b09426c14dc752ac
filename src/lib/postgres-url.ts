import { type ConnectionOptions, parse } from 'pg-connection-string';

/** What becomes of a parameter after the `?` of `DATABASE_URL`. */
interface DatabaseParameter {
  /** A name, or one value of it: `sslmode=require`. */
  readonly parameter: string;
  readonly outcome: 'accepted' | 'accepted with a warning' | 'refused';
  /** What it does here, or what to do instead. */
  readonly note: string;
}

const verified = 'Encrypted, and the certificate is verified with the server’s name.';
const verifiedInstead =
  'The certificate is verified as well, which is stricter. Set `sslmode=verify-full`, which says so.';
const notVerified =
  'Set `DATABASE_CA` to the certificates of your provider. Only if it has none, set `DATABASE_CERTIFICATE=unverified`.';
const unencrypted = 'Not encrypted: for a private network.';
const mayBePlain =
  'The connection could go on without encryption. Set `sslmode=require`, or `sslmode=disable` in a private network.';
const schema =
  'The schema of the tables, which has to exist. Default: the first of the user’s `search_path`.';
const noEffect = 'No effect.';
const connections = 'No effect: `DATABASE_CONNECTIONS` sets how many connections an instance has.';
const ownTimeouts = 'No effect: Switchboard has time limits of its own.';
const nodeCertificates = 'Leave it out: Switchboard logs in with a password.';
const beforeTheQuestionMark = 'Put it before the `?`: `postgres://user:password@host:port/database`.';
const writable = 'Leave it out, and name the primary server.';

/** Of a value, the row of the value counts; otherwise the row of the name. What has no row is refused. */
export const databaseParameters: readonly DatabaseParameter[] = [
  ...rows(
    'accepted',
    'The server, or the folder of its socket: `/cloudsql/project:region:instance`.',
    'host',
  ),
  ...rows('accepted', 'Overrides the part before the `?`.', 'port', 'user', 'password'),
  ...rows('accepted', unencrypted, 'sslmode=disable', 'ssl=false', 'ssl=0', 'ssl=disable'),
  ...rows('accepted', verified, 'sslmode=verify-full', 'ssl=verify-full', 'sslaccept=strict'),
  ...rows(
    'accepted',
    'With `DATABASE_CA` or `sslrootcert`, the server’s name is not compared. Without, as `verify-full`.',
    'sslmode=verify-ca',
    'ssl=verify-ca',
  ),
  ...rows('accepted with a warning', verifiedInstead, 'sslmode=require', 'ssl=require', 'ssl=true', 'ssl=1'),
  ...rows('refused', notVerified, 'sslmode=no-verify', 'ssl=no-verify', 'sslaccept=accept_invalid_certs'),
  ...rows('refused', mayBePlain, 'sslmode', 'ssl', 'sslaccept'),
  ...rows(
    'accepted',
    'A file with the certificates of the authority, unless `DATABASE_CA` is set; `system` is Node’s own.',
    'sslrootcert',
  ),
  ...rows('accepted', 'Starts with TLS at once instead of asking for it first.', 'sslnegotiation=direct'),
  ...rows('accepted', noEffect, 'sslnegotiation=postgres'),
  ...rows(
    'accepted',
    'The name in `pg_stat_activity`. Default: `switchboard`.',
    'application_name',
    'fallback_application_name',
  ),
  ...rows(
    'accepted',
    'Passed to the server unchanged: Neon’s `endpoint=…`, Supabase’s `reference=…`, `-c …`. A pooler may refuse it.',
    'options',
  ),
  ...rows('accepted', schema, 'schema', 'search_path', 'currentSchema'),
  ...rows(
    'accepted',
    noEffect,
    'target_session_attrs=read-write',
    'target_session_attrs=primary',
    'target_session_attrs=any',
  ),
  ...rows('refused', writable, 'target_session_attrs'),
  ...rows('accepted', noEffect, 'client_encoding=utf8', 'client_encoding=utf-8', 'client_encoding=auto'),
  ...rows('refused', 'Leave it out: Switchboard speaks UTF-8.', 'client_encoding'),
  ...rows(
    'accepted',
    'No effect: the certificate is verified, which proves who the server is.',
    'channel_binding',
  ),
  ...rows(
    'accepted',
    'No effect. A pooler has to keep sessions, see [below](#use-a-connection-pooler).',
    'pgbouncer',
    'pool_mode',
  ),
  ...rows(
    'accepted',
    noEffect,
    'uselibpqcompat',
    'sslsni',
    'sslcompression',
    'ssl_min_protocol_version',
    'ssl_max_protocol_version',
    'gssencmode=disable',
    'gssencmode=prefer',
    'keepalives',
    'keepalives_idle',
    'keepalives_interval',
    'keepalives_count',
    'tcp_user_timeout',
    'load_balance_hosts',
    'supa',
    'workaround',
  ),
  ...rows(
    'accepted with a warning',
    connections,
    'connection_limit',
    'max',
    'max_connections',
    'pool_size',
    'pool_max_conns',
  ),
  ...rows(
    'accepted with a warning',
    ownTimeouts,
    'connect_timeout',
    'pool_timeout',
    'socket_timeout',
    'statement_timeout',
    'query_timeout',
    'lock_timeout',
    'idle_in_transaction_session_timeout',
  ),
  ...rows(
    'accepted with a warning',
    'No effect: Switchboard prepares statements.',
    'statement_cache_size',
    'prepareThreshold',
    'prepared_statements',
  ),
  ...rows('refused', nodeCertificates, 'sslcert', 'sslkey', 'sslpassword', 'sslidentity', 'gssencmode'),
  ...rows('refused', beforeTheQuestionMark, 'dbname', 'hostaddr', 'service', 'passfile'),
];

function rows(
  outcome: DatabaseParameter['outcome'],
  note: string,
  ...parameters: readonly string[]
): DatabaseParameter[] {
  return parameters.map((parameter) => ({ parameter, outcome, note }));
}

/** Why a URL is refused. Both parts quote only names of parameters. */
interface DatabaseUrlFault {
  /** Completes a sentence that begins with *DATABASE_URL*. */
  problem: string;
  remedy: string;
}

interface DatabaseAddress {
  host: string;
  port: number | undefined;
  user: string | undefined;
  password: string | undefined;
  database: string;
  /** `default`: encrypted and verified, except on this machine. */
  encryption: 'default' | 'off' | 'require' | 'verify-ca' | 'verify-full';
  /** The path of a file with the certificates of the authority. Default: Node’s own. */
  ca: string | undefined;
  startsWithTls: boolean;
  applicationName: string;
  /** Sent at the start of a session. */
  options: string | undefined;
  schema: string | undefined;
  /** Sentences on parameters that do something else than they say. */
  warnings: readonly string[];
}

/** The values of `sslmode`, `ssl` and `sslaccept` that are not refused. */
const encryptions: Readonly<Record<string, DatabaseAddress['encryption']>> = {
  disable: 'off',
  false: 'off',
  0: 'off',
  require: 'require',
  true: 'require',
  1: 'require',
  'no-verify': 'require',
  accept_invalid_certs: 'require',
  'verify-ca': 'verify-ca',
  'verify-full': 'verify-full',
  strict: 'verify-full',
};

const form = 'Set postgres://user:password@host:port/database.';
const percentEncode: DatabaseUrlFault = {
  problem: 'has a character in it that must be percent-encoded, probably in the password',
  remedy: 'Write % as %25, @ as %40, : as %3A, / as %2F, ? as %3F and # as %23.',
};

/**
 * Reads a `DATABASE_URL` as hosted databases hand it out.
 *
 * @param options.unverified whether the operator allows a certificate that is not verified
 */
export function readDatabaseUrl(
  text: string,
  { unverified = false } = {},
): DatabaseAddress | DatabaseUrlFault {
  const { authority, rest } =
    /^postgres(?:ql)?:\/\/(?<authority>[^/?#]*)(?<rest>.*)$/s.exec(text)?.groups ?? {};
  if (authority === undefined || rest === undefined) {
    return { problem: 'does not begin with postgres://', remedy: form };
  }
  // In `u:p/w@host` the password ends the authority too early.
  if (/[@#]/.test(rest) || /%(?![\da-f]{2})/i.test(text)) {
    return percentEncode;
  }
  const [path = '', query] = rest.split(/\?(.*)/s);
  const parameters = [...new URLSearchParams(query)];
  const values = new Map(parameters);
  const repeated = parameters.find(([name, value]) => values.get(name) !== value)?.[0];
  if (repeated !== undefined) {
    return {
      problem: `has ${quotable(repeated)} more than once after its ?`,
      remedy: 'Leave one of them out.',
    };
  }
  if (`${authority.split('@').at(-1)}${values.get('host') ?? ''}`.includes(',')) {
    const remedy = 'Name the primary server, or a proxy that leads to it.';
    return { problem: 'names several hosts', remedy };
  }
  const warnings: string[] = [];
  for (const [name, value] of values) {
    const row = rowOf(name, value);
    if (row === undefined) {
      const remedy = 'Leave it out. docs/deploying.md lists the parameters that are taken.';
      return { problem: `has ${quotable(name)} after its ?, which Switchboard does not know`, remedy };
    }
    if (row.outcome === 'refused' && !(unverified && row.note === notVerified)) {
      return { problem: `has ${row.parameter} after its ?`, remedy: row.note };
    }
    if (row.outcome === 'accepted with a warning') {
      warnings.push(`DATABASE_URL has ${row.parameter} after its ?. ${row.note}`);
    }
  }
  const modes = ['sslmode', 'ssl', 'sslaccept'].filter((name) => values.get(name));
  const isOff = modes.map((name) => encryptions[values.get(name)?.toLowerCase() ?? ''] === 'off');
  if (new Set(isOff).size > 1) {
    const problem = `has ${modes.join(' and ')} after its ?, which contradict each other`;
    return { problem, remedy: 'Leave one of them out.' };
  }
  const hostAndPort = authority.split('@').at(-1) ?? '';
  if (!hostAndPort.includes('[') && hostAndPort.split(':').length > 2) {
    const problem = 'names an IPv6 address without brackets';
    return { problem, remedy: 'Set postgres://user:password@[address]:port/database.' };
  }
  const givenPort = values.get('port') || /:([^:\]]*)$/.exec(hostAndPort)?.[1];
  if (givenPort && !(/^\d{1,5}$/.test(givenPort) && Number(givenPort) >= 1 && Number(givenPort) <= 65_535)) {
    return { problem: 'has a port that is not a number from 1 to 65535', remedy: form };
  }
  const config = parsed(`postgres://${authority}${path}`, values);
  if (config === undefined) {
    return authority.includes('@') ? percentEncode : { problem: 'is not an address', remedy: form };
  }
  const { host, database, user, password, port, options } = config;
  if (!host || !database) {
    return { problem: host ? 'names no database' : 'names no host', remedy: form };
  }
  const ca = values.get('sslrootcert');
  const mode = values.get(modes[0] ?? '') ?? '';
  return {
    host,
    database,
    options,
    warnings,
    user: user || undefined,
    password: password || undefined,
    port: port ? Number(port) : undefined,
    encryption: encryptions[mode.toLowerCase()] ?? 'default',
    ca: ca === 'system' ? undefined : ca,
    startsWithTls: values.get('sslnegotiation') === 'direct',
    applicationName: config.application_name || config.fallback_application_name || 'switchboard',
    schema: values.get('schema') || values.get('currentSchema') || values.get('search_path') || undefined,
  };
}

/** The name of a parameter, unless it could be part of a secret. */
function quotable(name: string): string {
  return /^[a-z_]{2,40}$/i.test(name) ? name : 'a parameter';
}

function rowOf(name: string, value: string): DatabaseParameter | undefined {
  const ofValue = `${name}=${value.toLowerCase()}`;
  return (
    databaseParameters.find(({ parameter }) => parameter === ofValue) ??
    databaseParameters.find(({ parameter }) => parameter === name)
  );
}

/** `pg-connection-string` would read files for the parameters of TLS, and print warnings. */
const parsedParameters = [
  'host',
  'port',
  'user',
  'password',
  'options',
  'application_name',
  'fallback_application_name',
];

function parsed(address: string, values: ReadonlyMap<string, string>): ConnectionOptions | undefined {
  const query = new URLSearchParams([...values].filter(([name]) => parsedParameters.includes(name)));
  try {
    // With a space in it, the parser would take %2F for three characters.
    return parse(`${address.replaceAll(' ', '%20')}?${query}`);
  } catch {
    return undefined;
  }
}
