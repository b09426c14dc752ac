import { request as post } from 'undici';
import type { TestApp } from '../app/test-app.ts';
import { receiveResponses } from './response-urls.ts';
import { json, signed, urlEncoded } from './signed-request.ts';

/** A request to one listener, as Slack sends it for a person. */
export interface DirectRequest {
  kind: 'command' | 'action' | 'submission' | 'options' | 'shortcut' | 'home' | 'tool';
  name: string;
  /** After a command; of an action its value. */
  text?: string | undefined;
}

/**
 * Sends rightly signed requests straight to the app, so that each person can reach each listener, whatever they were shown.
 * The function it returns resolves with what the app answered each of them, in their order: at once, where they acted, and
 * in their Home.
 */
export async function directRequests(
  test: { after(end: () => void): void },
  { app, env, slack }: TestApp,
): Promise<(requests: readonly DirectRequest[], userId: string) => Promise<string[]>> {
  const responses = await receiveResponses(test);

  async function send(request: DirectRequest, userId: string) {
    triggers += 1;
    const name = `${triggers}`;
    const { body, contentType } = encoded(request, userId, responses.of(name));
    const path = request.kind === 'tool' ? '/mcp' : '/slack/events';
    const response = await post(`http://127.0.0.1:${app().port}${path}`, {
      method: 'POST',
      headers: { ...signed(env.SLACK_SIGNING_SECRET ?? '', body, contentType), accept: mcpTypes },
      body,
    });
    return { name, answer: await response.body.text() };
  }

  return async (requests, userId) => {
    const sent: { name: string; answer: string }[] = [];
    while (sent.length < requests.length) {
      const next = requests.slice(sent.length, sent.length + maxUnsettled);
      sent.push(...(await mapConcurrently(next, maxConcurrent, (request) => send(request, userId))));
      await app().settled();
    }
    const published = slack.exchanges.findLast(
      ({ what, request }) => what === 'views.publish' && JSON.stringify(request).includes(userId),
    );
    return sent.map(({ name, answer }, index) =>
      requests[index]?.kind === 'home'
        ? JSON.stringify(published?.request)
        : `${answer}${responses.take(name).join('')}`,
    );
  };
}

const maxConcurrent = 8;
/** With more in flight, the app sheds what arrives late: on a busy machine, as everything is in one process here. */
const maxUnsettled = 24;

async function mapConcurrently<Item, Result>(
  items: readonly Item[],
  limit: number,
  map: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  const waiting = [...items.entries()];
  const work = async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const [index, item] = next;
      results[index] = await map(item);
    }
  };
  await Promise.all(Array.from({ length: limit }, work));
  return results;
}

const mcpTypes = 'application/json, text/event-stream';

/** What each tool needs; others ignore it. */
const toolInput = {
  template: 'none',
  campaign: 'none',
  numbers: '+2348031234567',
  number: '+2348031234567',
  to: '+2348031234567',
  text: 'Hello',
  entry: 'operation:none',
  iccid: '8944500000000000001',
  country: 'Kenya',
  plan: 'none',
};

const team = { id: 'T0SWITCH', domain: 'sandbox' };
let triggers = 0;

function encoded({ kind, name, text = '' }: DirectRequest, userId: string, responseUrl: string) {
  const triggerId = `${triggers}.1.00000000000000000000000000000000`;
  if (kind === 'command') {
    const fields = {
      command: `/${name}`,
      text,
      team_id: team.id,
      user_id: userId,
      channel_id: 'C0SUPPORT',
      trigger_id: triggerId,
      response_url: responseUrl,
      api_app_id: 'A0SWITCHBOARD',
    };
    return { body: new URLSearchParams(fields).toString(), contentType: urlEncoded };
  }
  if (kind === 'home') {
    const event = { type: 'app_home_opened', user: userId, tab: 'home', channel: 'D0', event_ts: '1.1' };
    const body = { type: 'event_callback', team_id: team.id, api_app_id: 'A0SWITCHBOARD', event };
    return { body: JSON.stringify(body), contentType: json };
  }
  if (kind === 'tool') {
    const slack = { user_id: userId, team_id: team.id };
    const params = { name, arguments: toolInput, _meta: { slack } };
    return {
      body: JSON.stringify({ jsonrpc: '2.0', id: triggers, method: 'tools/call', params }),
      contentType: json,
    };
  }
  const payload = {
    team,
    user: { id: userId, team_id: team.id, username: 'somebody' },
    api_app_id: 'A0SWITCHBOARD',
    trigger_id: triggerId,
    ...payloads[kind](name, responseUrl, text),
  };
  return {
    body: new URLSearchParams({ payload: JSON.stringify(payload) }).toString(),
    contentType: urlEncoded,
  };
}

const channel = { id: 'C0SUPPORT', name: 'support' };

const payloads = {
  action: (name: string, responseUrl: string, value: string) => ({
    type: 'block_actions',
    container: { type: 'message', message_ts: '1.1', channel_id: channel.id },
    channel,
    response_url: responseUrl,
    actions: [{ type: 'button', action_id: name, block_id: 'b', value, action_ts: '1.1' }],
  }),
  submission: (name: string) => ({
    type: 'view_submission',
    view: {
      id: `V${triggers}`,
      type: 'modal',
      callback_id: name,
      hash: '1.1',
      title: { type: 'plain_text', text: 'A view' },
      blocks: [],
      private_metadata: '',
      state: { values: {} },
    },
    response_urls: [],
  }),
  options: (name: string) => ({ type: 'block_suggestion', action_id: name, block_id: 'b', value: '' }),
  shortcut: (name: string, responseUrl: string) => ({
    type: 'message_action',
    callback_id: name,
    channel,
    response_url: responseUrl,
    message_ts: '1.1',
    action_ts: '1.1',
    message: { type: 'message', text: 'Hello', ts: '1.1' },
  }),
};
