import { it } from 'node:test';
import { joinTestApp } from '../support/app/shared-app.ts';
import { compose } from '../support/campaigns.ts';
import { noteForms } from '../support/forms/open-forms.ts';
import { walkForms } from '../support/forms/walk.ts';
import { createTemplate } from '../support/slack/template-steps.ts';

// Every form, with 2,000 payloads: test/long/fuzz/form-values.test.ts.
it('odd payloads of the forms for audiences, templates and repeats are read, or answered beside their field', async (test) => {
  const testApp = await joinTestApp(test);
  const { grace, connect } = testApp;
  await connect();
  const notes = noteForms(testApp, grace);
  await createTemplate(grace);
  await compose(grace, { pasted: '+2348051234500', name: 'Weekly harvest' });
  await grace.seesModal('Campaign review');
  await grace.fills('Start', 'Repeat');
  await grace.fills('Date', '2100-01-01');
  await grace.fills('Until', '2100-02-01');
  await grace.types('/sms', 'bulk');
  await grace.seesModal('New campaign');
  await grace.fills('To', 'Recipients of an earlier campaign');
  const forms = notes();
  await walkForms(testApp, grace, { forms, count: 100, seed: 45 });
});
