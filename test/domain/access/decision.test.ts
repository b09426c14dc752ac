import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import {
  type Denial,
  decide,
  defaultGrants,
  type Grant,
  permissionState,
  type SlackPerson,
  withGrants,
  withoutGrant,
} from '../../../src/domain/access/decision.ts';
import {
  leastRoleWith,
  type Permission,
  permissions,
  type Role,
  roles,
} from '../../../src/domain/access/roles.ts';

/** What each role allows, said once more. */
const allowed: Readonly<Record<Role, readonly Permission[]>> = {
  viewer: ['use', 'look_up'],
  agent: ['use', 'look_up', 'send', 'esim_status'],
  sender: ['use', 'look_up', 'send', 'esim_status', 'campaign', 'templates'],
  buyer: ['use', 'look_up', 'esim_status', 'buy'],
  approver: ['use', 'look_up', 'approve'],
  admin: permissions,
};

const member: SlackPerson = {
  userId: 'U1',
  isOfWorkspace: true,
  isGuest: false,
  isDeactivated: false,
  isBot: false,
  isSlackAdmin: false,
};

const refused: readonly [kind: string, SlackPerson | undefined, Denial][] = [
  ['a guest', { ...member, isGuest: true }, 'guest'],
  ['a bot', { ...member, isBot: true }, 'bot'],
  ['a deactivated person', { ...member, isDeactivated: true }, 'deactivated'],
  ['a stranger, or a person of another workspace', { ...member, isOfWorkspace: false }, 'other_workspace'],
  ['a person Slack does not know', undefined, 'unknown'],
];

/** Each way to hold a role, with what Slack says of the group. */
const waysToHold: readonly [
  way: string,
  Grant['to'],
  inGroup: boolean | undefined,
  holds: boolean,
  inDoubt: boolean,
][] = [
  ['everyone', { kind: 'everyone' }, undefined, true, false],
  ['the person', { kind: 'person', id: 'U1' }, undefined, true, false],
  ['another person', { kind: 'person', id: 'U2' }, undefined, false, false],
  ['their group', { kind: 'group', id: 'S1' }, true, true, false],
  ['another group', { kind: 'group', id: 'S1' }, false, false, false],
  ['a group Slack does not list', { kind: 'group', id: 'S1' }, undefined, false, true],
];

describe('what a person may do', () => {
  for (const role of roles) {
    for (const [way, to, inGroup, holds, inDoubt] of waysToHold) {
      it(`with ${role} given to ${way}`, () => {
        const decision = decide(member, [{ to, role }], () => inGroup);
        assert.ok(decision.kind === 'admitted');
        for (const permission of permissions) {
          const may = holds && allowed[role].includes(permission);
          assert.equal(decision.permissions.has(permission), may, permission);
          assert.equal(
            permissionState(decision, permission),
            may ? 'allowed' : inDoubt ? 'unknown' : 'denied',
          );
        }
        assert.deepEqual([...decision.roles], holds ? [role] : []);
      });
    }

    for (const [kind, person, why] of refused) {
      it(`is nothing for ${kind}, with ${role} given in every way, and as an admin of Slack`, () => {
        const grants = waysToHold.map(([, to]) => ({ to, role }));
        for (const isSlackAdmin of [false, true]) {
          const decision = decide(person && { ...person, isSlackAdmin }, grants, () => true);
          assert.deepEqual(decision, { kind: 'refused', why });
          for (const permission of permissions) {
            assert.equal(permissionState(decision, permission), why === 'unknown' ? 'unknown' : 'denied');
          }
        }
      });
    }
  }

  it('is everything for Slack’s admins, whatever is given', () => {
    const grant = fc.record({
      to: fc.constantFrom(...waysToHold.map(([, to]) => to)),
      role: fc.constantFrom(...roles),
    });
    fc.assert(
      fc.property(fc.array(grant), fc.constantFrom(true, false, undefined), (grants, inGroup) => {
        const decision = decide({ ...member, isSlackAdmin: true }, grants, () => inGroup);
        assert.ok(permissions.every((permission) => permissionState(decision, permission) === 'allowed'));
      }),
    );
  });

  it('is what some role of the person allows, and nothing else', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...roles)), (held) => {
        const grants = held.map((role): Grant => ({ to: { kind: 'person', id: 'U1' }, role }));
        const decision = decide(member, grants, () => undefined);
        assert.ok(decision.kind === 'admitted');
        assert.deepEqual(
          permissions.filter((permission) => decision.permissions.has(permission)),
          permissions.filter((permission) => held.some((role) => allowed[role].includes(permission))),
        );
      }),
    );
  });

  it('is that of an agent for all members, before anything is set', () => {
    const decision = decide(member, defaultGrants(undefined), () => undefined);
    assert.ok(decision.kind === 'admitted');
    assert.deepEqual(decision.permissions, new Set(allowed.agent));
  });

  it('is everything for who installed the app, before anything is set', () => {
    const decision = decide(member, defaultGrants('U1'), () => undefined);
    assert.ok(decision.kind === 'admitted');
    assert.deepEqual(decision.permissions, new Set(permissions));
  });
});

describe('the role to ask for', () => {
  it('is the one that allows the least', () => {
    assert.deepEqual(
      Object.fromEntries(permissions.map((permission) => [permission, leastRoleWith(permission)])),
      {
        use: 'viewer',
        look_up: 'viewer',
        send: 'agent',
        campaign: 'sender',
        templates: 'sender',
        esim_status: 'agent',
        buy: 'buyer',
        approve: 'approver',
        administer: 'admin',
      },
    );
  });
});

describe('grants', () => {
  const to = fc.constantFrom<Grant['to']>(
    { kind: 'everyone' },
    { kind: 'person', id: 'U1' },
    { kind: 'person', id: 'S1' },
    { kind: 'group', id: 'S1' },
  );
  const grant = fc.record({ to, role: fc.constantFrom(...roles) });

  it('are added once, and removed without touching others', () => {
    fc.assert(
      fc.property(
        fc.array(grant),
        fc.constantFrom(...roles),
        fc.array(to, { minLength: 1 }),
        (given, role, grantees) => {
          const before = withGrants([], 'viewer', []).concat(given);
          const once = withGrants(before, role, grantees);
          assert.deepEqual(withGrants(once, role, grantees), once);
          assert.deepEqual(once.slice(0, before.length), before);
          const [first] = grantees;
          assert.ok(first);
          const without = withoutGrant(once, { role, to: first });
          assert.deepEqual(
            without,
            once.filter((each) => JSON.stringify([each.role, each.to]) !== JSON.stringify([role, first])),
          );
        },
      ),
    );
  });
});
