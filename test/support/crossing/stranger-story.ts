import assert from 'node:assert/strict';
import type { SlackSandbox } from '../../../sandbox/slack/server.ts';
import { messageButtons, pressed } from '../slack/message-buttons.ts';
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

interface Stranger {
  sam: SlackUser;
  slack: SlackSandbox;
}

/** Acts, and waits for the refusal. */
function refusalsOf({ sam, slack }: Stranger) {
  const refusals = () => sam.messages().filter(({ text }) => text.includes(refusal)).length;
  return async (act: () => Promise<unknown>, what: string) => {
    const before = refusals();
    await act();
    await slack.until(() => refusals() > before, `a refusal of ${what}`);
    assert.equal(sam.modal(), undefined, what);
  };
}

/** Tries everything that somebody of another company in a shared channel can try. */
export async function strangerStory(stranger: Stranger): Promise<void> {
  const { sam } = stranger;
  const number = numberOf(strangers, 1);
  const refused = refusalsOf(stranger);
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

/** Presses every button in the messages that others posted where the stranger reads them. Returns which. */
export async function strangerPresses(stranger: Stranger): Promise<string[]> {
  const { sam, slack } = stranger;
  const refused = refusalsOf(stranger);
  const buttons = messageButtons(sam);
  for (const button of buttons) {
    await refused(() => slack.perform(pressed(button, sam)), button.label);
  }
  return buttons.map(({ label }) => label);
}
