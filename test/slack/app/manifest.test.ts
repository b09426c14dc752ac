import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { Ajv } from 'ajv';
import { commands, createManifest, optionalScopes, scopes } from '../../../src/slack/app/manifest.ts';
import { manifestText } from '../../../src/slack/app/manifest-text.ts';

const schemaFile = new URL('../../../../shared/slack/manifest.schema.2.0.0.json', import.meta.url);

describe('the manifest', () => {
  it('in the repository is the one that `npm run manifest` writes', () => {
    const written = readFileSync(new URL('../../../manifest.yml', import.meta.url), 'utf8');
    assert.equal(written, manifestText({ prefix: '' }));
  });

  it('is set up for Socket Mode, or for HTTP with a public address', () => {
    assert.equal(createManifest({ prefix: '' }).settings.socket_mode_enabled, true);
    const { settings, features } = createManifest({ prefix: 'acme-', address: 'https://s.example.com' });
    assert.equal(settings.socket_mode_enabled, false);
    assert.deepEqual(
      features.slash_commands.map(({ command }) => command),
      commands.map(({ name }) => `/acme-${name}`),
    );
    assert.ok(JSON.stringify(features.slash_commands).includes('https://s.example.com/slack/events'));
  });

  it('names the page that an installation leads back to, and serves organizations, with a public address only', () => {
    const local = createManifest({ prefix: '' });
    assert.equal('redirect_urls' in local.oauth_config, false);
    assert.equal(local.settings.org_deploy_enabled, false);
    const { oauth_config, settings } = createManifest({ prefix: '', address: 'https://s.example.com' });
    assert.deepEqual(oauth_config.redirect_urls, ['https://s.example.com/slack/oauth_redirect']);
    assert.equal(settings.org_deploy_enabled, true);
    assert.deepEqual(settings.event_subscriptions.bot_events, [
      'app_home_opened',
      'app_uninstalled',
      'tokens_revoked',
    ]);
  });

  it('names where Slackbot finds the tools, with a public address only', () => {
    assert.equal('mcp_servers' in createManifest({ prefix: '' }), false);
    assert.deepEqual(createManifest({ prefix: '', address: 'https://s.example.com' }).mcp_servers, {
      switchboard: { url: 'https://s.example.com/mcp', auth_type: 'slack_identity_auth' },
    });
    assert.ok('mcp:connect' in optionalScopes);
  });

  it('has rotating tokens only where they are asked for', () => {
    assert.equal(createManifest({ prefix: '' }).settings.token_rotation_enabled, false);
    assert.equal(createManifest({ prefix: '', rotate: true }).settings.token_rotation_enabled, true);
  });

  it('asks for no optional scope that is not among the scopes, and for no other as optional', () => {
    const { bot, bot_optional } = createManifest({ prefix: '' }).oauth_config.scopes;
    assert.deepEqual(bot_optional, Object.keys(optionalScopes));
    assert.deepEqual([...bot].sort(), [...Object.keys(scopes), ...bot_optional].sort());
  });

  it('says nothing of buying eSIMs where that is switched off', () => {
    const esimOf = (esimPurchases?: boolean) =>
      JSON.stringify(createManifest({ prefix: '', esimPurchases }).features.slash_commands);
    assert.match(esimOf(), /top-up/);
    assert.doesNotMatch(esimOf(false), /top-up|top up|create/);
    assert.equal(esimOf(true), esimOf());
  });

  it('matches Slack’s own schema', (test) => {
    if (!existsSync(schemaFile)) {
      test.skip('Slack’s schema is not beside the project');
      return;
    }
    const validate = new Ajv({ strict: false, validateFormats: false }).compile(
      JSON.parse(readFileSync(schemaFile, 'utf8')),
    );
    for (const address of [undefined, 'https://s.example.com']) {
      for (const rotate of [false, true]) {
        const manifest = createManifest({ prefix: '', address, rotate });
        assert.ok(validate(manifest), JSON.stringify(validate.errors));
      }
    }
  });
});
