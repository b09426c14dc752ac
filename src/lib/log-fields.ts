import { AsyncLocalStorage } from 'node:async_hooks';

/** What every line of the log says of the work that writes it. */
export interface LogFields {
  /** Names one request of Slack. */
  request?: string | undefined;
  /** The campaign that is being sent. */
  campaign?: string | undefined;
  /** The trace of the work, where traces are on. */
  trace?: string | undefined;
}

const storage = new AsyncLocalStorage<LogFields>();
const none: LogFields = {};

/** Calls `work`. Everything that it logs, however late, has these fields and the current ones. */
export function withLogFields<Result>(fields: LogFields, work: () => Result): Result {
  return storage.run({ ...storage.getStore(), ...fields }, work);
}

/** Calls `work`, which belongs to no request, whatever caused it. */
export function withoutLogFields<Result>(work: () => Result): Result {
  return storage.run(none, work);
}

/** Returns the fields of the current work. */
export function currentLogFields(): LogFields {
  return storage.getStore() ?? none;
}
