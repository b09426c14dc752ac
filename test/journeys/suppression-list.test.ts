import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { joinTestApp } from '../support/app/shared-app.ts';
import { startTestApp } from '../support/app/test-app.ts';
import { compose, reached, recipients, start } from '../support/campaigns.ts';
import { readDataFiles } from '../support/privacy/data-files.ts';
import { manyNumbers, resultOf } from '../support/slack/number-files.ts';
import { type SlackUser, wordsOf } from '../support/slack/slack-user.ts';
import { lagosAt, review, send, startFrom } from '../support/slack/sms-steps.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { runningClock, stoppedClock } from '../support/time/test-clock.ts';

const title = 'Do-not-contact list';

async function adds(person: SlackUser, numbers: string): Promise<void> {
  await person.types('/sms', 'do-not-contact');
  await person.presses('Add numbers');
  await person.fills('Numbers to add', numbers);
  await person.submits();
}

describe('/sms do-not-contact', () => {
  it('adds pasted numbers in any format, each once, and lists them newest first with who added them', async (test) => {
    const { ada } = await joinTestApp(test);
    await ada.types('/sms', 'do-not-contact');
    await ada.seesModal(title, '*0 numbers*');
    await ada.closes();
    await adds(ada, '0803 123 4567; +234 805 123 4567');
    await ada.seesModal(title, '*2 numbers added.*');
    await ada.closes();
    await adds(ada, '+2348021234567\n0803-123-4567');
    await ada.seesModal(title, '*1 number added.* 1 was on the list already.');
    const shown = wordsOf(ada.modal()?.view);
    assert.match(shown, /\*3 numbers\*/);
    assert.match(shown, /`\+234\s802\s123\s4567`\n.* · <@U0AGENT\w*>[\s\S]*`\+234\s80\d\s123\s4567`/);
  });

  it('says whether a number is on the list, and adds it at a click', async (test) => {
    const { ada } = await joinTestApp(test);
    await ada.types('/sms', 'do-not-contact 0803 123 4567');
    await ada.seesModal(title, /\+234\s803\s123\s4567\* is not on the list/);
    await ada.presses('Add');
    await ada.seesModal(title, '*1 number added.*');
    await ada.fills('Check a number', '+234 803 123 4567');
    await ada.seesModal(title, /\+234\s803\s123\s4567\* has been on the list/);
    await ada.fills('Check a number', '0803');
    await ada.seesModal(title, '“0803” is too short');
    await ada.fills('Check a number', '0805 123 4567');
    await ada.submits();
    await ada.seesModal(title, /\+234\s805\s123\s4567\* is not on the list/);
  });
});

