import assert from 'node:assert/strict';
import type { SlackSandbox } from '../../../sandbox/slack/server.ts';
import type { SlackUser } from '../slack/slack-user.ts';
import { numberOf, strangers } from './tenants.ts';

const commands = [
  'sms',
  'sms bulk',
  'sms history',
  'otp',
  'dnd-check',
  'number',
  'sender-id',
  'contacts',
  'esim',
  'esim-status',
  'switchboard',
];
const refusal = 'only for members of this workspace';

/** Tries everything that somebody of another company in a shared channel can try. */
export async function strangerStory({ sam, slack }: { sam: SlackUser; slack: SlackSandbox }): Promise<void> {
  const number = numberOf(strangers, 1);
  const refusals = () => sam.messages().filter(({ text }) => text.includes(refusal)).length;
  const refused = async (act: () => Promise<unknown>, what: string) => {
    const before = refusals();
    await act();
    await slack.until(() => refusals() > before, `a refusal of ${what}`);
    assert.equal(sam.modal(), undefined, what);
  };
  for (const command of commands) {
    const [name = '', ...words] = command.split(' ');
    const text = [...words, number, strangers.word].join(' ');
    await refused(() => sam.types(`/${name}`, text), command);
    await refused(() => sam.types(`/${name}`, words.join(' ')), command);
  }
  const said = await sam.says(`Call ${number} about the ${strangers.word}`);
  for (const shortcut of ['Check numbers', 'Send SMS to…']) {
    await refused(() => sam.uses(shortcut, said), shortcut);
  }
  await sam.seesHome(refusal);
}
