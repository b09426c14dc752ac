import assert from 'node:assert/strict';
import { join } from 'node:path';
import { it } from 'node:test';
import { Secret } from '../../../src/lib/secret.ts';
import { openStore } from '../../../src/store/store.ts';
import { portIn, runProgram } from '../../support/app/app-process.ts';
import { bundleProgram } from '../../support/app/program-bundle.ts';
import { startTestApp } from '../../support/app/test-app.ts';
import { postReport, reportHeader } from '../../support/reports/signed-report.ts';
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

forEachDatabase((database: DatabaseName) => {
  it('keeps each report that it answered with 200, however it is killed while they arrive', async (t) => {
    const dataDir = temporaryFolder(t);
    const settings = { PROVIDER_REPORT_SIGNATURE_HEADER: reportHeader };
    const app = await startTestApp(t, { dataDir, database, instances: 1, env: settings });
    await app.connect();
    const { reports } = app.app().services;
    await reports.createAddress(workspaceId, 'U0ADMIN');
    const { token } = await reports.settings(workspaceId);
    const { key } = app.provider.account;
    await app.stopApp();

    const answered: string[] = [];
    for (let kill = 0; kill < kills; kill += 1) {
      const program = runProgram(t, app.env, await bundleProgram());
      const port = portIn(await program.says('Switchboard is ready'));
      const address = `http://127.0.0.1:${port}/provider/reports/${token}`;
      const until = answered.length + answeredBefore;
      let next = 0;
      const send = async () => {
        while (answered.length < until) {
          next += 1;
          const id = `${kill}-${next}`;
          const status = await postReport(address, bodyOf(id), { key }).catch(() => undefined);
          if (status === undefined) {
            return;
          }
          assert.equal(status, 200);
          answered.push(id);
        }
        program.child.kill('SIGKILL');
      };
      await Promise.all(Array.from({ length: together }, send));
      await program.ended;
    }

    const store = await openStore({
      dataDir: join(dataDir),
      encryptionKeys: [new Secret(app.env.ENCRYPTION_KEYS ?? '')],
      ...(app.env.DATABASE_URL === undefined
        ? {}
        : { postgres: { url: new Secret(app.env.DATABASE_URL), connections: 2 } }),
    });
    const kept = new Set(
      (await store.deliveries.of(workspaceId, answered)).map(({ providerId }) => providerId),
    );
    await store.close();
    assert.ok(answered.length >= kills * answeredBefore);
    assert.deepEqual(
      answered.filter((id) => !kept.has(id)),
      [],
    );
  });
});
