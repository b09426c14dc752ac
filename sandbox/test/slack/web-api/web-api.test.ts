import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { WebAPIRateLimitedError, WebClient } from '@slack/web-api';
import { appToken, botToken } from '../app-under-test.ts';
import type { Recorder } from '../recorder.ts';
import { channel, person, recording, refusal } from '../recorder.ts';

async function call(probe: Recorder, method: string, init: RequestInit): Promise<unknown> {
  const response = await fetch(`${probe.slack.apiUrl}${method}`, { method: 'POST', ...init });
  assert.equal(response.status, 200);
  return await response.json();
}

const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

const section = (text: string, block_id = 'a') =>
  ({ type: 'section', block_id, text: { type: 'mrkdwn', text } }) as const;

const seen = (probe: Recorder, ts: string | undefined) =>
  probe.slack.snapshot(person).messages.find((message) => message.ts === ts);

describe('A Web API call', () => {
  it('needs the right token', async () => {
    await using probe = await recording();
    assert.deepEqual(await call(probe, 'auth.test', {}), { ok: false, error: 'not_authed' });
    assert.deepEqual(await call(probe, 'auth.test', { headers: bearer('xoxb-other') }), {
      ok: false,
      error: 'invalid_auth',
    });
    assert.deepEqual(await call(probe, 'auth.test', { headers: bearer(appToken) }), {
      ok: false,
      error: 'not_allowed_token_type',
    });
    const { team_id, user_id } = await probe.app.client.auth.test();
    assert.deepEqual({ team_id, user_id }, { team_id: 'T0SWITCH', user_id: 'U0SWITCHBOARD' });
  });

  it('takes its token and arguments from a form or from JSON', async () => {
    await using probe = await recording();
    const form = new URLSearchParams({
      token: botToken,
      channel,
      text: 'by form',
      blocks: JSON.stringify([section('x')]),
    });
    await call(probe, 'chat.postMessage', { body: form });
    await call(probe, 'chat.postMessage', {
      headers: { ...bearer(botToken), 'content-type': 'application/json; charset=utf-8' },
      body: JSON.stringify({ channel, text: 'by JSON', blocks: [section('x')] }),
    });
    const { messages } = probe.slack.snapshot(person);
    assert.deepEqual(
      messages.map(({ text }) => text),
      ['by form', 'by JSON'],
    );
    assert.deepEqual(messages[0]?.blocks, messages[1]?.blocks);
  });

  it('of an unknown method answers unknown_method', async () => {
    await using probe = await recording();
    const { client } = probe.app;
    await assert.rejects(client.apiCall('chat.shout'), refusal('unknown_method'));
  });

  it('without a scope of the manifest is refused with the scope that it needs', async () => {
    await using probe = await recording(undefined, {
      manifestPath: new URL('../bare-manifest.yml', import.meta.url).pathname,
    });
    await assert.rejects(
      probe.app.client.chat.postMessage({ channel, text: 'Hi' }),
      (error: { data?: unknown }) => {
        const { needed, provided } = error.data as Record<string, unknown>;
        assert.deepEqual({ needed, provided }, { needed: 'chat:write', provided: 'commands' });
        return refusal('missing_scope')(error);
      },
    );
  });

  it('without a required argument is refused with its name', async () => {
    await using probe = await recording();
    const { client } = probe.app;
    await assert.rejects(
      client.apiCall('chat.postMessage', { text: 'Hi' }),
      refusal('invalid_arguments', /missing required field: channel/),
    );
    await assert.rejects(client.chat.postMessage({ channel, text: '' }), refusal('no_text'));
    await assert.rejects(
      client.apiCall('chat.postMessage', { channel, blocks: '[{]' }),
      refusal('invalid_blocks_format'),
    );
    await assert.rejects(
      client.chat.postMessage({
        channel,
        text: 'Hi',
        blocks: Array.from({ length: 51 }, (_, n) => section('x', `b${n}`)),
      }),
      refusal('invalid_blocks', /no more than 50 items allowed \[json-pointer:\/blocks\]/),
    );
  });
});

