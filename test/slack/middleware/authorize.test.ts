import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { WebClient } from '@slack/web-api';
import { defaultGrants, type Grant } from '../../../src/domain/access/decision.ts';
import { permissionsOf, type Role } from '../../../src/domain/access/roles.ts';
import { createLog } from '../../../src/lib/log.ts';
import { createWorkspaceCaches } from '../../../src/lib/workspace-caches.ts';
import { createBoltLogger } from '../../../src/slack/app/bolt-app.ts';
import { createPeople } from '../../../src/slack/client/people.ts';
import { createUserGroups } from '../../../src/slack/client/user-groups.ts';
import { webClientOptions } from '../../../src/slack/client/web-client.ts';
import { createAuthorizer, guardFiles } from '../../../src/slack/middleware/authorize.ts';
import { UserError } from '../../../src/slack/middleware/errors.ts';
import { answer, type Behaviour, inTurn, silence, startRawServer } from '../../support/http/raw-server.ts';
import { steppedTimers } from '../../support/stepped-timers.ts';

const teamId = 'T0SWITCH';
const ada = 'U0AGENT';

/** An authorizer for a Slack that answers `users.info` like this; members are agents unless roles are given. */
async function authorizerWhere(
  test: TestContext,
  onRequest: Behaviour,
  given: readonly Grant[] = defaultGrants(undefined),
) {
  const grants = [...given];
  const slack = await startRawServer({ onRequest });
  test.after(() => slack.close());
  const timers = steppedTimers();
  const options = webClientOptions({
    apiUrl: new URL('/api/', slack.url),
    logger: createBoltLogger(createLog('silent')),
    timers,
  });
  const client = new WebClient('xoxb-1', options);
  const shared = {
    clients: { for: async () => client },
    elapsed: () => performance.now(),
    caches: createWorkspaceCaches(),
  };
  const authorizer = createAuthorizer({
    people: createPeople(shared),
    userGroups: createUserGroups(shared),
    services: { access: { grants: async () => grants, recentGrants: async () => grants } },
    timers,
  });
  const isKnown = async (workspaceId = teamId) => (await authorizer.recall(workspaceId, ada)) !== undefined;
  const authorize = () => authorizer.authorize(teamId, ada);
  return { authorizer, authorize, isKnown, grants, timers, requests: slack.requests };
}

const user = (fields: object) => answer(200, { ok: true, user: { id: ada, team_id: teamId, ...fields } });
const deniedWith = (why: RegExp) => (error: unknown) =>
  error instanceof UserError && why.test(error.markup.source);
const notLookedUp = deniedWith(/didn’t say in time who you are/);

