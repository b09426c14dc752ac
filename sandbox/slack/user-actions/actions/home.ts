import type { SlackState } from '../../slack.ts';
import { eventRequest } from '../../transport/events.ts';
import { viewPayload } from '../../workspace/views.ts';
import { requirePerson } from '../lookup.ts';
import type { ActionOf, PreparedAction } from '../user-action.ts';
import { notDelivered } from '../user-action.ts';

/** A person opens the app's Home. The app receives the event when its manifest subscribes to it. */
export function prepareHome(slack: SlackState, action: ActionOf<'home'>): PreparedAction {
  const { workspace, manifest } = slack;
  const person = requirePerson(workspace, action.person);
  if (!workspace.installation || !manifest.homeTab || !manifest.events.includes('app_home_opened')) {
    return notDelivered();
  }
  const view = workspace.homes.get(person.id);
  const event = {
    type: 'app_home_opened',
    user: person.id,
    channel: workspace.directMessagesOf(person.id).id,
    tab: 'home',
    event_ts: workspace.timestamp(),
    ...(view && { view: viewPayload(workspace, view) }),
  };
  return { request: eventRequest(workspace, event), settle: () => undefined };
}
