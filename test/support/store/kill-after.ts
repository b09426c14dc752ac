import type { DatabaseConnection } from 'kysely';
import type { Store } from '../../../src/store/store.ts';

export interface Kill {
  /** Whether there was any write after the last of these commits. */
  hasCome(): boolean;
  /** Makes the database respond again, so that the program can stop and restart. */
  revive(): void;
}

/**
 * Cuts the program off from its database at the first write after this many commits. That write and all later
 * queries fail, and an open transaction is rolled back. Other work before the write, such as a request to the
 * provider, still happens. Nothing durable happens between commits, so this covers every state that the next
 * start can find.
 *
 * @param commits transactions that write, statements that write outside of one, and procedures
 */
export function killAfter({ db }: Pick<Store, 'db'>, commits: number): Kill {
  const executor = db.getExecutor();
  const provide = executor.provideConnection.bind(executor);
  const watched = new WeakSet<DatabaseConnection>();
  /** For each connection: its statements so far, and whether one of them writes. */
  const uses = new WeakMap<DatabaseConnection, { statements: number; hasWritten: boolean }>();
  let left = commits;
  let isDead = false;
  let isOver = false;
  const refuseDead = () => {
    if (!isOver && isDead) {
      throw new Error('killed');
    }
  };
  executor.provideConnection = (consumer) =>
    provide(async (connection) => {
      refuseDead();
      const use = { statements: 0, hasWritten: false };
      uses.set(connection, use);
      if (!watched.has(connection)) {
        watched.add(connection);
        const execute = connection.executeQuery.bind(connection);
        connection.executeQuery = async (query) => {
          const current = uses.get(connection);
          // Ignore heartbeats, which may be written at any time.
          if (current !== undefined && !/^\s*rollback|"instance"/i.test(query.sql)) {
            const isWrite = /^\s*(?:insert|update|delete|with)\b/i.test(query.sql);
            isDead ||= !isOver && isWrite && left <= 0;
            refuseDead();
            current.statements += 1;
            current.hasWritten ||= isWrite;
          }
          return execute(query);
        };
      }
      const result = await consumer(connection);
      const isProcedure = use.statements === 0;
      if (use.hasWritten || isProcedure) {
        left -= 1;
        // It isn't known in advance what a procedure writes.
        isDead ||= !isOver && isProcedure && left < 0;
      }
      return result;
    });
  return {
    hasCome: () => isDead,
    revive() {
      isOver = true;
    },
  };
}
