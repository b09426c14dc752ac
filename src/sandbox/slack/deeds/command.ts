import { ApiError } from '../api-error.ts';
import type { Answer } from '../delivery/courier.ts';
import { commandDelivery } from '../interactions.ts';
import { isObject } from '../json.ts';
import type { Channel, JsonObject, Person } from '../protocol.ts';
import { respond } from '../response-urls.ts';
import type { Slack } from '../slack.ts';
import type { DeedOf, Prepared } from './deed.ts';
import { notTold } from './deed.ts';
import { channelOf, personNamed } from './places.ts';

/** A person sends a slash command. */
export function command(slack: Slack, deed: DeedOf<'command'>): Prepared {
  const { workspace, manifest, triggers, responseUrls } = slack;
  const person = personNamed(workspace, deed.person);
  const channel = channelOf(workspace, person, deed.channel);
  if (deed.command === '/invite') return invite(slack, person, channel);
  if (channel.archived) return refuse(slack, person, 'You can’t send messages in an archived channel.');
  if (!manifest.commands.some((known) => known.command === deed.command)) {
    return refuse(slack, person, `${deed.command} is not a valid command.`);
  }
  const grant = { person: person.id, channel: channel.id };
  const delivery = commandDelivery({
    person,
    channel,
    command: deed.command,
    text: deed.text.trim(),
    triggerId: triggers.issue(grant),
    responseUrl: responseUrls.issue('commands', grant),
  });
  return { delivery, settle: (answer) => settle(slack, person, channel, deed, answer) };
}

function settle(
  { workspace }: Slack,
  person: Person,
  channel: Channel,
  deed: DeedOf<'command'>,
  answer: Answer,
): string | undefined {
  const fail = (error: string): string => {
    const words = `${deed.command} failed with the error "${error}"`;
    workspace.notify(person.id, words);
    return words;
  };
  if (answer.failure) return fail(answer.failure);
  const body = typeof answer.body === 'string' ? { text: answer.body } : answer.body;
  if (!isObject(body) || Object.keys(body).length === 0) return undefined;
  try {
    showAnswer(workspace, { person, channel, deed }, body);
    return undefined;
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    const words = fail(error.code);
    return error.messages.length === 0 ? words : `${words} (${error.messages.join(' ')})`;
  }
}

/** An answer to the whole channel shows the command that it answers, too. */
function showAnswer(
  workspace: Slack['workspace'],
  asked: { person: Person; channel: Channel; deed: DeedOf<'command'> },
  body: JsonObject,
): void {
  const { person, channel, deed } = asked;
  if (body.response_type === 'in_channel') {
    const text = `${deed.command} ${deed.text}`.trim();
    workspace.post({ channel: channel.id, from: person.id, text, blocks: [] });
    if (body.text === undefined && body.blocks === undefined) return;
  }
  respond(workspace, { person: person.id, channel: channel.id }, body);
}

function invite({ workspace }: Slack, person: Person, channel: Channel): Prepared {
  channel.botIsMember = true;
  workspace.notify(person.id, `The app was added to #${channel.name}.`);
  return notTold();
}

function refuse({ workspace }: Slack, person: Person, words: string): Prepared {
  workspace.notify(person.id, words);
  return notTold(words);
}
