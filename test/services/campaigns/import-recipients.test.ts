import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import type { ReadingReview } from '../../../src/domain/csv/number-table.ts';
import type { ChosenReading } from '../../../src/domain/csv/table-reading.ts';
import { phoneNumberSchema } from '../../../src/domain/phone/phone-number.ts';
import type { CampaignImport } from '../../../src/services/campaigns/import/campaign-imports.ts';
import type { ImportRequest } from '../../../src/services/campaigns/import/import-recipients.ts';
import type { RecipientSource } from '../../../src/services/campaigns/import/recipient-sources.ts';
import type { CampaignReview } from '../../../src/services/campaigns/preflight/preflight.ts';
import {
  asSeen,
  by,
  campaignHarness,
  createdBy,
  startOf,
  workspaceId,
} from '../../support/campaign-harness.ts';
import { linesOf } from '../../support/read-lines.ts';
import { reasonOf } from '../../support/refusals.ts';
import { manyNumbers } from '../../support/slack/number-files.ts';

const text = 'Hello, we open at nine';
const personal = 'Hello {{first_name|there}}';
const harness = await campaignHarness({ after });
let made = 0;

describe('a list of recipients', () => {
  const table = 'Phone,First Name,City\n0803 123 4567,Ada,Kano\n08051234567,Bayo,Jos\n';

  it('is read again from another column', async () => {
    const content = 'Mobile,Phone of a relative\n08031234567,08051234567\n08031234568,08051234567';
    const id = newId();
    const first = await ready({ id, content });
    assert.equal(first.readingReview?.reading.column, 0);
    const shownVersion = first.campaign.version;
    const again = await ready({ id, content, reading: { titleLine: 1, column: 1 }, shownVersion });
    assert.equal(again.readingReview?.reading.column, 1);
    assert.deepEqual([again.campaign.counts.recipients, again.campaign.counts.duplicates], [1, 1]);
    assert.equal((await recent()).filter((campaign) => campaign.id === id).length, 1);
  });

  it('has another version in another reading, even of the same numbers', async () => {
    const content = 'Mobile,Copy\n08031234567,08031234567';
    const versionOf = async (column: number) =>
      (await ready({ content, reading: { titleLine: 1, column } })).campaign.version.split('.');
    const [first, again, other] = [await versionOf(0), await versionOf(0), await versionOf(1)];
    assert.deepEqual(first, again);
    assert.notEqual(first[3], other[3]);
    assert.deepEqual(first.toSpliced(3, 1), other.toSpliced(3, 1));
  });

  it('is read only a few rows ahead of what is written, where its rows are long', async () => {
    let [made, written, most] = [0, 0, 0];
    async function* open() {
      yield Buffer.from(`Phone,${Array.from({ length: 49 }, (_, index) => `Note ${index}`).join(',')}\n`);
      for (const number of manyNumbers(30)) {
        made += 1;
        most = Math.max(most, made - written);
        yield Buffer.from(`${number},${Array(49).fill('x'.repeat(2_000)).join(',')}\n`);
      }
    }
    const onProgress = (rows: number) => {
      written = rows;
    };
    const source = { kind: 'file', id: 'F1', name: 'wide.csv', open } as const;
    const { campaign } = await ready({ source, onProgress });
    assert.equal(campaign.counts.recipients, 30);
    assert.ok(most <= 10, `${most} rows of 100 kB were in memory`);
  });

  it('leaves out numbers on the do-not-contact list', async () => {
    const { suppressionList: doNotContact } = harness.services;
    const numbers = [phoneNumberSchema.parse('+2348091234567')];
    await doNotContact.add({ workspaceId, userId: createdBy, numbers });
    const { campaign } = await ready({ content: 'Phone\n0809 123 4567\n0809 123 4568\n08091234567' });
    assert.deepEqual([campaign.counts.recipients, campaign.counts.suppressed], [1, 2]);
    await refused(
      { content: 'Phone\n08091234567' },
      { recipients: /No recipients left: 1 on the do-not-contact list\./ },
    );
  });

  it('rejects rows whose text needs Unicode if that cannot be sent', async () => {
    const content = 'Phone,First Name\n08031234567,Ada\n08031234568,Bayọ\n';
    const { campaign } = await ready({ content, text: personal });
    assert.equal(campaign.counts.recipients, 1);
    assert.match((await leftOut(campaign.id)).join(), /^3,08031234568,Bayọ,.*can’t be sent: ọ/);
  });

  it('has cells with signs of phones and spreadsheets replaced by plain text if the form says so', async () => {
    const content = 'Phone,Sum\n08031234567,₦500\n08031234568,20\n08031234569,₦5 ọ\n';
    const asked = { content, text: 'You owe {{sum}}' };
    const { campaign } = await ready(asked);
    assert.equal(campaign.counts.recipients, 1);
    assert.deepEqual(campaign.invalidByProblem, { replaceable_characters: 1, accented_letters: 1 });
    const plain = await ready({ ...asked, form: { plainCells: true } });
    assert.deepEqual(
      plain.examples.map((example) => example.text),
      ['You owe NGN 500', 'You owe 20'],
    );
    const all = await read({ content: 'Phone,Sum\n08031234567,₦500', text: 'You owe {{sum}}' });
    assert.ok(all.kind === 'faults' && all.isReplaceable);
  });

  it('is sent without accents if the form says so, and its pages are counted then', async () => {
    const name = 'Ọláyínká';
    const content = `Phone,Họ Tên,Site\n08031234567,${name},palm.ng\n08031234568,Ada 😀,palm.ng\n08031234569,${name},palm.ng/á\n`;
    const text = `Ẹ kú àárọ̀ {{Họ Tên}}, https://{{site}} ${'.'.repeat(60)}`;
    const asked = { content, text };
    const refused = await read(asked);
    assert.ok(refused.kind === 'faults' && refused.faults.text?.startsWith('Remove or replace'));
    const { campaign, examples } = await ready({ ...asked, form: { withoutAccents: true } });
    assert.deepEqual(campaign.invalidByProblem, { replaceable_characters: 1, unsendable_characters: 1 });
    assert.match(examples[0]?.text ?? '', /^E ku aaro Olayinka, https:\/\/palm\.ng \.+$/);
    assert.equal(campaign.text, `E ku aaro {{Họ Tên}}, https://{{site}} ${'.'.repeat(60)}`);
    assert.deepEqual(campaign.counts.pages, 2, 'because of //');
  });

  it('counts pages for each recipient', async () => {
    const long = 'a'.repeat(200);
    const content = `Phone,First Name\n08031234567,Ada\n08031234568,${long}\n`;
    const { counts } = (await ready({ content, text: personal })).campaign;
    assert.deepEqual([counts.fewestPages, counts.mostPages, counts.pages], [1, 2, 3]);
    const shared = (await ready({ content, text: long })).campaign.counts;
    assert.deepEqual([shared.fewestPages, shared.mostPages, shared.pages], [2, 2, 4]);
  });

  it('is read from any pasted text', async () => {
    const pasted = 'Ada: 0803 123 4567, 08051234567\n+234 809 765 4321\nnobody';
    const { campaign, readingReview } = await ready({ source: { kind: 'pasted', text: pasted } });
    assert.deepEqual([campaign.counts.recipients, readingReview], [3, undefined]);
    assert.deepEqual(await leftOut(campaign.id), ['3,nobody,is not a number']);
  });

  it('is read from cells pasted from a spreadsheet, with their columns', async () => {
    const pasted = table.replaceAll(',', '\t');
    const { examples, readingReview } = await ready({
      source: { kind: 'pasted', text: pasted },
      text: personal,
    });
    assert.equal(examples[0]?.text, 'Hello Ada');
    assert.equal(readingReview?.reading.column, 0);
  });

  it('is read from a phonebook of several pages, with its names', async () => {
    const book = { kind: 'phonebook', id: '64c07f1e9d2b5a8813e4f0a1', name: 'Loyal customers' } as const;
    const account = await harness.services.workspaces.account(workspaceId);
    await account?.phonebooks.addContact({
      phonebookId: book.id,
      phoneNumber: '2348031119999',
      firstName: 'Ada',
    });
    const { campaign, readingReview } = await ready({ source: book, text: personal });
    assert.deepEqual(
      [campaign.name, campaign.counts.recipients, readingReview],
      ['Loyal customers', 19, undefined],
    );
    const texts = new Map<string, string | undefined>();
    for await (const { to, text } of harness.store.campaigns.chunks(workspaceId, campaign.id, ['waiting'])) {
      texts.set(to.join(), text);
    }
    assert.equal(texts.size, 19);
    assert.equal(texts.get('+2348031119999'), 'Hello Ada');
    assert.equal([...texts.values()].filter((sent) => sent === 'Hello there').length, 18);
    await refused({ source: { ...book, id: 'no-such-book' } }, { recipients: /couldn’t find this/ });
  });
});