describe('a user who is allowed', () => {
  const allowed: [string, object, readonly Role[]][] = [
    ['a member', {}, ['agent']],
    ['an admin', { is_admin: true }, ['admin', 'agent']],
    ['an owner', { is_owner: true }, ['admin', 'agent']],
    [
      'a user of the organisation who is in this workspace',
      { team_id: 'T0HOME', enterprise_user: { teams: ['T0OTHER', teamId] } },
      ['agent'],
    ],
    [
      'an admin of another workspace of the organisation',
      { team_id: 'T0HOME', is_admin: true, is_owner: true, enterprise_user: { teams: ['T0HOME', teamId] } },
      ['agent'],
    ],
    [
      'an admin of the organisation',
      { team_id: 'T0HOME', enterprise_user: { teams: [teamId], is_admin: true } },
      ['admin', 'agent'],
    ],
  ];
  for (const [who, fields, roles] of allowed) {
    it(`${who} is authorized as ${roles.join(' and ')}`, async (test) => {
      const { authorize, isKnown } = await authorizerWhere(test, user(fields));
      assert.equal(await isKnown(), false);
      assert.deepEqual(await authorize(), {
        workspaceId: teamId,
        userId: ada,
        roles: new Set(roles),
        permissions: permissionsOf(roles),
        isPartial: false,
        zone: 'Africa/Lagos',
      });
      assert.equal(await isKnown(), true);
      assert.equal(await isKnown('T0OTHER'), false);
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
    ['is the offset where Slack names none', { tz: null, tz_offset: 19_800 }, '+05:30'],
    ['is the offset where the name is unknown', { tz: 'Mars/Olympus', tz_offset: -12_600 }, '-03:30'],
    ['is UTC where the offset is none', { tz_offset: 0 }, 'UTC'],
    ['is that of Lagos where the offset is', { tz: '', tz_offset: 3_600 }, 'Africa/Lagos'],
    ['is that of Lagos where the offset can’t be', { tz_offset: 1e9 }, 'Africa/Lagos'],
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
    ['another app', { is_bot: true }, /Apps can’t use Switchboard/],
  ];
  for (const [who, fields, why] of denied) {
    it(who, async (test) => {
      const { authorize, isKnown, requests } = await authorizerWhere(
        test,
        user({ is_admin: true, is_owner: true, ...fields }),
      );
      await assert.rejects(authorize(), deniedWith(why));
      assert.equal(requests.length, 1);
      assert.equal(await isKnown(), false);
    });
  }

  it('a request that names no workspace', async (test) => {
    const { authorizer, requests } = await authorizerWhere(test, user({}));
    await assert.rejects(authorizer.authorize(undefined, ada), deniedWith(/didn’t say which workspace/));
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
    const { authorize, isKnown } = await authorizerWhere(test, inTurn(...failures, user({})));
    for (const _ of failures) {
      await assert.rejects(authorize(), notLookedUp);
      assert.equal(await isKnown(), false);
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

describe('a file for a user', () => {
  it('is shared only while they may have it', async (test) => {
    const { authorizer, grants } = await authorizerWhere(test, user({}), [
      { to: { kind: 'everyone' }, role: 'sender' },
    ]);
    const shared: string[] = [];
    const files = guardFiles(
      {
        async share(_workspaceId, _destination, { name }) {
          shared.push(name);
        },
        async *stream() {},
      },
      authorizer,
    );
    const share = (name: string) =>
      files.share(teamId, { userId: ada, needed: 'campaign' }, { name, content: Buffer.from('') });
    await share('first.csv');
    grants.length = 0;
    await assert.rejects(share('second.csv'), deniedWith(/Only campaign managers can do this/));
    assert.deepEqual(shared, ['first.csv']);
  });
});

describe('a role of a user group', () => {
  const grants: readonly Grant[] = [{ to: { kind: 'group', id: 'S1' }, role: 'sender' }];
  const listing = (...users: string[]) =>
    answer(200, { ok: true, usergroups: [{ id: 'S1', name: 'Campaigns', handle: 'campaigns', users }] });
  const cases: [string, Behaviour, readonly Role[], boolean][] = [
    ['is held by who is in the group', listing(ada), ['sender'], false],
    ['is not held by others', listing('U0OTHER'), [], false],
    ['is held by nobody once the group is disabled', answer(200, { ok: true, usergroups: [] }), [], false],
    ['is held by nobody without the scope', answer(200, { ok: false, error: 'missing_scope' }), [], false],
    ['is in doubt while Slack does not say', answer(500, 'Internal error'), [], true],
  ];
  for (const [what, groups, roles, isPartial] of cases) {
    it(what, async (test) => {
      const { authorize } = await authorizerWhere(test, inTurn(user({}), groups), grants);
      const { permissions, ...asked } = await authorize();
      assert.partialDeepStrictEqual(asked, { roles: new Set(roles), isPartial });
      assert.deepEqual(permissions, permissionsOf(roles));
    });
  }

  it('is asked for once a minute', async (test) => {
    const { authorize, requests } = await authorizerWhere(test, inTurn(user({}), listing(ada)), grants);
    await authorize();
    await authorize();
    assert.equal(requests.length, 2);
  });
});
