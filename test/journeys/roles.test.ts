import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { startTestApp } from '../support/app/test-app.ts';
import { giveRole, openRoles } from '../support/slack/role-steps.ts';
import { slackUserAt, wordsOf } from '../support/slack/slack-user.ts';
import { startFrom } from '../support/slack/sms-steps.ts';
import { stoppedClock } from '../support/time/test-clock.ts';

const minute = 60_000;

async function newInstallation(test: Parameters<typeof startTestApp>[0]) {
  const { clock, pass } = stoppedClock();
  const testApp = await startTestApp(test, { clock, grants: undefined });
  await testApp.connect();
  return { ...testApp, pass, tunde: slackUserAt(testApp.slack, 'U0MEMBER') };
}

describe('roles', () => {
  it('let members be agents at first, and are given to people, groups and everyone by an admin', async (test) => {
    const { ada, grace, tunde, pass, ...testApp } = await newInstallation(test);
    await ada.seesHome(/Your role: agent/);
    assert.doesNotMatch(await ada.seesHome('Send SMS'), /New campaign|Roles/);
    await ada.types('/sms', 'bulk');
    await ada.sees('Only campaign managers can do this. Nothing was sent or changed. Ask a workspace admin');
    await ada.types('/esim', 'create Kenya');
    await ada.sees('Only buyers can do this');

    await openRoles(grace);
    await grace.seesModal('Roles', /No admin has set roles yet.*Agent.*Everyone in this workspace/s);
    await grace.closes();
    await giveRole(grace, 'Campaign manager', { People: ada.id });
    await grace.types('/switchboard');
    await grace.seesModal('Switchboard', /Roles:\* agent \(everyone\) · campaign manager \(1 person\)/);
    await grace.closes();
    await ada.seesHome(/Your roles: agent, campaign manager/);
    await ada.types('/sms', 'bulk');
    await ada.seesModal('New campaign');
    await ada.closes();

    await tunde.types('/sms', 'bulk');
    await tunde.sees('Only campaign managers can do this');
    await giveRole(grace, 'Campaign manager', { 'User groups': '@campaigners' });
    await tunde.types('/sms', 'bulk');
    await tunde.seesModal('New campaign');
    await tunde.closes();
    testApp.slack.setUserGroup('S0CAMPAIGNERS', []);
    pass(minute);
    await tunde.types('/sms', 'bulk list');
    await tunde.seesHome(/Your role: agent/);

    await giveRole(grace, 'Buyer', { 'All members': 'Everyone in this workspace' });
    await tunde.seesHome(/Your roles: agent, buyer/);
    const { version, changedBy } = await testApp.app().services.access.settings('T0SWITCH');
    assert.deepEqual([version, changedBy], [3, grace.id]);
  });

  it('take away what a person may do at once, and leave Slack’s admins admins', async (test) => {
    const { ada, grace, guy } = await newInstallation(test);
    await startFrom(grace, 'PalmMarket');
    await ada.types('/sms', '+2348031234567 Hello');
    await ada.sees('Your message is ready');
    await openRoles(grace);
    await grace.presses('Remove');
    await grace.seesModal('Roles', /Saved.*Only admins of this Slack workspace have a role/s);
    await grace.closes();
    await ada.presses('Send');
    await ada.sees('Only agents can do this');
    await ada.seesHome('You have no role in Switchboard yet. Ask a workspace admin for one.');
    await ada.types('/sms', 'help');
    await ada.sees('You have no role in Switchboard yet');
    await giveRole(grace, 'Viewer', { People: [ada.id, guy.id] });
    await ada.types('/sms', 'help');
    const help = wordsOf(await ada.sees('How to send an SMS'));
    assert.match(
      help,
      /`\/sms history` shows your messages and how they ended, `\/sms history \+2348031234567` the conversation with a number\./,
    );
    assert.match(help, /For more, you need another role \(agent, campaign manager\)\. Ask an admin/);
    assert.doesNotMatch(help, /opens the form|bulk|template/);
    await ada.types('/otp', 'help');
    assert.doesNotMatch(wordsOf(await ada.sees('How to send a one-time code')), /\/otp verify/);
    await grace.types('/sms', 'help');
    const ofAdmin = wordsOf(await grace.sees('How to send an SMS'));
    assert.match(ofAdmin, /opens the form[\s\S]*`\/sms bulk` starts a campaign/);
    assert.doesNotMatch(ofAdmin, /another role/);
    await guy.types('/sms', 'help');
    await guy.sees('isn’t open to guests');
    await grace.seesHome(/Your role: admin/);
  });

  it('of two admins who change them at once, one is told who was quicker, and nothing of the other’s is lost', async (test) => {
    const { ada, grace, slack } = await newInstallation(test);
    const nneka = slackUserAt(slack, 'U0APPROVER');
    await openRoles(grace);
    await openRoles(nneka);
    await nneka.presses('Remove');
    await nneka.seesModal('Roles', 'Saved');
    await grace.presses('Add role');
    await grace.fills('Role', 'Campaign manager');
    await grace.submits();
    await grace.seesTrouble('Choose people');
    await grace.fills('People', ada.id);
    await grace.submits();
    await grace.seesModal(
      'Roles',
      /Not saved.*<@U0APPROVER> changed the roles in the meantime.*Only admins/s,
    );
    await grace.presses('Add role');
    await grace.fills('Role', 'Campaign manager');
    await grace.fills('People', ada.id);
    await grace.submits();
    await grace.seesModal('Roles', /Saved.*Campaign manager.*<@U0AGENT>/s);
  });

  it('of groups have no effect without the scope, and Roles says so', async (test) => {
    const { grace, slack } = await newInstallation(test);
    slack.faultBy((method) => (method === 'usergroups.list' ? { error: 'missing_scope' } : undefined));
    await openRoles(grace);
    await grace.seesModal('Roles', 'Roles can’t be given to user groups');
    await grace.presses('Add role');
    await grace.seesModal('New role', 'Roles can’t be given to user groups');
    assert.equal(JSON.stringify(grace.modal()?.view).includes('multi_external_select'), false);
  });
});
