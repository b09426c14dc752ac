import hooks from 'node:async_hooks';

/**
 * Loads node's test runner without its hook on every promise, which takes a sixth of the CPU time of the tests. The runner uses
 * the hook to tell which test an uncaught error belongs to. `run-files.ts` charges such an error to the file that runs.
 */
const { createHook } = hooks;
hooks.createHook = (callbacks) => createHook({ ...callbacks, trackPromises: false });
await import('node:test');
hooks.createHook = createHook;
