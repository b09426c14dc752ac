import type { UserActionResult } from '../../../sandbox/slack/protocol.ts';
import { messageButtons, pressed } from '../slack/message-buttons.ts';
import { slackUserAt } from '../slack/slack-user.ts';
import { review } from '../slack/sms-steps.ts';
import type { Cast } from './cast.ts';
import { numberOf, senderIdOf } from './tenants.ts';

/** What a person of a workspace did, whose requests Slack delivers later: of every kind, and one that would send. */
export async function requestsOf({
  tenant,
  agent,
  testApp: { slack },
}: Cast): Promise<(() => Promise<UserActionResult>)[]> {
  const { workspaceId: team, channel } = tenant;
  const person = slackUserAt(slack, agent.id, { team });
  const said = await person.says(`Call ${numberOf(tenant, 95)}`);
  const shortcuts = slack.snapshot(agent.id, team).shortcuts;
  const pausing = await slack.until(
    () => messageButtons(person).findLast(({ label }) => label === 'Pause'),
    'a campaign to pause',
  );
  await review(person, {
    to: numberOf(tenant, 96),
    text: `${tenant.word} too late`,
    from: senderIdOf(tenant),
  });
  const { id: viewId } = await person.seesModal('Message review');
  const by = { person: agent.id, team };
  return [
    slack.later({ ...by, do: 'command', channel, command: '/number', text: numberOf(tenant, 97) }),
    slack.later({ ...by, do: 'command', channel, command: '/sms', text: `${numberOf(tenant, 98)} late` }),
    slack.later({ ...by, do: 'home' }),
    ...shortcuts.map(({ callbackId }) =>
      slack.later({ ...by, do: 'shortcut', callbackId, message: { channel, ts: said.ts } }),
    ),
    slack.later(pressed(pausing, person)),
    slack.later({ ...by, do: 'submit', viewId }),
  ];
}