describe('the do-not-contact list', () => {
  it('names what is no number among pasted ones, beside the field where there is no other', async (test) => {
    const { ada } = await joinTestApp(test);
    await adds(ada, '0803 12, none');
    assert.match(ada.errorBeside('Numbers to add') ?? '', /“0803 12” is too short/);
    await ada.fills('Numbers to add', '+2348031234567, 0803 12');
    await ada.submits();
    await ada.seesModal(
      title,
      /\*1 number added\.\*[\s\S]*\*1 entry skipped:\*\n• “0803 12” is too short for a number in Nigeria/,
    );
  });

  it('says of each number who added it and how', async (test) => {
    const { ada, grace, connect } = await joinTestApp(test);
    await connect();
    await adds(ada, '+2348031234561');
    await ada.closes();
    await send(ada, { to: '+2348031234562' });
    await ada.seesModal('Message sent');
    await ada.presses('Add to do-not-contact list');
    await ada.seesModal(title, 'is not on the list');
    await ada.presses('Add');
    await ada.seesModal(title, 'added');
    await ada.closes();
    await ada.closes();
    await ada.types('/number', '+2348031234563');
    await ada.sees('Route to use');
    await ada.presses('Add to do-not-contact list');
    await ada.seesModal(title, 'is not on the list');
    await ada.presses('Add');
    await ada.seesModal(title, 'added');
    await ada.closes();
    await grace.types('/sms', 'do-not-contact');
    await grace.presses('Import a CSV');
    await grace.drops('File', 'optouts.csv', '+2348031234564\n+2348031234561\n');
    await grace.submits();
    const list = wordsOf((await grace.seesModal(title, '*4 numbers* on')).view);
    assert.doesNotMatch(list, /1–4 of 4/);
    for (const [last, how] of [
      ['1', `<@${ada.id}> · manually`],
      ['2', `<@${ada.id}> · manually`],
      ['3', `<@${ada.id}> · manually`],
      ['4', `<@${grace.id}> · from optouts.csv`],
    ]) {
      assert.match(list, new RegExp(`123\\s456${last}\`\\n[^\\n]* · ${how}`));
    }
    await grace.fills('Check a number', '+2348031234564');
    await grace.seesModal(title, /has been on the list since .*, added by <@U0ADMIN\w*> from optouts\.csv\./);
  });

  it('goes to an admin as a file, with the numbers as text and file names that are no formulas', async (test) => {
    const { ada, grace, slack, app } = await joinTestApp(test);
    await adds(ada, manyNumbers(50).join(' '));
    await ada.closes();
    await grace.types('/sms', 'do-not-contact');
    await grace.presses('Import a CSV');
    await grace.drops('File', '=cmd().csv', '+2348039999999\n');
    await grace.submits();
    // A double click makes one file.
    await Promise.all([grace.presses('Export as CSV'), grace.presses('Export as CSV')]);
    await grace.seesModal(title, /file is in your messages[\s\S]*51 numbers/);
    await app().settled();
    assert.equal(grace.messages().filter(({ files = [] }) => files.length > 0).length, 1);
    const rows = await resultOf(slack, await grace.sees('The do-not-contact list'));
    assert.equal(rows.length, 52);
    assert.equal(rows[0], '\uFEFFPhone number,Added (UTC),Added by,Slack user ID,How');
    assert.match(
      rows.join('\n'),
      /^\+2348039999999,\d{4}-[^,]*Z,Grace Bello,U0ADMIN\w*,from =cmd\(\)\.csv$/m,
    );
  });

  it('offers removal and import to admins only', async (test) => {
    const { ada, grace } = await joinTestApp(test);
    await adds(ada, '+2348031234567, +2348051234567, +2348021234567');
    await ada.seesModal(title, 'Only admins can remove numbers');
    assert.doesNotMatch(wordsOf(ada.modal()?.view), /Remove|Import|Export/);
    await grace.types('/sms', 'do-not-contact');
    await grace.presses('Remove');
    await grace.seesModal(title, '*1 number removed.*');
    await grace.presses('Remove numbers');
    await grace.fills('Numbers to remove', '+2348031234567, +2348051234567, +2348021234567');
    await grace.submits();
    await grace.seesModal(title, '*2 numbers removed.* 1 was not on the list.');
    await grace.seesModal(title, '*0 numbers*');
  });

  const adminActions: {
    what: string;
    begin(grace: SlackUser): Promise<unknown>;
    end(grace: SlackUser): Promise<unknown>;
  }[] = [
    {
      what: 'remove one number',
      begin: (grace) => grace.seesModal(title, '*1 number*'),
      end: (grace) => grace.presses('Remove'),
    },
    {
      what: 'remove pasted numbers',
      async begin(grace) {
        await grace.presses('Remove numbers');
        await grace.fills('Numbers to remove', '+2348031234567');
      },
      end: (grace) => grace.submits(),
    },
    {
      what: 'import a file',
      async begin(grace) {
        await grace.presses('Import a CSV');
        await grace.drops('File', 'numbers.csv', '+2348051234567\n');
      },
      end: (grace) => grace.submits(),
    },
    {
      what: 'export the list',
      begin: (grace) => grace.seesModal(title, '*1 number*'),
      end: (grace) => grace.presses('Export as CSV'),
    },
  ];
  for (const { what, begin, end } of adminActions) {
    it(`does not let a former admin ${what}`, async (test) => {
      const { clock, pass } = stoppedClock();
      const { ada, grace, slack } = await startTestApp(test, { clock });
      await adds(ada, '+2348031234567');
      await ada.seesModal(title, '*1 number*');
      await grace.types('/sms', 'do-not-contact');
      await begin(grace);
      slack.setRole(grace.id, 'member');
      pass(60_000);
      await end(grace);
      await grace.seesTrouble('Only admins can do this');
      await grace.closes();
      await ada.closes();
      await ada.types('/sms', 'do-not-contact 0803 123 4567');
      await ada.seesModal(title, /\*1 number\*[\s\S]*\+234\s803\s123\s4567\* has been on the list/);
    });
  }

  it('is shown a page at a time', async (test) => {
    const { grace } = await joinTestApp(test);
    await adds(grace, manyNumbers(90).join(' '));
    await grace.seesModal(title, '*90 numbers*');
    const seen = new Set<string>();
    const see = () => {
      const shown = [...wordsOf(grace.modal()?.view).matchAll(/`(\+[\d\s]+)`/g)].map(
        ([, number]) => number ?? '',
      );
      for (const number of shown) {
        seen.add(number);
      }
      return shown;
    };
    const first = see();
    assert.equal(first.length, 40);
    await grace.seesModal(title, '1–40 of 90');
    await grace.presses('Next');
    await grace.seesModal(title, /41–80 of 90[\s\S]*Previous/);
    assert.equal(see().length, 40);
    await grace.presses('Next');
    await grace.seesModal(title, /81–90 of 90[\s\S]*Newest/);
    assert.equal(see().length, 10);
    assert.equal(seen.size, 90);
    await grace.presses('Previous');
    await grace.seesModal(title, /^(?![\s\S]*Newest)/);
    await grace.presses('Previous');
    await grace.seesModal(title, /^(?![\s\S]*Previous)/);
    assert.deepEqual(see(), first);
  });

  it('imports a file: finds its column, names rejected rows, adds each number once', async (test) => {
    const { grace } = await joinTestApp(test);
    await adds(grace, '+2348031234567');
    await grace.presses('Import a CSV');
    await grace.drops(
      'File',
      'optouts.csv',
      'Account;Mobile\n1000200030;0803 123 4567\n1000200031;08051234567\n1000200032;0805 12\n1000200033;0805-123-4567\n',
    );
    await grace.submits();
    const shown = await grace.seesModal(title, '*1 number added.* 1 was on the list already.');
    const words = wordsOf(shown.view);
    assert.match(words, /From the column \*Mobile\* of optouts\.csv\.\n1 duplicate skipped\./);
    assert.match(words, /\*1 row skipped:\*\n• Line 4: “0805 12” is too short/);
    assert.match(words, /\*2 numbers\*/);
  });

  it('sends many rejected rows as a file, and refuses a file without numbers beside its field', async (test) => {
    const { grace, slack } = await joinTestApp(test);
    await grace.types('/sms', 'do-not-contact');
    await grace.presses('Import a CSV');
    await grace.drops('File', 'names.csv', 'name\nAda\nGrace\n');
    await grace.submits();
    assert.match(grace.errorBeside('File') ?? '', /No column of phone numbers/);
    const bad = Array.from({ length: 60 }, (_, index) => `08031${index}`);
    await grace.drops('File', 'long.csv', ['number', ...manyNumbers(1_000), ...bad].join('\n'));
    await grace.submits();
    await grace.seesModal(title, /\*1,000 numbers added\.\*[\s\S]*\*60 rows skipped:\*[\s\S]*and 10 more/);
    const file = await resultOf(slack, await grace.sees('Skipped rows of *long.csv*'));
    assert.equal(file.length, 61);
  });

  it('says what was added even when Slack refuses the file of rejected rows', async (test) => {
    const { grace, slack } = await joinTestApp(test);
    await grace.types('/sms', 'do-not-contact');
    await grace.presses('Import a CSV');
    const bad = Array.from({ length: 60 }, (_, index) => `08031${index}`);
    await grace.drops('File', 'long.csv', ['number', ...manyNumbers(10), ...bad].join('\n'));
    slack.fault('files.getUploadURLExternal', { error: 'restricted_action' });
    await grace.submits();
    await grace.seesModal(
      title,
      /\*10 numbers added\.\*[\s\S]*and 10 more\. Slack didn’t accept the file with all of them\./,
    );
  });
});

