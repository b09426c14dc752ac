import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { joinTestApp } from '../support/app/shared-app.ts';
import { wordsOf } from '../support/slack/slack-user.ts';
import { review, send, startFrom } from '../support/slack/sms-steps.ts';
import { forEachDatabase } from '../support/store/databases.ts';

forEachDatabase(() => {
  describe('sending from the form', () => {
    it('leaves out the one invalid number, names it, and sends to the other three', async (test) => {
      const { ada, provider, connect } = await joinTestApp(test);
      await connect();
      await review(ada, { to: '12345', text: 'Your order is on its way' });
      assert.match(ada.errorBeside('To') ?? '', /“12345” is too short for a number in Nigeria/);

      await ada.fills('To', '+2348031234567, 08051234567, 12345\n0802 123 4567');
      await ada.submits();
      await ada.seesModal(
        'Message review',
        /3 recipients, 3 pages[\s\S]*Skipped:\* “12345” is too short for a number in Nigeria[\s\S]*1 page each/,
      );
      await ada.presses('Edit');
      const { values } = await ada.seesModal('New message');
      assert.match(JSON.stringify(values), /12345/, 'what was left out can be corrected');
      await ada.submits();
      await ada.seesModal('Message review', '3 recipients');
      await ada.submits();
      await ada.seesModal('Message sent', 'Sent* to +234 803 123 4567, +234 805 123 4567');
      const sent = provider.record;
      assert.equal(sent.length, 1);
      assert.deepEqual(sent[0]?.to, ['2348031234567', '2348051234567', '2348021234567']);
      assert.equal(sent[0]?.text, 'Your order is on its way');
      await ada.sees('*Sent* to');
    });

    for (const { route, channel } of [
      { route: 'Promotional (generic)', channel: 'generic' },
      { route: 'Transactional (DND)', channel: 'dnd' },
      { route: 'Chat app', channel: 'chatapp' },
      { route: 'Voice', channel: 'voice' },
    ]) {
      it(`sends on the ${route} route`, async (test) => {
        const { ada, provider, connect } = await joinTestApp(test);
        await connect();
        await review(ada, { to: '+2348051234568', text: 'Good morning', route });
        await ada.seesModal('Message review', route);
        await ada.submits();
        await ada.seesModal('Message sent');
        assert.deepEqual(
          provider.record.map(({ channel, to }) => ({ channel, to })),
          [{ channel, to: ['2348051234568'] }],
        );
      });
    }

    it('reviews a message typed after the command, and sends it at a click', async (test) => {
      const { ada, grace, provider, connect } = await joinTestApp(test);
      await connect();
      await startFrom(grace, 'PalmMarket');
      await ada.types('/sms', '+2348031234567, +2348051234567 Hello & <welcome>');
      await ada.sees('2 recipients, 2 pages');
      assert.equal(provider.record.length, 0);
      await ada.presses('Send');
      await ada.sees('*Sent* to');
      assert.equal(provider.record[0]?.text, 'Hello & <welcome>');
      assert.ok(!ada.messages().some((message) => JSON.stringify(message.blocks).includes('"Send"')));
    });

    it('names the emoji of a typed message, and sends it without them at a click', async (test) => {
      const { ada, grace, provider, connect } = await joinTestApp(test);
      await connect();
      await startFrom(grace, 'PalmMarket');
      await ada.types('/sms', '+2348031234567 Your order is ready :tada: see you at 12:30:45 :shipit:');
      await ada.sees(/Fix this and try again[\s\S]*Remove or replace: 🎉/);
      await ada.presses('Replace with plain text');
      await ada.sees(/1 recipient, 1 page[\s\S]*ready see you/);
      await ada.presses('Send');
      await ada.sees('*Sent* to');
      assert.equal(provider.record[0]?.text, 'Your order is ready see you at 12:30:45 :shipit:');
    });

    it('sends what Slack escapes as its reader sees it', async (test) => {
      const { ada, grace, idOf, provider, connect } = await joinTestApp(test);
      await connect();
      await startFrom(grace, 'PalmMarket');
      const mention = `<@${idOf('U0ADMIN')}>`;
      const links = '<http://example.com|example.com> or <https://pay.example/1|Pay here>';
      await ada.types('/sms', `<tel:+2348031234567|08031234567> Ask ${mention} &amp; see ${links}`);
      await ada.sees(/1 recipient[\s\S]*Pay here/);
      await ada.presses('Send');
      await ada.sees('*Sent* to');
      const { to, text = '' } = provider.record[0] ?? {};
      assert.deepEqual(to, ['2348031234567']);
      assert.match(text, /^Ask @\w[^<>]* & see example\.com or Pay here https:\/\/pay\.example\/1$/);
      assert.ok(!text.includes('U0ADMIN'));
    });
  });

  describe('sending on the chat route', () => {
    it('asks for a device, and accepts a text or a file, never both', async (test) => {
      const { ada, provider, connect } = await joinTestApp(test);
      await connect();
      await ada.types('/sms', '+2348051234568');
      await ada.fills('Route', 'Chat app');
      await ada.fills('Device', 'Front desk phone');
      await ada.fills('Send', 'File');
      await ada.fills('URL of the file', 'https://files.example.com/price-list.xlsx');
      await ada.submits();
      assert.match(ada.errorBeside('URL of the file') ?? '', /doesn’t take .xlsx/);
      await ada.fills('URL of the file', 'https://files.example.com/price-list.pdf');
      await ada.fills('Caption', 'Our prices');
      await ada.submits();
      await ada.seesModal('Message review', 'price-list.pdf');
      await ada.submits();
      await ada.seesModal('Message sent');
      const { from, media, text } = provider.record[0] ?? {};
      assert.deepEqual(
        { from, media, text },
        {
          from: 'Front desk phone',
          media: { url: 'https://files.example.com/price-list.pdf', caption: 'Our prices' },
          text: '',
        },
      );
    });
  });

  describe('the form', () => {
    it('names an emoji as it is typed by name, and replaces it', async (test) => {
      const { ada, provider, connect } = await joinTestApp(test);
      await connect();
      await ada.types('/sms', '+2348051234568');
      await ada.fills('Route', 'Transactional (DND)');
      await ada.fills('Sender ID', 'PalmMarket');
      await ada.fills('Message', 'Thank you :slightly_smiling_face: :wave::skin-tone-3:');
      await ada.seesModal('New message', 'Can’t be sent: 🙂 👋🏼');
      await ada.presses('Replace with plain text');
      await ada.seesModal('New message', 'Thank you :)');
      await ada.submits();
      await ada.seesModal('Message review', 'Thank you :)');
      await ada.submits();
      await ada.seesModal('Message sent');
      assert.equal(provider.record[0]?.text, 'Thank you :)');
    });

    it('keeps what was filled in when the user switches the route and back', async (test) => {
      const { ada, provider, connect } = await joinTestApp(test);
      await connect();
      await ada.types('/sms', '+2348051234568');
      await ada.fills('Route', 'Transactional (DND)');
      await ada.fills('Sender ID', 'PalmMarket');
      await ada.fills('Message', 'Your parcel is here');
      await ada.fills('Route', 'Chat app');
      await ada.fills('Send', 'File');
      await ada.seesModal('New message', 'URL of the file');
      await ada.fills('Route', 'Transactional (DND)');
      await ada.seesModal('New message', /Your parcel is here[\s\S]*PalmMarket/);
      await ada.submits();
      await ada.seesModal('Message review', 'Your parcel is here');
      await ada.submits();
      await ada.seesModal('Message sent');
      assert.deepEqual(
        provider.record.map(({ from, text }) => ({ from, text })),
        [{ from: 'PalmMarket', text: 'Your parcel is here' }],
      );
    });
  });

  describe('sending by voice', () => {
    it('spaces the digits of a code, and shows what will be spoken before it is sent', async (test) => {
      const { ada, provider, connect } = await joinTestApp(test);
      await connect();
      await review(ada, { to: '+2348051234568', text: 'Your code is 482913', route: 'Voice' });
      await ada.seesModal('Message review', 'Your code is 4 8 2 9 1 3');
      await ada.submits();
      await ada.seesModal('Message sent');
      assert.equal(provider.record[0]?.text, 'Your code is 4 8 2 9 1 3');
    });
  });

  describe('sending to several', () => {
    for (const { route, path } of [
      { route: 'Transactional (DND)', path: '/api/sms/send/bulk' },
      { route: 'Voice', path: '/api/sms/send' },
    ]) {
      it(`goes on the ${route} route in one request to ${path}`, async (test) => {
        const { ada, provider, connect } = await joinTestApp(test);
        await connect();
        await review(ada, { to: '+2348051234568 +2348021234568', text: 'Good morning', route });
        await ada.seesModal('Message review', '2 recipients');
        await ada.submits();
        await ada.seesModal('Message sent');
        const sends = provider.arrivals.filter((arrival) => arrival.path.startsWith('/api/sms/send'));
        assert.deepEqual(
          sends.map((arrival) => arrival.path),
          [path],
        );
      });
    }
  });

  describe('text as people type it', () => {
    it('is named in the live line where it cannot be sent, and replaced in the field by one click', async (test) => {
      const { ada, provider, connect } = await joinTestApp(test);
      await connect();
      await ada.types('/sms', '+2348031234568');
      await ada.fills('Sender ID', 'PalmMarket');
      await ada.fills('Message', 'Ready — today… You owe ₦500');
      await ada.seesModal('New message', 'Can’t be sent: — … ₦');
      await ada.submits();
      assert.equal(ada.errorBeside('Message'), 'Remove or replace: — … ₦');
      await ada.presses('Replace with plain text');
      const plain = 'Ready - today... You owe NGN 500';
      const swapped = await ada.seesModal('New message', plain);
      assert.doesNotMatch(wordsOf(swapped.view), /Can’t be sent|Replace with/);

      await ada.fills('Message', `${plain} – soon`);
      await ada.presses('Replace with plain text');
      await ada.seesModal('New message', `${plain} - soon`);
      await ada.submits();
      await ada.seesModal('Message review', `${plain} - soon`);
      await ada.submits();
      await ada.seesModal('Message sent');
      assert.equal(provider.record[0]?.text, `${plain} - soon`);
    });

    it('is kept when it was typed after the command and cannot be sent', async (test) => {
      const { ada, grace, provider, connect } = await joinTestApp(test);
      await connect();
      await startFrom(grace, 'PalmMarket');
      await ada.types('/sms', '+2348031234568 Ready 😀');
      await ada.sees('Remove or replace: 😀');
      await ada.presses('Edit');
      const form = await ada.seesModal('New message');
      assert.match(wordsOf(form.view), /\+234 803 123 4568[\s\S]*Ready 😀/);
      await ada.fills('Message', 'Ready');
      await ada.submits();
      await ada.seesModal('Message review', 'Ready');
      await ada.submits();
      await ada.seesModal('Message sent');
      assert.equal(provider.record.length, 1);
    });

    it('counts no pages by voice and chat app', async (test) => {
      const { ada, connect } = await joinTestApp(test);
      await connect();
      await review(ada, { to: '+2348051234568 +2348021234568', text: 'Good morning', route: 'Voice' });
      const shown = await ada.seesModal('Message review', '2 recipients');
      assert.doesNotMatch(wordsOf(shown.view), /\bpages?\b(?! pays)/);
    });
  });

  describe('what a person sends with', () => {
    it('is the beginning of their next message, which then needs no form', async (test) => {
      const { ada, grace, connect } = await joinTestApp(test);
      await connect();
      await send(ada, { to: '+2348051234568', route: 'Promotional (generic)', from: 'PalmMarket' });
      await ada.seesModal('Message sent');
      await ada.closes();
      await ada.types('/sms', '+2348051234568 Hello');
      await ada.sees('From *PalmMarket* on the *Promotional (generic)* route');

      await ada.types('/sms', '+2348051234568 Your code 123456');
      await ada.sees('From *PalmMarket* on the *Transactional (DND)* route');

      await grace.types('/sms', '+2348051234568 Hello');
      const form = await grace.seesModal('New message');
      assert.doesNotMatch(JSON.stringify(form.view), /PalmMarket/, 'another person’s choice');
    });

    it('is there for each route, and the route is that of the last message, also of a call', async (test) => {
      const { ada, grace, connect } = await joinTestApp(test);
      await connect();
      await startFrom(grace, 'PalmMarket');
      await send(ada, { to: '+2348051234568', route: 'Chat app', from: 'Front desk' });
      await ada.seesModal('Message sent');
      await ada.closes();
      await ada.types('/sms', '+2348051234568 Hello');
      await ada.sees('From *Front desk* on the *Chat app* route');
      await ada.types('/sms', '+2348051234568');
      await ada.seesModal('New message', 'Front desk');
      await ada.fills('Route', 'Voice');
      await ada.fills('Sender ID', 'PalmCare');
      await ada.fills('Message', 'Hello');
      await ada.submits();
      await ada.seesModal('Message review', 'From *PalmCare* on the *Voice* route');
      await ada.submits();
      await ada.seesModal('Message sent');
      await ada.closes();
      await ada.types('/sms');
      const { view } = await ada.seesModal('New message', 'PalmCare');
      assert.match(JSON.stringify(view), /"initial_option":\{[^}]*\{[^}]*"Voice"/);
      await ada.fills('Route', 'Chat app');
      await ada.seesModal('New message', 'Front desk');
    });

    it('is not the beginning once its sender ID is not active any more', async (test) => {
      const { ada, grace, app, teamId, connect } = await joinTestApp(test);
      await connect();
      await startFrom(grace, 'PalmMarket');
      const { workspaces } = app().services;
      await workspaces.rememberPreferences(teamId, ada.id, { senderId: 'PalmGone', route: 'generic' });
      await ada.types('/sms', '+2348051234568 Hello');
      await ada.sees('From *PalmMarket* on the *Promotional (generic)* route');
      await workspaces.rememberPreferences(teamId, ada.id, { senderId: '2348051234500' });
      await ada.types('/sms', '+2348051234568 Hello');
      await ada.sees('From *2348051234500* on the *Promotional (generic)* route');
    });

    it('wins over the workspace’s default, and is not taken from a message that was refused', async (test) => {
      const { ada, grace, connect } = await joinTestApp(test);
      await connect();
      await startFrom(grace, 'PalmMarket');
      await send(ada, { to: '+2348051234568', from: 'PalmCare' });
      await ada.seesModal('Message sent');
      await ada.closes();
      await send(ada, { to: '+2348030009404', from: 'PalmBasket' });
      await ada.seesModal('Message rejected');
      await ada.closes();
      await ada.types('/sms', '+2348051234568 Hello');
      await ada.sees('From *PalmCare* on the *Transactional (DND)* route');
    });
  });

  describe('what is no subcommand', () => {
    for (const { typed, told } of [
      { typed: 'hlep', told: 'I don’t know “hlep”. Did you mean `/sms help`?' },
      { typed: 'bulk lst', told: 'I don’t know “lst”. Did you mean `/sms bulk list`?' },
      { typed: 'foo', told: 'I don’t know “foo”. Type `/sms help`' },
    ]) {
      it(`is no message either: ${typed}`, async (test) => {
        const { ada, connect } = await joinTestApp(test);
        await connect();
        await ada.types('/sms', typed);
        await ada.sees(told);
        assert.equal(ada.modal(), undefined);
      });
    }

    it('is corrected and run at one click', async (test) => {
      const { ada, connect } = await joinTestApp(test);
      await connect();
      await ada.types('/sms', 'histry 0803 123 4567');
      await ada.sees('Did you mean `/sms history 0803 123 4567`?');
      await ada.presses('Run command');
      await ada.seesModal('History', '+234 803 123 4567');
      await ada.closes();
      await ada.types('/esim', 'create Kenia');
      await ada.sees('There is no country called “Kenia”. Did you mean *Kenya*?');
      await ada.presses('Show plans');
      await ada.seesModal('eSIM plans', 'Kenya 1 GB');
    });

    for (const { typed, told, form } of [
      {
        typed: 'O8051234567 Hello',
        told: '“O8051234567” has letters among its digits.',
        form: /O8051234567[\s\S]*Hello/,
      },
      {
        typed: '12345 Hello',
        told: '“12345” is too short for a number in Nigeria.',
        form: /12345[\s\S]*Hello/,
      },
      { typed: '0803', told: '“0803” is too short for a number in Nigeria.', form: /0803/ },
      { typed: 'Your parcel is here', told: 'Enter at least one phone number.', form: /Your parcel is here/ },
    ]) {
      it(`is kept, to be corrected: ${typed}`, async (test) => {
        const { ada, connect } = await joinTestApp(test);
        await connect();
        await ada.types('/sms', typed);
        await ada.sees(told);
        await ada.presses('Edit');
        assert.match(wordsOf((await ada.seesModal('New message')).view), form);
      });
    }

    it('is named by every other command', async (test) => {
      const { ada, connect } = await joinTestApp(test);
      await connect();
      for (const { command, typed, meant } of [
        { command: '/otp', typed: 'vrify', meant: '/otp verify' },
        { command: '/dnd-check', typed: 'hlep', meant: '/dnd-check help' },
        { command: '/number', typed: 'hepl', meant: '/number help' },
        { command: '/sender-id', typed: 'reqest', meant: '/sender-id request' },
        { command: '/esim', typed: 'lst', meant: '/esim list' },
        { command: '/esim-status', typed: 'halp', meant: '/esim-status help' },
        { command: '/switchboard', typed: 'conect', meant: '/switchboard connect' },
      ]) {
        await ada.types(command, typed);
        await ada.sees(`I don’t know “${typed}”. Did you mean \`${meant}\`?`);
      }
      await ada.types('/otp', '0803');
      await ada.sees('“0803” is too short for a number in Nigeria.');
      assert.match(JSON.stringify(ada.modal()), /0803/, 'the form, with what was typed');
    });
  });
});
