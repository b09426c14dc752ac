import assert from 'node:assert/strict';
import fc from 'fast-check';
import { Agent, request as post } from 'undici';
import { ownId } from '../../../src/domain/access/ownership.ts';
import { describedOperations, operationsBeyond } from '../../../src/provider/operations.ts';
import type { TestApp } from '../app/test-app.ts';
import type { TestWorkspace } from '../app/test-workspace.ts';
import { anyText } from '../arbitrary-text.ts';
import { json, signed } from './signed-request.ts';

const effects: Readonly<Record<string, { effect: string }>> = { ...describedOperations, ...operationsBeyond };

/** Returns the operations that reached the provider and are no reads. */
export const writesOf = ({ provider }: Pick<TestWorkspace, 'provider'>) =>
  provider.arrivals.flatMap(({ operation = '' }) =>
    effects[operation]?.effect === 'read' ? [] : [operation],
  );

/** Returns a call of a tool as Slack sends it. */
export function toolCall(id: number, name: string, input: unknown, meta: object) {
  const params = { name, arguments: input, _meta: meta };
  return JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params });
}

/** Sends a body to the tools. Resolves with the status, and the answer, which may be a stream with one event. */
export async function sendToTools(
  url: string,
  body: string,
  headers: Record<string, string>,
  dispatcher?: Agent,
) {
  const accept = 'application/json, text/event-stream';
  const sent = await post(`${url}/mcp`, {
    method: 'POST',
    body,
    headers: { ...headers, accept },
    ...(dispatcher && { dispatcher }),
  });
  const text = await sent.body.text();
  const [, data = text === '' ? '{}' : text] = /^data: (.*)$/m.exec(text) ?? [];
  return { status: sent.statusCode, answer: JSON.parse(data) as unknown };
}

const tools = [
  'check_numbers',
  'look_up_number',
  'history',
  'message_status',
  'campaigns',
  'sender_ids',
  'balance_and_costs',
  'esim_status',
  'esim_plans',
  'draft_message',
  'draft_campaign',
  'draft_code',
  'draft_esim_order',
] as const;

const numbers = fc.oneof(
  fc.integer({ min: 0, max: 9_999_999 }).map((rest) => `+234803${String(rest).padStart(7, '0')}`),
  fc.constantFrom('0803 123 4567', '+447911123456', '+2348030000001', 'SEND NOW', ''),
);
// A mention in a quotation is no mention, which the rules for the texts of tests do not know.
const harmless = anyText.map((text) => text.replaceAll('<!channel>', '<@U0AGENT>'));
const words = fc.oneof(
  harmless,
  fc.constantFrom('Kenya', 'PalmMarket', 'ke-1gb-7d', 'operation:1', 'campaign:1', 'local'),
);
const anything = fc.oneof(
  { weight: 6, arbitrary: numbers },
  { weight: 3, arbitrary: words },
  { weight: 1, arbitrary: fc.jsonValue() },
);

/** What tools take, of the right kind mostly. */
const inputs = fc.record(
  {
    numbers: fc.oneof(
      fc.array(numbers, { minLength: 1, maxLength: 3 }).map((list) => list.join(', ')),
      anything,
    ),
    number: anything,
    to: anything,
    text: words,
    sender: fc.constantFrom('PalmMarket', 'x', 'SEND'),
    entry: words,
    name: fc.constantFrom('Palm', '%', ''),
    person: fc.constantFrom('U0AGENT', '<@U0ADMIN>', 'nobody'),
    iccid: fc.oneof(fc.constantFrom('8944500000000000001', '8923400000000000017'), anything),
    country: fc.constantFrom('Kenya', 'Nigeria', 'Nowhere'),
    type: fc.constantFrom('local', 'region', 'create'),
    plan: fc.constantFrom('ke-1gb-7d', 'ke-5gb-30d', 'none'),
    template: fc.constantFrom('Order ready', 'order READY', 'none'),
    campaign: fc.constantFrom('Harvest', 'harvest', 'HARVEST', 'none'),
    part: fc.constantFrom('all', 'not_sent', 'answered_with'),
    word: words,
  },
  {
    requiredKeys: [
      'numbers',
      'number',
      'to',
      'text',
      'entry',
      'iccid',
      'country',
      'plan',
      'template',
      'campaign',
    ],
  },
);

/** Arguments that each tool can answer. `message_status` has none, because no message was sent. */
const answerable = {
  numbers: '+2348030000001',
  number: '+2348030000001',
  to: '+2348030000001',
  text: 'Hello',
  sender: 'PalmMarket',
  entry: 'operation:1',
  iccid: '8944500000000000001',
  country: 'Kenya',
  plan: 'ke-1gb-7d',
  template: 'Order ready',
  campaign: 'Harvest',
  part: 'all',
};

const people = ['U0AGENT', 'U0ADMIN', 'U0MEMBER', 'U0GUEST', 'U0STRANGER', 'U0NOBODY'];
const atOnce = 8;

/** What a campaign is drafted from: a template, and recipients who are used again. */
async function prepareDrafts({ app, teamId: workspaceId }: TestApp): Promise<void> {
  const { services } = app();
  const message = { text: 'Hello', route: 'dnd', senderId: 'PalmMarket' };
  const template = { workspaceId, userId: 'U0ADMIN', id: 'order', version: 0 };
  await services.templates.save(template, { ...message, name: 'Order ready' });
  const source = { kind: 'pasted', text: '+2348051234500 +2348051234510' } as const;
  for (const [userId, name] of [
    ['U0AGENT', 'Market day'],
    ['U0ADMIN', 'Harvest'],
  ] as const) {
    const id = ownId(userId, 'harvest');
    const form = { ...message, name };
    const { kind } = await services.campaigns.importRecipients({ workspaceId, userId, id, source, form });
    assert.equal(kind, 'ready');
  }
}

/**
 * Calls each tool with arguments it can answer, then makes random calls from a seed. Resolves with the number
 * of successful answers by tool.
 */
export async function callTools(
  testApp: TestApp,
  { calls, seed }: { calls: number; seed: number },
): Promise<Record<string, number>> {
  await prepareDrafts(testApp);
  const call = fc.record({
    tool: fc.constantFrom(...tools),
    input: inputs,
    person: fc.constantFrom(...people),
  });
  const first = tools.map((tool) => ({ tool, input: answerable, person: 'U0ADMIN' }));
  const waiting = [...first, ...fc.sample(call, { numRuns: calls, seed })].entries();
  const answered: Record<string, number> = {};
  const agent = new Agent({ connections: atOnce });
  const secret = testApp.env.SLACK_SIGNING_SECRET ?? '';
  async function work(): Promise<void> {
    for (const [id, { tool, input, person }] of waiting) {
      const slack = { user_id: person, team_id: testApp.teamId };
      const body = toolCall(id, tool, input, { slack });
      const { status, answer } = await sendToTools(testApp.url(), body, signed(secret, body, json), agent);
      const shown = JSON.stringify(answer);
      assert.equal(status, 200, shown);
      assert.doesNotMatch(shown, /Something went wrong/, `${tool} ${JSON.stringify(input)}`);
      if (!shown.includes('"isError":true')) {
        answered[tool] = (answered[tool] ?? 0) + 1;
      }
    }
  }
  await Promise.all(Array.from({ length: atOnce }, work));
  await agent.close();
  return answered;
}
