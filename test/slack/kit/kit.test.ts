import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, beforeEach, describe, it } from 'node:test';
import { parse, stringify } from 'yaml';
import { startTestApp, type TestApp } from '../../support/app/test-app.ts';
import { type SlackUser, wordsOf } from '../../support/slack/slack-user.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { registerGreetings } from './greetings.ts';
import { defineExamples } from './header-examples.ts';
import { emptyShop, registerShop, type ShopState } from './shop.ts';

describe('a feature on the kit, a shop', () => {
  const ends: (() => void | Promise<void>)[] = [];
  let shop: ShopState;
  const greetings = ['Good morning', 'Hello'];
  let app: TestApp;
  let ada: SlackUser;
  let grace: SlackUser;

  before(async () => {
    const suite = { after: (end: () => void | Promise<void>) => void ends.push(end) };
    app = await startTestApp(suite, {
      manifestPath: manifestWith(suite, '/shop', '/greetings'),
      register(router, context) {
        registerShop(router, context, () => shop);
        defineExamples(router, context);
        registerGreetings(router, context, {
          find: async (_workspaceId, part) => greetings.filter((text) => text.includes(part)),
          add: async (_workspaceId, text) => void greetings.push(text),
        });
      },
    });
    ({ ada, grace } = app);
    await app.connect();
  });
  after(async () => {
    for (const end of ends.toReversed()) {
      await end();
    }
  });
  beforeEach(() => {
    shop = emptyShop();
  });

  const shown = (user: SlackUser) => wordsOf(user.modal()?.view);
  const closeAll = async (user: SlackUser) => {
    while (user.modal() !== undefined) {
      await user.closes();
    }
  };

  describe('its command', () => {
    it('says in its help what each word does, and what to know', async () => {
      await ada.types('/shop', 'help');
      const help = wordsOf(await ada.sees('How to shop with /shop'));
      const order = [
        '*Buy things.*',
        '`/shop` lists',
        '`/shop order tea` orders tea.',
        'Prices are in beans.',
      ];
      const at = order.map((line) => help.indexOf(line));
      assert.ok(
        at.every((position, index) => position > (at[index - 1] ?? -1)),
        help,
      );
    });

    it('takes the longest of its words, in any case, and what follows as it was typed', async () => {
      await ada.types('/shop', '  Every   GIVEN ');
      await ada.seesModal('Every tea');
      await closeAll(ada);
      await ada.types('/shop', 'order  Green  TEA ');
      await ada.seesModal('Order', 'Order Green  TEA');
      await closeAll(ada);
    });

    it('asks what was meant by a typo, and by what turns out to mean nothing', async () => {
      await ada.types('/shop', 'evry?');
      await ada.sees('Did you mean `/shop every`?');
      await ada.types('/shop', 'nothing');
      await ada.sees('I don’t know “nothing”. Type `/shop help`');
    });

    it('needs of a person what its word needs', async () => {
      await ada.types('/shop', 'settings');
      await ada.sees(/admin/);
      await ada.types('/shop', 'all');
      assert.equal(ada.modal(), undefined);
      await grace.types('/shop', 'all');
      await grace.seesModal('Items');
      await closeAll(grace);
    });

    it('says what a workspace without the provider’s key can do', async () => {
      await app.app().services.workspaces.disconnect(app.teamId);
      await ada.types('/shop', 'order tea');
      await ada.sees(/isn’t connected/);
      await ada.types('/shop', 'every');
      await ada.seesModal('Every tea');
      await closeAll(ada);
      await app.connect();
    });
  });

  describe('its form', () => {
    it('begins with what is given, else with what the form says, else empty', async () => {
      await ada.types('/shop', 'every given');
      const { view } = await ada.seesModal('Every tea', '2 of 20');
      assert.match(wordsOf(view), /About tea[\s\S]*Bo[\s\S]*Shelf B[\s\S]* below/);
      assert.doesNotMatch(wordsOf(view), /More/);
      await ada.fills('Gift', ['Wrap it']);
      await ada.seesModal('Every tea', 'kept');
      await closeAll(ada);
    });

    it('follows what is entered: notes, hints, fields that come and go with their values', async () => {
      await ada.types('/shop', 'every');
      await ada.fills('Name', 'Ada');
      await ada.seesModal('Every tea', '3 of 20');
      await ada.fills('Size', 'Large');
      await ada.seesModal('Every tea', /In large letters\.[\s\S]*\*Heavy\*/);
      await ada.fills('Gift', ['Wrap it']);
      await ada.fills('More', 'with a bow');
      await ada.fills('Gift', []);
      await ada.seesModal('Every tea', /^(?![\s\S]*More)/);
      await ada.fills('Who sees the result', 'In a channel');
      await ada.fills('Channel', 'C0CAMPAIGNS');
      await ada.fills('Who sees the result', 'Only me');
      await ada.fills('Gift', ['Wrap it']);
      await ada.seesModal('Every tea', 'with a bow');
      await ada.fills('Who sees the result', 'In a channel');
      await ada.seesModal('Every tea', 'Channel');
      await ada.submits();
      await ada.seesModal('Sent', '*Sent to Ada*');
      const [sent] = shop.submitted;
      const where = { inChannel: true, channelId: 'C0CAMPAIGNS', showNumbers: false };
      assert.deepEqual(picked(sent, ['name', 'size', 'gift', 'more', 'where', 'about']), {
        name: 'Ada',
        size: 'large',
        gift: true,
        more: 'with a bow',
        where,
        about: 'tea',
      });
      await closeAll(ada);
    });

    it('has numbers written out in its options and faults', async () => {
      await ada.types('/shop', 'every');
      assert.deepEqual(await ada.searches('Cup', 'caller'), ['Cup of +234\u00A0803\u00A0123\u00A04567']);
      await ada.fills('Name', 'taken');
      await ada.submits();
      assert.equal(ada.errorBeside('Name'), '+234\u00A0803\u00A0123\u00A04567 has it.');
      await closeAll(ada);
    });

    it('reads every kind of field', async () => {
      await ada.types('/shop', 'every');
      await ada.fills('Name', 'Ada');
      await ada.fills('Shelf', 'Shelf A');
      await ada.fills('Way', 'Box');
      await ada.fills('Extras', ['Card', 'Bow']);
      assert.deepEqual(await ada.searches('Cup', 'blue'), ['Cup blue']);
      await ada.fills('Cup', 'Cup blue');
      await ada.fills('Sender ID', 'Palm');
      await ada.fills('People', ['U0GRACE']);
      await ada.drops('File', 'list.csv', 'phone\n1\n');
      await ada.submits();
      await ada.seesModal('Sent');
      const [sent] = shop.submitted;
      assert.deepEqual(
        picked(sent, ['shelf', 'way', 'extras', 'sender', 'country', 'people', 'gift', 'more']),
        {
          shelf: 'A',
          way: 'box',
          extras: ['card', 'bow'],
          sender: 'Palm',
          country: 'NG',
          people: ['U0GRACE'],
          gift: false,
          more: '',
        },
      );
      assert.match(JSON.stringify(sent), /"value":"blue"[\s\S]*"name":"list\.csv"/);
      await closeAll(ada);
    });

    it('keeps what is entered beside its errors', async () => {
      await ada.types('/shop', 'every');
      await ada.fills('Name', ' ');
      await ada.fills('Extras', ['Bow']);
      await ada.fills('Who sees the result', 'In a channel');
      await app.app().settled();
      await ada.submits();
      assert.equal(ada.errorBeside('Name'), 'Write a name.');
      assert.equal(ada.errorBeside('Channel'), 'Not there.');
      await ada.fills('Name', 'Ada');
      await ada.submits();
      await ada.seesModal('Sent');
      assert.deepEqual(picked(shop.submitted[0], ['extras']), { extras: ['bow'] });
      await closeAll(ada);
    });

    it('hears that it was closed', async () => {
      await ada.types('/shop', 'every');
      await ada.seesModal('Every tea');
      await ada.closes();
      await app.app().settled();
      assert.deepEqual(shop.submitted, [`closed by ${ada.id} about tea`]);
    });

    it('is shown again where slow work finds a fault, without its secret', async () => {
      const hold = Promise.withResolvers<void>();
      shop.held = hold.promise;
      await ada.types('/shop', 'slow');
      await ada.fills('Note', 'bad');
      await ada.fills('Code', 'x7-SECRET');
      await ada.submits();
      await ada.seesModal('Slow note', 'Keeping it…');
      hold.resolve();
      const { view } = await ada.seesModal('Slow note', /Nothing was kept\.\* Write another\./);
      assert.match(wordsOf(view), /bad/);
      assert.doesNotMatch(JSON.stringify(view), /x7-SECRET/);
      await ada.fills('Note', 'good');
      await ada.fills('Code', 'x7-SECRET');
      await ada.fills('Later', ['Remind me']);
      await app.app().settled();
      assert.doesNotMatch(JSON.stringify(ada.modal()?.view), /x7-SECRET/);
      await ada.submits();
      const again = await ada.seesModal('Slow note', 'Kept.');
      assert.doesNotMatch(JSON.stringify(again.view), /x7-SECRET|good/);
      assert.equal(shop.submitted.length, 2);
      await closeAll(ada);
    });
  });

  describe('its form that spends', () => {
    const order = async (count: string) => {
      await ada.types('/shop', 'order tea');
      await ada.fills('Count', count);
      return ada.submits();
    };

    for (const [ending, title, words] of [
      [{ state: 'accepted', providerId: '7' }, 'Order accepted', '*Ordered*, number 7.'],
      [
        { state: 'rejected', error: { reason: 'refused', providerMessage: 'No tea' } },
        'Order rejected',
        'The order was not placed.',
      ],
      [
        { state: 'not_sent', error: { reason: 'unreachable' } },
        'Order not sent',
        'The order was not placed.',
      ],
      [
        { state: 'unconfirmed', error: { reason: 'no_answer' } },
        'Order unconfirmed',
        /may or may not have been placed\.[\s\S]*Look at your orders/,
      ],
    ] as const) {
      it(`says how it ended: ${ending.state}`, async () => {
        shop.ending = ending;
        await order('1');
        await ada.seesModal(title, words);
        assert.equal(shop.performed, 1);
        await closeAll(ada);
      });
    }

    it('is performed once, however often it is submitted', async () => {
      const hold = Promise.withResolvers<void>();
      shop.held = hold.promise;
      await ada.types('/shop', 'order tea');
      await ada.fills('Count', '1');
      const viewId = ada.modal()?.id ?? '';
      const submit = { do: 'submit', person: ada.id, viewId } as const;
      await Promise.all([app.slack.perform(submit), app.slack.perform(submit)]);
      await ada.seesModal('Order', /Placing the order… You can close this[\s\S]*nothing was ordered\./);
      hold.resolve();
      await ada.seesModal('Order accepted');
      await app.app().settled();
      assert.equal(shop.performed, 1);
      await closeAll(ada);
    });

    it('says what is wrong before anything is done, and is shown again, filled in, where something changed', async () => {
      await order('0');
      assert.equal(ada.errorBeside('Count'), 'Order at least one.');
      await ada.fills('Count', '99');
      await ada.submits();
      const { view } = await ada.seesModal('Order', 'Order the last tea');
      assert.match(JSON.stringify(view), /"initial_value":"99"/);
      assert.equal(shop.performed, 0);
      await ada.fills('Count', '1');
      await ada.submits();
      await ada.seesModal('Order accepted');
      assert.equal(shop.performed, 1);
      await closeAll(ada);
    });

    it('says that nothing was done where the key is gone', async () => {
      await ada.types('/shop', 'order tea');
      await app.app().services.workspaces.disconnect(app.teamId);
      await ada.fills('Count', '1');
      await ada.submits();
      await ada.seesTrouble(/isn’t connected to the provider\. Nothing was ordered\./);
      await app.connect();
      await closeAll(ada);
    });
  });

  describe('its settings', () => {
    it('are opened, refused beside their fields, saved, and say who changed them', async () => {
      await grace.types('/shop', 'settings');
      await grace.presses('Change the shop');
      const { view } = await grace.seesModal('Shop settings', '10');
      assert.doesNotMatch(wordsOf(view), /Changed by/);
      await grace.fills('Limit', 'ten');
      await grace.submits();
      assert.equal(grace.errorBeside('Limit'), 'Type a number.');
      await grace.fills('Limit', '12');
      await grace.fills('Channel', 'C0CAMPAIGNS');
      await grace.submits();
      assert.equal(grace.errorBeside('Channel'), 'Not this one.');
      await grace.fills('Channel', 'C0SUPPORT');
      await grace.submits();
      await grace.seesModal(
        'Shop settings',
        new RegExp(`Saved\\.[\\s\\S]*12[\\s\\S]*Changed by <@${grace.id}>`),
      );
      assert.equal(shop.limit, '12');
      await closeAll(grace);
    });
  });

  describe('its list', () => {
    const open = async (text = '') => {
      shop.items = ['green tea', 'black tea', 'big cup', 'small cup', 'tea cup', 'tea pot', 'iced tea'];
      await ada.types('/shop', text);
      await ada.seesModal('Items', 'total');
    };

    it('goes through its pages, back, and to the newest', async () => {
      await open();
      assert.match(
        shown(ada),
        /Shelf A[\s\S]*• green tea[\s\S]*7 total[\s\S]*Next[\s\S]*Order tea[\s\S]*Open until nine/,
      );
      assert.doesNotMatch(shown(ada), /Previous|Newest/);
      await ada.presses('Next');
      await ada.seesModal('Items', '• small cup');
      await ada.presses('Next');
      await ada.seesModal('Items', '• iced tea');
      assert.doesNotMatch(shown(ada), /Next/);
      await ada.presses('Previous');
      await ada.seesModal('Items', '• small cup');
      await ada.presses('Next');
      await ada.seesModal('Items', '• iced tea');
      await ada.presses('Newest');
      await ada.seesModal('Items', '• green tea');
      await closeAll(ada);
    });

    it('is searched and filtered together, from the first page, and cleared', async () => {
      await open('tea');
      await ada.presses('Next');
      await ada.seesModal('Items', '• tea pot');
      await ada.chooses('All kinds', 'Cups');
      await ada.seesModal('Items', /1 total/);
      assert.match(shown(ada), /• tea cup/);
      await ada.fills('Part of a name', 'cup');
      await ada.seesModal('Items', '3 total');
      await ada.chooses('From', '2026-11-20');
      await app.app().settled();
      assert.deepEqual(shop.searches.at(-1), {
        part: 'cup',
        kind: 'cup',
        from: '2026-11-20',
        shelf: 'A',
        after: '',
      });
      await ada.presses('Clear filters');
      await ada.seesModal('Items', /^(?![\s\S]*Clear filters)[\s\S]*3 total/);
      await ada.fills('Part of a name', 'nothing of the kind');
      await ada.seesModal('Items', 'Nothing like that.');
      await closeAll(ada);
    });

    it('is searched by its button too', async () => {
      await open();
      await ada.fills('Part of a name', 'pot');
      await ada.seesModal('Items', '1 total');
      await ada.submits();
      await ada.seesModal('Items', '1 total');
      assert.deepEqual(
        shop.searches.map((search) => picked(search, ['part']).part),
        ['', 'pot', 'pot'],
      );
      await closeAll(ada);
    });

    for (const [list, words] of [
      ['failed', ':x: The shop is closed.'],
      ['not_connected', 'isn’t connected to the provider'],
    ] as const) {
      it(`says so where it cannot be read, with its buttons: ${list}`, async () => {
        shop.list = list;
        await ada.types('/shop');
        await ada.seesModal('Items', words);
        await ada.presses('Order tea');
        await ada.seesModal('Order', 'Order tea');
        await closeAll(ada);
      });
    }
  });

  it('may be as small as the example of docs/architecture.md', async () => {
    await ada.types('/greetings', 'Good');
    await ada.seesModal('Greetings', /• Good morning(?![\s\S]*Hello)/);
    await ada.presses('New greeting');
    await ada.fills('Greeting', 'Welcome back');
    await ada.fills('Volume', ['In capitals']);
    await ada.seesModal('New greeting', 'Shown as: WELCOME BACK');
    await ada.submits();
    await ada.seesModal('Greetings', /• Good morning\n• Hello\n• WELCOME BACK/);
    await closeAll(ada);
    const shownCode = readFileSync(join(import.meta.dirname, 'greetings.ts'), 'utf8');
    const [, example = ''] = /#region.*\n([\s\S]*)\/\/ #endregion/.exec(shownCode) ?? [];
    const page = readFileSync(join(import.meta.dirname, '../../../docs/architecture.md'), 'utf8');
    assert.ok(page.includes(example), 'docs/architecture.md shows it as it is');
  });
});

function picked(value: unknown, names: readonly string[]): Record<string, unknown> {
  const record: Record<string, unknown> = { ...Object(value) };
  return Object.fromEntries(names.map((name) => [name, record[name]]));
}

/** Writes the app's manifest with more commands. */
function manifestWith(test: Parameters<typeof temporaryFolder>[0], ...commands: string[]): string {
  const manifest = parse(readFileSync(join(import.meta.dirname, '../../../manifest.yml'), 'utf8'));
  const [first] = manifest.features.slash_commands;
  manifest.features.slash_commands.push(...commands.map((command) => ({ ...first, command })));
  const path = join(temporaryFolder(test), 'manifest.yml');
  writeFileSync(path, stringify(manifest));
  return path;
}
