import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { type TestContext, test } from 'node:test';
import { inspect, isDeepStrictEqual } from 'node:util';
import { startRawServer } from '../../support/http/raw-server.ts';
import { operations } from '../description/description.ts';
import type { Operation } from '../description/types.ts';
import { shortcomingsForAPerson } from './check-error-message.ts';
import { type End, expectedEnd } from './expected-outcome.ts';
import { type Meeting, worldOf } from './fault-environment.ts';
import { type Fault, faults } from './faults.ts';
import { type Cells, replaceTable, tableOf } from './markdown-table.ts';

/** How every call ended, fault by fault and operation by operation. */
const cells: Cells = new Map();

test('every operation meets every fault', async (t) => {
  const elsewhere = await startRawServer();
  t.after(() => elsewhere.close());
  const rows = faults.map((fault) => t.test(fault.name, (t) => everyOperationMeets(t, fault, elsewhere.url)));
  await Promise.all(rows);
  assert.equal(elsewhere.connections(), 0, 'a redirect was followed to another host');
});

async function everyOperationMeets(t: TestContext, fault: Fault, elsewhere: URL) {
  const row = new Map<string, End>();
  cells.set(fault.name, row);
  const world = await worldOf(fault, elsewhere);
  t.after(() => world.close());
  const wrong: string[] = [];
  for (const operation of operations) {
    const meeting = await world.meet(operation);
    row.set(operation.name, endOf(meeting));
    wrong.push(...shortcomings(operation, fault, meeting).map((what) => `${operation.name} ${what}`));
  }
  assert.deepEqual(wrong, []);
}

/** Everything in which a cell is not as it must be. */
function shortcomings(operation: Operation, fault: Fault, meeting: Meeting): string[] {
  const { outcome, pauses } = meeting;
  const [end, expected] = [endOf(meeting), expectedEnd(operation, fault)];
  return [
    ...(isDeepStrictEqual(end, expected) ? [] : [`ends as ${inspect(end)}, not as ${inspect(expected)}`]),
    ...(end.arrivals > 1 && !operation.idempotent ? ['is repeated'] : []),
    ...pauses.filter((pause) => pause < (fault.pause ?? 0)).map((pause) => `comes back after ${pause} ms`),
    ...(outcome.kind === 'accepted' ? [] : shortcomingsForAPerson(operation, fault, outcome, meeting.values)),
  ];
}

function endOf({ outcome, arrivals }: Meeting): End {
  if (outcome.kind === 'accepted') {
    return { kind: 'accepted', arrivals };
  }
  const { reason, status, sent } = outcome.error;
  return { kind: outcome.kind, reason, ...(status !== undefined && { status }), sent, arrivals };
}

test('docs/provider.md shows the matrix as it is', async () => {
  const file = new URL('../../../docs/provider.md', import.meta.url);
  const page = await readFile(file, 'utf8');
  const asItIs = replaceTable(page, tableOf(cells));
  if (process.env.UPDATE_DOCS) {
    await writeFile(file, asItIs);
  } else {
    assert.equal(page, asItIs, 'UPDATE_DOCS=1 npm test brings the page up to date');
  }
});