describe('Add to do-not-contact list, the option and the list', () => {
  it('is offered on the outcome of a message to one recipient, and not to several', async (test) => {
    const { ada, connect } = await joinTestApp(test);
    await connect();
    await send(ada, { to: '+2348031234567, +2348051234567' });
    await ada.seesModal('Message sent');
    assert.ok(!wordsOf(ada.modal()?.view).includes('Add to do-not-contact list'));
    await ada.closes();
    await send(ada, { to: '+2348031234567' });
    await ada.seesModal('Message sent');
    await ada.presses('Add to do-not-contact list');
    await ada.seesModal(title, 'is not on the list');
    await ada.presses('Add');
    await ada.seesModal(title, '*1 number added.*');
    await ada.closes();
    await ada.presses('Add to do-not-contact list');
    await ada.seesModal(title, 'has been on the list since');
  });

  it('is offered on the card of a number, without the number in the button', async (test) => {
    const { ada, connect } = await joinTestApp(test);
    await connect();
    await ada.types('/number', '+2348031234567');
    const card = await ada.sees('Add to do-not-contact list');
    assert.ok(!/"value":"[^"]*8031234567/.test(JSON.stringify(card)));
    await ada.presses('Add to do-not-contact list');
    await ada.seesModal(title, /\+234 803 123 4567\* is not on the list/);
    await ada.presses('Add');
    await ada.seesModal(title, 'added');
    await ada.closes();
    await ada.presses('Add to do-not-contact list');
    await ada.seesModal(title, /has been on the list since .*, added by <@U0AGENT\w*>/);
  });

  it('shows on each new card who added the number, to an admin with the button that removes it', async (test) => {
    const { ada, grace, connect } = await joinTestApp(test);
    await connect();
    await adds(ada, '+2348031234567');
    await ada.closes();
    await ada.types('/number', '+2348031234567');
    const card = wordsOf(await ada.sees(/On the do-not-contact list since .*, added by <@U0AGENT\w*>/));
    assert.doesNotMatch(card, /^Add to do-not-contact list$|^Remove/m);
    await grace.types('/number');
    await grace.fills('Phone number', '+2348031234567');
    await grace.submits();
    await grace.seesModal('Number lookup', 'On the do-not-contact list');
    await grace.presses('Remove from list');
    await grace.seesModal(
      'Number lookup',
      /^(?![\s\S]*On the do-not-contact list)[\s\S]*^Add to do-not-contact list$/m,
    );
    await ada.types('/sms', 'do-not-contact');
    await ada.seesModal(title, '*0 numbers*');
  });

  it('does not let a former admin remove a number from its card', async (test) => {
    const { clock, pass } = stoppedClock();
    const { ada, grace, slack, connect } = await startTestApp(test, { clock });
    await connect();
    await adds(ada, '+2348031234567');
    await grace.types('/number', '+2348031234567');
    await grace.sees('On the do-not-contact list');
    slack.setRole(grace.id, 'member');
    pass(60_000);
    await grace.presses('Remove from list');
    await grace.sees('Only admins can do this');
    await ada.closes();
    await ada.types('/sms', 'do-not-contact');
    await ada.seesModal(title, '*1 number*');
  });

  it('is offered as long as the number is kept', async (test) => {
    const { clock, pass } = runningClock(lagosAt(12).now());
    const { ada, connect } = await startTestApp(test, { clock });
    await connect();
    await send(ada, { to: '+2348031234567' });
    await ada.seesModal('Message sent');
    pass(25 * 60 * 60_000);
    await ada.presses('Add to do-not-contact list');
    await ada.seesModal(title, 'is not on the list');
  });

  it('leaves the listed numbers out of a campaign, and counts them', async (test) => {
    const { ada, provider, connect } = await joinTestApp(test);
    await connect();
    await adds(ada, '+2348050000010, +2348050000030');
    await ada.seesModal(title, 'added');
    await ada.closes();
    await compose(ada, { pasted: recipients(5).join(' ') });
    await ada.seesModal('Campaign review', /\*3 recipients[\s\S]*2 .*do-not-contact list/);
    await start(ada);
    await ada.sees('*Done:* 3 recipients');
    assert.deepEqual(reached(provider.record), ['+2348050000000', '+2348050000020', '+2348050000040']);
  });

  it('skips a number that was listed after the review, and stops where nobody is left', async (test) => {
    const { ada, grace, provider, app, connect } = await joinTestApp(test);
    await connect();
    const [first, second] = ['+2348031234567', '+2348051234568'];
    await review(ada, { to: `${first}, ${second}`, text: 'Your order is on its way' });
    assert.doesNotMatch(wordsOf((await ada.seesModal('Message review')).view), /do-not-contact/);
    await adds(grace, second);
    await grace.seesModal(title, '*1 number added.*');
    await ada.submits();
    await ada.seesModal('Message sent', 'Skipped 1 recipient who opted out after the review.');
    assert.deepEqual(reached(provider.record), [first]);

    await grace.closes();
    await startFrom(grace, 'PalmMarket');
    await grace.closes();
    await ada.closes();
    await ada.types('/sms', `${first} Hello`);
    await ada.sees('Your message is ready');
    await adds(grace, first);
    await grace.seesModal(title, '*1 number added.*');
    await ada.presses('Send');
    const refused = wordsOf(await ada.sees(/\*Nothing was sent\.\* Everyone it would go to has opted out/));
    assert.match(refused, /Opted out\.\* \+234\s803\s123\s4567 is on the do-not-contact list/);
    assert.equal(provider.record.length, 1);
    assert.match(refused, /Edit\nSend anyway/);
    await ada.presses('Send anyway');
    await app().settled();
    assert.equal(provider.record.length, 2);
  });

  it('warns before a message on any route, names the listed recipients, and lets the user send', async (test) => {
    const { ada, provider, connect } = await joinTestApp(test);
    await connect();
    await adds(ada, '+2348031234567');
    await ada.seesModal(title, 'added');
    await ada.closes();
    await review(ada, { to: '+2348031234567, +2348051234567', text: 'Your order is here' });
    const shown = wordsOf((await ada.seesModal('Message review', 'Opted out.')).view);
    assert.match(shown, /\+234\s803\s123\s4567 is on the do-not-contact list/);
    assert.match(shown, /Edit[\s\S]*Send anyway/);
    const view = JSON.stringify(ada.modal()?.view);
    assert.match(
      view,
      /"style":"danger","confirm":[^[\]]*\+234\s803\s123\s4567 is on the do-not-contact list/,
    );
    assert.doesNotMatch(view, /"submit"/);
    await ada.presses('Send anyway');
    await ada.seesModal('Message sent');
    assert.equal(provider.record.length, 1);
  });
});

