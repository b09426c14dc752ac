import type { JsonObject } from '../../../sandbox/lib/json.ts';
import type { Listener } from '../../support/app/registered-listeners.ts';
import { removedPlace } from './places.ts';
import { isObject, type Sample } from './samples.ts';

/**
 * Returns a request for each listener that the features register, whether anybody has used it or not: a listener that is
 * added is tried without a change here. They are made of requests that Slack sent.
 */
export function samplesOf(listeners: readonly Listener[], seen: readonly Sample[]): Sample[] {
  const first = (isMeant: (sample: Sample) => boolean) => seen.filter(isMeant).slice(0, 1);
  const click = ({ body }: Sample) => body.type === 'block_actions';
  const models: Models = {
    clicks: [
      ...first((sample) => click(sample) && isObject(sample.body.view)),
      ...first((sample) => click(sample) && isObject(sample.body.message)),
    ],
    submissions: first(({ body }) => body.type === 'view_submission'),
    commands: first(({ encoding }) => encoding === 'fields'),
    shortcuts: first(({ body }) => body.type === 'message_action'),
  };
  return listeners.flatMap((listener) => samplesFor(listener, models));
}

/** A request of Slack of each type. */
type Models = Record<'clicks' | 'submissions' | 'commands' | 'shortcuts', Sample[]>;

function samplesFor({ kind, name }: Listener, models: Models): Sample[] {
  switch (kind) {
    case 'action':
      return models.clicks.flatMap((sample) => actionsOn(sample, name));
    case 'submission':
      return models.submissions.map((sample) => inViewOf(sample, name, { type: 'view_submission' }));
    case 'closed':
      return models.submissions.map((sample) =>
        inViewOf(sample, name, { type: 'view_closed', is_cleared: false }),
      );
    case 'options':
      return models.clicks.map((sample) =>
        withBody(sample, { type: 'block_suggestion', action_id: name, block_id: 'fuzz', value: 'a' }),
      );
    case 'command':
      return models.commands.flatMap((sample) =>
        ['', 'help', 'history', 'a b c'].map((text) => withBody(sample, { command: `/${name}`, text })),
      );
    case 'shortcut':
      return models.shortcuts.map((sample) => withBody(sample, { callback_id: name }));
    case 'tool':
      // Called over MCP, see `test/long/fuzz/tool-calls.ts`.
      return [];
    case 'home':
      // People open Home in the samples.
      return [];
  }
}

function withBody(sample: Sample, more: JsonObject): Sample {
  return { ...sample, body: { ...sample.body, ...more } };
}

function actionsOn(sample: Sample, name: string): Sample[] {
  const element = { action_id: name, block_id: 'fuzz', action_ts: '1.1' };
  return [
    { ...element, type: 'button', value: 'v' },
    { ...element, type: 'static_select', selected_option: { value: 'v' } },
  ].map((action) => withBody(sample, { actions: [action] }));
}

function inViewOf(sample: Sample, callbackId: string, more: JsonObject): Sample {
  const view = isObject(sample.body.view) ? sample.body.view : {};
  return withBody(sample, { ...more, view: { ...view, callback_id: callbackId } });
}

/** Events that Slack sends and the app does not expect, and those by which a workspace is forgotten, for another one. */
export function eventSamples(seen: readonly Sample[]): Sample[] {
  const event = seen.find(({ encoding }) => encoding === 'json');
  if (event === undefined) {
    return [];
  }
  const inner = isObject(event.body.event) ? event.body.event : {};
  const elsewhere = [removedPlace.team, 'T0ELSEWHERE', 'E0NOWHERE', ''];
  return [
    ...['app_home_opened', 'message', 'app_mention', 'team_join', 'user_change', 'link_shared'].map(
      (type) => ({
        ...event,
        body: { ...event.body, event: { ...inner, type } },
      }),
    ),
    ...elsewhere.flatMap((team) => [
      removal(event, team, { type: 'app_uninstalled' }),
      removal(event, team, {
        type: 'tokens_revoked',
        tokens: { oauth: ['U0ADMIN'], bot: ['U0SWITCHBOARD'] },
      }),
    ]),
  ];
}

/** The ids in it, such as the app's user, are those of a workspace that stays. */
function removal(sample: Sample, team: string, event: JsonObject): Sample {
  return { ...withBody(sample, { team_id: team, event }), kept: true };
}
