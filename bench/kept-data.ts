import { randomUUID } from 'node:crypto';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { phoneNumberSchema } from '../src/domain/phone/phone-number.ts';
import { Secret } from '../src/lib/secret.ts';
import { erasedAreas } from '../src/services/erasure/erasure-service.ts';
import type { ReadRow } from '../src/store/campaigns/campaigns.ts';
import { openStore } from '../src/store/store.ts';
import { performIn } from '../test/support/store/perform-in.ts';
import { table } from './support/figures.ts';

/**
 * `node bench/kept-data.ts --rows 1000000`: the audit and an erasure over many rows. Prints for each work its time, how
 * long the event loop stood still at most, how long a query of somebody else waited at most, and the memory beyond that
 * of the idle store. With `--data <folder>`, the first run fills that folder, and the next one measures, and removes it.
 */
const { values: options } = parseArgs({
  options: { rows: { type: 'string', default: '1000000' }, data: { type: 'string' } },
});
const rows = Number(options.rows);
const workspaceId = 'T1';
const number = phoneNumberSchema.parse('+2348031234567');
const probeEveryMs = 20;
const mebibyte = 2 ** 20;

const dataDir = options.data ?? mkdtempSync(join(tmpdir(), 'kept-data-'));
const isFilled = options.data !== undefined && existsSync(dataDir);
const store = await openStore({
  dataDir,
  encryptionKeys: [new Secret(Buffer.alloc(32, 7).toString('base64'))],
});

/** Returns `count` numbers, one after the other. */
function* batches(count: number, size: number): Generator<number[]> {
  for (let begin = 0; begin < count; begin += size) {
    yield Array.from({ length: Math.min(size, count - begin) }, (_, index) => begin + index);
  }
}

async function fillAudit(): Promise<void> {
  const append = await store.audit.prepare();
  for (const batch of batches(rows, 2_000)) {
    await store.db.transaction().execute((transaction) =>
      append(
        transaction,
        batch.map((index) => ({
          workspaceId,
          userId: `U${index % 50}`,
          action: 'sms.send',
          subject: randomUUID(),
          outcome: 'accepted',
          details: { recipients: 1, pages: 1 },
        })),
      ),
    );
  }
}

async function fillCampaign(): Promise<void> {
  const writer = await store.campaigns.begin({
    ...{ workspaceId, id: 'sale', createdBy: 'U1', name: 'Sale', route: 'dnd', senderId: 'PalmMarket' },
    ...{ personal: false, text: 'Our shop opens at nine', columns: ['Phone', 'Name'] },
  });
  for (const batch of batches(rows, 500)) {
    await writer?.add(
      batch.map((index): ReadRow => {
        const to = index === rows / 2 ? number : `+234805${String(index).padStart(7, '0')}`;
        return {
          kind: 'recipient',
          line: index,
          number: String(to),
          pages: 1,
          quiet: false,
          cells: [String(to), 'Ada'],
        };
      }),
    );
  }
  await writer?.finish();
}

async function fillHistory(): Promise<void> {
  const { db } = store;
  const keyv = store.keyv(workspaceId, 'drafts');
  const [sample] = [
    await performIn(
      store.ledger,
      {
        ...{ workspaceId, key: 'sample', kind: 'sms.send', userId: 'U1', text: 'Hello Ada' },
        numbers: [number],
        summary: { to: ['+234803•••4567'] },
      },
      async () => ({ state: 'accepted' }),
    ),
  ];
  await keyv.set('draft', { recipients: [number] }, 600_000);
  const operation = await db
    .selectFrom('operation')
    .selectAll()
    .where('key', '=', 'sample')
    .executeTakeFirstOrThrow();
  void sample;
  for (const batch of batches(rows, 500)) {
    await db
      .insertInto('operation')
      .values(
        batch.map((index) => ({ ...operation, id: `${operation.id}.${index}`, key: `sample.${index}` })),
      )
      .execute();
  }
}

/** Calls `work` and returns its figures. */
async function measure(name: string, work: () => Promise<unknown>): Promise<string[]> {
  globalThis.gc?.();
  const before = process.memoryUsage.rss();
  const loop = monitorEventLoopDelay({ resolution: 1 });
  let isOver = false;
  let [longestQuery, peak] = [0, before];
  const probe = async () => {
    while (!isOver) {
      const begin = performance.now();
      await store.db.selectFrom('operation').select('id').limit(1).execute();
      longestQuery = Math.max(longestQuery, performance.now() - begin);
      peak = Math.max(peak, process.memoryUsage.rss());
      await wait(probeEveryMs);
    }
  };
  const probing = probe();
  loop.enable();
  const begin = performance.now();
  const result = await work();
  const seconds = (performance.now() - begin) / 1000;
  loop.disable();
  isOver = true;
  await probing;
  console.error(name, JSON.stringify(result)?.slice(0, 300));
  const ms = (value: number) => `${value.toFixed(0)} ms`;
  return [
    name,
    `${seconds.toFixed(1)} s`,
    ms(loop.max / 1e6),
    ms(loop.percentile(99.9) / 1e6),
    ms(longestQuery),
    `${((peak - before) / mebibyte).toFixed(0)} MiB`,
  ];
}

async function countAudit(): Promise<number> {
  let count = 0;
  for await (const _ of store.audit.all({ workspaceId })) {
    count += 1;
  }
  return count;
}

async function fill(): Promise<string[][]> {
  const figures = [
    await measure('fill the audit', fillAudit),
    await measure('import the list', fillCampaign),
    await measure('fill the history', fillHistory),
  ];
  await store.purge();
  return figures;
}

async function measureAll(): Promise<string[][]> {
  const { audit, erasure } = store;
  const person = {
    workspaceIds: [workspaceId],
    number,
    areas: erasedAreas,
    signal: new AbortController().signal,
  };
  return [
    await measure('verify the audit', () => audit.verify({ onProblem: async () => {} })),
    await measure('read the audit', countAudit),
    await measure('find a person', () => erasure.find(workspaceId, number)),
    await measure('list the workspaces', () => erasure.workspaces()),
    await measure('erase a person', () => erasure.erase(person)),
    await measure('expire the audit', () => audit.expire(new Date(Date.now() + 1_000))),
    await measure('forget the workspace', () => store.forget(workspaceId)),
  ];
}

const isLast = isFilled || options.data === undefined;
try {
  const figures = [['', 'time', 'event loop, longest', 'p99.9', 'a query, longest', 'memory']];
  figures.push(...(isFilled ? [] : await fill()), ...(isLast ? await measureAll() : []));
  console.log(table(figures));
} finally {
  await store.close();
  if (isLast) {
    rmSync(dataDir, { recursive: true });
  }
}
