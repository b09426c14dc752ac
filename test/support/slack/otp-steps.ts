import assert from 'node:assert/strict';
import type { TestWorkspace } from '../app/test-workspace.ts';
import type { SlackUser } from './slack-user.ts';

/** Returns the code of the last request to a path of the provider, which only the customer would see. */
export function codeReceived({ provider }: Pick<TestWorkspace, 'provider'>, path = '/api/sms/send'): string {
  const body = provider.arrivals.findLast((arrival) => arrival.path === path)?.body;
  const text = JSON.stringify(body);
  return /"(?:code|sms)":"\D*(\d{4,8})\b/.exec(text)?.[1] ?? assert.fail(`no code in a request to ${path}`);
}

/** Returns a code of the same length that is not this one. */
export const wrongFor = (code: string) => (code.startsWith('0') ? '1' : '0') + code.slice(1);

/** What the form says of each way to send. */
export const ways: Record<string, string | RegExp> = {
  SMS: 'Text: “Your code is',
  'Voice call': 'A call reads the code out',
  Email: 'Email address',
  'Chat app': 'The provider has to activate this route first',
  'SMS (provider’s code)': /You can’t verify the code in Slack|The provider makes the code/,
  'In-app token': 'The token is shown to you once',
};

export async function chooseWay(person: SlackUser, way: string): Promise<void> {
  await person.fills('Send by', way);
  await person.seesModal('One-time code', ways[way]);
}

export async function sendCode(
  person: SlackUser,
  way: string,
  fields: Record<string, string>,
): Promise<void> {
  await person.types('/otp');
  await person.seesModal('One-time code');
  await chooseWay(person, way);
  for (const [label, value] of Object.entries(fields)) {
    await person.fills(label, value);
  }
  await person.submits();
}

export async function verify(person: SlackUser, typed: string): Promise<string | undefined> {
  await person.fills('Code from the customer', typed);
  await person.submits();
  return person.errorBeside('Code from the customer');
}

/** Opens the workspace's settings of codes as an admin, and submits changes. */
export async function changeCodes(admin: SlackUser, fields: Record<string, string>): Promise<void> {
  await admin.types('/switchboard');
  await admin.seesModal('Switchboard');
  await admin.presses('Change one-time codes');
  await admin.seesModal('One-time codes');
  for (const [label, value] of Object.entries(fields)) {
    await admin.fills(label, value);
  }
  await admin.submits();
}

/** Changes the settings of codes, and closes them. */
export async function setCodes(admin: SlackUser, fields: Record<string, string>): Promise<void> {
  await changeCodes(admin, fields);
  await admin.seesModal('One-time codes', 'Saved.');
  await admin.closes();
  await admin.closes();
}

export const number = { 'Phone number': '+2348031234568' };
export const sender = { 'Sender ID': 'PalmMarket' };
export const arrivalsOf = ({ provider }: TestWorkspace, name: string) =>
  provider.arrivals.filter(({ operation }) => operation === name);
