import { DatabaseError } from 'pg';
import type { Log } from '../../../lib/log.ts';
import { StoreError, type StoreFault } from '../errors.ts';

/** By SQLSTATE, or the class that it begins with. */
const faults: Readonly<Record<string, { fault: StoreFault; explanation: string }>> = {
  '53100': { fault: 'disk_full', explanation: 'The disk of the PostgreSQL server is full. Make room on it.' },
  '58': { fault: 'disk_fault', explanation: 'The PostgreSQL server cannot use its disk. Look at its log.' },
  XX001: { fault: 'disk_fault', explanation: 'Data on the PostgreSQL server is damaged. Look at its log.' },
  XX002: { fault: 'disk_fault', explanation: 'Data on the PostgreSQL server is damaged. Look at its log.' },
  '25006': {
    fault: 'disk_fault',
    explanation: 'The PostgreSQL server is a standby or read-only. Connect to the primary server.',
  },
  '40001': { fault: 'conflict', explanation: 'Another change came in between, so this one was undone.' },
  '40P01': { fault: 'conflict', explanation: 'Another change came in between, so this one was undone.' },
  '55P03': { fault: 'locked', explanation: 'The database is busy with another change. Try again.' },
  '57014': { fault: 'locked', explanation: 'The database took too long, so the statement was cancelled.' },
};

const unreachable: readonly string[] = ['08', '53300', '57P', '3D000', '28'];

/**
 * Returns a StoreError where the server, or the way to it, is the cause; what a statement itself did wrong stays as it is.
 * Whether a statement without an answer was performed is not known.
 */
export function toStoreError(error: unknown): unknown {
  if (error instanceof StoreError || error instanceof TypeError || error instanceof RangeError) {
    return error;
  }
  if (!(error instanceof DatabaseError)) {
    return unreachableError(error);
  }
  const code = error.code ?? '';
  const known = faults[code] ?? faults[code.slice(0, 2)];
  if (known !== undefined) {
    return new StoreError(known.fault, known.explanation, { cause: error });
  }
  return isFull(error) || unreachable.some((prefix) => code.startsWith(prefix))
    ? unreachableError(error)
    : error;
}

/** Of poolers, which have no code of their own for it. */
const isFullMessage =
  /no more connections|max[_ ]?client|too many (?:clients|connections)|query_wait_timeout/i;

/** Whether the server or a pooler has no further connection, and says so. */
export function isFull(error: unknown): boolean {
  return error instanceof DatabaseError && (error.code === '53300' || isFullMessage.test(error.message));
}

/** Of pg, which has no code for it. */
const unanswered = 'Query read timeout';

/** Whether nothing came back in time. PgBouncer says nothing while no server process is free. */
export function isUnanswered(error: unknown): boolean {
  return error instanceof Error && error.message === unanswered;
}

/** What to do about a refusal, by SQLSTATE or its class. Anything else may pass, or is the server's own fault. */
const remedies: Readonly<Record<string, string>> = {
  '53300':
    'It allows no more connections: raise max_connections, or lower DATABASE_CONNECTIONS or the number of instances.',
  '3D000': 'Create the database, or correct its name in DATABASE_URL.',
  '28': 'Check the user and the password in DATABASE_URL: characters such as @ : / ? # % in a password must be percent-encoded.',
};

const enlargePool =
  'The pool of a connection pooler must hold DATABASE_CONNECTIONS for each instance, and twice that during an upgrade ' +
  '(PgBouncer: default_pool_size, and max_client_conn for the clients). Enlarge the pool, or lower DATABASE_CONNECTIONS.';

/** Why a certificate is not accepted, by the code of Node or OpenSSL. */
const certificateFaults: Readonly<Record<string, string>> = {
  ERR_TLS_CERT_ALTNAME_INVALID: 'it is for another host name',
  CERT_HAS_EXPIRED: 'it has expired',
  CERT_NOT_YET_VALID: 'it is not valid yet',
};
const certificateFault =
  /^(?:ERR_TLS_|CERT_|UNABLE_TO_|SELF_SIGNED_|DEPTH_ZERO_|INVALID_CA|HOSTNAME_MISMATCH)/;

/** Of errors of pg, which have no code. */
const explanations: Readonly<Record<string, string>> = {
  'The server does not support SSL connections':
    'The PostgreSQL server does not encrypt. Switch TLS on there, or set sslmode=disable in a private network.',
  'timeout exceeded when trying to connect':
    'All connections of this instance to the database were busy for ten seconds. Try again; DATABASE_CONNECTIONS sets how many it has, and a pooler needs as many for each instance.',
  [unanswered]: `PostgreSQL did not answer in time. Check that it is running. ${enlargePool}`,
};

function unreachableError(cause: unknown): StoreError {
  const code = codeOf(cause);
  return new StoreError('unreachable', explain(cause, code), { cause });
}

function explain(cause: unknown, code: string): string {
  if (cause instanceof DatabaseError) {
    const remedy =
      remedies[code] ?? (isFull(cause) ? enlargePool : (remedies[code.slice(0, 2)] ?? lookAtServer));
    return `The database cannot be reached: ${cause.message}. ${remedy}`;
  }
  if (certificateFault.test(code)) {
    const reason = certificateFaults[code] ?? 'the authority that signed it is not known';
    return (
      `The certificate of the PostgreSQL server is not accepted: ${reason} (${code}). Set DATABASE_CA to a file with the ` +
      'certificates of your database provider’s authority, and use the host name that the certificate is for.'
    );
  }
  const withoutCode = cause instanceof Error ? explanations[cause.message] : undefined;
  if (withoutCode !== undefined) {
    return withoutCode;
  }
  return `The database cannot be reached${code && ` (${code})`}. ${lookAtServer}`;
}

const lookAtServer = 'Check that PostgreSQL is running and accepts connections.';

/** The messages of Node’s errors contain the address. */
function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
}

/**
 * What reaches PostgreSQL, each on its own way: `statements` on the connections of the pool, `notifications` on one of their
 * own.
 */
type Way = 'statements' | 'notifications';

export type Outage = ReturnType<typeof createOutage>;

/** Logs once that the database cannot be reached, and once that it can be again. */
export function createOutage(log: Pick<Log, 'error' | 'info'>) {
  const out = new Set<Way>();
  return {
    began(way: Way, error: unknown): void {
      if (out.size === 0) {
        log.error({ err: error, way }, 'PostgreSQL cannot be reached: background work waits for it');
      }
      out.add(way);
    },
    ended(way: Way): void {
      if (out.delete(way) && out.size === 0) {
        log.info('PostgreSQL can be reached again: background work continues');
      }
    },
    isOn: (way: Way) => out.has(way),
  };
}
