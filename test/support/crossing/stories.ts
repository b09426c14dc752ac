import assert from 'node:assert/strict';
import type { SlackSandbox } from '../../../sandbox/slack/server.ts';
import type { TestApp } from '../app/test-app.ts';
import { type Bulk, compose, start } from '../campaigns.ts';
import { switchOnApprovals } from '../slack/approval-steps.ts';
import { findLocalPlans } from '../slack/esim-steps.ts';
import { resultOf } from '../slack/number-files.ts';
import type { SlackUser } from '../slack/slack-user.ts';
import { review, send, startFrom } from '../slack/sms-steps.ts';
import { numberOf, phonebookOf, senderIdOf, strangers, type Tenant } from './tenants.ts';

/** The people of a tenant, with what they act on. */
export interface Cast {
  tenant: Tenant;
  testApp: TestApp;
  admin: SlackUser;
  agent: SlackUser;
  approver: SlackUser;
  colleague: SlackUser;
}

type Story = (cast: Cast) => Promise<void>;

/** More recipients than this need approval. */
const maxUnapproved = 4;

async function opensSettings(admin: SlackUser, button: string): Promise<void> {
  await admin.types('/switchboard');
  await admin.seesModal('Switchboard', 'Connected');
  await admin.presses(button);
}

async function closesAll(person: SlackUser): Promise<void> {
  while (person.modal() !== undefined) {
    await person.closes();
  }
}

/** Connects the account, and sets everything that an admin can set. */
export const settingUp: Story = async ({ tenant, admin }) => {
  const { word, key, channel, digit } = tenant;
  await admin.types('/switchboard', 'connect');
  await admin.fills('API key', key);
  await admin.submits();
  await admin.seesModal('Switchboard', 'Connected');
  await admin.closes();
  await startFrom(admin, senderIdOf(tenant));
  await admin.closes();

  await opensSettings(admin, 'One-time codes');
  await admin.seesModal('One-time codes');
  await admin.fills('Sender ID', senderIdOf(tenant));
  await admin.fills('Text of the SMS', `${word}: <code>, for <minutes> minutes`);
  await admin.submits();
  await admin.seesModal('One-time codes', 'Saved.');
  await admin.closes();
  await admin.closes();

  await opensSettings(admin, 'Limits');
  await admin.seesModal('Limits');
  await admin.fills('Pages a day', `${digit}000`);
  await admin.submits();
  await admin.seesModal('Limits', 'Saved.');
  await admin.closes();
  await admin.closes();

  await admin.types('/contacts');
  await admin.seesModal('New phonebook');
  await admin.fills('ID', phonebookOf(tenant).id);
  await admin.fills('Name', phonebookOf(tenant).name);
  await admin.submits();
  await admin.seesModal('Phonebooks', 'added');
  await admin.closes();
  await switchOnApprovals(admin, { recipients: String(maxUnapproved), channel });
};

