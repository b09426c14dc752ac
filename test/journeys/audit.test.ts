import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { askProgram } from '../../src/control/client.ts';
import { rotateKeysName } from '../../src/control/commands/rotate-keys.ts';
import { Secret } from '../../src/lib/secret.ts';
import { auditActions } from '../../src/services/audit/audit-actions.ts';
import { outcomeRenderers } from '../../src/slack/features/register-features.ts';
import type { AuditEntry } from '../../src/store/audit/audit-queries.ts';
import { installationId } from '../../src/store/audit/audit-tables.ts';
import { createEncryption } from '../../src/store/encryption/cipher.ts';
import { startTestApp, type TestApp } from '../support/app/test-app.ts';
import { compose, recipients, start } from '../support/campaigns.ts';
import { createEsim } from '../support/slack/esim-steps.ts';
import { resultOf } from '../support/slack/number-files.ts';
import { loyal } from '../support/slack/phonebook-steps.ts';
import { type SlackUser, slackUserAt, support, wordsOf } from '../support/slack/slack-user.ts';
import { send, startFrom } from '../support/slack/sms-steps.ts';

const workspaceId = 'T0SWITCH';

/** What an entry says: who, what, how it ended, from where; and what it was about. */
type Said = [userId: string | undefined, action: string, outcome: string, surface: string, subject?: RegExp];

interface Step {
  what: string;
  act: (app: TestApp) => Promise<unknown>;
  /** In their order. */
  said: Said[];
}

const ada = 'U0AGENT';
const grace = 'U0ADMIN';
const first = '+2348051234500';

async function settings(admin: SlackUser): Promise<void> {
  await admin.types('/switchboard');
  await admin.seesModal('Switchboard');
}

const aboutTheApp: Step[] = [
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
      await settings(admin);
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
    what: 'change the defaults of codes',
    act: async ({ grace: admin }) => {
      await settings(admin);
      await admin.presses('One-time codes');
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
      await admin.seesHome('Roles');
      await admin.presses('Roles');
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
    said: [[ada, 'access.refuse', 'refused', 'command', /^administer$/]],
  },
  {
    what: 'erase a person',
    act: async ({ grace: admin }) => {
      await settings(admin);
      await admin.presses('Erase…');
      await admin.fills('Phone number', '+2348021234599');
      await admin.submits();
      await admin.seesModal('Erase a person', /802 123 4599/);
      await admin.submits();
      await admin.seesModal('Erase a person', 'Switchboard has nothing of this number');
      await admin.closes();
    },
    // A hash of the number.
    said: [[grace, 'person.erase', 'done', 'modal', /^[\w-]{22}$/]],
  },
  {
    what: 'export the history',
    act: async ({ grace: admin }) => {
      await admin.seesHome('All activity');
      await admin.presses('All activity');
      await admin.seesModal('History');
      await admin.presses('Export as CSV');
      await admin.seesModal('History', 'file is in your messages');
      await admin.closes();
      await admin.closes();
    },
    said: [[grace, 'history.export', 'done', 'modal']],
  },
];

