import assert from 'node:assert/strict';
import type { FuzzResult } from './fuzz.ts';

const megabyte = 1024 * 1024;

/** Asserts that nothing crashed, no response was 500 or above, no rejection went
 * unhandled, everything sent is recorded of somebody who may send, and memory and handles did not grow. */
export function assertSound({
  faults,
  exitCode,
  memory,
  handles,
  sent,
  recorded,
  unasked,
  unhandled,
}: FuzzResult): void {
  assert.equal(faults.length, 0, JSON.stringify(faults, null, 2).slice(0, 10_000));
  assert.equal(exitCode, 0);
  assert.ok(sent > 0, 'nothing at all was sent');
  assert.ok(sent <= recorded, `${sent} requests to the provider, ${recorded} recorded`);
  assert.deepEqual(unasked, []);
  assert.deepEqual(unhandled, []);
  const grown = (memory.after - memory.before) / megabyte;
  assert.ok(grown < 100, `the program grew by ${grown} MiB`);
  const opened = handles.after - handles.before;
  assert.ok(opened < 50, `${opened} more handles are open`);
}
