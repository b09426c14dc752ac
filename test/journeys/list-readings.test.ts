import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { joinTestApp } from '../support/app/shared-app.ts';
import { startTestApp } from '../support/app/test-app.ts';
import { compose, reached, start } from '../support/campaigns.ts';
import { addPhonebook } from '../support/slack/phonebook-steps.ts';
import { wordsOf } from '../support/slack/slack-user.ts';

const fast = { env: { CAMPAIGN_MESSAGES_PER_SECOND: '10000' } };

/** Two rows of headings, and account numbers that look like mobile ones. */
const misread = [
  'Member,Phone and savings,',
  'Who,Savings,Line',
  'Ada Obi,8055550010,08050000010',
  'Bola Ojo,8055550020,08050000020',
].join('\n');

describe('how a list is read', () => {
  it('is asked before anything can be sent, corrected in the review, and kept over a restart', async (test) => {
    const { ada, provider, connect, restart } = await startTestApp(test, fast);
    await connect();
    await compose(ada, { file: misread, text: 'Hello {{who|there}}' });
    await ada.seesModal('Import failed', /\{\{who\}\} is not a column[\s\S]*First row is the header: Member/);
    await ada.chooses('Header row', 'Row 2 is the header');
    const asked = await ada.seesModal('Campaign review', 'Use the numbers in Savings, such as 8055550010?');
    assert.equal(asked.view.submit, undefined);
    assert.match(wordsOf(asked.view), /Row 3: \*8055550010\* · Ada Obi[\s\S]*Rows above row 2 aren’t read/);
    await restart();
    await ada.types('/sms', 'bulk list');
    await ada.seesModal('Campaigns');
    await ada.presses('Open');
    await ada.seesModal('Campaign review', 'Use the numbers in Savings, such as 8055550010?');
    await ada.chooses('Phone number column', 'Line');
    await ada.seesModal('Campaign review', /Row 3: \*08050000010\*/);
    await start(ada);
    await ada.sees('*Done:* 2 recipients');
    assert.deepEqual(provider.record.map(({ to, text }) => [to[0], text]).sort(), [
      ['2348050000010', 'Hello Ada Obi'],
      ['2348050000020', 'Hello Bola Ojo'],
    ]);
  });

  it('is asked where only words decide that a row has titles, and then may have none', async (test) => {
    const { ada, provider, connect } = await joinTestApp(test, fast);
    await connect();
    await compose(ada, { file: 'Name,,Town\nAda,08050000010,Lagos\nBola,08050000020,Epe' });
    const asked = await ada.seesModal('Campaign review', 'Is row 1 the header row?');
    assert.equal(asked.view.submit, undefined);
    await ada.chooses('Header row', 'No header row');
    await ada.seesModal('Campaign review', /1 row skipped\*: 1 without a phone number[\s\S]*Send/);
    await start(ada);
    await ada.sees('*Done:* 2 recipients');
    assert.deepEqual(reached(provider.record), ['+2348050000010', '+2348050000020']);
  });

  it('is asked where the only numbers are of accounts by their title, and where a plain list may have a heading', async (test) => {
    const { ada, provider, connect } = await joinTestApp(test, fast);
    await connect();
    await compose(ada, { file: 'Name,Account No\nAda,8050000010\nBola,8050000020' });
    const asked = await ada.seesModal(
      'Campaign review',
      'Use the numbers in Account No, such as 8050000010?',
    );
    assert.match(wordsOf(asked.view), /Its header suggests a different kind of number/);
    assert.equal(asked.view.submit, undefined);
    await compose(ada, { file: `Name,Client No\n${'Ada,\n'.repeat(3)}Bola,08050000020` });
    await ada.seesModal('Campaign review', 'Use the numbers in Client No?');
    await compose(ada, { file: 'Support: 08050000090\n08050000030\n08050000040' });
    const heading = await ada.seesModal('Campaign review', 'Is row 1 the header row?* Support: 08050000090');
    assert.equal(heading.view.submit, undefined);
    await ada.chooses('Header row', 'No header row');
    await ada.seesModal('Campaign review', '3 recipients');
    await ada.chooses('Header row', 'First row is the header');
    await ada.seesModal('Campaign review', '2 recipients');
    await start(ada);
    await ada.sees('*Done:* 2 recipients');
    assert.deepEqual(reached(provider.record), ['+2348050000030', '+2348050000040']);
  });

  it('names a number in the titles, which gets no message', async (test) => {
    const { ada, provider, connect } = await joinTestApp(test, fast);
    await connect();
    await compose(ada, {
      file: 'Name,Phone 08050000090,Town\nAda,08050000010,Lagos\nBola,08050000020,Epe',
    });
    await ada.seesModal(
      'Campaign review',
      /Numbers in or above the header row get no message:\* “Phone 08050000090” in row 1/,
    );
    await start(ada);
    await ada.sees('*Done:* 2 recipients');
    assert.deepEqual(reached(provider.record), ['+2348050000010', '+2348050000020']);
  });

  it('is corrected for contacts in the same way', async (test) => {
    const testApp = await joinTestApp(test, fast);
    const { ada, provider } = testApp;
    await addPhonebook(testApp);
    await ada.types('/contacts', 'upload');
    await ada.seesModal('Contact upload');
    await ada.drops('File', 'members.csv', misread);
    await ada.submits();
    const asked = await ada.seesModal('Upload review', 'Use the numbers in Phone and savings');
    assert.equal(asked.view.submit, undefined);
    await ada.chooses('Header row', 'Row 2 is the header');
    await ada.seesModal('Upload review', 'Use the numbers in Savings, such as 8055550010?');
    await ada.chooses('Phone number column', 'Line');
    await ada.seesModal('Upload review', /Numbers: column \*Line\*[\s\S]*Other columns: Who, Savings/);
    await ada.submits();
    await ada.seesModal('Uploaded', '2 contacts');
    const [upload] = provider.arrivals.filter(({ operation }) => operation === 'phonebooks.upload');
    assert.equal(
      upload?.parts?.find(({ name }) => name === 'file')?.content.toString(),
      'phone number,Who,Savings\r\n8050000010,Ada Obi,8055550010\r\n8050000020,Bola Ojo,8055550020\r\n',
    );
  });
});