const aboutPeople: Step[] = [
  {
    what: 'send a message by the form',
    act: async ({ ada: member }) => {
      await send(member, { to: first });
      await member.seesModal('Message accepted');
      await member.closes();
    },
    said: [[ada, 'sms.send', 'accepted', 'modal', /^\+234805•••4500$/]],
  },
  {
    what: 'send one that is refused, by the button of a message',
    act: async ({ ada: member }) => {
      await member.types('/sms', '+2348030009400 Your parcel is here');
      await member.presses('Send');
      await member.sees('Rejected');
    },
    said: [[ada, 'sms.send', 'rejected', 'button', /^\+234803•••9400$/]],
  },
  {
    what: 'send a code',
    act: async ({ ada: member }) => {
      await member.types('/otp', first);
      await member.seesModal('One-time code');
      await member.submits();
      await member.seesModal('Code accepted');
      await member.closes();
    },
    said: [[ada, 'otp.sms', 'accepted', 'modal', /^\+234805•••4500$/]],
  },
  {
    what: 'be stopped by a limit, which is lifted',
    act: async ({ ada: member, grace: admin }) => {
      await member.types('/otp', first);
      await member.seesModal('One-time code');
      await member.submits();
      await member.seesTrouble('An admin can lift this');
      await member.closes();
      await settings(admin);
      await admin.presses('Limits');
      await admin.seesModal('Limits', 'another code to');
      await admin.presses('Lift');
      await admin.seesModal('Limits', 'Lifted');
      await admin.fills('Pages a day', '1000');
      await admin.submits();
      await admin.seesModal('Limits', 'Saved.');
      await admin.closes();
    },
    said: [
      [grace, 'limits.lift', 'done', 'modal'],
      [grace, 'limits.change', 'done', 'modal'],
    ],
  },
  {
    what: 'look up a number',
    act: async ({ ada: member }) => {
      await member.types('/number', first);
      await member.sees('Route to use');
    },
    said: [[ada, 'lookup.number', 'done', 'command', /^\+234805•••4500$/]],
  },
  {
    what: 'check numbers for Do-Not-Disturb',
    act: async ({ ada: member }) => {
      await member.types('/dnd-check', `${first} +2348051234510`);
      await member.sees('on Do-Not-Disturb');
    },
    said: [[ada, 'lookup.dnd', 'done', 'command']],
  },
  {
    what: 'share what installs an eSIM',
    act: async (app) => {
      await createEsim(app);
      await app.ada.presses('QR image');
      await app.ada.seesModal('QR image', 'in your messages');
    },
    said: [
      [ada, 'esim.create', 'accepted', 'modal'],
      [ada, 'esim.share', 'done', 'modal', /•••/],
    ],
  },
  {
    what: 'add numbers to the do-not-contact list, import, export and remove',
    act: async ({ ada: member, grace: admin }) => {
      await member.types('/sms', 'do-not-contact');
      await member.presses('Add numbers');
      await member.fills('Numbers to add', '+2348021234567');
      await member.submits();
      await member.seesModal('Do-not-contact list', 'added');
      await admin.types('/sms', 'do-not-contact');
      await admin.presses('Import a CSV');
      await admin.drops('File', 'optouts.csv', '+2348021234568\n+2348021234569\n');
      await admin.submits();
      await admin.seesModal('Do-not-contact list', '*3 numbers* on');
      await admin.presses('Export as CSV');
      await admin.seesModal('Do-not-contact list', 'file is in your messages');
      await admin.closes();
      await admin.presses('Remove');
      await admin.seesModal('Do-not-contact list', '*1 number removed.*');
    },
    said: [
      [ada, 'suppression.add', 'done', 'modal', /^\+234802•••4567$/],
      [grace, 'suppression.import', 'done', 'modal', /^\+234802•••4568, \+234802•••4569$/],
      [grace, 'suppression.export', 'done', 'modal'],
      [grace, 'suppression.remove', 'done', 'modal', /^\+234802•••456\d$/],
    ],
  },
];

