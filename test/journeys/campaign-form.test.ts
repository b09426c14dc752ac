import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { JsonObject } from '../../sandbox/lib/json.ts';
import { joinTestApp } from '../support/app/shared-app.ts';
import { startTestApp } from '../support/app/test-app.ts';
import { compose, reached, start } from '../support/campaigns.ts';
import { wordsOf } from '../support/slack/slack-user.ts';
import { send } from '../support/slack/sms-steps.ts';
import { forEachDatabase } from '../support/store/databases.ts';
import { runningClock } from '../support/time/test-clock.ts';

const fast = { env: { CAMPAIGN_MESSAGES_PER_SECOND: '10000' } };

forEachDatabase(() => {
  describe('the form of a campaign', () => {
    it('is refused beside the field when it cannot be read', async (test) => {
      const { ada, connect } = await joinTestApp(test, fast);
      await connect();
      for (const [content, words] of [
        ['PK\u0003\u0004…', /Save it as CSV/],
        ['Name,Town\nAda,Lagos', /No column of phone numbers/],
        ['Name,Phone\nAda,8.03E+09', /Excel shortened the numbers/],
        ['Name,Phone\n', /^The file has no rows\.$/],
      ] as const) {
        await compose(ada, { file: content });
        assert.match(ada.errorBeside('File') ?? '', words);
        await ada.closes();
      }
      await compose(ada, { pasted: 'nobody', text: 'Hello {{first_name' });
      assert.match(wordsOf(ada.modal()?.view), /Default: “Pasted numbers”\./);
      assert.match(ada.errorBeside('Message') ?? '', /not closed/);
      await ada.fills('Message', 'Hello');
      await ada.submits();
      assert.match(ada.errorBeside('Phone numbers') ?? '', /No recipients left/);
    });

    for (const [written, sent] of [
      ['Hi {first_name}', 'Hi Ada'],
      ['Hi [First name]', 'Hi Ada'],
      ['Hi ((first_name))', 'Hi Ada'],
      ['Hi #first_name#', 'Hi Ada'],
      ['Hi {{ first_name | default: "there" }}', 'Hi Ada'],
    ] as const) {
      it(`offers to convert a column that is written for another tool: ${written}`, async (test) => {
        const { ada, provider, connect } = await joinTestApp(test, fast);
        await connect();
        await compose(ada, { file: 'Phone,First name\n08050000010,Ada\n08050000020,', text: written });
        const review = await ada.seesModal('Campaign review', 'Columns that won’t be filled in');
        assert.match(
          wordsOf(review.view),
          /Send anyway[\s\S]*is written \{\{first_name(?:\|there)?\}\} here/,
        );
        await ada.presses('Convert columns');
        await ada.seesModal('Campaign review', new RegExp(`^(?![^]*won’t be filled in)[^]*${sent}`));
        await ada.submits();
        await ada.sees('Done');
        const texts = provider.record.map(({ text }) => text).sort();
        assert.deepEqual(texts, written.includes('there') ? [sent, 'Hi there'] : [sent]);
      });
    }

    it('offers to convert columns that the list has under another name, where nothing could be read', async (test) => {
      const { ada, provider, connect } = await joinTestApp(test, fast);
      await connect();
      const text = 'Hi {{ contact.first_name | default("there") }}';
      await compose(ada, { file: 'Phone,First name\n08050000010,Ada\n08050000020,', text });
      await ada.seesModal('Import failed', 'is not a column of the list');
      await ada.presses('Convert columns');
      await ada.seesModal('Campaign review', 'Hi there');
      await ada.submits();
      await ada.sees('Done');
      assert.deepEqual(provider.record.map((sent) => sent.text).sort(), ['Hi Ada', 'Hi there']);
    });

    for (const [what, described, told] of [
      [
        'has no address of its own to download',
        ({ url_private_download: _, ...file }: JsonObject) => file,
        undefined,
      ],
      [
        'Slack describes only when asked',
        ({ id = null }: JsonObject) => ({ id, file_access: 'check_file_info' }),
        undefined,
      ],
      [
        'is kept outside Slack',
        ({ url_private_download: _, ...file }: JsonObject) => ({
          ...file,
          mode: 'external',
          is_external: true,
          url_private: 'https://docs.example.com/list',
        }),
        'stored outside Slack',
      ],
    ] as const) {
      it(`takes or refuses a file that ${what}`, async (test) => {
        const { ada, connect } = await joinTestApp(test, fast);
        await connect();
        await ada.types('/sms', 'bulk');
        await ada.drops('File', 'customers.csv', 'Phone\n08050000010', described);
        await ada.fills('Route', 'Transactional (DND)');
        await ada.fills('Sender ID', 'PalmMarket');
        await ada.fills('Message', 'Our shop opens at nine');
        await ada.submits();
        await (told === undefined ? ada.seesModal('Campaign review', '1 recipient') : ada.seesTrouble(told));
      });
    }

    it('keeps what was filled in while the user switches between sources and routes', async (test) => {
      const { clock } = runningClock(new Date(Date.UTC(2077, 6, 5, 9)));
      const { ada, provider, connect } = await startTestApp(test, { ...fast, clock });
      await connect();
      await ada.types('/sms', 'bulk');
      await ada.drops('File', 'customers.csv', 'Phone\n08050000010');
      await ada.fills('Route', 'Transactional (DND)');
      await ada.fills('Sender ID', 'PalmMarket');
      await ada.fills('Message', 'Our shop opens at nine');
      await ada.fills('Route', 'Chat app');
      await ada.fills('Device', 'Front desk phone');
      await ada.fills('To', 'Paste numbers');
      await ada.fills('Phone numbers', '0805 000 0020');
      await ada.fills('Route', 'Transactional (DND)');
      await ada.seesModal('New campaign', 'PalmMarket');
      await ada.fills('To', 'CSV file');
      await ada.seesModal('New campaign', 'customers.csv, uploaded earlier');
      await ada.submits();
      const review = await ada.seesModal(
        'Campaign review',
        'From *PalmMarket* on the *Transactional (DND)* route',
      );
      assert.match(wordsOf(review.view), /Our shop opens at nine/);
      await ada.fills('Start', 'Schedule');
      await ada.fills('Date', '2077-07-06');
      await ada.fills('Time', '09:30');
      await ada.fills('Start', 'Now');
      await ada.fills('Start', 'Schedule');
      await ada.seesModal('Campaign review', 'tomorrow, 9:30 AM WAT');
      await ada.presses('Edit');
      await ada.fills('To', 'Paste numbers');
      await ada.seesModal('New campaign', '0805 000 0020');
      await ada.submits();
      await ada.seesModal('Campaign review', 'tomorrow, 9:30 AM WAT');
      await ada.fills('Start', 'Now');
      await start(ada);
      await ada.sees('*Done:* 1 recipient');
      assert.deepEqual(reached(provider.record), ['+2348050000020']);
    });

    it('keeps the recipients it was imported from while others were only filled in', async (test) => {
      const { ada, connect } = await joinTestApp(test, fast);
      await connect();
      await compose(ada, { file: 'Phone,Second phone\n08050000010,08050000110\n08050000020,08050000120' });
      await ada.seesModal('Campaign review', 'Use the numbers in Phone, such as');
      await ada.presses('Edit');
      await ada.drops('File', 'others.csv', 'Phone,Second phone\n08050000030,08050000130');
      await ada.fills('To', 'Paste numbers');
      await ada.seesModal('New campaign', 'Phone numbers');
      await ada.closes();
      await ada.types('/sms', 'bulk list');
      await ada.seesModal('Campaigns');
      await ada.presses('Open');
      await ada.seesModal('Campaign review', '*2 recipients');
      await ada.chooses('Phone number column', 'Second phone');
      await ada.seesModal('Campaign review', '+234805•••0110');
      await ada.presses('Edit');
      await ada.seesModal('New campaign', 'customers.csv, uploaded earlier');
      await ada.submits();
      await ada.seesModal('Campaign review', '*2 recipients');
    });

    it('begins on the promotional route, and then as its creator’s last one, from the sender ID that they used last', async (test) => {
      const { ada, connect } = await joinTestApp(test, fast);
      await connect();
      await send(ada, { to: '+2348051234568', from: 'PalmCare' });
      await ada.seesModal('Message sent');
      await ada.closes();
      await ada.types('/sms', 'bulk');
      const opened = await ada.seesModal('New campaign', 'PalmCare');
      assert.match(JSON.stringify(opened.view), /"initial_option":\{[^}]*\{[^}]*"Promotional \(generic\)"/);
      await ada.closes();
      await compose(ada, { pasted: '08050000010', name: 'First' });
      await ada.seesModal('Campaign review');
      await ada.closes();
      await ada.types('/sms', 'bulk');
      await ada.seesModal('New campaign', 'PalmCare');
      await ada.closes();
      await compose(ada, { pasted: '08050000010', name: 'First' });
      await start(ada);
      await ada.sees('*Done:* 1 recipient');
      await ada.closes();
      await ada.types('/sms', 'bulk');
      const { view } = await ada.seesModal('New campaign', 'PalmMarket');
      assert.match(JSON.stringify(view), /"initial_option":\{[^}]*\{[^}]*"Transactional \(DND\)"/);
      await ada.closes();
      await ada.types('/sms', '+2348051234568 Hello');
      await ada.sees('From *PalmCare* on the *Transactional (DND)* route');
    });

    it('refuses guests', async (test) => {
      const { guy, provider, connect } = await joinTestApp(test, fast);
      await connect();
      await guy.types('/sms', 'bulk');
      await guy.sees('isn’t open to guests');
      assert.equal(guy.modal(), undefined);
      assert.equal(provider.arrivals.length, 1);
    });
  });
});
