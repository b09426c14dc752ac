/**
 * Preloaded into the app: when the sandbox is gone, however it went, the app ends as at a stop. Nobody reads its log any
 * more, so it does not wait at its very end for what is left of that to be written.
 */
process.once('disconnect', () => {
  process.prependOnceListener('exit', () => process.kill(process.pid, 'SIGKILL'));
  process.kill(process.pid, 'SIGTERM');
});
// Listening alone must not keep an app alive that is about to end.
process.channel?.unref();