const aboutCampaigns: Step[] = [
  {
    what: 'prepare a campaign, edit it, discard it',
    act: async ({ ada: member }) => {
      await compose(member, { pasted: first, name: 'Harvest' });
      await member.seesModal('Campaign review');
      await member.presses('Edit');
      await member.seesModal('New campaign');
      await member.submits();
      await member.seesModal('Campaign review');
      await member.presses('Discard');
      await member.seesModal('Discard campaign');
      await member.submits();
      await member.seesModal('Campaigns');
    },
    said: [
      [ada, 'campaign.import', 'done', 'modal'],
      [ada, 'campaign.discard', 'done', 'modal'],
      [ada, 'campaign.import', 'done', 'modal'],
      [ada, 'campaign.discard', 'done', 'modal'],
    ],
  },
  {
    what: 'test and start a campaign, which ends, and download who got it',
    act: async ({ ada: member }) => {
      await compose(member, { pasted: `${first} +2348030009400`, name: 'Harvest' });
      await member.seesModal('Campaign review');
      await member.presses('Send a test to myself');
      await member.seesModal('Send a test');
      await member.fills('Your phone number', first);
      await member.submits();
      await member.seesModal('Send a test', 'Test accepted');
      await member.closes();
      await start(member, support);
      await member.sees(/\*Done:\*/);
      await member.closes();
      await member.presses('Download all (2)');
      await member.sees('*results.csv* is in your messages');
    },
    said: [
      [ada, 'campaign.import', 'done', 'modal'],
      [ada, 'campaign.test', 'accepted', 'modal', /^\+234805•••4500$/],
      [ada, 'campaign.start', 'done', 'modal'],
      [undefined, 'campaign.end', 'done', 'background'],
      [ada, 'campaign.export', 'done', 'button'],
    ],
  },
  {
    what: 'schedule a campaign, make it a draft, schedule it again, cancel it',
    act: async ({ ada: member }) => {
      await compose(member, { pasted: first, name: 'Later' });
      const schedule = async () => {
        await member.seesModal('Campaign review');
        await member.fills('Start', 'At a time');
        await member.fills('Date', '2100-01-01');
        await member.submits();
        await member.seesModal('Scheduled');
        await member.types('/sms', 'bulk list');
        await member.presses('Open');
        await member.seesModal('Campaign', 'Scheduled');
      };
      await schedule();
      await member.presses('Edit');
      await member.seesModal('Edit campaign');
      await member.submits();
      await member.seesModal('New campaign');
      await member.submits();
      await schedule();
      await member.presses('Cancel campaign');
      await member.seesModal('Cancel campaign');
      await member.submits();
      await member.seesModal('Campaign', 'Cancelled');
    },
    said: [
      [ada, 'campaign.import', 'done', 'modal'],
      [ada, 'campaign.schedule', 'done', 'modal'],
      [ada, 'campaign.unschedule', 'done', 'modal'],
      [ada, 'campaign.edit', 'done', 'modal'],
      [ada, 'campaign.import', 'done', 'modal'],
      [ada, 'campaign.schedule', 'done', 'modal'],
      [ada, 'campaign.cancel', 'done', 'modal'],
      [undefined, 'campaign.end', 'done', 'background'],
    ],
  },
  {
    what: 'have a campaign paused for the balance, and resume it',
    act: async ({ ada: member, grace: admin, provider }) => {
      provider.setBalance(0);
      await compose(member, { pasted: recipients(2).join(' '), name: 'Poor' });
      await start(member, support);
      await member.sees('The balance is too low');
      await member.closes();
      provider.setBalance(1_000_000);
      await admin.presses('Resume');
      await member.sees('*Done:* 2 recipients');
    },
    said: [
      [ada, 'campaign.import', 'done', 'modal'],
      [ada, 'campaign.start', 'done', 'modal'],
      [undefined, 'campaign.pause', 'done', 'background'],
      [grace, 'campaign.resume', 'done', 'button'],
      [undefined, 'campaign.end', 'done', 'background'],
    ],
  },
];

/** What is recorded elsewhere: by the ledger for each of its kinds, or tested with the store. */
const recordedElsewhere = [
  ...Object.keys(outcomeRenderers),
  // test/store/campaigns/audit-entries.test.ts
  'campaign.miss',
  // test/store/approvals/approvals.test.ts
  'approval.request',
  'approval.approve',
  'approval.reject',
  'approval.withdraw',
  'approval.expire',
  'approval.void',
  // test/store/audit/audit-trail.test.ts
  'audit.tampered',
  // test/store/approvals/approvals.test.ts
  ...['request', 'approve', 'reject', 'withdraw', 'expire', 'void'].map((verb) => `approval.${verb}`),
  // test/rotate-keys.test.ts, test/journeys/erasure.test.ts
  ...['keys.rotate', 'person.erase'],
  // Below.
  ...['install', 'reinstall', 'uninstall', 'revoke'].map((verb) => `installation.${verb}`),
  'audit.export',
  // test/journeys/limits.test.ts
  'limits.change',
  'limits.lift',
];

