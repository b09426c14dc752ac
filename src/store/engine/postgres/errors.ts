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
    explanation:
      'The PostgreSQL server takes no writes: it is a standby, or read-only. Connect to the one that does.',
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
  return unreachable.some((prefix) => code.startsWith(prefix)) ? unreachableError(error) : error;
}

function unreachableError(cause: unknown): StoreError {
  const reason = cause instanceof DatabaseError ? `: ${cause.message}` : codeOf(cause);
  return new StoreError(
    'unreachable',
    `The database cannot be reached${reason}. Look whether PostgreSQL runs and takes connections.`,
    { cause },
  );
}

/** The messages of Node’s errors contain the address. */
function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string'
    ? ` (${error.code})`
    : '';
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
        log.error({ err: error, way }, 'PostgreSQL cannot be reached: work in the background waits for it');
      }
      out.add(way);
    },
    ended(way: Way): void {
      if (out.delete(way) && out.size === 0) {
        log.info('PostgreSQL can be reached again: work in the background goes on');
      }
    },
    isOn: (way: Way) => out.has(way),
  };
}
