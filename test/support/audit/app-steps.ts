import { testedInstances } from '../app/instances.ts';
import { openSettings } from '../slack/open-settings.ts';
import { loyal } from '../slack/phonebook-steps.ts';
import { startFrom } from '../slack/sms-steps.ts';
import { ada, grace, type Step } from './audit-steps.ts';

export const aboutTheApp: Step[] = [
  {
    what: 'connect the provider',
    act: ({ connect }) => connect(),
    said: [[grace, 'connection.connect', 'done', 'modal']],
  },
  {
    what: 'try a wrong key',
    act: async ({ grace: admin }) => {
      await admin.types('/switchboard', 'connect');
      await admin.fills('API key', 'not-a-key-of-anybody');
      await admin.submits();
      await admin.seesTrouble('does not know this key');
      await admin.closes();
    },
    said: [[grace, 'connection.replace', 'failed', 'modal']],
  },
  {
    what: 'replace the key',
    act: ({ connect, provider }) => connect(provider.otherAccount.key),
    said: [[grace, 'connection.replace', 'done', 'modal']],
  },
  {
    what: 'disconnect, and connect again',
    act: async ({ grace: admin, connect }) => {
      await openSettings(admin);
      await admin.presses('Disconnect');
      await admin.seesModal('Switchboard', /[Nn]ot connected/);
      await admin.closes();
      await connect();
    },
    said: [
      [grace, 'connection.disconnect', 'done', 'modal'],
      [grace, 'connection.connect', 'done', 'modal'],
    ],
  },
  {
    what: 'change the defaults',
    act: async ({ grace: admin }) => {
      await startFrom(admin, 'PalmMarket');
      await admin.closes();
    },
    said: [[grace, 'settings.change', 'done', 'modal', /^defaults$/]],
  },
  {
    what: 'switch a delivery check off',
    act: async ({ grace: admin }) => {
      await openSettings(admin);
      await admin.presses('Change delivery checks');
      await admin.seesModal('Delivery checks');
      await admin.fills('Warn about', ['Filtered words', 'Quiet hours']);
      await admin.submits();
      await admin.seesModal('Delivery checks', 'Saved.');
    },
    said: [[grace, 'settings.change', 'done', 'modal', /^delivery checks$/]],
  },
  {
    what: 'change the defaults of codes',
    act: async ({ grace: admin }) => {
      await openSettings(admin);
      await admin.presses('Change one-time codes');
      await admin.seesModal('One-time codes');
      await admin.fills('Text of the SMS', 'Palm: <code>, for <minutes> minutes');
      await admin.submits();
      await admin.seesModal('One-time codes', 'Saved.');
    },
    said: [[grace, 'settings.change', 'done', 'modal', /^one-time codes$/]],
  },
  {
    what: 'add a phonebook, and remove it',
    act: async ({ grace: admin }) => {
      await admin.types('/contacts');
      await admin.seesModal('New phonebook');
      await admin.fills('ID', loyal.id);
      await admin.fills('Name', loyal.name);
      await admin.submits();
      await admin.seesModal('Phonebooks', 'added');
      await admin.closes();
      await admin.types('/contacts', 'phonebooks');
      await admin.presses('Remove');
      await admin.seesModal('Phonebooks', 'No phonebooks yet');
      await admin.closes();
    },
    said: [
      [grace, 'phonebook.add', 'done', 'modal', new RegExp(loyal.id)],
      [grace, 'phonebook.remove', 'done', 'modal', new RegExp(loyal.id)],
    ],
  },
  {
    what: 'give a role, and take it away',
    act: async ({ grace: admin }) => {
      await openSettings(admin);
      await admin.presses('Change roles');
      await admin.presses('Add role');
      await admin.fills('Role', 'Viewer');
      await admin.fills('People', [ada]);
      await admin.submits();
      await admin.seesModal('Roles', /Saved.*<@U0AGENT>/s);
      await admin.presses('Remove');
      await admin.seesModal('Roles', 'Saved');
      await admin.closes();
    },
    said: [
      [grace, 'role.add', 'done', 'modal', /^viewer to person U0AGENT$/],
      [grace, 'role.remove', 'done', 'modal', /^viewer to person U0AGENT$/],
    ],
  },
  {
    what: 'be refused, twice within a minute',
    act: async ({ ada: member }) => {
      for (let times = 0; times < 2; times += 1) {
        await member.types('/contacts', 'phonebooks');
        await member.sees('Only admins can do this');
      }
    },
    // Each instance records it once a minute.
    said: Array.from({ length: Math.min(2, testedInstances) }, () => [
      ada,
      'access.refuse',
      'refused',
      'command',
      /^administer$/,
    ]),
  },
  {
    what: 'erase a person',
    act: async ({ grace: admin }) => {
      await openSettings(admin);
      await admin.presses('Open personal data');
      await admin.fills('Phone number', '+2348021234599');
      await admin.submits();
      await admin.seesModal('Personal data', /802 123 4599/);
      await admin.presses('Export');
      await admin.seesModal('Personal data', 'file is in your messages');
      await admin.closes();
      await admin.submits();
      await admin.seesModal('Personal data', 'Switchboard has nothing stored about this number');
      await admin.closes();
    },
    // An erasure records a hash of the number.
    said: [
      [grace, 'person.export', 'done', 'modal', /^\+234802•••4599$/],
      [grace, 'person.erase', 'done', 'modal', /^[\w-]{22}$/],
    ],
  },
  {
    what: 'export the history',
    act: async ({ grace: admin }) => {
      await admin.seesHome('See all activity');
      await admin.presses('See all activity');
      await admin.seesModal('History');
      await admin.presses('Export as CSV');
      await admin.seesModal('History', 'file is in your messages');
      await admin.closes();
      await admin.closes();
    },
    said: [[grace, 'history.export', 'done', 'modal']],
  },
];
