/** Preloaded into the app: when the sandbox is gone, however it went, the app ends as at a stop. */
process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'));
// Listening alone must not keep an app alive that is about to end.
process.channel?.unref();
