import assert from 'node:assert/strict';
import type { Ledger } from '../../../src/store/operations/ledger.ts';
import type { Ending, Intent, Operation } from '../../../src/store/operations/operation.ts';

/** Performs an operation without charges. `first`: whether this call performed it. */
export async function performIn(
  ledger: Pick<Ledger, 'begin' | 'end'>,
  intent: Intent,
  call: () => Promise<Ending>,
): Promise<{ operation: Operation; first: boolean }> {
  const begun = await ledger.begin(intent, []);
  assert(begun.kind !== 'full');
  return begun.kind === 'begun'
    ? { operation: await ledger.end(begun, await call()), first: true }
    : { operation: begun.operation, first: false };
}
