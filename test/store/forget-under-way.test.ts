import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import { forEachDatabase } from '../support/store/databases.ts';
import { ownTables } from '../support/store/own-tables.ts';
import { performIn } from '../support/store/perform-in.ts';
import { newCampaign, recipient } from '../support/store/stored-campaigns.ts';
import { temporaryStore } from '../support/store/temporary-store.ts';

const number = '+2348031234567';

forEachDatabase(() => {
  test('what is under way when its workspace is forgotten leaves nothing behind', async (t) => {
    const store = await temporaryStore(t);
    const { db, ledger, outbox, forget } = store;
    const importing = (await store.campaigns.begin(newCampaign())) ?? assert.fail();
    await importing.add([recipient(number)]);
    const answer = Promise.withResolvers<{ state: 'accepted' }>();
    const called = Promise.withResolvers<void>();
    const sending = performIn(
      ledger,
      {
        workspaceId: 'T1',
        key: 'k',
        kind: 'sms.send',
        userId: 'U1',
        summary: {},
        numbers: [number],
        text: 'Hello',
      },
      () => {
        called.resolve();
        return answer.promise;
      },
    );
    await called.promise;
    await outbox.add({ workspaceId: 'T1', subject: 'import', subjectId: 'i', userId: 'U1' });
    const delivering = outbox.deliver({ workspaceId: 'T1', subject: 'import', subjectId: 'i' }, async () => {
      await forget('T1');
    });
    assert.equal(await delivering, 'taken');
    answer.resolve({ state: 'accepted' });
    await sending.catch(() => {});
    await importing.add([recipient('+2348031234568')]).catch(() => {});
    await importing.finish().catch(() => {});
    // As ten minutes later.
    await forget('T1');
    for (const { name, columns } of await ownTables(db)) {
      const ofWorkspace = columns.some((column) => column.name === 'workspace_id');
      if ((ofWorkspace && !name.startsWith('audit_')) || name.startsWith('campaign')) {
        const { rows } = await sql`select 1 from ${sql.table(name)} limit 1`.execute(db);
        assert.deepEqual(rows, [], name);
      }
    }
  });
});
