import { test } from 'node:test';
import { startTestApp } from '../../support/app/test-app.ts';
import { formSettings, showForms } from '../../support/forms/form-setup.ts';
import { noteForms } from '../../support/forms/open-forms.ts';
import { walkForms } from '../../support/forms/walk.ts';
import { everySeed, sizeOf } from '../../support/sizes.ts';

const count = sizeOf('payloads of forms');

test(`${count.toLocaleString('en')} odd payloads of every field of every form end in no “Something went wrong”`, async (t) => {
  const seed = everySeed;
  t.diagnostic(`seed ${seed}`);
  const testApp = await startTestApp(t, {
    ...formSettings,
    patience: 30_000,
  });
  const { grace } = testApp;
  const notes = noteForms(testApp, grace);
  // A list leads to one of its rows only, each time.
  await showForms(testApp, 8);
  const forms = notes();
  await walkForms(testApp, grace, { forms, count, seed });
});