describe('an error in the form of a campaign', () => {
  const content = 'Phone,First Name\n08031234567,Ada';

  it('is beside the text for a column that the list does not have', async () => {
    await refused(
      { content, text: 'Hello {{name}} of {{town}}' },
      {
        text: /^\{\{name\}\}, \{\{town\}\} are not columns of the list\. Columns: \{\{phone\}\}, \{\{first_name\}\}\.$/,
      },
    );
    await refused(
      { source: { kind: 'pasted', text: '08031234567' }, text: personal },
      { text: /^\{\{first_name\}\} is not a column of the list\. Pasted numbers have no columns\.$/ },
    );
  });

  it('is shown for a file that cannot be read to its end, of which nothing is stored', async () => {
    await refused({ content: 'PK\u0003\u0004sheet' }, { recipients: /spreadsheet, not CSV/ });
    await refused({ content: '' }, { recipients: /empty/ });
    await refused({ content, reading: { column: 7 } }, { recipients: /no column 8/ });
    const id = newId();
    const rows = manyNumbers(900).map((number) => `${number},Ada`);
    const broken = ['Phone,Name', ...rows, '08031234567,"Ada'].join('\n');
    await refused({ id, content: broken }, { recipients: /line 902 .*quotation mark/ });
    assert.equal(await harness.services.campaigns.find(by('creator', id), id), undefined);
    const { db } = harness.store;
    const entries = await db.selectFrom('auditEntry').select('action').where('subject', '=', id).execute();
    assert.deepEqual(entries, [], 'no draft is discarded that nobody saw');
    assert.equal((await ready({ id, content })).campaign.counts.recipients, 1);
  });

  it('is shown for a file with more than a million rows before any of them is read', async () => {
    const content = Buffer.from('08031234567\n'.repeat(1_000_002));
    let opened = 0;
    async function* open() {
      opened += 1;
      yield content;
    }
    const source = { kind: 'file', id: 'F2', name: 'list.csv', size: content.length, open } as const;
    await refused(
      { source },
      { recipients: /^The file has more than 1,000,000 rows, empty rows included: line 1000002 / },
    );
    assert.equal(opened, 1);
  });

  it('is not shown for a text that is too long with the values of one row: that row is rejected', async () => {
    const text = '{{note}}'.repeat(3);
    const rows = `08031234567,${'a'.repeat(1666)}\n08031234568,${'a'.repeat(1667)}\n`;
    const { campaign } = await ready({ content: `Phone,Note\n${rows}`, text });
    assert.equal(campaign.counts.recipients, 1);
    assert.match(
      (await leftOut(campaign.id)).join(),
      /^3,08031234568,a+,"?would get more than 5,000 characters/,
    );
  });

  it('is shown for a phonebook that the provider does not return to its end', async () => {
    const operation = 'phonebooks.contacts';
    const source = { kind: 'phonebook', id: '64c07f1e9d2b5a8813e4f0a1', name: 'Loyal customers' } as const;
    harness.provider.orderFault({ operation, fault: { kind: 'reshape', body: (answer) => answer } });
    const fault = { kind: 'status', status: 503 } as const;
    const faults = harness.provider.orderFault({ operation, fault, times: Infinity });
    await refused({ source }, { recipients: /had an error/ });
    faults.cancel();
    await ready({ source });
  });

  it('is shown if no key is connected', async () => {
    const reading = read({ content, workspaceId: 'T0NEW' });
    assert.deepEqual(await reasonOf(reading), { kind: 'not_connected' });
  });
});

