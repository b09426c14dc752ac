import assert from 'node:assert/strict';
import { it, type TestContext } from 'node:test';
import { readOptOutToken, writeOptOutToken } from '../../../src/domain/messages/opt-out-link.ts';
import type { Store } from '../../../src/store/store.ts';
import { forEachDatabase } from '../../support/store/databases.ts';
import { recipient, runningCampaign, settleAndClaim } from '../../support/store/stored-campaigns.ts';
import { newEncryptionKey, postgresOf, temporaryStore } from '../../support/store/temporary-store.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const numbers = ['+2348051234560', '+2348051234561', '+2348051234562'];

async function campaignOf(store: Store, workspaceId: string, id = 'sale') {
  const rows = numbers.map((number) => recipient(number, { text: 'Hello' }));
  await runningCampaign(store, rows, { workspaceId, id, personal: true });
  const make = await store.campaigns.optOutTokens(workspaceId, id);
  assert.ok(make);
  return numbers.map((number, chunk) => make({ chunk, number }));
}

forEachDatabase((database) => {
  const open = (test: TestContext) => temporaryStore(test, { database });

  it('leads to its recipient, of whichever campaign and workspace', async (test) => {
    const store = await open(test);
    const all = new Set<string>();
    for (const [workspaceId, id] of [
      ['T1', 'sale'],
      ['T1', 'second'],
      ['T2', 'sale'],
    ] as const) {
      for (const [index, token] of (await campaignOf(store, workspaceId, id)).entries()) {
        all.add(token);
        assert.deepEqual(await store.campaigns.findByOptOutToken(token), {
          workspaceId,
          number: numbers[index],
          campaign: { name: 'Sale', senderId: 'PalmMarket' },
        });
      }
    }
    assert.equal(all.size, 9);
    assert.equal(await store.campaigns.optOutTokens('T1', 'none'), undefined);
  });

  it('leads to nobody with any character changed, or with the tag of another', async (test) => {
    const store = await open(test);
    const [first = '', second = ''] = await campaignOf(store, 'T1');
    for (let at = 0; at < first.length; at += 1) {
      for (const other of ['0', 'a', 'Z']) {
        const changed = first.slice(0, at) + other + first.slice(at + 1);
        if (changed !== first) {
          assert.equal(await store.campaigns.findByOptOutToken(changed), undefined, changed);
        }
      }
    }
    const [one, two] = [readOptOutToken(first), readOptOutToken(second)];
    assert.ok(one && two);
    for (const mixed of [
      { ...one, tag: two.tag },
      { ...one, campaign: one.campaign + 1 },
      { ...one, chunk: 2 ** 20 - 1 },
      { ...one, tag: new Uint8Array(12) },
    ]) {
      assert.equal(await store.campaigns.findByOptOutToken(writeOptOutToken(mixed)), undefined);
    }
  });

  it('leads to nobody else where another campaign has the same sequence later', async (test) => {
    const [token = ''] = await campaignOf(await open(test), 'T1');
    const restored = await open(test);
    await campaignOf(restored, 'T1', 'another');
    assert.equal(await restored.campaigns.findByOptOutToken(token), undefined);
  });

  it('ends with the retention time of the recipients, and with the workspace', async (test) => {
    const store = await open(test);
    const [token = ''] = await campaignOf(store, 'T1');
    const { claimed = [] } = (await settleAndClaim(store, { workspaceId: 'T1', id: 'sale' }, [], 9)) ?? {};
    const endings = claimed.map(({ number }) => ({ number, state: 'accepted' as const }));
    await settleAndClaim(store, { workspaceId: 'T1', id: 'sale' }, endings, 0);
    assert.ok(await store.campaigns.findByOptOutToken(token));
    await store.campaigns.expire(new Date(Date.now() + 60_000), new Date(0));
    assert.equal(await store.campaigns.findByOptOutToken(token), undefined);

    const [other = ''] = await campaignOf(store, 'T2');
    await store.forget('T2');
    assert.equal(await store.campaigns.findByOptOutToken(other), undefined);
  });

  it('survives a change of the encryption keys', async (test) => {
    const dataDir = temporaryFolder(test);
    const postgres = await postgresOf(test, dataDir, database);
    const [former, fresh] = [newEncryptionKey(), newEncryptionKey()];
    const reopen = (keys: (typeof former)[]) =>
      temporaryStore({ after: () => {} }, { database, dataDir, postgres, encryptionKeys: keys });
    const before = await reopen([former]);
    const [token = ''] = await campaignOf(before, 'T1');
    await before.close();
    const during = await reopen([fresh, former]);
    await during.keyRotation.rotate(new AbortController().signal);
    await during.close();
    const after = await reopen([fresh]);
    test.after(() => after.close());
    assert.equal((await after.campaigns.findByOptOutToken(token))?.number, numbers[0]);
  });
});
