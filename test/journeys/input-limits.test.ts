import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { joinTestApp } from '../support/app/shared-app.ts';
import type { TestWorkspace } from '../support/app/test-workspace.ts';
import { compose } from '../support/campaigns.ts';
import { addPhonebook } from '../support/slack/phonebook-steps.ts';
import type { SlackUser } from '../support/slack/slack-user.ts';

const rows = '\n08050000010,Ada\n08050000020,Ben';
const columns = Array.from({ length: 501 }, (_, index) => `column ${index}`);
const files: Record<string, { content: string; words: RegExp }> = {
  'a cell of more than 2,000 characters': {
    content: `Phone,Name${rows}\n08050000030,${'('.repeat(2001)}`,
    words: /^Line 4 has a cell of more than 2,000 characters\. Shorten the cell, or remove its column\.$/,
  },
  'more than 500 columns': {
    content: `Phone,${columns.join(',')}${rows}`,
    words: /^Line 1 has more than 500 columns\. Remove the columns you don’t need\.$/,
  },
  'a row of more than 100,000 characters': {
    content: `Phone,Name${rows}\n${','.repeat(200_000)}`,
    words: /^The file can’t be read from line 4 on: .* more than 100,000 characters\.$/,
  },
};

/** Opens each form that takes a file of numbers; resolves with the person and the label of the field. */
const forms: Record<string, (testApp: TestWorkspace) => Promise<[SlackUser, string]>> = {
  async 'a campaign'({ ada }) {
    await compose(ada, { file: 'Name\nAda' });
    return [ada, 'File'];
  },
  async 'a Do-Not-Disturb check'({ ada }) {
    await ada.types('/dnd-check');
    return [ada, 'Or a CSV file'];
  },
  async 'an upload of contacts'(testApp) {
    await addPhonebook(testApp);
    await testApp.ada.types('/contacts', 'upload');
    return [testApp.ada, 'File'];
  },
  async 'an import into the do-not-contact list'({ grace }) {
    await grace.types('/sms', 'do-not-contact');
    await grace.presses('Import a CSV');
    return [grace, 'File'];
  },
};

describe('a file beyond the limits is refused beside its field, with the line and the remedy', () => {
  for (const [where, open] of Object.entries(forms)) {
    it(`in ${where}`, async (test) => {
      const testApp = await joinTestApp(test);
      await testApp.connect();
      const [person, label] = await open(testApp);
      for (const [what, { content, words }] of Object.entries(files)) {
        await person.drops(label, 'list.csv', content);
        await person.submits();
        assert.match(person.errorBeside(label) ?? '', words, what);
      }
    });
  }
});

describe('text beyond the limits', () => {
  it('is refused whole in a command, and nothing is done', async (test) => {
    const { ada, provider, connect } = await joinTestApp(test);
    await connect();
    await ada.types('/dnd-check', '0803 123 4567 '.repeat(1_500));
    await ada.sees('This is too long for a command: up to 20,000 characters.');
    assert.ok(provider.arrivals.every(({ path }) => path !== '/api/check/dnd'));
  });

  it('is cut in the message of a shortcut, which says so and uses the numbers at its beginning', async (test) => {
    const { ada, grace, connect } = await joinTestApp(test);
    await connect();
    const message = await grace.says(`Call 0803 123 0045 ${'at once '.repeat(2_500)}`);
    await ada.uses('Check numbers', message);
    await ada.sees(
      /The message is very long. These are the numbers at the beginning\.[\s\S]*234 803 123 0045/,
    );
  });
});
