import { doesNotMatch, match, ok } from 'node:assert/strict';
import { test } from 'node:test';
import { CompiledQuery, createQueryId, type KyselyPlugin, type RootOperationNode, sql } from 'kysely';
import { phoneNumberSchema, toE164 } from '../../../src/domain/phone/phone-number.ts';
import { machineTime } from '../../../src/lib/time/clock.ts';
import { systemTimers } from '../../../src/lib/time/timers.ts';
import { createEncryption } from '../../../src/store/engine/encryption/cipher.ts';
import { createPhoneHashes } from '../../../src/store/engine/encryption/phone-hashes.ts';
import { createErasure } from '../../../src/store/erasure/erasure.ts';
import { forEachDatabase } from '../../support/store/databases.ts';
import { readyCampaign, recipient } from '../../support/store/stored-campaigns.ts';
import { newEncryptionKey, temporaryStore } from '../../support/store/temporary-store.ts';

forEachDatabase((database) => {
  test('a person is found, and erased, by an index of every campaign, however many numbers it has', async (t) => {
    const encryptionKeys = [newEncryptionKey()];
    const encryption = createEncryption(encryptionKeys);
    const store = await temporaryStore(t, { database, encryptionKeys });
    const { db, purge } = store;
    const number = phoneNumberSchema.parse('+2348031234567');
    await readyCampaign(store, [recipient(toE164(number))], { id: 'one' });
    await readyCampaign(store, [recipient(toE164(number))], { id: 'two' });
    if (database === 'postgres') {
      // Its plans depend on how much there is.
      await sql`
        insert into campaign_number (campaign, hash, chunk)
        select sequence, md5(n::text), 0 from campaign, generate_series(1, 20000) n`.execute(db);
      await sql`analyze campaign, campaign_number`.execute(db);
    }

    const statements: RootOperationNode[] = [];
    const noting: KyselyPlugin = {
      transformQuery({ node }) {
        statements.push(node);
        return node;
      },
      transformResult: async ({ result }) => result,
    };
    const erasure = createErasure({
      db: db.withPlugin(noting),
      encryption,
      phoneHashes: createPhoneHashes(db, encryption, machineTime.elapsed),
      clock: machineTime.now,
      timers: systemTimers,
      purge,
    });
    await erasure.find('T1', number);
    const { signal } = new AbortController();
    const areas = { drafts: 'delete', preferences: 'redact' } as const;
    await erasure.erase({ workspaceIds: ['T1'], number, areas, signal });

    const queries = statements
      .map((node) => db.getExecutor().compileQuery(node, createQueryId()))
      .filter(({ sql: text }) => / (from|into) "campaign_number"/.test(text) && text.includes('"hash"'));
    ok(
      queries.some(({ sql: text }) => text.startsWith('select')),
      'it is found',
    );
    ok(
      queries.some(({ sql: text }) => text.startsWith('delete')),
      'it is erased',
    );
    const explain = database === 'postgres' ? 'explain' : 'explain query plan';
    for (const { sql: text, parameters } of queries) {
      const { rows } = await db.executeQuery<object>(
        CompiledQuery.raw(`${explain} ${text}`, [...parameters]),
      );
      const plan = rows.map((row) => Object.values(row).join(' ')).join('\n');
      doesNotMatch(plan, /SCAN|Seq Scan on campaign_number/, text);
      match(plan, /\(campaign=\? AND hash=\?\)|Index Cond: \(\(campaign = .* \(hash = /, text);
    }
  });
});
