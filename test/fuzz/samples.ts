import type { JsonObject } from '../../sandbox/lib/json.ts';
import type { LoggedRequest } from '../../sandbox/lib/logged-request.ts';
import type { SlackSandbox } from '../../sandbox/slack/server.ts';
import { commands } from '../../src/slack/app/commands.ts';
import { compose, recipients } from '../support/campaigns.ts';
import { addPhonebook } from '../support/slack/phonebook-steps.ts';
import { slackUserAt } from '../support/slack/slack-user.ts';
import { send } from '../support/slack/sms-steps.ts';

/** A request from Slack. */
export interface Sample {
  encoding: 'json' | 'payload' | 'fields';
  body: JsonObject;
}

/** Uses the program as several users. Returns Slack's requests, of every type and with every action id. */
export async function collectSamples(slack: SlackSandbox, key: string): Promise<Sample[]> {
  const ada = slackUserAt(slack, 'U0AGENT');
  const grace = slackUserAt(slack, 'U0ADMIN');
  const guest = slackUserAt(slack, 'U0GUEST');

  await addPhonebook({
    grace,
    connect: async () => {
      await grace.types('/switchboard', 'connect');
      await grace.fills('API key', key);
      await grace.submits();
      await grace.seesModal('Switchboard', 'Connected');
      await grace.closes();
    },
  });
  for (const { name } of commands) {
    await guest.types(`/${name}`);
    await ada.types(`/${name}`, 'help');
    await grace.types(`/${name}`);
    await slack.until(() => grace.modal(), `what /${name} opens`);
    await grace.closes();
  }
  await ada.seesHome('*Connected*');
  await ada.types('/dnd-check', '+2348031234567');
  await ada.sees('1 on Do-Not-Disturb');
  const message = await ada.says('Call me on +2348031234567');
  await ada.uses('Check numbers', message);
  await ada.uses('Send SMS to…', message);
  await ada.seesModal('New message');
  await ada.closes();
  await send(ada, { to: '+2348031234567' });
  await ada.seesModal('Message accepted');
  await ada.closes();
  await ada.types('/otp');
  await ada.fills('Send by', 'Voice call');
  await ada.seesModal('One-time code', 'A call reads the code out');
  await ada.fills('Phone number', '+2348031234568');
  await ada.submits();
  await ada.seesModal('Code accepted', 'by voice call');
  await ada.closes();
  await compose(ada, { pasted: recipients(3).join('\n') });
  await ada.seesModal('Campaign review');
  await ada.closes();

  const seen = slack.exchanges.filter(({ from, to }) => from === 'slack' && to === 'app').flatMap(sampleOf);
  const pressed = seen.find(({ body }) => body.type === 'block_actions');
  const actions = [...elementsIn(slack.exchanges)].map((element) => ({
    ...element,
    block_id: 'fuzz',
    action_ts: '1.1',
  }));
  return [
    ...seen,
    ...(pressed === undefined
      ? []
      : actions.map((action): Sample => ({ ...pressed, body: { ...pressed.body, actions: [action] } }))),
  ];
}

function sampleOf({ request }: LoggedRequest): Sample[] {
  if (!isObject(request)) {
    return [];
  }
  const encoding = 'event' in request ? 'json' : 'command' in request ? 'fields' : 'payload';
  return [{ encoding, body: request }];
}

/** Every interactive element that the program has shown, once per action id. */
function elementsIn(content: unknown, found = new Map<string, JsonObject>()): Iterable<JsonObject> {
  if (Array.isArray(content)) {
    for (const entry of content) {
      elementsIn(entry, found);
    }
  } else if (isObject(content)) {
    if (typeof content.action_id === 'string') {
      found.set(content.action_id, content);
    }
    for (const entry of Object.values(content)) {
      elementsIn(entry, found);
    }
  }
  return found.values();
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
