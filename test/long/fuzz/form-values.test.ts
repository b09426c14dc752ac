import assert from 'node:assert/strict';
import { test } from 'node:test';
import { commands } from '../../../src/slack/app/manifest.ts';
import { disconnectAction } from '../../../src/slack/features/settings/connection.ts';
import { everyListener } from '../../support/app/registered-listeners.ts';
import { startTestApp } from '../../support/app/test-app.ts';
import { createForms } from '../../support/forms/form-setup.ts';
import { noteForms, pressEverything } from '../../support/forms/open-forms.ts';
import { walkForms } from '../../support/forms/walk.ts';
import { patientTimers } from '../../support/hurried-timers.ts';
import { unlimited } from '../../support/limits.ts';
import { replyEnv } from '../../support/reports/reply-steps.ts';
import { everySeed, sizeOf } from '../../support/sizes.ts';

const count = sizeOf('payloads of forms');

/** Forms that nothing leads to here, with why. */
const notOpened: Readonly<Record<string, string>> = {
  campaign_runs: 'asked only after a restore, see test/journeys/restored-runs.test.ts',
  report_secret: 'shown only where the provider signs reports with a secret of their own',
};

test(`${count.toLocaleString('en')} odd payloads of every field of every form end in no “Something went wrong”`, async (t) => {
  const seed = everySeed;
  t.diagnostic(`seed ${seed}`);
  const testApp = await startTestApp(t, {
    patience: 30_000,
    timers: patientTimers,
    env: replyEnv,
    limits: { numbers: unlimited('messages', 'codes', 'lookups', 'purchases') },
  });
  const { app, grace } = testApp;
  const notes = noteForms(testApp, grace);
  await createForms(testApp);
  await pressEverything(testApp, grace, {
    commands: [
      ...commands.map(({ name }) => [`/${name}`, ''] as const),
      ...['template', 'bulk list', 'bulk', 'history', 'do-not-contact'].map(
        (text) => ['/sms', text] as const,
      ),
      ...[['/esim', 'plans Kenya local'] as const, ['/esim', 'status'] as const],
      ...[
        ['/contacts', 'add'] as const,
        ['/contacts', 'upload'] as const,
        ['/sender-id', 'request'] as const,
      ],
    ],
    except: [disconnectAction],
  });
  const forms = notes();
  const opened = new Set(forms.map(({ name }) => name));
  const registered = everyListener(app()).flatMap(({ kind, name }) => (kind === 'submission' ? [name] : []));
  assert.deepEqual(
    registered.filter((name) => !opened.has(name) && notOpened[name] === undefined),
    [],
    'registered, and not opened',
  );
  await walkForms(testApp, grace, { forms, count, seed });
});
