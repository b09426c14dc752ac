import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openStore } from '../../../src/store/store.ts';
import { createPostgresDatabase } from '../../support/store/databases.ts';
import { performIn } from '../../support/store/perform-in.ts';
import { recipient, runningCampaign, settleAndClaim } from '../../support/store/stored-campaigns.ts';
import { newEncryptionKey } from '../../support/store/temporary-store.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

/** All of `npm test` that PostgreSQL is started for. */
test('a store is made on PostgreSQL, and does one operation and one chunk of a campaign there', async (t) => {
  const postgres = await createPostgresDatabase({ empty: true });
  t.after(() => postgres.drop());
  const store = await openStore({
    postgres,
    dataDir: temporaryFolder(t),
    encryptionKeys: [newEncryptionKey()],
  });
  t.after(() => store.close());
  const operation = { workspaceId: 'T1', key: 'k', kind: 'sms.send', userId: 'U1', summary: {} } as const;
  const perform = () => performIn(store.ledger, operation, async () => ({ state: 'accepted' }));
  assert.deepEqual([(await perform()).first, (await perform()).first], [true, false]);

  await runningCampaign(store, [recipient('+2348031234567')]);
  const sale = { workspaceId: 'T1', id: 'sale' };
  const [chunk = assert.fail()] = (await settleAndClaim(store, sale, [], 1))?.claimed ?? [];
  await settleAndClaim(store, sale, [{ number: chunk.number, state: 'accepted' }], 0);
  const [accepted] = await Array.fromAsync(store.campaigns.chunks('T1', 'sale', ['accepted']));
  assert.deepEqual(accepted?.to, ['+2348031234567']);
});