describe('Joining a channel', () => {
  it('lets the app post in a public one, and says so of one it is in already', async () => {
    await using probe = await recording();
    const { chat, conversations } = probe.app.client;
    const { channel: joined } = await conversations.join({ channel: 'C0CAMPAIGNS' });
    assert.equal(joined?.is_member, true);
    await chat.postMessage({ channel: 'C0CAMPAIGNS', text: 'Hi' });
    const again = await conversations.join({ channel: 'C0CAMPAIGNS' });
    assert.equal(again.warning, 'already_in_channel');
  });

  it('is refused of an archived channel, of direct messages, and of what the app cannot see', async () => {
    await using probe = await recording();
    const { conversations } = probe.app.client;
    await assert.rejects(conversations.join({ channel: 'C0OLD' }), refusal('is_archived'));
    await assert.rejects(conversations.join({ channel: 'C0NOWHERE' }), refusal('channel_not_found'));
    const { channel: direct } = await conversations.open({ users: person });
    await assert.rejects(
      conversations.join({ channel: direct?.id ?? '' }),
      refusal('method_not_supported_for_channel_type'),
    );
  });

  it('needs its scope', async () => {
    await using probe = await recording(undefined, {
      manifestPath: new URL('../bare-manifest.yml', import.meta.url).pathname,
    });
    await assert.rejects(
      probe.app.client.conversations.join({ channel: 'C0CAMPAIGNS' }),
      refusal('missing_scope'),
    );
  });
});

describe('Posting', () => {
  it('is refused in a channel without the app, an unknown channel and an archived one', async () => {
    await using probe = await recording();
    const { chat } = probe.app.client;
    await assert.rejects(chat.postMessage({ channel: 'C0CAMPAIGNS', text: 'Hi' }), refusal('not_in_channel'));
    await assert.rejects(
      chat.postMessage({ channel: 'C0NOWHERE', text: 'Hi' }),
      refusal('channel_not_found'),
    );
    await assert.rejects(chat.postMessage({ channel: 'C0OLD', text: 'Hi' }), refusal('is_archived'));
  });

  it('works once the app is invited', async () => {
    await using probe = await recording();
    const at = { person, channel: 'C0CAMPAIGNS' };
    await probe.slack.perform({ do: 'command', ...at, command: '/invite', text: '@probe' });
    await probe.app.client.chat.postMessage({ channel: 'C0CAMPAIGNS', text: 'Hi' });
    await probe.slack.perform({ do: 'command', ...at, command: '/remove', text: '@probe' });
    await assert.rejects(
      probe.app.client.chat.postMessage({ channel: 'C0CAMPAIGNS', text: 'Hi' }),
      refusal('not_in_channel'),
    );
  });

  it('to a person reaches only their direct messages', async () => {
    await using probe = await recording();
    const { client } = probe.app;
    const opened = await client.conversations.open({ users: person });
    const posted = await client.chat.postMessage({ channel: person, text: 'For you' });
    assert.equal(posted.channel, opened.channel?.id);
    assert.equal(seen(probe, posted.ts)?.text, 'For you');
    assert.deepEqual(probe.slack.snapshot('U0ADMIN').messages, []);
    await assert.rejects(client.conversations.open({ users: 'U0NOBODY' }), refusal('user_not_found'));
  });

  it('an ephemeral message shows it to one member of the channel only', async () => {
    await using probe = await recording();
    const { chat } = probe.app.client;
    const { message_ts } = await chat.postEphemeral({ channel, user: person, text: 'Psst' });
    assert.equal(seen(probe, message_ts)?.onlyFor, person);
    assert.deepEqual(probe.slack.snapshot('U0ADMIN').messages, []);
    await assert.rejects(
      chat.update({ channel, ts: message_ts ?? '', text: 'x' }),
      refusal('message_not_found'),
    );
    const dm = await probe.app.client.conversations.open({ users: person });
    await assert.rejects(
      chat.postEphemeral({ channel: dm.channel?.id ?? '', user: 'U0ADMIN', text: 'Psst' }),
      refusal('user_not_in_channel'),
    );
  });

  it('can be updated and deleted by the app, but not for messages of people', async () => {
    await using probe = await recording();
    const { chat } = probe.app.client;
    const { ts = '' } = await chat.postMessage({ channel, text: 'One', blocks: [section('one')] });
    await chat.update({ channel, ts, text: 'Two' });
    assert.equal(seen(probe, ts)?.text, 'Two');
    assert.deepEqual(seen(probe, ts)?.blocks, [section('one')], 'blocks stay unless new ones are given');
    await chat.update({ channel, ts, text: 'Two', blocks: [] });
    assert.deepEqual(seen(probe, ts)?.blocks, []);
    await chat.delete({ channel, ts });
    assert.equal(seen(probe, ts), undefined);
    await assert.rejects(chat.delete({ channel, ts }), refusal('message_not_found'));

    await probe.slack.perform({ do: 'message', person, channel, text: 'a < b' });
    const own = probe.slack.snapshot(person).messages.at(-1);
    assert.equal(own?.text, 'a &lt; b');
    await assert.rejects(
      chat.update({ channel, ts: own?.ts ?? '', text: 'x' }),
      refusal('cant_update_message'),
    );
    await assert.rejects(chat.delete({ channel, ts: own?.ts ?? '' }), refusal('cant_delete_message'));
  });

  it('in a thread stays in the thread', async () => {
    await using probe = await recording();
    const { chat } = probe.app.client;
    const { ts: thread_ts = '' } = await chat.postMessage({ channel, text: 'Top' });
    const { ts = '' } = await chat.postMessage({ channel, text: 'Below', thread_ts });
    assert.equal(seen(probe, ts)?.threadTs, thread_ts);
  });
});

