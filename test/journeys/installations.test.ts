import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { startTestApp } from '../support/app/test-app.ts';
import { slackUserAt } from '../support/slack/slack-user.ts';

const harbor = { workspace: 'T0HARBOR', person: 'U0HARADMIN' };
const orchard = { workspace: 'T0ORCHARD', person: 'U0ORCADMIN' };
const group = { enterprise: 'E0SWITCH', person: 'W0CHIEF' };

describe('an installation by OAuth', () => {
  it('leads straight to Slack, back to a page, and by a welcome to the connection', async (test) => {
    const { install, slack, provider, url, log } = await startTestApp(test, { install: 'oauth' });
    const begun = await fetch(`${url()}/slack/install`, { redirect: 'manual' });
    assert.equal(begun.status, 302);
    assert.ok(begun.headers.get('location')?.startsWith(`${slack.url}/oauth/v2/authorize?`));
    const seen = await install(harbor);
    assert.equal(seen.status, 200);
    assert.match(seen.text, /Switchboard is installed/);
    assert.match(seen.text, /slack:\/\/app\?team=T0HARBOR/);
    const hana = slackUserAt(slack, 'U0HARADMIN');
    await hana.sees('Connect your messaging provider');
    await hana.presses('Connect');
    await hana.fills('API key', provider.account.key);
    await hana.submits();
    await hana.seesModal('Switchboard', 'Connected');
    await hana.closes();
    await slackUserAt(slack, 'U0HARAGENT').types('/number', '+2348031234567', 'C0HARDISPATCH');
    await slackUserAt(slack, 'U0HARAGENT').seesModal('Number');
    assert.doesNotMatch(log(), /xoxb-T0HARBOR/);
  });
});