const messages: Story = async ({ tenant, agent, testApp }) => {
  const { word } = tenant;
  await send(agent, { to: numberOf(tenant, 1), text: `${word} parcel`, from: senderIdOf(tenant) });
  await agent.seesModal('Message accepted');
  await agent.presses('Do not contact');
  await agent.seesModal('Do-not-contact list', 'added');
  await agent.closes();
  await agent.closes();
  await agent.types('/sms', `${numberOf(tenant, 2)} ${word} typed`);
  await agent.sees('Your message is ready');
  await agent.presses('Send');
  await agent.sees(/Accepted/);
  const said = await agent.says(`Call ${numberOf(tenant, 3)} about ${word}`);
  await agent.uses('Check numbers', said);
  await agent.sees('1 number');
  await agent.uses('Send SMS to…', said);
  await agent.seesModal('New message');
  await agent.fills('Message', `${word} by shortcut`);
  await agent.submits();
  await agent.seesModal('Message review');
  await agent.submits();
  await agent.seesModal('Message accepted');
  await agent.closes();

  await agent.types('/otp', numberOf(tenant, 4));
  await agent.seesModal('One-time code');
  await agent.submits();
  await agent.seesModal('Code accepted');
  await agent.presses('Verify');
  await agent.seesModal('Verification');
  const { text = '' } = testApp.provider.record.findLast(({ account }) => account === tenant.key) ?? {};
  const code = /\d{6}/.exec(text)?.[0] ?? assert.fail('no code');
  await agent.fills(
    'Code from the customer',
    code.startsWith('0') ? `1${code.slice(1)}` : `0${code.slice(1)}`,
  );
  await agent.submits();
  await agent.seesTrouble('2 attempts left');
  await agent.fills('Code from the customer', code);
  await agent.submits();
  await agent.seesModal('Verified');
  await agent.closes();

  await agent.types('/dnd-check', `${numberOf(tenant, 5)}, ${numberOf(tenant, 6)}`);
  await agent.sees('2 numbers');
  await agent.types('/number');
  await agent.fills('Phone number', numberOf(tenant, 7));
  await agent.fills('Show the result', 'In a channel');
  await agent.fills('Channel', tenant.channel);
  await agent.submits();
  await agent.sees('Looked up by');
  await agent.closes();
  await agent.seesHome('SMS to');
};

export function campaignOf(tenant: Tenant, [from, to]: [number, number], name: string): Bulk {
  const rows = Array.from({ length: to - from + 1 }, (_, index) => numberOf(tenant, from + index));
  return {
    file: ['Name,Phone', ...rows.map((number, index) => `${tenant.word}ia ${index},${number}`)].join('\n'),
    text: `Hello {{name}}, says ${tenant.word}`,
    from: senderIdOf(tenant),
    name: `${tenant.word} ${name}`,
  };
}

async function schedules(agent: SlackUser): Promise<void> {
  await agent.seesModal('Campaign review');
  await agent.fills('Start', 'At a time');
  await agent.fills('Date', '2077-07-05');
  await agent.fills('Time', '10:30');
  await agent.submits();
  await agent.seesModal('Scheduled');
  await agent.closes();
}

const campaigns: Story = async ({ tenant, agent, approver, testApp }) => {
  const { word, channel } = tenant;
  await compose(agent, campaignOf(tenant, [10, 12], 'sale'));
  await agent.seesModal('Campaign review');
  await agent.presses('Check Do-Not-Disturb');
  await agent.seesModal('Do-Not-Disturb', '3 recipients');
  await agent.closes();
  await agent.presses('Send a test to myself');
  await agent.fills('Your phone number', numberOf(tenant, 13));
  await agent.submits();
  await agent.seesModal('Send a test', 'Test accepted');
  await agent.closes();
  await start(agent, channel);
  await agent.sees(new RegExp(`${word} sale[\\s\\S]*\\*Done:\\*`));
  await agent.closes();
  await agent.presses('Download all (3)');
  const rows = await resultOf(testApp.slack, await agent.sees('All results'));
  assert.equal(rows.length, 4);

  await compose(agent, campaignOf(tenant, [20, 25], 'festival'));
  await agent.seesModal('Campaign review', `Needs approval in <#${channel}>`);
  await agent.submits();
  await agent.seesModal('Approval', 'Waiting for approval');
  await agent.closes();
  await approver.seesHome(new RegExp(`${word} festival[\\s\\S]*needs your decision`));
  await approver.presses('Approve');
  await agent.sees(new RegExp(`${word} festival[\\s\\S]*Approved by`));
  await agent.sees(new RegExp(`${word} festival[\\s\\S]*\\*Done:\\* 6 recipients`));

  await compose(agent, campaignOf(tenant, [26, 27], 'later'));
  await schedules(agent);
  await agent.types('/sms', 'bulk list');
  await agent.seesModal('Campaigns', `${word} later`);
  await agent.closes();
};

