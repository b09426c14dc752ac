import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readSettings } from '../../src/config/settings.ts';
import { openData } from '../../src/store/engine/open-data.ts';
import { startTestApp } from '../support/app/test-app.ts';
import { entries, first, grace } from '../support/audit/audit-steps.ts';
import { compose, provided, recipients, start } from '../support/campaigns.ts';
import { switchOnApprovals } from '../support/slack/approval-steps.ts';
import { resultOf } from '../support/slack/number-files.ts';
import { openSettings } from '../support/slack/open-settings.ts';
import { giveRole, openRoles } from '../support/slack/role-steps.ts';
import { support, wordsOf } from '../support/slack/slack-user.ts';

describe('the screen of the audit', () => {
  it('is shown to admins, filtered and page by page, and goes to their messages as a file', async (test) => {
    const testApp = await startTestApp(test);
    const { ada: member, grace: admin, slack, connect } = testApp;
    await connect();
    for (let times = 0; times < 21; times += 1) {
      await member.types('/number', first);
      await member.sees('Route to use');
      // What is seen may be the answer to the one before.
      await testApp.app().settled();
    }
    await openSettings(admin);
    await admin.presses('Open the audit log');
    const newest = wordsOf((await admin.seesModal('Audit log', 'Number looked up')).view);
    assert.match(
      newest,
      /\*Number looked up\*: \+234805•••4500\n[^\n]* · <@U0AGENT> · done · with a command/,
    );
    assert.doesNotMatch(newest, /Provider connected/);
    await admin.presses('Next');
    await admin.seesModal('Audit log', /\*Provider connected\*\n[^\n]*<@U0ADMIN> · done · in a form/);
    await admin.presses('Previous');
    await admin.seesModal('Audit log', 'Next');
    await admin.chooses('Anyone', grace);
    const own = wordsOf((await admin.seesModal('Audit log', 'Provider connected')).view);
    assert.doesNotMatch(own, /Number looked up/);
    await admin.presses('Export JSON lines');
    await admin.seesModal('Audit log', /file is in your messages[\s\S]*1 row/);
    await admin.closes();
    await admin.presses('Clear filters');
    await admin.seesModal('Audit log', 'Audit log exported');
    // A double click makes one file.
    await Promise.all([admin.presses('Export CSV'), admin.presses('Export CSV')]);
    await admin.seesModal('Audit log', /file is in your messages[\s\S]*23 rows/);
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

  it('is verified for an admin, who reads what was changed in their workspace', async (test) => {
    const testApp = await startTestApp(test);
    const { ada: member, grace: admin, connect, env, dataDir } = testApp;
    await connect();
    for (let times = 0; times < 2; times += 1) {
      await member.types('/number', first);
      await member.sees('Route to use');
      await testApp.app().settled();
    }
    await openSettings(admin);
    await admin.presses('Open the audit log');
    await admin.seesModal('Audit log', 'Export CSV');
    await admin.presses('Verify');
    await admin.seesModal('Audit log', /The audit log is complete[\s\S]*3 entries checked · <!date/);
    await admin.closes();
    await admin.closes();

    await testApp.stopApp();
    const { db, close } = await openData({
      ...(await readSettings({ ...env, DATA_DIR: dataDir })),
      besideInstances: true,
    });
    await db.updateTable('auditEntry').set({ userId: grace }).where('sequence', '=', 2).execute();
    await db.deleteFrom('auditEntry').where('sequence', '=', 3).execute();
    await close();
    await testApp.startApp();
    await openSettings(admin);
    await admin.presses('Open the audit log');
    await admin.seesModal('Audit log', 'Export CSV');
    await admin.presses('Verify');
    const found = wordsOf((await admin.seesModal('Audit log', '2 problems found')).view);
    assert.match(found, /• Entry 2 was changed\n• Entry 3 was cut off at the end\s+2 entries checked/);
  });

  it('names people, user groups, campaigns and roles as people know them, no ids', async (test) => {
    const { ada: member, grace: admin, provider, connect } = await startTestApp(test);
    await connect();
    await giveRole(admin, 'Viewer', { People: ['U0MEMBER'], 'User groups': ['@finance'] });
    await openRoles(admin);
    await admin.presses('Remove');
    await admin.seesModal('Roles', 'Saved');
    await admin.closes();
    await admin.closes();
    await member.types('/contacts', 'phonebooks');
    await member.sees('Only admins can do this');
    await switchOnApprovals(admin, { recipients: '2', channel: support });
    await compose(member, { pasted: recipients(3).join(' '), name: 'Opening' });
    await start(member);
    await member.seesModal('Approval');
    await member.closes();
    await admin.presses('Approve');
    await provided(provider, 3);
    await member.sees('*Done:* 3 recipients');
    await openSettings(admin);
    await admin.presses('Open the audit log');
    const words = wordsOf((await admin.seesModal('Audit log', 'Campaign ended')).view);
    const titles = [...words.matchAll(/^:\w+: (?<title>.*)$/gm)].map(({ groups }) => groups?.title);
    assert.deepEqual(titles, [
      '*Campaign ended*: Opening',
      '*Campaign started*: Opening',
      '*Approved*: Opening, requested by <@U0AGENT>',
      '*Approval requested*: Opening',
      '*Campaign prepared*: Opening',
      '*Settings changed*: approvals',
      '*Tried something they’re not allowed to do*: needs the role *admin*',
      '*Role removed*: viewer from @finance',
      '*Role given*: viewer to @finance, <@U0MEMBER>',
      '*Provider connected*',
    ]);
  });
});
