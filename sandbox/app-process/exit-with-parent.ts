/**
 * Preloaded into the app: stops it as SIGTERM does when the sandbox has exited or died. Nobody reads its log any more,
 * so its exit does not wait for the rest of the log to be written.
 */
process.once('disconnect', () => {
  process.prependOnceListener('exit', () => process.kill(process.pid, 'SIGKILL'));
  process.kill(process.pid, 'SIGTERM');
});
// The open channel alone must not keep the app alive.
process.channel?.unref();