describe('Looking people and channels up', () => {
  it('distinguishes admins, guests and strangers', async () => {
    await using probe = await recording();
    const look = async (user: string) => {
      const { user: found } = await probe.app.client.users.info({ user });
      const { is_admin, is_restricted, is_stranger, team_id } = found ?? {};
      return { is_admin, is_restricted, is_stranger, team_id };
    };
    const own = { is_stranger: undefined, team_id: 'T0SWITCH' };
    assert.deepEqual(await look('U0AGENT'), { is_admin: false, is_restricted: false, ...own });
    assert.deepEqual(await look('U0ADMIN'), { is_admin: true, is_restricted: false, ...own });
    assert.deepEqual(await look('U0GUEST'), { is_admin: false, is_restricted: true, ...own });
    assert.deepEqual(await look('U0STRANGER'), {
      is_admin: undefined,
      is_restricted: undefined,
      is_stranger: true,
      team_id: 'T0ELSEWHERE',
    });
    await assert.rejects(look('U0NOBODY'), refusal('user_not_found'));
  });

  it('reports whether the app is in a channel, and whether the channel is shared or archived', async () => {
    await using probe = await recording();
    const look = async (id: string) => {
      const { channel: found } = await probe.app.client.conversations.info({ channel: id });
      return [found?.is_member, found?.is_archived, found?.is_ext_shared];
    };
    assert.deepEqual(await look('C0SUPPORT'), [true, false, true]);
    assert.deepEqual(await look('C0CAMPAIGNS'), [false, false, false]);
    assert.deepEqual(await look('C0OLD'), [true, true, false]);
  });
});

describe('A call held back', () => {
  it('does nothing until it is released, while other calls proceed', async () => {
    await using probe = await recording();
    const { chat } = probe.app.client;
    const texts = () => probe.slack.snapshot(person).messages.map(({ text }) => text);
    const held = probe.slack.hold('chat.postMessage');
    const first = chat.postMessage({ channel, text: 'first' });
    await held.arrived;
    await chat.postMessage({ channel, text: 'second' });
    assert.deepEqual(texts(), ['second']);
    held.release();
    await first;
    assert.deepEqual(texts(), ['second', 'first']);
  });
});

describe('A person made something else', () => {
  it('has the new role in users.info', async () => {
    await using probe = await recording();
    const look = async () => {
      const { user } = await probe.app.client.users.info({ user: person });
      return [user?.is_admin, user?.is_restricted];
    };
    assert.deepEqual(await look(), [false, false]);
    probe.slack.setRole(person, 'admin');
    assert.deepEqual(await look(), [true, false]);
    probe.slack.setRole(person, 'guest');
    assert.deepEqual(await look(), [false, true]);
    assert.throws(() => probe.slack.setRole('U0NOBODY', 'admin'), /U0NOBODY/);
  });
});

