import type { JsonObject } from '../../../sandbox/lib/json.ts';
import type { LoggedRequest } from '../../../sandbox/lib/logged-request.ts';
import type { SlackSandbox } from '../../../sandbox/slack/server.ts';
import { commands } from '../../../src/slack/app/manifest.ts';
import { disconnectAction } from '../../../src/slack/features/settings/connection.ts';
import type { TestHooks } from '../../support/app/app-process.ts';
import { everyListener, type Listener } from '../../support/app/registered-listeners.ts';
import { startTestApp } from '../../support/app/test-app.ts';
import { compose, recipients } from '../../support/campaigns.ts';
import { addPhonebook } from '../../support/slack/phonebook-steps.ts';
import { slackUserAt } from '../../support/slack/slack-user.ts';
import { send } from '../../support/slack/sms-steps.ts';
import type { Place } from './places.ts';
import { eventSamples, samplesOf } from './registry-samples.ts';

/** A request from Slack. */
export interface Sample {
  encoding: 'json' | 'payload' | 'fields';
  body: JsonObject;
  /** It keeps its workspace: the ids of others are not put into it. */
  kept?: boolean | undefined;
}

/**
 * Uses the program as several people of each place. Returns Slack's requests of every type and with every action id, and
 * one for each listener of the features.
 */
export async function everySample(
  test: TestHooks,
  slack: SlackSandbox,
  places: readonly PlaceInUse[],
): Promise<Sample[]> {
  for (const place of places) {
    await useApp(slack, place);
  }
  const seen = slack.exchanges.filter(({ from, to }) => from === 'slack' && to === 'app').flatMap(sampleOf);
  const pressed = seen.find(({ body }) => body.type === 'block_actions');
  const shown = [...elementsIn(slack.exchanges)].map((element) => ({
    ...element,
    block_id: 'fuzz',
    action_ts: '1.1',
  }));
  const all = [
    ...seen,
    ...(pressed === undefined
      ? []
      : shown.map((action): Sample => ({ ...pressed, body: { ...pressed.body, actions: [action] } }))),
    ...samplesOf(await listenersOf(test), seen),
    ...eventSamples(seen),
  ];
  // An admin may remove the key, and nobody could send from then on: it is tried as somebody who may not.
  return all.map((sample) =>
    JSON.stringify(sample.body.actions ?? '').includes(`"${disconnectAction}"`)
      ? { ...sample, kept: true, body: { ...sample.body, user: { id: 'U0GUEST' } } }
      : sample,
  );
}

/** The listeners of the app, which is started for a moment to ask it. */
async function listenersOf(test: TestHooks): Promise<Listener[]> {
  const { app, stopApp } = await startTestApp(test);
  const listeners = everyListener(app());
  await stopApp();
  return listeners;
}

/** A workspace with its account at the provider. */
export interface PlaceInUse {
  place: Place;
  key: string;
  phonebook: { id: string; name: string };
  senderId: string;
}

async function useApp(slack: SlackSandbox, { place, key, phonebook, senderId }: PlaceInUse): Promise<void> {
  const ada = slackUserAt(slack, place.agent);
  const grace = slackUserAt(slack, place.admin);
  const guest = slackUserAt(slack, place.guest);

  const connect = async () => {
    await grace.types('/switchboard', 'connect');
    await grace.fills('API key', key);
    await grace.submits();
    await grace.seesModal('Switchboard', 'Connected');
    await grace.closes();
  };
  await addPhonebook({ grace, connect }, phonebook);
  for (const { name } of commands) {
    await guest.types(`/${name}`);
    await ada.types(`/${name}`, 'help');
    await grace.types(`/${name}`);
    await slack.until(() => grace.modal(), `what /${name} opens`);
    await grace.closes();
  }
  await ada.seesHome('*Connected*');
  await ada.types('/dnd-check', '+2348031234567');
  await ada.sees('1 of 1 on Do-Not-Disturb');
  const message = await ada.says('Call me on +2348031234567');
  await ada.uses('Check numbers', message);
  await ada.uses('Send SMS to…', message);
  await ada.seesModal('New message');
  await ada.closes();
  await send(ada, { to: '+2348031234567', from: senderId });
  await ada.seesModal('Message sent');
  await ada.closes();
  await ada.types('/otp');
  await ada.fills('Send by', 'Voice call');
  await ada.seesModal('One-time code', 'A call reads the code out');
  await ada.fills('Phone number', '+2348031234568');
  await ada.submits();
  await ada.seesModal('Code sent', 'by voice call');
  await ada.closes();
  await compose(grace, { pasted: recipients(3).join('\n') });
  await grace.seesModal('Campaign review');
  await grace.closes();
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
