import assert from 'node:assert/strict';
import type { FuzzResult } from './fuzz.ts';

const megabyte = 1024 * 1024;

/** Asserts that nothing crashed, no response was 500 or above, everything sent is recorded, and memory and handles did not grow. */
export function assertSound({
  faults,
  exitCode,
  memory,
  handles,
  sent,
  recorded: writtenDown,
}: FuzzResult): void {
  assert.equal(faults.length, 0, JSON.stringify(faults, null, 2).slice(0, 10_000));
  assert.equal(exitCode, 0);
  assert.ok(sent > 0, 'nothing at all was sent');
  assert.ok(sent <= writtenDown, `${sent} requests to the provider, ${writtenDown} written down`);
  const grown = (memory.after - memory.before) / megabyte;
  assert.ok(grown < 100, `the program grew by ${grown} MiB`);
  const opened = handles.after - handles.before;
  assert.ok(opened < 50, `${opened} more handles are open`);
}
