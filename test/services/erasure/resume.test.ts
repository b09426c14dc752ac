import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { phoneNumberSchema } from '../../../src/domain/phone/phone-number.ts';
import { createErasureService } from '../../../src/services/erasure/erasure-service.ts';
import type { Store } from '../../../src/store/store.ts';
import { encryptedMentions } from '../../support/privacy/mentions-at-rest.ts';
import { manyNumbers } from '../../support/slack/number-files.ts';
import { forEachDatabase } from '../../support/store/databases.ts';
import { performIn } from '../../support/store/perform-in.ts';
import { readyCampaign, recipient } from '../../support/store/stored-campaigns.ts';
import { newEncryptionKey, temporaryStore } from '../../support/store/temporary-store.ts';
import { severalInstances, twoStores } from '../../support/store/two-stores.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { testContext } from '../../support/test-context.ts';

const number = phoneNumberSchema.parse('+2348031234567');

const workspaceId = 'T1';

/** The service on a store, with the campaigns that it said have lost recipients. */
function serviceOn(store: Store) {
  const changed: string[] = [];
  const { audit, ...context } = testContext(store, { report: assert.ifError });
  const service = createErasureService(
    { ...context, audit },
    { campaigns: { lostRecipients: async (_, ids) => void changed.push(...ids) } },
  );
  return { service, audit, changed };
}

async function fill(store: Store): Promise<void> {
  await performIn(
    store.ledger,
    {
      ...{ workspaceId, key: 'sent', kind: 'sms.send', userId: 'U1', summary: { recipients: 1 } },
      ...{ numbers: [number], text: 'Hello Ada' },
    },
    async () => ({ state: 'accepted' }),
  );
  await store.keyv(workspaceId, 'drafts').set('draft', { recipients: [number] }, 600_000);
  const rows = [...manyNumbers(250), number].map((each) => recipient(String(each)));
  await readyCampaign(store, rows, { workspaceId, id: 'draft' });
}

forEachDatabase(() => {
  describe('an erasure that was cut off', () => {
    it('is finished at the next start, and recorded once', async (t) => {
      const options = { dataDir: temporaryFolder(t), encryptionKeys: [newEncryptionKey()] };
      const first = await temporaryStore(t, options);
      await fill(first);
      const cutOff = serviceOn(first);
      const request = { workspaceIds: [workspaceId], number, userId: 'U1' };
      const result = await cutOff.service.erase({ ...request, signal: AbortSignal.abort() });
      assert.equal(result.isComplete, false);
      assert.ok((await encryptedMentions(first, options.encryptionKeys, number)).length > 1);
      await cutOff.service.stop();
      await first.close();

      const second = await temporaryStore(t, options);
      const resumed = serviceOn(second);
      await resumed.service.resume();
      assert.deepEqual(await encryptedMentions(second, options.encryptionKeys, number), []);
      assert.deepEqual(resumed.changed, ['draft'], 'its campaign is told');
      const entries = await Array.fromAsync(resumed.audit.all({ workspaceId, actions: ['person.erase'] }));
      assert.deepEqual(
        entries.map(({ userId, outcome }) => [userId, outcome]),
        [['U1', 'done']],
      );
      await resumed.service.resume();
      const again = await Array.fromAsync(resumed.audit.all({ workspaceId, actions: ['person.erase'] }));
      assert.equal(again.length, 1, 'nothing is left to resume');
    });

    it(
      'is finished by another instance, once the one that was busy with it is gone',
      severalInstances,
      async (t) => {
        const [busy, other] = await twoStores(t);
        await busy.suppressionList.add(workspaceId, [number], 'U1');
        await busy.keyv(workspaceId, 'drafts').set('draft', { recipients: [number] }, 600_000);
        const request = { workspaceIds: [workspaceId], number, signal: AbortSignal.abort() };
        await serviceOn(busy).service.erase(request);
        const { service } = serviceOn(other);
        const isLeft = async () =>
          (await other.keyv(workspaceId, 'erasures').iterator?.().next())?.done !== true;
        await service.resume();
        assert.ok(await isLeft());
        await busy.close();
        await service.resume();
        assert.ok(!(await isLeft()));
      },
    );
  });
});
