import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { WebClient } from '@slack/web-api';
import { isJsonObject, type JsonObject, parseJsonText } from '../../lib/json.ts';
import { readRequestBody } from '../../slack/http/messages.ts';
import type { InstallWalk, PageSeen } from '../../slack/installations/install-walk.ts';
import { type SlackOptions, type SlackSandbox, startSlack } from '../../slack/server.ts';
import { appToken, signingSecret } from './app-under-test.ts';

export const clientId = '1111.2222';
const clientSecret = 'sandbox-client-secret';
const manifestPath = new URL('oauth-manifest.yml', import.meta.url).pathname;

/** An app that can be installed by OAuth: it redirects to Slack, exchanges codes, and records what Slack sends. */
export interface OAuthProbe extends AsyncDisposable {
  slack: SlackSandbox;
  url: string;
  /** The bodies of Slack's requests, parsed. */
  requests: JsonObject[];
  /** The answers of `oauth.v2.access`. */
  grants: JsonObject[];
  /** The query of the last redirect from Slack. */
  returned: () => URLSearchParams;
  /** Changes the parameters of the authorize address. */
  ask: Record<string, string>;
  install(walk: Omit<InstallWalk, 'installUrl'>): Promise<PageSeen>;
  /** Returns a client with the newest token, or with another one. */
  client(token?: string): WebClient;
  access(more: Record<string, string>): Promise<JsonObject>;
}

export async function oauthProbe(
  options: Partial<SlackOptions> = {},
  tokenRotation = false,
): Promise<OAuthProbe> {
  const requests: JsonObject[] = [];
  const grants: JsonObject[] = [];
  const ask: Record<string, string> = {
    scope: 'commands,chat:write,users:read,channels:read',
    state: 'state-1',
  };
  let returned = new URLSearchParams();
  let url = '';
  const handle = async (request: IncomingMessage, response: ServerResponse) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', url);
    if (pathname === '/slack/install') {
      const query = new URLSearchParams({ client_id: clientId, ...ask });
      response.writeHead(302, {
        location: `${slack.url}/oauth/v2/authorize?${query}`,
        'set-cookie': 'app-state=state-1; Path=/; HttpOnly',
      });
      response.end();
    } else if (pathname === '/slack/oauth_redirect') {
      returned = searchParams;
      const code = searchParams.get('code');
      if (code !== null) {
        grants.push(await access({ code }));
      }
      response.end(`Back with ${request.headers.cookie}`);
    } else {
      requests.push(payloadOf(await readRequestBody(request)));
      response.end();
    }
  };
  const server = createServer((request, response) => void handle(request, response)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`;
  const slack = await startSlack({
    manifestPath,
    appToken,
    delivery: { mode: 'http', signingSecret, eventsUrl: `${url}/slack/events` },
    oauth: { clientId, clientSecret, redirectUrl: () => `${url}/slack/oauth_redirect`, tokenRotation },
    ...options,
  });
  const access = async (more: Record<string, string>): Promise<JsonObject> => {
    const body = new URLSearchParams({ client_id: clientId, client_secret: clientSecret, ...more });
    const response = await fetch(`${slack.apiUrl}oauth.v2.access`, { method: 'POST', body });
    const answer = parseJsonText(await response.text());
    return isJsonObject(answer) ? answer : {};
  };
  return {
    slack,
    url,
    requests,
    grants,
    returned: () => returned,
    ask,
    install: (walk) => slack.install({ installUrl: `${url}/slack/install`, ...walk }),
    client: (token = String(grants.at(-1)?.access_token)) =>
      new WebClient(token, { slackApiUrl: slack.apiUrl, retryConfig: { retries: 0 } }),
    access,
    [Symbol.asyncDispose]: async () => {
      await slack.stop();
      server.closeAllConnections();
      server.close();
    },
  };
}

function payloadOf(body: Buffer): JsonObject {
  const text = body.toString('utf8');
  const fields = Object.fromEntries(new URLSearchParams(text));
  const parsed = parseJsonText(text.startsWith('{') ? text : (fields.payload ?? ''));
  return isJsonObject(parsed) ? parsed : fields;
}