const esims: Story = async ({ tenant, agent, testApp }) => {
  await findLocalPlans(agent, 'Kenya');
  await agent.presses('Create');
  await agent.seesModal('New eSIM');
  await agent.submits();
  await agent.seesModal('eSIM created');
  await agent.presses('Status');
  await agent.seesModal('eSIM status', 'As of');
  await agent.presses('QR image');
  await agent.seesModal('QR image', 'in your messages');
  await agent.presses('Share in a channel…');
  await agent.seesModal('Share QR image');
  await agent.fills('Channel', tenant.channel);
  await agent.submits();
  await agent.seesModal('QR image', `<#${tenant.channel}>`);
  await closesAll(agent);
  const own = testApp.provider.accountWith(tenant.key).sims.at(-1)?.iccid ?? '';
  await agent.types('/esim', 'list');
  await agent.seesModal('eSIMs', own);
  await agent.closes();
  await agent.types('/esim-status');
  await agent.seesModal('eSIM status');
  const offered = await agent.searches('Pick an eSIM', '89');
  const known = new Set(testApp.provider.accountWith(tenant.key).sims.map(({ iccid }) => iccid));
  assert.ok(offered.length > 0 && offered.every((iccid) => known.has(iccid)), offered.join());
  await agent.closes();
  await agent.types('/esim-status', own);
  await agent.seesModal('eSIM status', own);
  await agent.presses('Install details');
  await agent.seesModal('Install details', 'Activation code');
  await agent.closes();
  await agent.presses('Top up');
  await agent.seesModal('Top-up plans', own);
  await agent.fills('Country', 'Nigeria');
  await agent.seesModal('Top-up plans', '4 in all');
  await agent.presses('Top up');
  await agent.seesModal('eSIM top-up', own);
  await agent.submits();
  await agent.seesModal('eSIM topped up');
  await closesAll(agent);
};

/** The one who is in both workspaces of the enterprise, one journey after the other. */
export const agentStory: Story = async (cast) => {
  await messages(cast);
  await campaigns(cast);
  await esims(cast);
};

export const colleagueStory: Story = async ({ tenant, colleague }) => {
  const { word } = tenant;
  await colleague.seesHome('Connected');
  await send(colleague, {
    to: numberOf(tenant, 40),
    text: `${word} from a colleague`,
    from: senderIdOf(tenant),
  });
  await colleague.seesModal('Message accepted');
  await colleague.closes();
  await colleague.types('/sms', `history ${numberOf(tenant, 40)}`);
  await colleague.seesModal('History', `${word} from a colleague`);
  await colleague.closes();

  await colleague.types('/contacts');
  await colleague.seesModal('Contacts', '4 in all');
  await colleague.closes();
  await colleague.types('/contacts', `add ${numberOf(tenant, 41)}`);
  await colleague.seesModal('New contact');
  await colleague.fills('First name', `${word}ella`);
  await colleague.submits();
  await colleague.seesModal('Added');
  await colleague.closes();
  await colleague.types('/contacts', 'upload');
  await colleague.drops('File', `${word}.csv`, `phone,name\n${numberOf(tenant, 42)},${word}ina`);
  await colleague.submits();
  await colleague.seesModal('Upload preview');
  await colleague.submits();
  await colleague.seesModal('Uploaded');
  await colleague.closes();

  await colleague.types('/sender-id');
  await colleague.seesModal('Sender IDs', senderIdOf(tenant));
  await colleague.closes();
  await colleague.types('/sender-id', 'request');
  await colleague.fills('Sender ID', `${word}New`);
  await colleague.seesModal('Sender ID request', 'Looks good');
  await colleague.fills('Sample message', `${word} has arrived at our shop today`);
  await colleague.fills('Company', `${word} Limited`);
  await colleague.submits();
  await colleague.seesModal('Sender ID requested');
  await colleague.closes();

  await colleague.types('/sms', 'do-not-contact');
  await colleague.presses('Add numbers');
  await colleague.fills('Numbers to add', `${numberOf(tenant, 43)} ${numberOf(tenant, 44)}`);
  await colleague.submits();
  await colleague.seesModal('Do-not-contact list', '*2 numbers added.*');
  await colleague.closes();
  await colleague.types('/sms', 'bulk');
  await colleague.seesModal('New campaign');
  await colleague.fills('To', 'A phonebook');
  await colleague.fills('Route', 'DND');
  await colleague.fills('Sender ID', senderIdOf(tenant));
  await colleague.fills('Message', `${word} to the phonebook`);
  await colleague.fills('Name', `${word} book`);
  await colleague.submits();
  await colleague.seesModal('Campaign review');
  await colleague.closes();
  await colleague.seesHome('SMS to');
};

