import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { describe, it, type TestContext } from 'node:test';
import { type WebSocket, WebSocketServer } from 'ws';
import { runProgram } from '../../support/app/app-process.ts';
import { programs } from '../../support/app/program-bundle.ts';
import { socketSettings } from '../../support/app/socket-settings.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

/** A Slack that answers two methods, and otherwise sends over the socket what the test sends. */
async function begin(test: TestContext, file: string) {
  const server = createServer((request, response) => {
    response.setHeader('content-type', 'application/json');
    response.end(
      JSON.stringify(
        request.url === '/api/apps.connections.open'
          ? { ok: true, url: `${url.replace('http', 'ws')}/link` }
          : { ok: true, team_id: 'T0', user_id: 'U0BOT', bot_id: 'B0BOT' },
      ),
    );
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`;
  const opened = once(new WebSocketServer({ server }), 'connection').then(([socket]: WebSocket[]) => socket);
  test.after(() => {
    server.close();
    server.closeAllConnections();
  });
  const env = { ...socketSettings({ slackApiUrl: `${url}/api/` }), DATA_DIR: temporaryFolder(test) };
  const program = runProgram(test, env, file);
  const socket = (await opened) ?? assert.fail('no socket was opened');
  socket.send(JSON.stringify({ type: 'hello' }));
  const port = await program.ready();
  return { program, socket, port };
}

for (const { name, file } of await programs()) {
  describe(`the program on a socket, from ${name}`, () => {
    it('survives any message, and stops even if the far end falls silent', async (test) => {
      const { program, socket, port } = await begin(test, file);
      for (const odd of [
        ...['null', '1', '"x"', '[]', '{}', '{', '', '{"type":"events_api"}', '{"type":"slash_commands"}'],
        ...[
          '{"type":"interactive","payload":null}',
          '{"type":"interactive","payload":{"type":"view_submission"}}',
        ],
      ]) {
        socket.send(odd);
      }
      // Answered only after everything sent before it.
      socket.ping();
      await Promise.race([once(socket, 'pong'), program.ended.then(({ output }) => assert.fail(output))]);
      assert.equal((await fetch(`http://127.0.0.1:${port}/healthz`)).status, 200);
      socket.pause();
      assert.equal((await program.stop()).code, 0);
      socket.terminate();
    });

    it('is not ready while the socket is closed', async (test) => {
      const { program, socket, port } = await begin(test, file);
      const ready = async () => (await fetch(`http://127.0.0.1:${port}/readyz`)).status;
      assert.equal(await ready(), 200);
      socket.close();
      await program.says('the socket to Slack was lost');
      assert.equal(await ready(), 503);
    });
  });
}
