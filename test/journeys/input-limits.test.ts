import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { joinTestApp } from '../support/app/shared-app.ts';
import { startTestApp } from '../support/app/test-app.ts';
import type { TestWorkspace } from '../support/app/test-workspace.ts';
import { compose } from '../support/campaigns.ts';
import { patientTimers } from '../support/hurried-timers.ts';
import { sampled } from '../support/sizes.ts';
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
    content: `Phone,Name${rows}\n${','.repeat(400_000)}`,
    words: /^The file can’t be read from line 4 on: .* more than 100,000 characters\.$/,
  },
};

/** Slightly more bytes than a row may have. */
const endless = 310_000;
const unreadable = (line: number) =>
  new RegExp(
    `^The file can’t be read from line ${line} on: a quotation mark may not be closed, or the line has more`,
  );
const wide = (cell: string, count: number) =>
  `Phone,Name${rows}\n08050000030,${Array(count).fill(cell).join(',')}\n`;

/** Files that would fill the memory, each cut off where it has to be refused at the latest. */
const evilFiles: Record<string, { content: string | Uint8Array; words: RegExp }> = {
  ...files,
  'line feeds in quotes': {
    content: `Phone,Name${rows}\n08050000030,"${'\n'.repeat(endless)}`,
    words: unreadable(4),
  },
  'a quote that is never closed': {
    content: `Phone,Name${rows}\n08050000030,"Ada${rows.repeat(endless / rows.length)}`,
    words: unreadable(4),
  },
  'one line': { content: '08050000030,'.repeat(endless / 10), words: unreadable(1) },
  '500 columns, longer than a row may be': {
    content: wide('x'.repeat(205), 490),
    words: /^Line 4 has more than 100,000 characters\. Remove the columns you don’t need\.$/,
  },
  NULs: {
    content: `Phone,Name${rows}\n${'\0'.repeat(endless)}`,
    words: /^This is not a text file: see line 4\. Save the list as CSV and upload that file\.$/,
  },
  'UTF-16 that ends nowhere': {
    content: Buffer.from(`\uFEFFPhone,Name${rows}\n${'ọ'.repeat(endless / 2)}`, 'utf16le'),
    words: unreadable(4),
  },
  'two million rows that are empty': {
    content: `Phone\n08050000030\n${'\n'.repeat(2_000_000)}`,
    words:
      /^The file has more than (?:1,000,000 .*: line 1000002 |100,000 .*: line 100002 )|^This file is too large: up to 2 MB\./,
  },
};

/** The widest rows allowed, in the encoding that takes the most bytes. */
const widest = Buffer.from(
  `\uFEFF${['Phone', ...Array(49).fill('Note')].join(',')}\n08050000030,${Array(49).fill('ọ'.repeat(2_000)).join(',')}\n`,
  'utf16le',
);

interface FileForm {
  /** Opens the form. Resolves with the person and the label of the field. */
  open(testApp: TestWorkspace): Promise<[SlackUser, string]>;
  /** The title shown once the file was read. */
  shown: string;
}

/** The forms that accept a file of numbers, by the module that reads it. */
const forms: Record<string, FileForm> = {
  'campaigns/import.ts': {
    async open({ ada }) {
      await compose(ada, { file: 'Name\nAda' });
      return [ada, 'File'];
    },
    shown: 'Campaign review',
  },
  'numbers/dnd-check.ts': {
    async open({ ada }) {
      await ada.types('/dnd-check');
      return [ada, 'Or a CSV file'];
    },
    shown: 'Do-Not-Disturb check',
  },
  'contacts/upload.ts': {
    async open(testApp) {
      await addPhonebook(testApp);
      await testApp.ada.types('/contacts', 'upload');
      return [testApp.ada, 'File'];
    },
    shown: 'Upload review',
  },
  'suppression-list/forms.ts': {
    async open({ grace }) {
      await grace.types('/sms', 'do-not-contact');
      await grace.presses('Import a CSV');
      return [grace, 'File'];
    },
    shown: 'Do-not-contact list',
  },
};

describe('a file that would fill the memory is refused beside its field, with the line and the reason', () => {
  it('in every form that takes a file', () => {
    const features = new URL('../../src/slack/features/', import.meta.url);
    const readers = readdirSync(features, { recursive: true, encoding: 'utf8' }).filter(
      (path) =>
        path.endsWith('.ts') &&
        /\b(?:readDroppedFile|streamDroppedFile)\(/.test(readFileSync(new URL(path, features), 'utf8')),
    );
    assert.deepEqual(readers.sort(), Object.keys(forms).sort());
  });

  for (const [index, [where, { open, shown }]] of Object.entries(forms).entries()) {
    const evils = Object.entries(evilFiles);
    it(`by ${where}, which sends, checks and keeps nothing of it`, async (test) => {
      const testApp = await startTestApp(test, { timers: patientTimers, patience: 30_000 });
      await testApp.connect();
      const [person, label] = await open(testApp);
      const before = testApp.provider.arrivals.length;
      for (const [what, { content, words }] of index === 0 ? evils : sampled(evils)) {
        await person.drops(label, 'list.csv', content);
        await person.submits();
        assert.match(person.errorBeside(label) ?? '', words, what);
      }
      assert.equal(testApp.provider.arrivals.length, before);
      await person.drops(label, 'list.csv', widest);
      await person.submits();
      await person.seesModal(shown);
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
