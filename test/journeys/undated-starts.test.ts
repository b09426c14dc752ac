import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { phoneNumberSchema, toE164 } from '../../src/domain/phone/phone-number.ts';
import { joinTestApp } from '../support/app/shared-app.ts';
import type { TestWorkspace } from '../support/app/test-workspace.ts';
import { replyEnv as env, switchesOnReplies } from '../support/reports/reply-steps.ts';

const number = phoneNumberSchema.parse('+2348051234500');
const remove = 'Remove from do-not-contact list';

async function isListed({ app, teamId }: TestWorkspace): Promise<boolean> {
  return (await app().services.suppressionList.filterListed(teamId, [number])).length === 1;
}

/**
 * Returns a function that reports replies from the number. A START has no time in a known zone unless one is
 * given.
 */
async function replying(app: TestWorkspace) {
  const { reports } = await switchesOnReplies(app);
  return async (message: string, fields: Record<string, unknown> = {}) => {
    const reply = { sender: toE164(number).slice(1), receiver: '55019', message, ...fields };
    assert.equal(await reports(reply), 200);
    await app.app().settled();
  };
}

const now = () => new Date().toISOString();
const recently = () => ({ received_at: undefined, sent_at: now().slice(0, 19).replace('T', ' ') });

describe('a START without a usable time', () => {
  it('asks a person, and an admin takes the number off the list', async (test) => {
    const app = await joinTestApp(test, { env });
    const { ada, grace, channels } = app;
    const replies = await replying(app);
    await replies('STOP');
    await ada.sees(/STOP[\s\S]*The number is on the do-not-contact list/);
    await replies('Start', recently());
    const asked = await ada.sees(
      /Start[\s\S]*it isn’t known when this was sent[\s\S]*until an admin removes it/,
    );
    assert.equal(asked.channel, channels.support);
    assert.equal(await isListed(app), true);
    await ada.presses(remove);
    await ada.sees('Only admins can do this');
    assert.equal(await isListed(app), true);
    await grace.presses(remove);
    await grace.sees('The number was removed from the do-not-contact list');
    assert.equal(await isListed(app), false);
    await grace.presses(remove);
    await grace.sees('The number was no longer on the do-not-contact list');
    const { entries } = await app.app().services.audit.page({ workspaceId: app.teamId, limit: 10 });
    const [removed] = entries.filter(({ action }) => action === 'suppression.remove');
    assert.partialDeepStrictEqual(removed, {
      userId: grace.id,
      subject: '+234805•••4500',
      surface: 'button',
    });
  });

  it('takes no number off the list that stopped again since', async (test) => {
    const app = await joinTestApp(test, { env });
    const { grace } = app;
    const replies = await replying(app);
    await replies('STOP');
    await replies('Start', recently());
    await grace.sees(/it isn’t known when this was sent/);
    await replies('Stop!');
    await grace.presses(remove);
    await grace.sees(/Not removed: the number opted out again/);
    assert.equal(await isListed(app), true);
  });
});

describe('an older START or STOP', () => {
  it('changes nothing, and says so', async (test) => {
    const app = await joinTestApp(test, { env });
    const { ada } = app;
    const replies = await replying(app);
    const ago = (minutes: number) => ({ received_at: new Date(Date.now() - minutes * 60_000).toISOString() });
    await replies('STOP', ago(10));
    await replies('Start', ago(20));
    await ada.sees(/Start[\s\S]*This START is older than the last opt-out, so the number stays/);
    assert.equal(await isListed(app), true);
    await replies('Start!', ago(5));
    await ada.sees(/Start![\s\S]*Opted back in/);
    await replies('Stop', ago(7));
    await ada.sees(/Stop[\s\S]*This STOP is older than the last opt-in/);
    assert.equal(await isListed(app), false);
  });
});
