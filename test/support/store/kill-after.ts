import type { DatabaseConnection } from 'kysely';
import type { Store } from '../../../src/store/store.ts';

export interface Kill {
  /** Whether anything was to be written after the last of the commits. */
  hasCome(): boolean;
  /** Has the database answer again: for the end of the program, and its next start. */
  revive(): void;
}

/**
 * Kills the program for its database where it is to write something after so many commits: neither that is done, nor anything
 * that it asks later, and what a transaction had begun is undone. It has done by then whatever it does in between, such as a
 * request to the provider. Nothing lasts between two commits that a kill could cut, so these are all the points at which the next
 * start can find something else.
 *
 * @param commits transactions that write, statements that write outside of one, and procedures
 */
export function killAfter({ db }: Pick<Store, 'db'>, commits: number): Kill {
  const executor = db.getExecutor();
  const provide = executor.provideConnection.bind(executor);
  const watched = new WeakSet<DatabaseConnection>();
  /** Of the one who has the connection: the statements so far, and whether one of them writes. */
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
          // That an instance lives is written at any moment.
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
        // What it writes is not known before.
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