describe('A fault', () => {
  const client = (probe: Recorder) =>
    new WebClient(botToken, {
      slackApiUrl: probe.slack.apiUrl,
      retryConfig: { retries: 0 },
      rejectRateLimitedCalls: true,
    });

  it('fails the next call only', async () => {
    await using probe = await recording();
    const { chat, users } = client(probe);
    probe.slack.fault('chat.postMessage', { status: 429, retryAfter: 7 });
    probe.slack.fault('chat.postMessage', { error: 'restricted_action' });
    await users.info({ user: person });
    await assert.rejects(chat.postMessage({ channel, text: 'Hi' }), WebAPIRateLimitedError);
    await assert.rejects(chat.postMessage({ channel, text: 'Hi' }), refusal('restricted_action'));
    assert.deepEqual(probe.slack.snapshot(person).messages, []);
    await chat.postMessage({ channel, text: 'Hi' });
    assert.equal(probe.slack.snapshot(person).messages.length, 1);
  });

  it('can follow the execution of the call', async () => {
    await using probe = await recording();
    probe.slack.fault('chat.postMessage', { status: 500, after: true });
    await assert.rejects(client(probe).chat.postMessage({ channel, text: 'Hi' }), /500/);
    assert.equal(probe.slack.snapshot(person).messages.length, 1);
  });

  it('can be silence until the caller times out', async () => {
    await using probe = await recording();
    probe.slack.fault('auth.test', { hang: true });
    const url = `${probe.slack.apiUrl}auth.test`;
    await assert.rejects(fetch(url, { method: 'POST', signal: AbortSignal.timeout(50) }), {
      name: 'TimeoutError',
    });
  });

  it('can cut the connection before or after the execution of the call', async () => {
    await using probe = await recording();
    const post = () => probe.app.client.chat.postMessage({ channel, text: 'Hi' });
    for (const after of [false, true]) {
      probe.slack.fault('chat.postMessage', { cut: true, after });
      await assert.rejects(post());
    }
    assert.equal(probe.slack.snapshot(person).messages.length, 1);
  });

  it('can be slow', async () => {
    await using probe = await recording();
    probe.slack.fault('auth.test', { delay: 500 });
    const answered: string[] = [];
    const slow = probe.app.client.auth.test().then(() => answered.push('slow'));
    await probe.app.client.chat.postMessage({ channel, text: 'Hi' });
    answered.push('quick');
    await slow;
    assert.deepEqual(answered, ['quick', 'slow']);
  });

  it('can expire messages', async () => {
    await using probe = await recording();
    const { ts } = await probe.app.client.chat.postMessage({ channel, text: 'Hi' });
    assert.deepEqual(probe.slack.expire(new Date(Date.now() - 60_000)), []);
    const expired = probe.slack.expire(new Date(Date.now() + 60_000));
    assert.deepEqual(
      expired.map((message) => message.ts),
      [ts],
    );
    assert.equal(seen(probe, ts), undefined);
  });

  it('can be chosen for each call', async () => {
    await using probe = await recording();
    probe.slack.faultBy((method) => (method === 'chat.postMessage' ? { error: 'fatal_error' } : undefined));
    await assert.rejects(probe.app.client.chat.postMessage({ channel, text: 'Hi' }), refusal('fatal_error'));
    await probe.app.client.auth.test();
    probe.slack.faultBy(() => undefined);
    await probe.app.client.chat.postMessage({ channel, text: 'Hi' });
  });

  it('can take down all of Slack except the page', async () => {
    await using probe = await recording();
    probe.slack.goDown();
    await assert.rejects(fetch(`${probe.slack.apiUrl}api.test`), TypeError);
    assert.equal((await fetch(`${probe.slack.url}/sandbox/state`)).status, 200);
    probe.slack.comeUp();
    assert.equal((await fetch(`${probe.slack.apiUrl}api.test`)).status, 200);
  });
});