async function entries({ app }: TestApp, of = workspaceId): Promise<AuditEntry[]> {
  return Array.fromAsync(app().services.audit.all({ workspaceId: of }));
}

function said({ userId, action, outcome, surface }: AuditEntry): Said {
  return [userId, action, outcome, surface];
}

/** Does each step, after which exactly its entries are there that were not there before. */
async function does(testApp: TestApp, steps: readonly Step[]): Promise<void> {
  for (const { what, act, said: expected } of steps) {
    const before = (await entries(testApp)).length;
    await act(testApp);
    await testApp.app().settled();
    let now = (await entries(testApp)).slice(before);
    for (let times = 0; now.length < expected.length && times < 200; times += 1) {
      await pause(10);
      now = (await entries(testApp)).slice(before);
    }
    assert.deepEqual(
      now.map(said),
      expected.map(([userId, action, outcome, surface]) => [userId, action, outcome, surface]),
      what,
    );
    for (const [index, [, , , , subject = /^/]] of expected.entries()) {
      assert.match(now[index]?.subject ?? '', subject, what);
    }
  }
}

describe('the audit', () => {
  it('has who did what, how it ended, and from where, for each kind of action', async (test) => {
    const testApp = await startTestApp(test, { env: { LIMIT_CODE_AGAIN_SECONDS: '600' } });
    const steps = [...aboutTheApp, ...aboutPeople, ...aboutCampaigns];
    await does(testApp, steps);

    const { env } = testApp;
    const keyIds = createEncryption([new Secret(env.ENCRYPTION_KEYS ?? '')]).keyIds;
    const context = { signal: new AbortController().signal, print: async () => {}, warn: async () => {} };
    await askProgram(env.DATA_DIR ?? '', { command: rotateKeysName, input: { keyIds } }, context);
    const ofAll = await entries(testApp, installationId);
    assert.deepEqual(ofAll.map(said), [[undefined, 'keys.rotate', 'done', 'terminal']]);

    const all = [...(await entries(testApp)), ...ofAll];
    const settingsChange = all.find(({ subject }) => subject === 'defaults');
    assert.deepEqual(JSON.parse(settingsChange?.details ?? ''), { senderId: ['', 'PalmMarket'] });
    const codes = all.find(({ subject }) => subject === 'one-time codes');
    assert.deepEqual(JSON.parse(codes?.details ?? ''), { text: 'changed' });
    const replaced = all.find(({ action, outcome }) => action === 'connection.replace' && outcome === 'done');
    const { key, otherAccount } = {
      ...testApp.provider.account,
      otherAccount: testApp.provider.otherAccount,
    };
    assert.deepEqual(JSON.parse(replaced?.details ?? ''), {
      before: `…${key.slice(-4)}`,
      key: `…${otherAccount.key.slice(-4)}`,
    });
    const ended = all.find(({ action }) => action === 'campaign.end');
    const { accepted, rejected, state } = JSON.parse(ended?.details ?? '');
    assert.deepEqual([state, accepted + rejected], ['done', 2]);
    const whole = JSON.stringify(all);
    assert.doesNotMatch(whole, /\+?234\d{10}|080\d{8}|not-a-key|Palm: <code>|on its way|parcel/);

    const problems: unknown[] = [];
    const check = await testApp.app().services.audit.verify({
      onProblem: async (problem) => void problems.push(problem),
    });
    assert.deepEqual([check.entries, problems], [all.length, []]);

    const recorded = new Set([...all.map(({ action }) => action), ...recordedElsewhere]);
    assert.deepEqual(
      [...auditActions].filter((action) => !recorded.has(action)),
      [],
    );
    assert.deepEqual(
      [...recorded].filter((action) => !auditActions.some((known) => known === action)),
      [],
    );
  });

  it('is shown to admins, filtered and page by page, and goes to their messages as a file', async (test) => {
    const testApp = await startTestApp(test);
    const { ada: member, grace: admin, slack, connect } = testApp;
    await connect();
    for (let times = 0; times < 21; times += 1) {
      await member.types('/number', first);
      await member.sees('Route to use');
    }
    await admin.seesHome('Audit');
    await admin.presses('Audit');
    const newest = wordsOf((await admin.seesModal('Audit', 'Number looked up')).view);
    assert.match(newest, /\*Number looked up\*: \+234805•••4500\n[^\n]* · <@U0AGENT> · done · by a command/);
    assert.doesNotMatch(newest, /Provider connected/);
    await admin.presses('Next');
    await admin.seesModal('Audit', /\*Provider connected\*\n[^\n]*<@U0ADMIN> · done · in a form/);
    await admin.presses('Previous');
    await admin.seesModal('Audit', 'Next');
    await admin.chooses('Anyone', grace);
    const own = wordsOf((await admin.seesModal('Audit', 'Provider connected')).view);
    assert.doesNotMatch(own, /Number looked up/);
    await admin.presses('Export JSON lines');
    await admin.seesModal('Audit', /file is in your messages[\s\S]*1 row/);
    await admin.closes();
    await admin.presses('Clear filters');
    await admin.seesModal('Audit', 'Audit exported');
    // A double click makes one file.
    await Promise.all([admin.presses('Export CSV'), admin.presses('Export CSV')]);
    await admin.seesModal('Audit', /file is in your messages[\s\S]*23 rows/);
    const rows = await resultOf(slack, await admin.sees('The audit of this workspace as CSV'));
    assert.match(rows[1] ?? '', /^1,20[^,]*Z,U0ADMIN,Grace Bello,connection\.connect,,done,modal,,/);
    assert.equal(rows.length, 24, 'with its titles');
    const last = (await entries(testApp)).slice(-2);
    assert.deepEqual(
      last.map(({ action, details }) => [action, JSON.parse(details ?? '').format]),
      [
        ['audit.export', 'jsonl'],
        ['audit.export', 'csv'],
      ],
    );
  });

  it('outlives the workspace that removed the app, with who installed and removed it', async (test) => {
    const testApp = await startTestApp(test, { install: 'oauth' });
    const { install, slack, provider, app } = testApp;
    const harbor = { workspace: 'T0HARBOR', person: 'U0HARADMIN' };
    await install(harbor);
    await install(harbor);
    const hana = slackUserAt(slack, harbor.person);
    await hana.types('/switchboard', 'connect');
    await hana.fills('API key', provider.account.key);
    await hana.submits();
    await hana.seesModal('Switchboard', 'Connected');
    await slack.uninstall(harbor.workspace);
    await app().settled();
    await install(harbor);
    await slack.revokeTokens(harbor.workspace);
    await app().settled();
    await slack.until(
      () => testApp.log().split('the app was removed').length > 2 || undefined,
      'the end of both installations',
    );
    const all = await entries(testApp, harbor.workspace);
    // Slack says of a removal that the tokens are revoked too, in any order.
    const withoutOrder = all.map((entry) =>
      entry.action === 'installation.revoke' ? { ...entry, action: 'installation.uninstall' } : entry,
    );
    assert.deepEqual(withoutOrder.map(said), [
      [harbor.person, 'installation.install', 'done', 'install'],
      [harbor.person, 'installation.reinstall', 'done', 'install'],
      [harbor.person, 'connection.connect', 'done', 'modal'],
      [undefined, 'installation.uninstall', 'done', 'slack'],
      [harbor.person, 'installation.install', 'done', 'install'],
      [undefined, 'installation.uninstall', 'done', 'slack'],
    ]);
    assert.deepEqual(await entries(testApp), [], 'nothing in the audit of another workspace');
  });
});
