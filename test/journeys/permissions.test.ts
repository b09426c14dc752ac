import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { Grant } from '../../src/domain/access/decision.ts';
import {
  leastRoleWith,
  type Permission,
  permissionsOf,
  type Role,
  roles,
} from '../../src/domain/access/roles.ts';
import { roleNames } from '../../src/slack/block-kit/descriptions/workspace.ts';
import { neededByText, neededPermissions } from '../support/app/needed-permissions.ts';
import { startTestApp } from '../support/app/test-app.ts';
import { profileEnv } from '../support/provider/profile-file.ts';
import { type DirectRequest, directRequests } from '../support/slack/signed-requests.ts';
import { newTemplate } from '../support/store/stored-templates.ts';

/** Every path to a listener, with the permission that it needs. The end of a modal needs none: it ends what is one's own. */
const paths: readonly (DirectRequest & { needed: Permission })[] = [
  // What a button runs needs what the text that is its value does.
  ...neededPermissions.filter(({ name }) => !name.startsWith('run_')),
  ...Object.entries(neededByText).flatMap(([name, texts]) => [
    { kind: 'command' as const, name, text: 'help', needed: 'use' as const },
    ...Object.entries(texts).map(([text, needed]) => ({ kind: 'command' as const, name, text, needed })),
  ]),
  // A button that runs a command asks as the command does.
  ...Object.entries(neededByText.esim ?? {}).map(([text, needed]) => ({
    kind: 'action' as const,
    name: 'run_esim',
    text,
    needed,
  })),
  // The options first: an admin’s buttons disconnect the provider, whose lists they are.
].sort((one, other) => Number(other.kind === 'options') - Number(one.kind === 'options'));

const anyRefusal =
  /Only \w+(?: managers)?s? can do this|You have no role|open to guests|only for members|account isn’t active|didn’t say in time/;

function refusalOf(needed: Permission): string {
  switch (needed) {
    case 'use':
      return 'You have no role in Switchboard yet';
    case 'administer':
      return 'Only admins can do this';
    default:
      return `Only ${roleNames[leastRoleWith(needed)]}s can do this`;
  }
}

const described = ({ kind, name, text }: DirectRequest) => `${kind} ${name} ${text ?? ''}`;

/** One path for each permission and kind of request: everybody asks these. */
const samples = new Set(new Map(paths.map((path) => [`${path.needed} ${path.kind}`, path])).values());

/** The role that lacks a permission and allows the most, if any lacks it. */
const mostWithout = (needed: Permission) =>
  roles
    .filter((role) => !permissionsOf([role]).has(needed))
    .toSorted((one, other) => permissionsOf([other]).size - permissionsOf([one]).size)[0];

/** What a role asks: the samples, and each path that it is the least to have, or the most to lack. */
const askedBy = (role: Role | undefined) =>
  paths.filter(
    (path) => samples.has(path) || role === leastRoleWith(path.needed) || role === mostWithout(path.needed),
  );

it('every path asks the one decision, for every role and every kind of person', async (test) => {
  const testApp = await startTestApp(test, {
    patience: 30_000,
    slowness: 1,
    env: profileEnv({ phonebooksPath: '/api/phonebooks' }),
  });
  const { app, connect, slack, provider } = testApp;
  await connect();
  // To choose from.
  await app().services.templates.save(
    { workspaceId: 'T0SWITCH', userId: 'U0ADMIN', id: 'order', version: 0 },
    newTemplate().content,
  );
  const send = await directRequests(test, testApp);
  const { access } = app().services;
  const give = async (...grants: Grant[]) => {
    const { version } = await access.settings('T0SWITCH');
    await access.change({ workspaceId: 'T0SWITCH', userId: 'U0ADMIN', version, change: () => grants });
  };
  const isRefused = (path: DirectRequest, answer: string, why: string) =>
    path.kind === 'options' ? answer === '{"options":[]}' : answer.includes(why);

  const member = 'U0MEMBER';
  for (const role of [undefined, ...roles]) {
    await give(...(role === undefined ? [] : [{ to: { kind: 'person' as const, id: member }, role }]));
    const may = permissionsOf(role === undefined ? [] : [role]);
    const mayNot = askedBy(role).filter(({ needed }) => !may.has(needed));
    const asked = provider.arrivals.length;
    for (const [index, answer] of (await send(mayNot, member)).entries()) {
      const path = mayNot[index];
      assert.ok(path);
      // Without any role, that is what is said first of a command.
      const isTyped = path.kind === 'command' || path.name.startsWith('run_');
      const first = isTyped && role === undefined ? 'use' : path.needed;
      assert.ok(isRefused(path, answer, refusalOf(first)), `${described(path)} for ${role}: ${answer}`);
    }
    assert.equal(provider.arrivals.length, asked);
    const mayDo = askedBy(role).filter(({ needed }) => may.has(needed));
    for (const [index, answer] of (await send(mayDo, member)).entries()) {
      const path = mayDo[index];
      assert.ok(path);
      assert.doesNotMatch(answer, anyRefusal, `${described(path)} for ${role}`);
      assert.ok(path.kind !== 'options' || !isRefused(path, answer, ''), `${described(path)} for ${role}`);
    }
  }

  // Everything is given to everyone, and to each of them; some are admins of Slack.
  slack.setDeactivated('U0APPROVER', true);
  const kinds: Readonly<Record<string, string>> = {
    U0GUEST: 'isn’t open to guests',
    U0STRANGER: 'only for members of this workspace',
    U0APPROVER: 'account isn’t active',
    W0SISAGENT: '',
    U0HARADMIN: '',
  };
  await give(
    { to: { kind: 'everyone' }, role: 'admin' },
    ...Object.keys(kinds).map((id): Grant => ({ to: { kind: 'person', id }, role: 'admin' })),
  );
  const asked = provider.arrivals.length;
  const asks = [...samples];
  for (const [userId, why] of Object.entries(kinds)) {
    for (const [index, answer] of (await send(asks, userId)).entries()) {
      const path = asks[index];
      assert.ok(path && isRefused(path, answer, why), `${path && described(path)} for ${userId}: ${answer}`);
      assert.ok(path.kind === 'options' || anyRefusal.test(answer), `${described(path)} for ${userId}`);
    }
  }
  assert.equal(provider.arrivals.length, asked);
});
