import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { startTestApp, transports } from '../support/app/test-app.ts';
import { send } from '../support/slack/sms-steps.ts';

for (const transport of transports) {
  describe(`Home, over ${transport}`, () => {
    it('shows members and admins what to do while no key is connected', async (test) => {
      const { ada, grace, provider } = await startTestApp(test, { transport });
      await ada.seesHome('Ask an admin of this workspace');
      await grace.seesHome('Not connected.');
      await grace.presses('Connect');
      await grace.fills('API key', provider.account.key);
      await grace.submits();
      await grace.seesModal('Switchboard', 'Ready.');
      await grace.closes();
      await ada.seesHome('You can begin');
    });

    it('opens each feature, and shows the last outcomes and the last known balance', async (test) => {
      const { ada, connect } = await startTestApp(test, { transport });
      await connect();
      await ada.seesHome('Nothing yet.');
      await ada.presses('Check Do-Not-Disturb');
      await ada.seesModal('Do-Not-Disturb check');
      await ada.closes();
      await ada.presses('Send an SMS');
      await ada.seesModal('New message');
      await ada.closes();
      await send(ada, { to: '+2348031234567' });
      await ada.seesModal('Message accepted');
      const home = await ada.seesHome(/:white_check_mark: SMS to \+234803•••4567.*\n.* · accepted/);
      assert.match(home, /Balance 24995\.75, as last seen/);
    });
  });
}

describe('Home', () => {
  it('shows everyone’s operations to admins, and only their own to others', async (test) => {
    const { ada, grace, guy, connect } = await startTestApp(test);
    await connect();
    await send(grace, { to: '+2348031234567' });
    await grace.seesModal('Message accepted');
    await grace.closes();
    await grace.seesHome(/Everyone’s last operations[\s\S]*<@U0ADMIN>/);
    const home = await ada.seesHome('Your last operations');
    assert.ok(!home.includes('•••') && !home.includes('Everyone'));
    await guy.seesHome('not open to guests');
  });
});