it('neither the list nor the recipients of messages are stored in plain text', async (test) => {
  const folder = temporaryFolder(test);
  const { ada, grace, connect, stopApp } = await startTestApp(test, { dataDir: folder });
  await connect();
  await adds(ada, '+2348031234567');
  await ada.seesModal(title, 'added');
  await ada.closes();
  await send(ada, { to: '+2348051234567' });
  await ada.seesModal('Message sent');
  await ada.presses('Add to do-not-contact list');
  await ada.seesModal(title, 'is not on the list');
  await ada.presses('Add');
  await ada.seesModal(title, 'added');
  await grace.types('/sms', 'do-not-contact');
  await grace.presses('Import a CSV');
  await grace.drops('File', 'list of Ngozi.csv', '+2348021234567\n');
  await grace.submits();
  await grace.seesModal(title, '*3 numbers*');
  await stopApp();
  const files = readDataFiles(folder);
  assert.ok(files.length > 0);
  for (const { path, bytes } of files) {
    for (const number of ['8031234567', '8051234567', '8021234567', 'list of Ngozi']) {
      assert.ok(!bytes.includes(number), `${path} holds ${number}`);
      assert.ok(!bytes.includes(Buffer.from(number, 'utf16le')), `${path} holds ${number}`);
    }
  }
});
