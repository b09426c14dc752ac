import assert from 'node:assert/strict';
import { resultOf } from '../slack/number-files.ts';
import { openRoles } from '../slack/role-steps.ts';
import { review } from '../slack/sms-steps.ts';
import { closesAll, opensSettings, type Story } from './cast.ts';
import { groupsOf, numberOf, senderIdOf } from './tenants.ts';

export const adminStory: Story = async ({ tenant, admin, testApp }) => {
  const { word } = tenant;
  const numbers = numberOf(tenant, 50);
  await review(admin, { to: numbers, text: `${word} by an admin`, from: senderIdOf(tenant) });
  await admin.seesModal('Message review');
  await admin.submits();
  await admin.seesModal('Message sent');
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
  await admin.seesModal('History', 'Export as CSV');
  await admin.closes();
  await admin.seesHome('See all activity');
  await admin.presses('See all activity');
  await admin.seesModal('History');
  await admin.presses('Export as CSV');
  await admin.seesModal('History', 'file is in your messages');
  await admin.closes();

  await opensSettings(admin, 'Open the audit log');
  await admin.seesModal('Audit log');
  await admin.presses('Export CSV');
  await admin.seesModal('Audit log', 'file is in your messages');
  await admin.closes();
  await admin.presses('Export JSON lines');
  await admin.seesModal('Audit log', 'file is in your messages');
  await admin.closes();
  await admin.closes();

  await openRoles(admin);
  await admin.presses('Add role');
  await admin.seesModal('New role');
  const groups = groupsOf(tenant).map(({ handle }) => `@${handle}`);
  assert.deepEqual(await admin.searches('User groups', ''), groups);
  await closesAll(admin);

  await opensSettings(admin, 'Open personal data');
  await admin.fills('Phone number', numbers);
  await admin.submits();
  await admin.seesModal('Personal data');
  await admin.submits();
  await admin.seesModal('Personal data', 'The number is erased');
  await closesAll(admin);
  await admin.seesHome('Team activity');
};
