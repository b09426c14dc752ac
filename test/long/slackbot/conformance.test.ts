import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { section } from '../../../src/slack/block-kit/build.ts';
import { mrkdwn } from '../../../src/slack/block-kit/text.ts';
import { UserError } from '../../../src/slack/middleware/errors.ts';
import { defineTool } from '../../../src/slack/middleware/router/tool.ts';
import { startTestApp } from '../../support/app/test-app.ts';
import { startSigningProxy } from '../../support/slack/signing-proxy.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

/** What of the suite is of no use to a server without sessions that has tools only, and why. */
const skipped = {
  'it declares no log, and a client sets no level': ['logging-set-level', 'tools-call-with-logging'],
  'it completes nothing': ['completion-complete'],
  'it has no resources': [
    'resources-list',
    'resources-read-text',
    'resources-read-binary',
    'resources-templates-read',
    'resources-subscribe',
    'resources-unsubscribe',
  ],
  'it has no prompts': [
    'prompts-list',
    'prompts-get-simple',
    'prompts-get-with-args',
    'prompts-get-embedded-resource',
    'prompts-get-with-image',
  ],
  'its tools answer with text, and blocks beside it': [
    'tools-call-image',
    'tools-call-audio',
    'tools-call-embedded-resource',
    'tools-call-mixed-content',
  ],
  'it asks the client for nothing, and tells of no progress: each request has one answer': [
    'tools-call-with-progress',
    'tools-call-sampling',
    'tools-call-elicitation',
    'elicitation-sep1034-defaults',
    'elicitation-sep1330-enums',
  ],
  'it has no sessions, so no stream goes on elsewhere': ['server-sse-polling', 'server-sse-multiple-streams'],
  'its schemas are those of zod, without definitions': ['json-schema-2020-12'],
  'a signature, not the name of a host, proves who asks': ['dns-rebinding-protection'],
};

const suite = fileURLToPath(
  new URL('../../../node_modules/@modelcontextprotocol/conformance/dist/index.js', import.meta.url),
);

it('does what the conformance suite of the protocol asks of it', async (test) => {
  const shared = { title: 'Test', description: 'A test', needs: 'use', readOnly: true } as const;
  const testApp = await startTestApp(test, {
    register(router) {
      router.tool(
        defineTool({
          ...shared,
          name: 'test_simple_text',
          input: z.object({}),
          run: async () => [section(mrkdwn`This is a simple text response for testing.`)],
        }),
      );
      router.tool(
        defineTool({
          ...shared,
          name: 'test_error_handling',
          input: z.object({}),
          run: async () => {
            throw new UserError(mrkdwn`This tool intentionally returns an error for testing`);
          },
        }),
      );
    },
  });
  const url = await startSigningProxy(test, {
    to: testApp.url(),
    secret: testApp.env.SLACK_SIGNING_SECRET ?? '',
    identity: { user_id: 'U0AGENT', team_id: testApp.teamId },
  });
  const baseline = join(temporaryFolder(test), 'skipped.yml');
  const names = Object.values(skipped).flat();
  writeFileSync(baseline, ['server:', ...names.map((name) => `  - ${name}`)].join('\n'));
  for (const [reason, those] of Object.entries(skipped)) {
    test.diagnostic(`skipped, as ${reason}: ${those.join(', ')}`);
  }

  const args = [suite, 'server', '--url', `${url}/mcp`, '--suite', 'all', '--expected-failures', baseline];
  const { promise, resolve } = Promise.withResolvers<{ code: unknown; output: string }>();
  execFile(process.execPath, args, (error, stdout) => resolve({ code: error?.code ?? 0, output: stdout }));
  const { code, output } = await promise;
  assert.equal(code, 0, output);
  const passed = [...output.matchAll(/^✓ ([\w-]+): [1-9]/gm)].map(([, name]) => name);
  assert.deepEqual(passed.sort(), [
    'ping',
    'server-initialize',
    'tools-call-error',
    'tools-call-simple-text',
    'tools-list',
  ]);
});
