import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { joinTestApp } from '../support/app/shared-app.ts';
import { provided } from '../support/campaigns.ts';
import { replyEnv, switchesOnReplies } from '../support/reports/reply-steps.ts';
import { wordsOf } from '../support/slack/slack-user.ts';
import { review } from '../support/slack/sms-steps.ts';
import { changeTemplate, createTemplate, openTemplate } from '../support/slack/template-steps.ts';

const first = '+2348051234500';
const inMessage = 'Hi there, your order is ready';

describe('a template', () => {
  it('is created with its columns marked, its pages and its cost, and is found by a part of its name', async (test) => {
    const { ada, grace, app, teamId, connect } = await joinTestApp(test);
    await connect();
    await app().services.prices.add(
      { workspaceId: teamId, userId: grace.id },
      { scope: {}, amount: '4 NGN' },
    );
    await ada.types('/sms', 'template');
    await ada.seesModal('Templates', 'No templates yet.');
    await ada.presses('New template');
    await ada.seesModal('New template', 'characters per page');
    await ada.fills('Message', 'Hi {{first_name|there}}, your order {{is ready');
    await ada.fills('Route', 'Transactional (DND)');
    await ada.fills('Sender ID', 'PalmMarket');
    await ada.fills('Name', 'Order ready');
    await ada.submits();
    assert.match(ada.errorBeside('Message') ?? '', /is not closed/);
    await ada.fills('Message', `Hi {{First name|there}}, your {{item}} is ready. ${'Come by. '.repeat(20)}`);
    await ada.seesModal('New template', /Length before names are filled in:\n2 pages · 206 characters/);
    await ada.submits();
    const shown = await ada.seesModal('Template', /Saved\.[\s\S]*\*Order ready\*/);
    const words = wordsOf(shown.view);
    assert.match(words, /From \*PalmMarket\* on the \*Transactional \(DND\)\* route/);
    assert.match(words, /Hi \nfirst_name \| there\n, your \nitem\n is ready\./);
    assert.match(
      words,
      /2 pages, 206 characters before names are filled in\nOne recipient in Nigeria · Cost: about 8 \(4 a page/,
    );
    assert.match(JSON.stringify(shown.view), /"text":"item","style":\{"code":true\}/);
    await ada.closes();
    await ada.closes();
    await createTemplate(ada, { name: 'Shop closed', text: 'We are closed today' });
    await grace.types('/sms', 'template');
    await grace.seesModal('Templates', /Order ready[\s\S]*Shop closed[\s\S]*2 total/);
    await grace.fills('Search templates', 'ORDER');
    const found = await grace.seesModal('Templates', '1 total');
    assert.doesNotMatch(wordsOf(found.view), /Shop closed/);
  });

  it('fills text, route and sender of the form, and leaves the rest', async (test) => {
    const { ada, provider, connect } = await joinTestApp(test);
    await connect();
    await ada.types('/sms');
    assert.doesNotMatch(wordsOf((await ada.seesModal('New message')).view), /Template/);
    await ada.closes();
    await createTemplate(ada);
    await ada.types('/sms');
    await ada.fills('To', first);
    await ada.fills('Message', 'What I typed');
    await ada.fills('Route', 'Chat app');
    await ada.seesModal('New message', 'Device');
    await ada.fills('Send', 'File');
    await ada.seesModal('New message', 'URL of the file');
    await ada.fills('Template', 'Order ready');
    await ada.seesModal('New message', inMessage);
    await ada.submits();
    await ada.seesModal(
      'Message review',
      /PalmMarket\* on the \*Transactional \(DND\)\* route[\s\S]*Hi there/,
    );
    await ada.submits();
    await ada.seesModal('Message sent');
    assert.partialDeepStrictEqual(provider.record[0], { to: [first.slice(1)], text: inMessage });

    await ada.types('/sms');
    await ada.fills('Template', 'Order ready');
    await ada.seesModal('New message', inMessage);
    await ada.fills('Message', 'Another text');
    await ada.fills('To', first);
    await ada.submits();
    await ada.seesModal('Message review', 'Another text');
  });

  it('is sent by its name and numbers, and said to be unknown with the nearest names', async (test) => {
    const { ada, provider, connect } = await joinTestApp(test);
    await connect();
    await createTemplate(ada);
    await createTemplate(ada, { name: 'Order', text: 'Thank you for your order' });
    await ada.types('/sms', `template ORDER  ready ${first}, 0805 123 4510`);
    await ada.sees(/Your message is ready[\s\S]*PalmMarket\* on the \*Transactional \(DND\)\* route/);
    await ada.presses('Send');
    await ada.sees('*Sent*');
    await ada.types('/sms', `template "order" ${first}`);
    await ada.sees(/Your message is ready[\s\S]*Thank you for your order/);
    assert.deepEqual(
      provider.record.map(({ to, text }) => [to.length, text]),
      [[2, inMessage]],
    );
    await ada.types('/sms', `template Order ready <tel:${first}|${first}>`);
    await ada.sees(/Your message is ready[\s\S]*Thank you for your order/);
    await ada.types('/sms', `template Order redy ${first}`);
    await ada.sees(
      /No template named “Order redy”\. Nothing was sent\. Did you mean one of these\?[\s\S]*\*Order ready\*[\s\S]*\*Order\*/,
    );
    await ada.types('/sms', 'template Order ready');
    await ada.seesModal('New message', inMessage);
    await ada.types('/sms', `template Order ready 0805`);
    await ada.sees(/Fix this and try again/);
    assert.equal(provider.record.length, 1);
  });

  it('with columns opens the form, and the review of any such message warns', async (test) => {
    const { ada, provider, connect } = await joinTestApp(test);
    await connect();
    await createTemplate(ada, { text: 'Hi {{first_name}}, welcome' });
    await ada.types('/sms', `template Order ready ${first}`);
    await ada.seesModal('New message', 'Hi {{first_name}}, welcome');
    await ada.submits();
    const warned = await ada.seesModal(
      'Message review',
      /Columns aren’t filled in\.\*[^\n]*“{{first_name}}”/,
    );
    assert.match(wordsOf(warned.view), /Send anyway/);
    await ada.closes();
    await review(ada, { to: first, text: 'Dear {{name|customer}}' });
    await ada.seesModal('Message review', /Send anyway[\s\S]*“{{name\|customer}}”/);
    assert.equal(provider.record.length, 0);
  });

  it('is copied into a campaign, which keeps the text it was started with', async (test) => {
    const { ada, grace, provider, connect } = await joinTestApp(test);
    await connect();
    await createTemplate(grace);
    await ada.types('/sms', 'bulk');
    await ada.drops('File', 'customers.csv', `first_name,phone\nNgozi,${first}\n,+2348051234510`);
    await ada.fills('Message', 'What I typed');
    await ada.fills('Template', 'Order ready');
    await ada.seesModal('New campaign', /first_name\|there[\s\S]*Length before names are filled in/);
    await ada.submits();
    await ada.seesModal('Campaign review', 'Hi Ngozi, your order is ready');
    await ada.fills('Start', 'Schedule');
    await ada.fills('Date', '2100-01-01');
    await ada.submits();
    await ada.seesModal('Scheduled');
    await changeTemplate(grace, 'We are closed today');
    await ada.types('/sms', 'bulk list');
    await ada.seesModal('Campaigns');
    await ada.presses('Open');
    await ada.presses('Start now');
    await ada.seesModal('Start now', '2 recipients get it now.');
    await ada.submits();
    await provided(provider, 2);
    assert.deepEqual(provider.record.map(({ text, from }) => [text, from]).sort(), [
      ['Hi Ngozi, your order is ready', 'PalmMarket'],
      [inMessage, 'PalmMarket'],
    ]);
  });

  it('fills the text of a reply, which goes out from where the message came to', async (test) => {
    const app = await joinTestApp(test, { env: replyEnv });
    const { ada, provider } = app;
    await switchesOnReplies(app);
    await createTemplate(ada);
    await provider.receive({ from: first.slice(1), to: '55019', text: 'Is it ready?' });
    await ada.sees(/Message from/);
    await ada.presses('Reply');
    await ada.seesModal('Reply', 'Is it ready?');
    await ada.fills('Template', 'Order ready');
    await ada.seesModal('Reply', inMessage);
    await ada.submits();
    await ada.seesModal('Message review', inMessage);
    await ada.submits();
    await ada.sees(/Hi there[\s\S]*\*Sent\*/);
    assert.deepEqual(
      provider.record.map(({ from, text }) => [from, text]),
      [['55019', inMessage]],
    );
  });

  it('is changed by those whose role has it, and used by everyone who may send', async (test) => {
    const agents = [{ to: { kind: 'everyone' }, role: 'agent' }] as const;
    const { ada, grace, connect } = await joinTestApp(test, { grants: agents });
    await connect();
    await createTemplate(grace);
    await ada.types('/sms', 'template');
    const list = await ada.seesModal('Templates', 'Order ready');
    assert.doesNotMatch(wordsOf(list.view), /New template/);
    await ada.presses('Open');
    const shown = await ada.seesModal('Template');
    assert.doesNotMatch(wordsOf(shown.view), /Change\n|Delete/);
    await ada.presses('See version history');
    assert.doesNotMatch(wordsOf((await ada.seesModal('Version history')).view), /Restore/);
    await ada.closes();
    await ada.presses('Use');
    await ada.seesModal('New message', inMessage);
  });

  it('that two change at once is changed by the first, and the other is told', async (test) => {
    const { ada, grace, connect } = await joinTestApp(test);
    await connect();
    await createTemplate(ada);
    for (const user of [ada, grace]) {
      await openTemplate(user);
      await user.presses('Change');
      await user.seesModal('Template', 'Save');
    }
    await ada.fills('Message', 'Text of Ada');
    await grace.fills('Message', 'Text of Grace');
    await Promise.all([ada.submits(), ada.submits()]);
    await ada.seesModal('Template', /Saved\.[\s\S]*Text of Ada/);
    await grace.submits();
    assert.match(
      grace.errorBeside('Name') ?? '',
      /Somebody else changed or deleted this template in the meantime/,
    );
    await openTemplate(grace);
    await grace.seesModal('Template', 'Text of Ada');
    await grace.presses('Change');
    await grace.seesModal('Template', 'Save');
    await grace.fills('Name', 'Order  READY');
    await grace.submits();
    await grace.seesModal('Template', 'Saved');
    await ada.types('/sms', 'template');
    await ada.presses('New template');
    await ada.fills('Name', 'order ready');
    await ada.fills('Message', 'Hello');
    await ada.fills('Route', 'Transactional (DND)');
    await ada.fills('Sender ID', 'PalmMarket');
    await ada.submits();
    assert.match(ada.errorBeside('Name') ?? '', /Another template has this name/);
  });

  it('that is deleted stays in what was filled in with it, and its earlier texts can be taken again', async (test) => {
    const { ada, grace, provider, connect } = await joinTestApp(test);
    await connect();
    await createTemplate(grace);
    await changeTemplate(grace, 'A bad text');
    await openTemplate(grace);
    await grace.presses('See version history');
    await grace.seesModal(
      'Version history',
      /current[\s\S]*A bad text[\s\S]*Restore[\s\S]*Hi {{first_name\|there}}/,
    );
    await grace.presses('Restore');
    await grace.seesModal('Version history', 'Saved.');
    await ada.types('/sms');
    await ada.fills('To', first);
    await ada.fills('Template', 'Order ready');
    await ada.seesModal('New message', inMessage);

    await openTemplate(grace);
    await grace.presses('Delete');
    await grace.seesModal('Templates', /Order ready\* is deleted[\s\S]*No templates yet/);
    await ada.submits();
    await ada.seesModal('Message review', inMessage);
    await ada.submits();
    await ada.seesModal('Message sent');
    assert.equal(provider.record.length, 1);
    await ada.types('/sms', `template Order ready ${first}`);
    await ada.sees('No template named “Order ready”. Nothing was sent.');

    await grace.presses('See version history');
    await grace.seesModal('Version history', 'Deleted');
    await grace.presses('Restore');
    await grace.seesModal('Version history', 'Saved.');
    await ada.types('/sms', `template Order ready ${first}`);
    await ada.sees(/Your message is ready[\s\S]*Hi there/);
  });
});
