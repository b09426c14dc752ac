import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import { describe, it, type TestContext } from 'node:test';
import { isJsonObject, type Json, type JsonObject, parseJsonText } from '../../../lib/json.ts';
import { startSlack } from '../../../slack/server.ts';
import { appToken, botToken, manifestPath, overSocket, signingSecret } from '../app-under-test.ts';
import { person } from '../recorder.ts';

/** Starts a Slack whose app answers each request with `answer`, and records the requests. */
async function slackbot(test: TestContext, answer: string) {
  const seen: { path: string; headers: IncomingHttpHeaders; body: string }[] = [];
  const server = createServer(async (request, response) => {
    const body = (await Array.fromAsync(request)).join('');
    seen.push({ path: request.url ?? '', headers: request.headers, body });
    response.end(answer);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const eventsUrl = `http://127.0.0.1:${isJsonObject(address) ? address.port : 0}/slack/events`;
  const delivery = { mode: 'http', signingSecret, eventsUrl } as const;
  const slack = await startSlack({ manifestPath, botToken, appToken, delivery });
  test.after(async () => {
    await slack.stop();
    server.close();
  });
  return { slack, seen };
}

const result = (blocks: Json) =>
  JSON.stringify({ jsonrpc: '2.0', id: 1, result: { content: [], _meta: { slack: { blocks } } } });
const use = (input: JsonObject = {}) => ({ do: 'tool', person, tool: 'history', input }) as const;

describe('Slackbot', () => {
  it('signs its requests to the tools, and names who asks', async (test) => {
    const { slack, seen } = await slackbot(test, `event: message\ndata: ${result([])}\n\n`);
    const { answer, trouble } = await slack.perform(use({ number: '1' }));
    assert.equal(trouble, undefined);
    assert.deepEqual(answer, parseJsonText(result([])));
    const [{ path, headers, body } = assert.fail()] = seen;
    assert.equal(path, '/mcp');
    const timed = `v0:${headers['x-slack-request-timestamp']}:${body}`;
    const signature = `v0=${createHmac('sha256', signingSecret).update(timed).digest('hex')}`;
    assert.equal(headers['x-slack-signature'], signature);
    assert.partialDeepStrictEqual(parseJsonText(body), {
      method: 'tools/call',
      params: {
        name: 'history',
        arguments: { number: '1' },
        _meta: { slack: { user_id: person, team_id: 'T0SWITCH' } },
      },
    });
  });

  it('shows no blocks that Slack does not take, and says so where there is no result', async (test) => {
    const { slack } = await slackbot(test, result([{ type: 'section' }]));
    assert.match((await slack.perform(use())).trouble ?? '', /does not show the blocks: invalid_blocks/);
    const other = await slackbot(test, '{}');
    assert.equal((await other.slack.perform({ do: 'tools', person })).trouble, 'Slackbot got no result.');
  });

  it('has no way to an app over a socket', async () => {
    await using probe = await overSocket(() => {});
    assert.match((await probe.slack.perform(use())).trouble ?? '', /could not reach the app/);
  });
});
