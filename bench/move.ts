import { randomUUID } from 'node:crypto';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { startPostgresServer } from '../sandbox/postgres-server.ts';
import { Secret } from '../src/lib/secret.ts';
import type { ReadRow } from '../src/store/campaigns/campaigns.ts';
import { moveStore } from '../src/store/installation/move-store.ts';
import { openStore } from '../src/store/store.ts';

/**
 * `node bench/move.ts --rows 1000000`: `npm run migrate-store` of a store with that many rows, half of them the recipients of
 * a campaign, half entries of the audit. PostgreSQL runs on this machine and does not wait for its disk. With `--folder`
 * the store is made there by the first call, and moved by the second.
 */
const { values: options } = parseArgs({
  options: { rows: { type: 'string', default: '1000000' }, folder: { type: 'string' } },
});
const half = Number(options.rows) / 2;
const folder = options.folder ?? mkdtempSync(join(tmpdir(), 'move-'));
const data = { dataDir: folder, encryptionKeys: [new Secret(Buffer.alloc(32, 7).toString('base64'))] };

async function fill(): Promise<void> {
  const store = await openStore(data);
  const append = await store.audit.prepare();
  const writer = await store.campaigns.begin({
    ...{ workspaceId: 'T1', id: 'sale', createdBy: 'U1', name: 'Sale', route: 'dnd', senderId: 'PalmMarket' },
    ...{ personal: false, text: 'Our shop opens at nine', columns: ['Phone', 'Name'] },
  });
  for (let begin = 0; begin < half; begin += 2_000) {
    const batch = Array.from({ length: Math.min(2_000, half - begin) }, (_, index) => begin + index);
    await writer?.add(
      batch.map((index): ReadRow => {
        const to = `+234805${String(index).padStart(7, '0')}`;
        return { kind: 'recipient', line: index, number: to, pages: 1, quiet: false, cells: [to, 'Ada'] };
      }),
    );
    await store.db.transaction().execute((transaction) =>
      append(
        transaction,
        batch.map((index) => ({
          ...{ workspaceId: 'T1', userId: `U${index % 50}`, action: 'sms.send', subject: randomUUID() },
          ...{ outcome: 'accepted', details: { recipients: 1, pages: 1 } },
        })),
      ),
    );
  }
  await writer?.finish();
  await store.close();
}

async function move(): Promise<void> {
  const server = await startPostgresServer();
  const idle = process.memoryUsage().rss;
  let peak = idle;
  let rows = 0;
  const begin = performance.now();
  await moveStore({
    dataDir: folder,
    postgres: { url: new Secret(server.url) },
    onTable(_, copied) {
      rows += copied;
      peak = Math.max(peak, process.memoryUsage().rss);
    },
  });
  const seconds = (performance.now() - begin) / 1000;
  await server.remove();
  const whole = (figure: number) => Math.round(figure).toLocaleString('en');
  console.log(
    `${whole(rows)} rows copied and compared in ${whole(seconds)} s, ${whole(rows / seconds)} a second over one connection; ` +
      `${whole((peak - idle) / 2 ** 20)} MiB above the idle program`,
  );
}

if (existsSync(join(folder, 'switchboard.db'))) {
  await move();
} else {
  await fill();
  if (options.folder === undefined) {
    await move();
    rmSync(folder, { recursive: true });
  }
}