describe('an imported campaign', () => {
  const content = 'Phone,First Name\n08031234567,Ada\n08051234567,Bayo';

  it('has the values of the first form when two are submitted at the same time, and the other is told', async () => {
    const id = newId();
    const [, second] = await Promise.all([
      read({ id, content, text: 'First' }),
      read({ id, content, text: 'Second' }),
    ]);
    assert.match(JSON.stringify(second), /This draft has changed since you opened the form/);
    const review = await harness.services.campaigns.review(workspaceId, id, createdBy);
    assert.deepEqual([review?.campaign.text, review?.campaign.counts.recipients], ['First', 2]);
  });

  it('is not replaced by a form that shows an earlier version of it', async () => {
    const { campaign: first } = await ready({ content });
    const { id, version: shownVersion } = first;
    const { campaign: edited } = await ready({ id, content, shownVersion, text: 'From the other window' });
    const late = await read({ id, content, shownVersion, text: 'From this window' });
    assert.match(JSON.stringify(late), /This draft has changed since you opened the form/);
    const review = await harness.services.campaigns.review(workspaceId, id, createdBy);
    assert.deepEqual(review?.campaign, edited);
  });

  it('does not change when its form is submitted again after the start', async () => {
    const { campaign } = await ready({ content });
    await harness.services.campaigns.start(await asSeen(harness.services.campaigns, startOf(campaign.id)));
    const again = await read({ id: campaign.id, content, text: 'Something else' });
    assert.ok(again.kind === 'started');
    assert.deepEqual([again.campaign.state, again.campaign.text], ['running', text]);
  });

  it('can be started while its form is read again, which then takes no place', async () => {
    const { campaigns } = harness.services;
    const { campaign } = await ready({ content });
    const [begun, sent] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    async function* open() {
      begun.resolve();
      await sent.promise;
      yield* piecesOf(content);
    }
    const source = { kind: 'file', id: 'another', name: 'list.csv', open } as const;
    const { id, version: shownVersion } = campaign;
    const reading = read({ id, shownVersion, source, text: 'Something else' });
    await begun.promise;
    const started = await campaigns.start(await asSeen(campaigns, startOf(campaign.id)));
    sent.resolve();
    assert.ok(started.kind === 'started' && started.campaign.text === text);
    const ended = await reading;
    assert.ok(ended.kind === 'started' && ended.campaign.text === text);
    assert.equal((await recent()).filter(({ text }) => text === 'Something else').length, 0);
  });

  it('reports how many rows have been read', async () => {
    const counts: number[] = [];
    await ready({ content: manyNumbers(2_000).join('\n'), onProgress: (rows) => counts.push(rows) });
    assert.ok(counts.length > 2);
    assert.deepEqual(
      counts,
      counts.toSorted((one, other) => one - other),
    );
    assert.equal(counts.at(-1), 2_000);
  });
});

