import type { SlackState } from '../../slack.ts';
import { globalShortcutDelivery, messageShortcutDelivery } from '../../transport/requests.ts';
import { messageSeen, personNamed } from '../lookup.ts';
import type { DeedOf, Prepared } from '../user-action.ts';
import { DeedError } from '../user-action.ts';

/** A person picks a shortcut: of a message, or a global one. */
export function shortcut(slack: SlackState, deed: DeedOf<'shortcut'>): Prepared {
  const { workspace, manifest, triggers, responseUrls } = slack;
  const person = personNamed(workspace, deed.person);
  const type = deed.message ? 'message' : 'global';
  const known = manifest.shortcuts.some((one) => one.callbackId === deed.callbackId && one.type === type);
  if (!known) {
    throw new DeedError(`The app has no ${type} shortcut ${deed.callbackId}.`);
  }
  const settle = () => undefined;
  const timestamp = workspace.timestamp();
  const { callbackId } = deed;
  if (!deed.message) {
    const triggerId = triggers.issue({
      person: person.id,
      ...(deed.channel !== undefined && { channel: deed.channel }),
    });
    return { delivery: globalShortcutDelivery({ person, callbackId, timestamp, triggerId }), settle };
  }
  const { message, channel } = messageSeen(workspace, person, deed.message);
  if (message.onlyFor !== undefined) {
    throw new DeedError('A message for one person has no shortcuts.');
  }
  const grant = { person: person.id, channel: channel.id };
  const delivery = messageShortcutDelivery({
    person,
    callbackId,
    message,
    channel,
    timestamp,
    triggerId: triggers.issue(grant),
    responseUrl: responseUrls.issue('app', {
      ...grant,
      ...(message.threadTs !== undefined && { threadTs: message.threadTs }),
    }),
  });
  return { delivery, settle };
}
