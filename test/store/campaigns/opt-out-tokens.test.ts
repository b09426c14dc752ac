import assert from 'node:assert/strict';
import { it, type TestContext } from 'node:test';
import { readOptOutToken, writeOptOutToken } from '../../../src/domain/messages/opt-out-link.ts';
import type { Store } from '../../../src/store/store.ts';
import { forEachDatabase } from '../../support/store/databases.ts';
import { recipient, runningCampaign, settleAndClaim } from '../../support/store/stored-campaigns.ts';
import { newEncryptionKey, postgresOf, temporaryStore } from '../../support/store/temporary-store.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const numbers = ['+2348051234560', '+2348051234561', '+2348051234562'];

async function campaignOf(store: Store, workspaceId: string, id = 'sale', listed = numbers) {
  const rows = listed.map((number) => recipient(number, { text: 'Hello' }));
  await runningCampaign(store, rows, { workspaceId, id, personal: true });
  const make = await store.campaigns.optOutTokens(workspaceId, id);
  assert.ok(make);
  return listed.map((number, chunk) => make({ chunk, number }));
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

  it('decrypts nothing for a made-up token, and nothing is found by one that is right in all but the number', async (test) => {
    const store = await open(test);
    const [token = ''] = await campaignOf(store, 'T1');
    const genuine = readOptOutToken(token);
    assert.ok(genuine);
    const withTag = (tag: Uint8Array) => writeOptOutToken({ ...genuine, tag });
    const ofAnother = Uint8Array.from(genuine.tag, (byte, at) => (at < 10 ? byte : byte ^ 1));
    assert.equal(await store.campaigns.findByOptOutToken(withTag(ofAnother)), undefined);

    // From here on, decrypting the recipient fails.
    await store.db.updateTable('campaignChunkContent').set({ value: 'damaged' }).execute();
    await assert.rejects(store.campaigns.findByOptOutToken(token));
    for (let at = 0; at < 10; at += 1) {
      const guessed: Uint8Array = Uint8Array.from(genuine.tag, (byte, index) =>
        index === at ? byte ^ 0x80 : byte,
      );
      assert.equal(await store.campaigns.findByOptOutToken(withTag(guessed)), undefined, `byte ${at}`);
    }
  });

  it('leads to nobody where restored data has another list under the same id', async (test) => {
    const store = await open(test);
    const [token = ''] = await campaignOf(store, 'T1');
    for (const table of ['campaignNumber', 'campaignChunkContent', 'campaignChunk', 'campaign'] as const) {
      await store.db.deleteFrom(table).execute();
    }
    const [previous, again] = [
      token,
      (await campaignOf(store, 'T1', 'sale', numbers.toReversed()))[0] ?? '',
    ].map(readOptOutToken);
    assert.ok(previous && again);
    const sequenceGivenAgain = writeOptOutToken({ ...previous, campaign: again.campaign });
    assert.equal(await store.campaigns.findByOptOutToken(sequenceGivenAgain), undefined);
    assert.equal((await store.campaigns.findByOptOutToken(writeOptOutToken(again)))?.number, numbers[2]);
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
    const [previous, fresh] = [newEncryptionKey(), newEncryptionKey()];
    const reopen = (keys: (typeof previous)[]) =>
      temporaryStore({ after: () => {} }, { database, dataDir, postgres, encryptionKeys: keys });
    const before = await reopen([previous]);
    const [token = ''] = await campaignOf(before, 'T1');
    await before.close();
    const during = await reopen([fresh, previous]);
    await during.keyRotation.rotate(new AbortController().signal);
    await during.close();
    const after = await reopen([fresh]);
    test.after(() => after.close());
    assert.equal((await after.campaigns.findByOptOutToken(token))?.number, numbers[0]);
  });
});
