import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { WebClient } from '@slack/web-api';
import { permissionsOf, type Role } from '../../../../src/domain/access/roles.ts';
import { createLog } from '../../../../src/lib/log.ts';
import { createBoltLogger } from '../../../../src/slack/app/bolt-logger.ts';
import { webClientOptions } from '../../../../src/slack/client/web-client.ts';
import { createAuthorizer } from '../../../../src/slack/middleware/authorization/authorize.ts';
import { UserError } from '../../../../src/slack/middleware/errors.ts';
import { answer, type Behaviour, inTurn, silence, startRawServer } from '../../../support/http/raw-server.ts';
import { steppedTimers } from '../../../support/stepped-timers.ts';

const teamId = 'T0SWITCH';
const ada = 'U0AGENT';

/** An authorizer for a Slack that answers `users.info` like this. */
async function authorizerWhere(test: TestContext, onRequest: Behaviour) {
  const slack = await startRawServer({ onRequest });
  test.after(() => slack.close());
  const timers = steppedTimers();
  const options = webClientOptions({
    apiUrl: new URL('/api/', slack.url),
    logger: createBoltLogger(createLog('silent')),
    timers,
  });
  const client = new WebClient('xoxb-1', options);
  const authorizer = createAuthorizer({
    clients: { for: async () => client },
    elapsed: () => performance.now(),
    timers,
  });
  const authorize = () => authorizer.authorize(teamId, ada);
  return { authorizer, authorize, timers, requests: slack.requests };
}

const user = (fields: object) => answer(200, { ok: true, user: { id: ada, team_id: teamId, ...fields } });
const deniedWith = (why: RegExp) => (error: unknown) =>
  error instanceof UserError && why.test(error.markup.source);
const notLookedUp = deniedWith(/didn’t say in time who you are/);

describe('a user who is allowed', () => {
  const allowed: [string, object, readonly Role[]][] = [
    ['a member', {}, ['sender', 'buyer']],
    ['an admin', { is_admin: true }, ['admin']],
    ['an owner', { is_owner: true }, ['admin']],
    [
      'a user of the organisation who is in this workspace',
      { team_id: 'T0HOME', enterprise_user: { teams: ['T0OTHER', teamId] } },
      ['sender', 'buyer'],
    ],
  ];
  for (const [who, fields, roles] of allowed) {
    it(`${who} is authorized as ${roles.join(' and ')}`, async (test) => {
      const { authorizer, authorize } = await authorizerWhere(test, user(fields));
      assert.equal(authorizer.isKnown(teamId, ada), false);
      assert.deepEqual(await authorize(), {
        workspaceId: teamId,
        userId: ada,
        permissions: permissionsOf(roles),
        zone: 'Africa/Lagos',
      });
      assert.equal(authorizer.isKnown(teamId, ada), true);
      assert.equal(authorizer.isKnown('T0OTHER', ada), false);
    });
  }
});

describe('a user who is known', () => {
  it('is authorized without a request or a timer', async (test) => {
    const { authorize, timers, requests } = await authorizerWhere(test, user({}));
    await authorize();
    const again = authorize();
    assert.equal(timers.pending(), 0);
    await again;
    assert.equal(requests.length, 1);
  });
});

describe('the time zone of a user', () => {
  for (const [what, fields, zone] of [
    ['is the one set in Slack', { tz: 'Europe/London' }, 'Europe/London'],
    ['is that of Lagos where Slack names none', {}, 'Africa/Lagos'],
    ['is that of Lagos where the name is unknown', { tz: 'Mars/Olympus' }, 'Africa/Lagos'],
  ] as const) {
    it(what, async (test) => {
      const { authorize } = await authorizerWhere(test, user(fields));
      assert.partialDeepStrictEqual(await authorize(), { zone });
    });
  }
});

describe('a user who is denied, even as an owner', () => {
  const denied: [string, object, RegExp][] = [
    ['a guest', { is_restricted: true }, /isn’t open to guests/],
    ['a single-channel guest', { is_ultra_restricted: true }, /isn’t open to guests/],
    ['a user of another workspace', { team_id: 'T0OTHER' }, /only for members of this workspace/],
    ['a stranger', { is_stranger: true }, /only for members of this workspace/],
    ['a user without a workspace', { team_id: undefined }, /only for members of this workspace/],
    [
      'a user of the organisation who is not in this workspace',
      { team_id: 'T0HOME', enterprise_user: { teams: ['T0OTHER'] } },
      /only for members of this workspace/,
    ],
    ['a deactivated user', { deleted: true }, /account isn’t active/],
    ['another app', { is_bot: true }, /account isn’t active/],
  ];
  for (const [who, fields, why] of denied) {
    it(who, async (test) => {
      const { authorizer, authorize, requests } = await authorizerWhere(
        test,
        user({ is_admin: true, is_owner: true, ...fields }),
      );
      await assert.rejects(authorize(), deniedWith(why));
      assert.equal(requests.length, 1);
      assert.equal(authorizer.isKnown(teamId, ada), false);
    });
  }

  it('a request that names no workspace', async (test) => {
    const { authorizer, requests } = await authorizerWhere(test, user({}));
    await assert.rejects(authorizer.authorize(undefined, ada), deniedWith(/in its own workspace/));
    assert.equal(requests.length, 0);
  });
});

describe('looking a user up', () => {
  it('is done once for concurrent requests', async (test) => {
    const { authorize, requests } = await authorizerWhere(test, user({}));
    const users = await Promise.all(Array.from({ length: 5 }, authorize));
    assert.ok(users.every(({ permissions }) => permissions.has('send')));
    assert.equal(requests.length, 1);
  });

  it('denies access where it fails, and is repeated the next time', async (test) => {
    const failures: [Behaviour, Behaviour, Behaviour] = [
      answer(500, 'Internal error'),
      answer(200, { ok: false, error: 'user_not_found' }),
      answer(200, { ok: true, user: 'nobody' }),
    ];
    const { authorizer, authorize } = await authorizerWhere(test, inTurn(...failures, user({})));
    for (const _ of failures) {
      await assert.rejects(authorize(), notLookedUp);
      assert.equal(authorizer.isKnown(teamId, ada), false);
    }
    assert.equal((await authorize()).userId, ada);
  });

  it('denies access where it takes too long', async (test) => {
    const { authorize, timers } = await authorizerWhere(test, silence);
    const denied = assert.rejects(authorize(), notLookedUp);
    await timers.advance(1_500);
    await denied;
  });
});