interface Asked {
  id?: string;
  workspaceId?: string;
  source?: RecipientSource;
  content?: string | Uint8Array;
  text?: string;
  form?: Partial<ImportRequest['form']>;
  reading?: ChosenReading;
  shownVersion?: string;
  onProgress?: (rows: number) => void;
}

function newId(): string {
  made += 1;
  return `campaign-${made}`;
}

function read({ content = '', form, text: ownText = text, ...asked }: Asked): Promise<CampaignImport> {
  const id = newId();
  return harness.services.campaigns.importRecipients({
    workspaceId,
    userId: createdBy,
    id,
    source: { kind: 'file', id, name: 'list.csv', open: () => piecesOf(content) },
    form: { text: ownText, route: 'dnd', senderId: 'PalmMarket', ...form },
    ...asked,
  });
}

async function ready(asked: Asked): Promise<CampaignReview & { readingReview: ReadingReview | undefined }> {
  const reading = await read(asked);
  assert.ok(reading.kind === 'ready', JSON.stringify(reading));
  return { ...reading.review, readingReview: reading.readingReview };
}

/** Asserts that the form is refused for exactly these fields. */
async function refused(asked: Asked, faults: Record<string, RegExp>): Promise<void> {
  const reading = await read(asked);
  assert.ok(reading.kind === 'faults', JSON.stringify(reading));
  assert.deepEqual(Object.keys(reading.faults).sort(), Object.keys(faults).sort());
  for (const [field, fault] of Object.entries(reading.faults)) {
    assert.match(fault, faults[field] ?? /^$/);
  }
}

/** Yields the content in pieces, split anywhere. */
async function* piecesOf(content: string | Uint8Array): AsyncGenerator<Uint8Array> {
  const bytes = Buffer.from(content);
  for (let at = 0; at < bytes.length; at += 1_001) {
    yield bytes.subarray(at, at + 1_001);
  }
}

async function leftOut(id: string): Promise<string[]> {
  const [, ...lines] = await linesOf(
    harness.services.campaigns.resultTable({ ...by('creator', id), which: 'invalid' }),
  );
  return lines;
}

const recent = () => harness.services.campaigns.listRecent({ workspaceId, userId: createdBy, limit: 100 });
