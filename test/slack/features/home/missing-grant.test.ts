import assert from 'node:assert/strict';
import { it } from 'node:test';
import { missingScopes } from '../../../../src/slack/app/installations/slack-access.ts';
import { optionalScopes, scopes } from '../../../../src/slack/app/manifest.ts';
import { describeMissingGrant } from '../../../../src/slack/features/home/home.ts';

it('the scopes that are missing are those that the app cannot do without', () => {
  const left = missingScopes(Object.keys(scopes));
  assert.deepEqual(left.scopes, []);
  assert.deepEqual(Object.fromEntries(left.optional.map(({ scope, use }) => [scope, use])), optionalScopes);
  assert.equal(describeMissingGrant(left), undefined, 'the settings show what was left out');
  assert.deepEqual(missingScopes([...Object.keys(scopes), ...Object.keys(optionalScopes)]), {
    scopes: [],
    optional: [],
  });
  const without = Object.keys(scopes).filter((scope) => scope !== 'files:write');
  assert.deepEqual(missingScopes(without).scopes, [{ scope: 'files:write', use: scopes['files:write'] }]);
});

it('an admin is told what is missing, and where to reinstall', () => {
  const missing = missingScopes([]);
  const installAddress = new URL('https://s.example.com/slack/install');
  const byPage = describeMissingGrant({ ...missing, installAddress })?.source ?? '';
  assert.match(byPage, /missing Slack permissions/);
  for (const { scope, use } of missing.scopes) {
    assert.ok(byPage.includes(`• \`${scope}\`: ${use}`));
  }
  assert.ok(
    byPage.includes('<https://s.example.com/slack/install|Reinstall Switchboard>. Everything is kept.'),
  );
  const ending = describeMissingGrant({
    scopes: [],
    optional: [],
    endsAt: new Date('2026-11-22T12:00:00Z'),
  })?.source;
  assert.ok(ending);
  assert.match(ending, /loses access to Slack\* <!date.*api\.slack\.com\/apps/s);
  assert.doesNotMatch(ending, /missing Slack permissions/);
});
