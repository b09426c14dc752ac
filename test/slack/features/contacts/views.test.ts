import assert from 'node:assert/strict';
import { it } from 'node:test';
import { rejectedRowsFile } from '../../../../src/slack/block-kit/descriptions/rejected-rows.ts';
import { contactListView } from '../../../../src/slack/features/contacts/list.ts';
import { uploadReviewView } from '../../../../src/slack/features/contacts/upload.ts';
import { assertSlackAccepts } from '../../../support/slack/assert-slack-accepts.ts';
import { someReview } from '../../../support/slack/example-reviews.ts';
import { number } from '../../../support/slack/example-words.ts';
import { around, position } from '../examples/contacts.ts';

it('80 contacts are listed however long their names, companies and columns', () => {
  const long = '😀'.repeat(2_000);
  const contacts = Array.from({ length: 100 }, (_, index) => ({
    id: `${index}`,
    number: undefined,
    written: long,
    name: long,
    firstName: long,
    lastName: long,
    company: long,
    emailAddress: long,
    columns: [{ key: long, value: long }],
  }));
  const page = { number: 0, last: true, unreadable: [] };
  const view = contactListView({ ...around, list: { kind: 'listed', contacts, page } }, position);
  assertSlackAccepts(view);
  assert.equal(JSON.stringify(view).match(/"Open"/g)?.length, 80);
});

it('an upload’s review says how many rejected rows it does not show, which are in a file', () => {
  const rejected = Array.from({ length: 90 }, (_, line) => ({ line, text: 'x', reason: 'is not a number' }));
  const contacts = Array.from({ length: 10_000 }, () => ({ number, details: ['Ada'] }));
  const checked = {
    fileName: 'list.csv',
    phonebook: { id: 'one', name: 'One' },
    country: 'NG' as const,
    table: { numberTitle: 'Phone', titles: ['Name'], contacts, rejected, duplicates: 3, review: someReview },
    isRejectedFileSent: true,
  };
  const view = uploadReviewView(checked, { position, key: 'key' });
  assertSlackAccepts(view);
  assert.match(JSON.stringify(view), /and 40 more, in/);
  assert.ok(rejectedRowsFile(rejected));
});
