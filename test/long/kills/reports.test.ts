import assert from 'node:assert/strict';
import { it } from 'node:test';
import { Secret } from '../../../src/lib/secret.ts';
import { openStore } from '../../../src/store/store.ts';
import { runProgram } from '../../support/app/app-process.ts';
import { bundleProgram } from '../../support/app/program-bundle.ts';
import { startTestApp } from '../../support/app/test-app.ts';
import { postReport, reportEnv } from '../../support/reports/signed-report.ts';
import { type DatabaseName, forEachDatabase } from '../../support/store/databases.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const kills = 2;
const together = 8;
/** Reports that are answered before the program is killed. */
const answeredBefore = 60;
const workspaceId = 'T0SWITCH';

const bodyOf = (id: string) =>
  JSON.stringify({
    message_id: id,
    receiver: '2348051234567',
    sender: 'PalmMarket',
    message: 'Hello',
    sent_at: new Date().toISOString().slice(0, 19),
    status: 'DELIVERED',
  });

/** A message that comes in, whose text is its id. */
const inboundOf = (id: string) =>
  JSON.stringify({
    type: 'inbound',
    message_id: id,
    sender: '2348051234500',
    receiver: '55019',
    message: id,
  });

forEachDatabase((database: DatabaseName) => {
  it('keeps each report and each message that it answered with 200, however it is killed while they arrive', async (t) => {
    const dataDir = temporaryFolder(t);
    const settings = reportEnv;
    const app = await startTestApp(t, { dataDir, database, instances: 1, env: settings });
    await app.connect();
    const { reports, replies } = app.app().services;
    await replies.settings.save(workspaceId, { channelId: 'C0SUPPORT', setBy: 'U0ADMIN' });
    await reports.createAddress(workspaceId, 'U0ADMIN');
    const { token } = await reports.settings(workspaceId);
    const { key } = app.provider.account;
    await app.stopApp();

    const answered: string[] = [];
    const answeredInbound: string[] = [];
    for (let kill = 0; kill < kills; kill += 1) {
      const program = runProgram(t, app.env, await bundleProgram());
      const port = await program.ready();
      const address = `http://127.0.0.1:${port}/provider/reports/${token}`;
      const until = answered.length + answeredBefore;
      let next = 0;
      const send = async () => {
        while (answered.length < until) {
          next += 1;
          const id = `${kill}-${next}`;
          const isInbound = next % 4 === 0;
          const body = isInbound ? inboundOf(id) : bodyOf(id);
          const status = await postReport(address, body, { key }).catch(() => undefined);
          if (status === undefined) {
            return;
          }
          assert.equal(status, 200);
          (isInbound ? answeredInbound : answered).push(id);
        }
        await program.kill();
      };
      await Promise.all(Array.from({ length: together }, send));
    }

    const store = await openStore({
      dataDir,
      encryptionKeys: [new Secret(app.env.ENCRYPTION_KEYS ?? '')],
      ...(app.env.DATABASE_URL === undefined
        ? {}
        : { postgres: { url: new Secret(app.env.DATABASE_URL), connections: 2 } }),
    });
    const kept = new Set(
      (await store.deliveries.of(workspaceId, answered)).map(({ providerId }) => providerId),
    );
    const rows = await store.db.selectFrom('inboundMessage').select('id').execute();
    const inbound = await Promise.all(rows.map(({ id }) => store.replies.message(workspaceId, id)));
    const threads = await store.db.selectFrom('replyThread').select('id').execute();
    await store.close();
    const texts = inbound.map((message) => message?.text);
    assert.equal(new Set(texts).size, texts.length);
    assert.equal(threads.length, 1);
    assert.ok(answeredInbound.length > 0);
    assert.deepEqual(
      answeredInbound.filter((id) => !texts.includes(id)),
      [],
    );
    assert.ok(answered.length >= kills * answeredBefore);
    assert.deepEqual(
      answered.filter((id) => !kept.has(id)),
      [],
    );
  });
});