export const adminStory: Story = async ({ tenant, admin, testApp }) => {
  const { word } = tenant;
  const numbers = numberOf(tenant, 50);
  await review(admin, { to: numbers, text: `${word} by an admin`, from: senderIdOf(tenant) });
  await admin.seesModal('Message review');
  await admin.submits();
  await admin.seesModal('Message accepted');
  await admin.closes();
  await admin.types('/sms', 'do-not-contact');
  await admin.presses('Import a CSV');
  await admin.drops('File', `${word}-out.csv`, `${numberOf(tenant, 51)}\n`);
  await admin.submits();
  await admin.seesModal('Do-not-contact list', 'added');
  await admin.presses('Export as CSV');
  await admin.seesModal('Do-not-contact list', 'file is in your messages');
  await admin.closes();
  await resultOf(testApp.slack, await admin.sees('The do-not-contact list'));

  await admin.types('/sms', 'history');
  await admin.sees('Everyone’s history');
  await admin.seesHome('All activity');
  await admin.presses('All activity');
  await admin.seesModal('History');
  await admin.presses('Export as CSV');
  await admin.seesModal('History', 'file is in your messages');
  await admin.closes();

  await admin.seesHome('Audit');
  await admin.presses('Audit');
  await admin.seesModal('Audit');
  await admin.presses('Export CSV');
  await admin.seesModal('Audit', 'file is in your messages');
  await admin.closes();
  await admin.presses('Export JSON lines');
  await admin.seesModal('Audit', 'file is in your messages');
  await admin.closes();
  await admin.closes();

  await opensSettings(admin, 'Erase…');
  await admin.fills('Phone number', numbers);
  await admin.submits();
  await admin.seesModal('Erase a person');
  await admin.submits();
  await admin.seesModal('Erase a person', 'The number is erased');
  await closesAll(admin);
  await admin.seesHome('Team activity');
};

/** Leaves everything that can be left half done, for whoever knows its id. */
export const leavingDrafts: Story = async ({ tenant, agent }) => {
  const { word } = tenant;
  await compose(agent, campaignOf(tenant, [60, 65], 'waiting'));
  await agent.seesModal('Campaign review', 'Needs approval');
  await agent.submits();
  await agent.seesModal('Approval', 'Waiting for approval');
  await agent.closes();
  await compose(agent, campaignOf(tenant, [66, 67], 'draft'));
  await agent.seesModal('Campaign review');
  await agent.presses('Edit');
  await agent.seesModal('New campaign');
  await agent.submits();
  await agent.seesModal('Campaign review');
  await agent.closes();
  await agent.types('/sms', 'bulk list');
  await agent.seesModal('Campaigns', `${word} draft`);
  await agent.presses('Open');
  await agent.seesModal(/Campaign/);
  await closesAll(agent);
  await agent.types('/sms', `${numberOf(tenant, 68)} ${word} left`);
  await agent.sees(new RegExp(`Your message is ready[\\s\\S]*${word} left`));
  await review(agent, { to: numberOf(tenant, 69), text: `${word} reviewed`, from: senderIdOf(tenant) });
  await agent.seesModal('Message review');
  await agent.closes();
  await agent.seesHome('SMS to');
};

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
