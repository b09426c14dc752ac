import hooks from 'node:async_hooks';

/**
 * Loads Node's test runner without its hook on every promise, which takes a sixth of the tests' CPU time.
 * The runner uses the hook to find the test of an uncaught error. Instead, `run-files.ts` charges such an error to the
 * current file.
 */
const { createHook } = hooks;
hooks.createHook = (callbacks) => createHook({ ...callbacks, trackPromises: false });
await import('node:test');
hooks.createHook = createHook;
