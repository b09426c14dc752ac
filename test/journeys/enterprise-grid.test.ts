import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isJsonObject, type JsonObject } from '../../sandbox/lib/json.ts';
import type { UserAction } from '../../sandbox/slack/protocol.ts';
import { enterprise, sisterTeam } from '../../sandbox/slack/workspace/fixtures.ts';
import { startTestApp, type TestApp } from '../support/app/test-app.ts';
import { slackUserAt, support } from '../support/slack/slack-user.ts';
import { review, startFrom } from '../support/slack/sms-steps.ts';

const userOf = ({ user }: JsonObject): JsonObject => (isJsonObject(user) ? user : {});

/** Returns a payload as Slack sends it for an app installed in a whole organisation: it names no workspace. */
const ofOrganisation = (payload: JsonObject): JsonObject => ({
  ...payload,
  team: null,
  enterprise: { id: enterprise.id, name: enterprise.name },
  is_enterprise_install: true,
});

/** Reviews a message; resolves with the press of its *Send* button. */
async function typedReview({ ada, grace, connect }: TestApp, person = ada): Promise<UserAction> {
  await connect();
  await startFrom(grace, 'PalmMarket');
  await person.types('/sms', '+2348031234567 Hello');
  const { channel, ts } = await person.sees('Your message is ready');
  const container = { type: 'message' as const, channel, ts };
  return { do: 'action', person: person.id, container, blockId: 'review', actionId: 'sms_send' };
}

describe('on Enterprise Grid', () => {
  it('serves a member whose home is another workspace of the enterprise', async (test) => {
    const testApp = await startTestApp(test);
    const { slack, provider } = testApp;
    const mia = slackUserAt(slack, 'W0SISTER');
    const homes: unknown[] = [];
    await slack.forge(await typedReview(testApp, mia), {
      rewrite(payload) {
        homes.push(userOf(payload).team_id);
        return payload;
      },
    });
    assert.deepEqual(homes, [sisterTeam.id], 'the payload names the home workspace');
    await mia.sees('*Sent* to');
    await review(mia, { to: '+2348051234567', text: 'Hello' });
    await mia.seesModal('Message review');
    await mia.submits();
    await mia.seesModal('Message sent', 'waiting for delivery');
    await mia.seesHome('SMS to');
    await mia.types('/sms', 'history');
    await mia.seesModal('History', 'SMS to');
    assert.equal(provider.record.length, 2);
  });

  it('serves a request that names the organisation instead of the workspace', async (test) => {
    const testApp = await startTestApp(test);
    const { slack, provider, stopApp } = testApp;
    const mia = slackUserAt(slack, 'W0SISTER');
    const pressed = await slack.forge(await typedReview(testApp, mia), { rewrite: ofOrganisation });
    assert.equal(pressed.status, 200);
    await mia.sees('*Sent* to');
    await review(mia, { to: '+2348051234567', text: 'Hello' });
    const { id } = await mia.seesModal('Message review');
    const submitted = await slack.forge(
      { do: 'submit', person: mia.id, viewId: id },
      { rewrite: ofOrganisation },
    );
    assert.match(JSON.stringify(submitted.answer), /Sending/);
    await stopApp();
    assert.equal(provider.record.length, 2);
  });

  it('answers a request of another organisation with nothing', async (test) => {
    const testApp = await startTestApp(test);
    const { slack, ada, provider, stopApp } = testApp;
    const send = await typedReview(testApp);
    const before = ada.messages();
    const response = await slack.forge(send, {
      rewrite: (payload) => ({
        ...ofOrganisation(payload),
        enterprise: { id: 'E0FOREIGN', name: 'Foreign' },
        user: { ...userOf(payload), team_id: 'T0FOREIGN' },
      }),
    });
    assert.equal(response.trouble, undefined);
    assert.ok(!response.answer, `an empty answer, not ${JSON.stringify(response.answer)}`);
    await stopApp();
    assert.deepEqual(ada.messages(), before);
    assert.equal(provider.record.length, 0);
  });
});

it('refuses a user of another organisation, whatever workspace the payload names', async (test) => {
  const testApp = await startTestApp(test);
  const { slack, ada, sam, provider } = testApp;
  await typedReview(testApp);
  await slack.perform({ do: 'command', person: ada.id, channel: support, command: '/sms', text: 'bulk' });
  const { channel, ts } = await ada.says('Call 0803 123 4567');
  for (const rewrite of [
    ofOrganisation,
    (payload: JsonObject) => ({
      ...payload,
      user: { ...userOf(payload), team_id: 'T0SWITCH' },
      team: { id: 'T0SWITCH', domain: 'sandbox' },
    }),
  ]) {
    const refusals = () =>
      sam.messages().filter(({ text }) => text.includes('only for members of this workspace'));
    const before = refusals().length;
    await slack.forge(
      { do: 'shortcut', person: sam.id, callbackId: 'check_numbers', message: { channel, ts } },
      { rewrite },
    );
    await slack.until(() => refusals().length > before, 'a refusal');
  }
  assert.equal(provider.arrivals.filter(({ path }) => path.includes('dnd')).length, 0);
});
