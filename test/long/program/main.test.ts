import assert from 'node:assert/strict';
import { rmSync, symlinkSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { fileURLToPath } from 'node:url';
import { isDeepStrictEqual } from 'node:util';
import { startProvider } from '../../../sandbox/provider/server.ts';
import { startSlack } from '../../../sandbox/slack/server.ts';
import { runProgram } from '../../support/app/app-process.ts';
import { programs } from '../../support/app/program-bundle.ts';
import { socketSettings, startSocketSlack } from '../../support/app/socket-settings.ts';
import { answerOn, oddRequestLines, openRaw } from '../../support/http/raw-client.ts';
import { json, signed, urlEncoded } from '../../support/slack/signed-request.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

for (const { name, file } of await programs()) {
  const start = (test: TestContext, env: Record<string, string>) => runProgram(test, env, file);

  describe(`the program, from ${name}`, () => {
    it('names all missing settings at once, and points to the sandbox', async (test) => {
      const { code, output } = await start(test, {}).ends();
      assert.equal(code, 1);
      assert.match(output, /PROVIDER_BASE_URL is missing/);
      assert.match(output, /ENCRYPTION_KEYS is missing/);
      assert.match(output, /npm run sandbox/);
    });

    it('reports its health, stops cleanly on SIGTERM, and refuses a second process on its data', async (test) => {
      const provider = await startProvider();
      test.after(() => provider.stop());
      const slack = await startSocketSlack(test);
      const env = {
        ...socketSettings({ providerUrl: provider.url, slackApiUrl: slack.apiUrl }),
        DATA_DIR: temporaryFolder(test),
      };
      const first = start(test, env);
      const port = await first.ready();
      await first.says(`"program":"${basename(file)}"`);
      const get = (path: string) => fetch(`http://127.0.0.1:${port}${path}`);

      assert.equal((await get('/healthz')).status, 200);
      const ready = await get('/readyz');
      assert.deepEqual([ready.status, await ready.json()], [200, { database: 'ok', slack: 'ok' }]);
      assert.match(await (await get('/metrics')).text(), /switchboard_operations_total/);
      assert.equal((await get('/elsewhere')).status, 404);

      const second = await start(test, env).ends();
      assert.equal(second.code, 1);
      assert.match(second.output, new RegExp(String(first.pid)));

      assert.equal((await first.stop()).code, 0);
    });

    it('is not ready with a full disk or without its data, and does not start without its data', async (test) => {
      const slack = await startSocketSlack(test);
      const dataDir = join(temporaryFolder(test), 'data');
      const env = { ...socketSettings({ slackApiUrl: slack.apiUrl }), DATA_DIR: dataDir };
      const program = start(test, env);
      const port = await program.ready();
      const ready = async () => {
        const answer = await fetch(`http://127.0.0.1:${port}/readyz`);
        return [answer.status, await answer.json()];
      };
      const isDatabase = async (status: number, database: string) =>
        isDeepStrictEqual(await ready(), [status, { database, slack: 'ok' }]);

      // Writes to it fail as on a full disk.
      symlinkSync('/dev/full', join(dataDir, 'switchboard.probe'));
      assert.ok(await isDatabase(503, 'disk_full'));
      while (!(await isDatabase(200, 'ok'))) {}
      const file = join(dataDir, 'switchboard.db');
      rmSync(file);
      while (!(await isDatabase(503, 'data_gone'))) {}

      assert.equal((await program.stop()).code, 0);
      const next = await start(test, env).ends();
      assert.equal(next.code, 1);
      assert.ok(
        next.output.includes(`The database ${file} is missing, but Switchboard has run with one here.`),
      );
    });

    it('names the token that Slack does not accept', async (test) => {
      const slack = await startSocketSlack(test);
      const env = { ...socketSettings({ slackApiUrl: slack.apiUrl }), DATA_DIR: temporaryFolder(test) };
      for (const [setting, wrong] of [
        ['SLACK_BOT_TOKEN', 'xoxb-another-5555'],
        ['SLACK_APP_TOKEN', 'xapp-another-6666'],
      ] as const) {
        const { code, output } = await start(test, { ...env, [setting]: wrong }).ends();
        assert.equal(code, 1);
        assert.match(output, new RegExp(`Slack does not accept ${setting} \\(invalid_auth\\)`));
      }
    });

    for (const transport of ['socket', 'http'] as const) {
      it(`survives requests of strangers over ${transport}, and stops while some are half sent`, async (test) => {
        const signingSecret = 'sandbox-signing-secret-7d40';
        const slack = await startSlack({
          manifestPath: fileURLToPath(new URL('../../../manifest.yml', import.meta.url)),
          delivery:
            transport === 'http'
              ? { mode: 'http', eventsUrl: 'http://127.0.0.1:1/', signingSecret }
              : { mode: 'socket' },
          botToken: 'xoxb-sandbox-3333',
          appToken: 'xapp-sandbox-4444',
        });
        test.after(() => slack.stop());
        const program = start(test, {
          PROVIDER_BASE_URL: 'http://127.0.0.1:9',
          SLACK_API_URL: slack.apiUrl,
          SLACK_BOT_TOKEN: 'xoxb-sandbox-3333',
          ...(transport === 'http'
            ? { SLACK_SIGNING_SECRET: signingSecret }
            : { SLACK_APP_TOKEN: 'xapp-sandbox-4444' }),
          ENCRYPTION_KEYS: Buffer.alloc(32, 7).toString('base64'),
          DATA_DIR: temporaryFolder(test),
          HOST: '127.0.0.1',
          PORT: '0',
        });
        const port = await program.ready();

        for (const line of oddRequestLines) {
          await answerOn(await openRaw(port, `${line}\r\nhost: x\r\nconnection: close\r\n\r\n`));
        }
        if (transport === 'http') {
          for (const [body, contentType] of [
            ['null', json],
            ['payload=null', urlEncoded],
          ] as const) {
            const headers = signed(signingSecret, body, contentType);
            const target = `http://127.0.0.1:${port}/slack/events`;
            assert.equal((await fetch(target, { method: 'POST', body, headers })).status, 400);
          }
        }
        for (const half of [
          '',
          'GET /heal',
          'POST /slack/events HTTP/1.1\r\nhost: x\r\ncontent-length: 9\r\n\r\nx',
        ]) {
          await openRaw(port, half);
        }
        assert.equal((await fetch(`http://127.0.0.1:${port}/healthz`)).status, 200);
        assert.equal((await program.stop()).code, 0);
      });
    }
  });
}
