import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { Secret } from '../../src/lib/secret.ts';
import { openStore } from '../../src/store/store.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const workspaceId = 'T0FIXTURE';
const fixture = new URL('fixtures/version-0.1.db.gz', import.meta.url);
/** What it was encrypted with: 32 bytes of 7. */
const key = new Secret(Buffer.alloc(32, 7).toString('base64'));

test('a database of version 0.1 opens with all that was in it, and goes on', async (t) => {
  const dataDir = join(temporaryFolder(t), 'data');
  mkdirSync(dataDir, { mode: 0o700 });
  writeFileSync(join(dataDir, 'switchboard.db'), gunzipSync(readFileSync(fixture)), { mode: 0o600 });
  const store = await openStore({ dataDir, encryptionKeys: [key] });
  t.after(() => store.close());
  assert.equal(store.installation.takeover, undefined);

  const now = new Date();
  assert.equal(await store.ledger.recover(now), 0);
  assert.equal(await store.campaigns.recover(now), 100);
  const { campaigns } = store;
  const states = await Promise.all(
    ['ready', 'scheduled', 'under-way', 'stopped-by-hand', 'finished'].map(async (id) => {
      const campaign = await campaigns.find(workspaceId, id);
      return [campaign?.state, campaign?.createdBy, campaign?.text, campaign?.counts.invalid];
    }),
  );
  assert.deepEqual(
    states,
    ['ready', 'scheduled', 'running', 'paused', 'done'].map((state) => [
      state,
      'U0AGENT',
      'The shop is open',
      1,
    ]),
  );
  const underWay = await campaigns.find(workspaceId, 'under-way');
  assert.deepEqual(underWay?.counts.accepted, 100);
  assert.deepEqual(underWay?.counts.unconfirmed, 100);
  assert.equal(underWay?.channelId, 'C0CARE');
  const turned = await campaigns.settleAndClaim({ workspaceId, id: 'under-way' }, [], 9);
  assert.deepEqual(
    turned?.claimed.map(({ number, digits }) => [number, digits.length]),
    [[2, 50]],
  );

  assert.deepEqual(await store.keyv(workspaceId, 'settings').get('defaults'), {
    country: 'NG',
    route: 'dnd',
    senderId: 'PalmMarket',
  });
  const operations = await store.ledger.recent({ workspaceId, limit: 10 });
  assert.deepEqual(
    operations.map(({ key, state, providerId }) => [key, state, providerId]),
    [
      ['U0AGENT.k2', 'unconfirmed', undefined],
      ['U0AGENT.k1', 'accepted', '3017544054459493384142536'],
    ],
  );
  const due = await store.outbox.next(new Set());
  assert.equal(due?.subjectId, operations[0]?.id);
  assert.deepEqual(await store.suppressionList.among(workspaceId, ['+2348031234567', '+2348099999999']), [
    '+2348099999999',
  ]);
});
