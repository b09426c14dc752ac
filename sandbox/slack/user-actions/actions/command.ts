import { isJsonObject } from '../../../lib/json.ts';
import { ApiError } from '../../api-error.ts';
import type { JsonObject, Person, SandboxChannel } from '../../protocol.ts';
import type { SlackState } from '../../slack.ts';
import { commandDelivery } from '../../transport/requests.ts';
import type { AppAnswer } from '../../transport/transport.ts';
import type { Grant } from '../../workspace/response-urls.ts';
import { respond } from '../../workspace/response-urls.ts';
import type { Workspace } from '../../workspace/workspace.ts';
import { channelOfAction, personNamed } from '../lookup.ts';
import type { DeedOf, Prepared } from '../user-action.ts';
import { notTold } from '../user-action.ts';

/** A person sends a slash command. */
export function command(slack: SlackState, deed: DeedOf<'command'>): Prepared {
  const { workspace, manifest, triggers, responseUrls } = slack;
  const person = personNamed(workspace, deed.person);
  const channel = channelOfAction(workspace, person, deed.channel);
  const own = slacksOwn.get(deed.command);
  if (own) {
    Object.assign(channel, own);
    workspace.changed();
    return notTold();
  }
  if (channel.archived) {
    return refuse(slack, person, 'You can’t send messages in an archived channel.');
  }
  if (!manifest.commands.some((known) => known.command === deed.command)) {
    return refuse(slack, person, `${deed.command} is not a valid command.`);
  }
  const grant: Grant = { person: person.id, channel: channel.id };
  const delivery = commandDelivery({
    person,
    channel,
    command: deed.command,
    text: deed.text.trim(),
    triggerId: triggers.issue({ person: person.id, channel: channel.id }),
    responseUrl: responseUrls.issue('commands', grant),
  });
  return { delivery, settle: (answer) => settle(slack, { person, channel, deed, grant }, answer) };
}

/** The commands of Slack itself that change where the app may write. */
const slacksOwn = new Map<string, Partial<SandboxChannel>>([
  ['/invite', { botIsMember: true }],
  ['/remove', { botIsMember: false }],
  ['/archive', { archived: true }],
]);

/** A command on its way. */
interface Asked {
  person: Person;
  channel: SandboxChannel;
  deed: DeedOf<'command'>;
  /** Shared with the response_url, which may replace what the acknowledgement showed. */
  grant: Grant;
}

function settle({ workspace }: SlackState, asked: Asked, answer: AppAnswer): string | undefined {
  const { person, deed } = asked;
  const fail = (error: string): string => {
    const words = `${deed.command} failed with the error "${error}"`;
    workspace.notify(person.id, words);
    return words;
  };
  if (answer.failure) {
    return fail(answer.failure);
  }
  const body = typeof answer.body === 'string' ? { text: answer.body } : answer.body;
  if (!isJsonObject(body) || Object.keys(body).length === 0) {
    return undefined;
  }
  try {
    showAnswer(workspace, asked, body);
    return undefined;
  } catch (error) {
    if (!(error instanceof ApiError)) {
      throw error;
    }
    const words = fail(error.code);
    return error.messages.length === 0 ? words : `${words} (${error.messages.join(' ')})`;
  }
}

/** An answer to the whole channel shows the command that it answers, too. */
function showAnswer(workspace: Workspace, asked: Asked, body: JsonObject): void {
  const { person, channel, deed } = asked;
  if (body.response_type === 'in_channel') {
    const text = `${deed.command} ${deed.text}`.trim();
    workspace.post({ channel: channel.id, from: person.id, text, blocks: [] });
    if (body.text === undefined && body.blocks === undefined) {
      return;
    }
  }
  respond(workspace, asked.grant, body);
}

function refuse({ workspace }: SlackState, person: Person, words: string): Prepared {
  workspace.notify(person.id, words);
  return notTold(words);
}
