const patience = 5_000;

/**
 * Preloaded into the app: when the sandbox is gone, however it went, the app ends as at a stop. Nobody reads its log any
 * more, and what cannot be written may keep it from ending: then it is ended.
 */
process.once('disconnect', () => {
  setTimeout(() => process.kill(process.pid, 'SIGKILL'), patience).unref();
  process.kill(process.pid, 'SIGTERM');
});
// Listening alone must not keep an app alive that is about to end.
process.channel?.unref();
