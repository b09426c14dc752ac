import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { type TestContext, test } from 'node:test';
import { inspect, isDeepStrictEqual } from 'node:util';
import { startRawServer } from '../../support/http/raw-server.ts';
import { operations } from '../description/description.ts';
import type { Operation } from '../description/types.ts';
import { errorMessageFaults } from './check-error-message.ts';
import { type ExpectedOutcome, expectedOutcome } from './expected-outcome.ts';
import { createFaultEnvironment, type FaultResult } from './fault-environment.ts';
import { type Fault, faults } from './faults.ts';
import { type Cells, replaceTable, tableOf } from './markdown-table.ts';

/** How every operation ended, by fault. */
const cells: Cells = new Map();

test('every operation against every fault', async (t) => {
  const elsewhere = await startRawServer();
  t.after(() => elsewhere.close());
  const rows = faults.map((fault) => t.test(fault.name, (t) => everyOperationMeets(t, fault, elsewhere.url)));
  await Promise.all(rows);
  assert.equal(elsewhere.connections(), 0, 'a redirect was followed to another host');
});

async function everyOperationMeets(t: TestContext, fault: Fault, elsewhere: URL) {
  const row = new Map<string, ExpectedOutcome>();
  cells.set(fault.name, row);
  const world = await createFaultEnvironment(fault, elsewhere);
  t.after(() => world.close());
  const wrong: string[] = [];
  for (const operation of operations) {
    const meeting = await world.run(operation);
    row.set(operation.name, endOf(meeting));
    wrong.push(...shortcomings(operation, fault, meeting).map((what) => `${operation.name} ${what}`));
  }
  assert.deepEqual(wrong, []);
}

/** Every difference between a cell and its expectation. */
function shortcomings(operation: Operation, fault: Fault, meeting: FaultResult): string[] {
  const { outcome, pauses } = meeting;
  const [end, expected] = [endOf(meeting), expectedOutcome(operation, fault)];
  return [
    ...(isDeepStrictEqual(end, expected) ? [] : [`ends as ${inspect(end)}, not as ${inspect(expected)}`]),
    ...(end.arrivals > 1 && !operation.idempotent ? ['is repeated'] : []),
    ...pauses
      .filter((pause) => pause < (fault.retryAfter ?? 0))
      .map((pause) => `comes back after ${pause} ms`),
    ...(outcome.kind === 'accepted' ? [] : errorMessageFaults(operation, fault, outcome, meeting.values)),
  ];
}

function endOf({ outcome, arrivals }: FaultResult): ExpectedOutcome {
  if (outcome.kind === 'accepted') {
    return { kind: 'accepted', arrivals };
  }
  const { reason, status, sent } = outcome.error;
  return { kind: outcome.kind, reason, ...(status !== undefined && { status }), sent, arrivals };
}

test('docs/provider.md has the current matrix', async () => {
  const file = new URL('../../../docs/provider.md', import.meta.url);
  const page = await readFile(file, 'utf8');
  const asItIs = replaceTable(page, tableOf(cells));
  if (process.env.UPDATE_DOCS) {
    await writeFile(file, asItIs);
  } else {
    assert.equal(page, asItIs, 'UPDATE_DOCS=1 npm test brings the page up to date');
  }
});
