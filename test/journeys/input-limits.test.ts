import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { compose } from '../support/campaigns.ts';
import { addPhonebook } from '../support/contacts.ts';
import type { Person } from '../support/person.ts';
import { startWorkbench, type Workbench } from '../support/workbench.ts';

const rows = '\n08050000010,Ada\n08050000020,Ben';
const columns = Array.from({ length: 501 }, (_, index) => `column ${index}`);
const files: Record<string, { content: string; words: RegExp }> = {
  'a cell that is longer than any number, name or message': {
    content: `Phone,Name${rows}\n08050000030,${'('.repeat(2001)}`,
    words: /^Line 4 has a cell of more than 2,000 characters: shorten it, or leave its column out\.$/,
  },
  'more columns than any list has': {
    content: `Phone,${columns.join(',')}${rows}`,
    words: /^Line 1 has more than 500 columns: leave out those that are not needed\.$/,
  },
  'a row that does not end': {
    content: `Phone,Name${rows}\n${','.repeat(200_000)}`,
    words: /^The file cannot be read from line 4 on: .* more than 100,000 characters\.$/,
  },
};

/** Opens the form wherever a file with numbers is asked for; gives who does, and the name of the field. */
const forms: Record<string, (bench: Workbench) => Promise<[Person, string]>> = {
  async 'a campaign'({ ada }) {
    await compose(ada, { file: 'Name\nAda' });
    return [ada, 'File'];
  },
  async 'a Do-Not-Disturb check'({ ada }) {
    await ada.types('/dnd-check');
    return [ada, 'Or a CSV file'];
  },
  async 'an upload of contacts'(bench) {
    await addPhonebook(bench);
    await bench.ada.types('/contacts', 'upload');
    return [bench.ada, 'File'];
  },
  async 'an import of numbers that want no messages'({ grace }) {
    await grace.types('/sms', 'do-not-contact');
    await grace.presses('Import a CSV');
    return [grace, 'File'];
  },
};

describe('a file beyond what is read says where, and what to do, beside its field', () => {
  for (const [where, open] of Object.entries(forms)) {
    it(`in ${where}`, async (test) => {
      const bench = await startWorkbench(test);
      await bench.connect();
      const [person, label] = await open(bench);
      for (const [what, { content, words }] of Object.entries(files)) {
        await person.drops(label, 'list.csv', content);
        await person.submits();
        assert.match(person.errorBeside(label) ?? '', words, what);
      }
    });
  }
});

describe('what is typed beyond what is read', () => {
  it('is refused as a whole, and nothing is done', async (test) => {
    const { ada, provider, connect } = await startWorkbench(test);
    await connect();
    await ada.types('/dnd-check', '0803 123 4567 '.repeat(1_500));
    await ada.sees('This is too long for a command: up to 20,000 characters. Nothing was done.');
    assert.ok(provider.arrivals.every(({ path }) => path !== '/api/check/dnd'));
  });

  it('is said of a message that a shortcut is used on, with the numbers at its beginning', async (test) => {
    const { ada, grace, connect } = await startWorkbench(test);
    await connect();
    const message = await grace.says(`Call 0803 123 0045 ${'at once '.repeat(2_500)}`);
    await ada.uses('Check numbers', message);
    await ada.sees(
      /The message is very long: these are the numbers at its beginning\.[\s\S]*234 803 123 0045/,
    );
  });
});
