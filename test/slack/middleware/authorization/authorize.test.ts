import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { WebClient } from '@slack/web-api';
import { createLog } from '../../../../src/lib/log.ts';
import { createBoltLogger } from '../../../../src/slack/app/bolt-logger.ts';
import { webClientOptions } from '../../../../src/slack/client/web-client.ts';
import { createAuthorizer } from '../../../../src/slack/middleware/authorization/authorize.ts';
import { answer, type Behaviour, inTurn, startRawServer } from '../../../support/raw-server.ts';

const ada = 'U0AGENT';

/** Who is who where Slack answers `users.info` like this. */
async function peopleWhere(test: TestContext, onRequest: Behaviour) {
  const slack = await startRawServer({ onRequest });
  test.after(() => slack.close());
  const options = webClientOptions(new URL('/api/', slack.url), createBoltLogger(createLog('silent')));
  const people = createAuthorizer({
    client: new WebClient('xoxb-1', options),
    elapsed: () => performance.now(),
    teamId: async () => 'T0SWITCH',
  });
  return { people, requests: slack.requests };
}

const user = (fields: object) => answer(200, { ok: true, user: { id: ada, team_id: 'T0SWITCH', ...fields } });

describe('who may', () => {
  const allowed: [string, object, string][] = [
    ['a member', {}, 'member'],
    ['an admin', { is_admin: true }, 'admin'],
    ['an owner', { is_owner: true }, 'admin'],
    [
      'a person of the organisation who is in this workspace',
      { team_id: 'T0HOME', enterprise_user: { teams: ['T0OTHER', 'T0SWITCH'] } },
      'member',
    ],
  ];
  for (const [who, fields, role] of allowed) {
    it(`${who}: as ${role}`, async (test) => {
      const { people } = await peopleWhere(test, user(fields));
      assert.deepEqual(await people.authorize(ada), { allowed: true, role, zone: 'Africa/Lagos' });
    });
  }
});

describe('the time zone of who may', () => {
  for (const [what, fields, zone] of [
    ['is the one they set in Slack', { tz: 'Europe/London' }, 'Europe/London'],
    ['is that of Lagos where Slack names none', {}, 'Africa/Lagos'],
    ['is that of Lagos where nobody knows the one named', { tz: 'Mars/Olympus' }, 'Africa/Lagos'],
  ] as const) {
    it(what, async (test) => {
      const { people } = await peopleWhere(test, user(fields));
      assert.partialDeepStrictEqual(await people.authorize(ada), { zone });
    });
  }
});

describe('who may not, whatever else they are', () => {
  const refused: [string, object, RegExp][] = [
    ['a guest', { is_restricted: true }, /not open to guests/],
    ['a guest of one channel', { is_ultra_restricted: true }, /not open to guests/],
    ['a person of another workspace', { team_id: 'T0OTHER' }, /belong to another one/],
    ['a stranger', { is_stranger: true }, /belong to another one/],
    [
      'a person of whom Slack does not say where they belong',
      { team_id: undefined },
      /belong to another one/,
    ],
    [
      'a person of the organisation who is not in this workspace',
      { team_id: 'T0HOME', enterprise_user: { teams: ['T0OTHER'] } },
      /belong to another one/,
    ],
    ['a person whose account was closed', { deleted: true }, /active account/],
    ['another app', { is_bot: true }, /active account/],
  ];
  for (const [who, fields, why] of refused) {
    it(who, async (test) => {
      const { people } = await peopleWhere(test, user({ is_admin: true, is_owner: true, ...fields }));
      const standing = await people.authorize(ada);
      assert.match(standing.allowed ? '' : standing.reason, why);
      assert.deepEqual(people.cached(ada), standing);
    });
  }
});

describe('asking Slack who somebody is', () => {
  it('is done once for all who want to know at the same time', async (test) => {
    const { people, requests } = await peopleWhere(test, user({}));
    const answers = await Promise.all(Array.from({ length: 5 }, () => people.authorize(ada)));
    assert.deepEqual([...new Set(answers.map(({ allowed }) => allowed))], [true]);
    assert.equal(requests.length, 1);
  });

  it('lets nobody in where it fails, and is done again the next time', async (test) => {
    const failures: [Behaviour, Behaviour, Behaviour] = [
      answer(500, 'Internal error'),
      answer(200, { ok: false, error: 'user_not_found' }),
      answer(200, { ok: true, user: 'nobody' }),
    ];
    const { people } = await peopleWhere(test, inTurn(...failures, user({})));
    for (const _ of failures) {
      assert.equal((await people.authorize(ada)).allowed, false);
      assert.equal(people.cached(ada), undefined);
    }
    assert.equal((await people.authorize(ada)).allowed, true);
  });
});
