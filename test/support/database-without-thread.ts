import { EventEmitter } from 'node:events';
import { syncBuiltinESMExports } from 'node:module';
import threads from 'node:worker_threads';
import type { DatabasePort } from '../../src/store/engine/sqlite/worker.ts';

/**
 * Has `npm test` serve its databases in the thread of the tests, because waking another thread for each statement takes a
 * tenth of its CPU time. An answer comes in a later turn of the event loop, as it does from the thread. Programs that tests
 * start have the thread, and so have the databases of the other suites.
 */
const entry = new URL('../../src/store/store-worker.ts', import.meta.url).href;

class DatabasesHere extends EventEmitter {
  readonly #requests = new EventEmitter();
  readonly #isServed = this.#serve();

  async #serve(): Promise<void> {
    const { serveDatabases } = await import('../../src/store/engine/sqlite/worker.ts');
    const { settleAndClaim } = await import('../../src/store/campaigns/sending/settle-and-claim.ts');
    const { storeImportBatch } = await import('../../src/store/campaigns/import/import-batch.ts');
    const port: DatabasePort = {
      on: (event, listener) => this.#requests.on(event, listener),
      postMessage: (response) => void setImmediate(() => this.emit('message', response)),
    };
    serveDatabases(port, [settleAndClaim, storeImportBatch]);
  }

  postMessage(message: unknown): void {
    void this.#isServed.then(() => this.#requests.emit('message', message));
  }

  ref(): void {}

  unref(): void {}
}

threads.Worker = new Proxy(threads.Worker, {
  construct: (target, [file, options]: [string | URL, threads.WorkerOptions]) =>
    String(file) === entry ? new DatabasesHere() : new target(file, options),
});
syncBuiltinESMExports();
