import type { SlackState } from '../../slack.ts';
import { eventDelivery } from '../../transport/requests.ts';
import { viewPayload } from '../../workspace/views.ts';
import { personNamed } from '../lookup.ts';
import type { DeedOf, Prepared } from '../user-action.ts';
import { notTold } from '../user-action.ts';

/** A person opens the app's Home. The app is told if its manifest asks for it. */
export function homeAction(slack: SlackState, deed: DeedOf<'home'>): Prepared {
  const { workspace, manifest } = slack;
  const person = personNamed(workspace, deed.person);
  if (!manifest.homeTab || !manifest.events.includes('app_home_opened')) {
    return notTold();
  }
  const view = workspace.homes.get(person.id);
  const at = Math.floor(workspace.now().getTime() / 1000);
  const event = {
    type: 'app_home_opened',
    user: person.id,
    channel: workspace.directMessagesOf(person.id).id,
    tab: 'home',
    event_ts: workspace.timestamp(),
    ...(view && { view: viewPayload(view) }),
  };
  return { delivery: eventDelivery(event, at), settle: () => undefined };
}
