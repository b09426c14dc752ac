import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { placeOf } from '../../../../src/slack/app/installations/request-place.ts';

const wide = { enterprise: { id: 'E1' }, is_enterprise_install: true };
const user = { id: 'U1', team_id: 'T0HOME' };

describe('the place of a request', () => {
  const cases: [string, unknown, string | undefined, string | undefined][] = [
    ['a command', { command: '/sms', team_id: 'T1', is_enterprise_install: 'false' }, 'T1', undefined],
    [
      'a command to an enterprise-wide installation',
      { command: '/sms', team_id: 'T1', enterprise_id: 'E1', is_enterprise_install: 'true' },
      'T1',
      'E1',
    ],
    [
      'a command of a workspace in an enterprise, with an installation of its own',
      { command: '/sms', team_id: 'T1', enterprise_id: 'E1', is_enterprise_install: 'false' },
      'T1',
      undefined,
    ],
    ['a click in a message', { type: 'block_actions', team: { id: 'T1' }, user }, 'T1', undefined],
    [
      'a click in a view of an enterprise-wide installation',
      { type: 'block_actions', team: null, ...wide, user, view: { app_installed_team_id: 'T1' } },
      'T1',
      'E1',
    ],
    [
      'a click in a view that names the enterprise it was installed in',
      { type: 'block_actions', team: { id: 'T1' }, ...wide, user, view: { app_installed_team_id: 'E1' } },
      'T1',
      'E1',
    ],
    [
      'the same where the view alone says its workspace',
      {
        type: 'view_submission',
        team: null,
        ...wide,
        user,
        view: { app_installed_team_id: 'E1', team_id: 'T1' },
      },
      'T1',
      'E1',
    ],
    [
      'the same by a person of another organisation',
      {
        type: 'view_submission',
        team: { id: 'T2', enterprise_id: 'E2' },
        enterprise: { id: 'E2' },
        user,
        view: { app_installed_team_id: 'E1', team_id: 'T2' },
      },
      undefined,
      'E1',
    ],
    [
      'an event of a Home that names the enterprise it was installed in',
      {
        event: { type: 'app_home_opened', view: { app_installed_team_id: 'E1' } },
        team_id: 'T1',
        enterprise_id: 'E1',
        authorizations: [{ is_enterprise_install: true }],
      },
      'T1',
      'E1',
    ],
    [
      'a submission by a person of another organisation',
      { type: 'view_submission', team: { id: 'T2' }, user, view: { app_installed_team_id: 'T1' } },
      'T1',
      undefined,
    ],
    [
      'a request that names its user’s workspace alone',
      { type: 'shortcut', team: null, user },
      undefined,
      undefined,
    ],
    ['the same to an enterprise-wide installation', { team: null, user, ...wide }, undefined, 'E1'],
    [
      'an event',
      { event: { type: 'app_home_opened' }, team_id: 'T1', authorizations: [{ team_id: 'T9' }] },
      'T1',
      undefined,
    ],
    [
      'an event of an enterprise-wide installation',
      {
        event: { type: 'app_home_opened', view: { app_installed_team_id: 'T1' } },
        team_id: 'T2',
        enterprise_id: 'E1',
        authorizations: [{ is_enterprise_install: true }],
      },
      'T1',
      'E1',
    ],
    ['an id that is too long for one', { command: '/sms', team_id: 'T'.repeat(65) }, undefined, undefined],
  ];
  for (const [what, body, workspaceId, enterpriseId] of cases) {
    it(`of ${what}`, () => assert.deepEqual(placeOf(body), { workspaceId, enterpriseId }));
  }

  it('is never the workspace of the user, whatever else a request says', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (team, view) => {
        assert.notEqual(placeOf({ team, view, user }).workspaceId, user.team_id);
      }),
    );
  });
});
