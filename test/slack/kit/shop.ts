import type { KnownBlock } from '@slack/types';
import { z } from 'zod';
import { provenNumberSchema } from '../../../src/domain/phone/phone-number.ts';
import { providerError } from '../../../src/provider/response/error-messages.ts';
import { Refusal } from '../../../src/services/refusal.ts';
import {
  actions,
  button,
  lines,
  loadingView,
  notice,
  option,
  section,
} from '../../../src/slack/block-kit/build.ts';
import { cursorPages } from '../../../src/slack/block-kit/paging.ts';
import { inPlain, mrkdwn, plain } from '../../../src/slack/block-kit/text.ts';
import { defineCommand, unknown } from '../../../src/slack/kit/command.ts';
import {
  channelField,
  choiceField,
  countryField,
  destinationField,
  optionsField,
  radioField,
  searchField,
  senderField,
  severalField,
  tableFileField,
  textField,
  tickField,
  ticksField,
} from '../../../src/slack/kit/fields.ts';
import { byChoice, byDay, byPerson } from '../../../src/slack/kit/filters.ts';
import { defineForm } from '../../../src/slack/kit/form.ts';
import { byCursor, defineList } from '../../../src/slack/kit/list.ts';
import { defineOutcome, defineSpend } from '../../../src/slack/kit/outcome.ts';
import { defineSettings } from '../../../src/slack/kit/settings.ts';
import type { AppContext } from '../../../src/slack/middleware/app-context.ts';
import type { Router } from '../../../src/slack/middleware/router/router.ts';
import type { Ending } from '../../../src/store/operations/operation.ts';

/** What a test sets up, and what the shop was told. */
export interface ShopState {
  /** What was submitted, form by form. */
  submitted: unknown[];
  performed: number;
  /** How the next order ends. */
  ending: Ending;
  /** What is awaited before an order, or a slow note, ends. */
  held: Promise<void>;
  items: readonly string[];
  list: 'listed' | 'failed' | 'not_connected';
  limit: string;
  searches: unknown[];
}

export function emptyShop(): ShopState {
  return {
    submitted: [],
    performed: 0,
    ending: { state: 'accepted', providerId: '7' },
    held: Promise.resolve(),
    items: [],
    list: 'listed',
    limit: '10',
    searches: [],
  };
}

/** A shop with a screen of every kind, each with every kind of field: what the kit is tested by. */
export function registerShop(router: Router, context: AppContext, shop: () => ShopState): void {
  const every = createEveryField(shop);
  const slow = createSlowNote(shop);
  const order = createOrder(context, shop);
  const items = createItems(shop);
  createShopSettings(context, shop).register(router);
  every.register(router);
  slow.register(router);
  order.register(router);
  items.register(router);
  router.action('shop_order', 'send', async (call) => {
    await call.push(await order.begin(call, { item: call.value }));
  });
  defineCommand(context, {
    name: 'shop',
    title: 'How to shop',
    purpose: mrkdwn`*Buy things.*`,
    note: mrkdwn`Prices are in beans.`,
    words: {
      every: { needs: 'send', run: async (call) => call.open(await every.view(call.user, { about: 'tea' })) },
      'every given': {
        needs: 'send',
        run: async (call) =>
          call.open(await every.view(call.user, { about: 'tea' }, { initial: { more: 'kept', name: 'Bo' } })),
      },
      slow: { needs: 'send', run: async (call) => call.open(await slow.view(call.user, undefined)) },
      settings: {
        needs: 'administer',
        run: (call) => call.open(notice('Shop', actions('shop', button('shop_settings', 'Change the shop')))),
      },
      'order …': {
        needs: 'send',
        connected: true,
        help: (name) => mrkdwn`\`${name} order tea\` orders tea.`,
        run: async (call, rest) => call.open(await order.begin(call, { item: rest })),
      },
    },
    otherwise: {
      needs: (text) => (text === 'all' ? 'administer' : 'look_up'),
      help: (name) => [mrkdwn`\`${name}\` lists what there is.`],
      accepts: (text) => !text.includes('?'),
      run: async (call, text) =>
        text === 'nothing' ? unknown : items.show(call.open, call.user, { part: text }, { shelf: 'A' }),
    },
  }).register(router);
}

function createEveryField(shop: () => ShopState) {
  return defineForm({
    id: 'shop_every',
    title: ({ meta }) => `Every ${meta.about}`,
    submit: 'Send',
    needs: 'send',
    meta: z.object({ about: z.string() }),
    fields: {
      name: textField('Name', { live: 'character', max: 20, focus: true }),
      size: choiceField('Size', { small: 'Small', large: 'Large' }, { first: 'small', live: true }),
      shelf: optionsField('Shelf'),
      way: radioField('Way', { bag: option('Bag', 'bag'), box: option('Box', 'box') }, { first: 'bag' }),
      gift: tickField('Gift', 'Wrap it', { live: true }),
      extras: ticksField('Extras', { card: 'Card', bow: 'Bow' }),
      more: textField('More', { max: 30, optional: true, placeholder: 'Anything', multiline: true }),
      cup: searchField(
        'Cup',
        async ({ query }) => ({
          options: cups.filter(({ value }) => value !== undefined && query.includes(value)),
        }),
        {
          optional: true,
        },
      ),
      sender: senderField({ optional: true }),
      country: countryField('Where to.', { optional: true }),
      people: severalField('People', (action_id) => ({ type: 'multi_users_select', action_id }), {
        optional: true,
      }),
      list: tableFileField('A list.', { optional: true }),
      where: destinationField(),
    },
    load: async () => ({ shelves: ['A', 'B'] }),
    first: ({ shelves }) => ({
      shelf: shelves[1] ?? '',
      country: 'NG',
      where: { inChannel: false, channelId: 'C0SUPPORT' },
    }),
    when: { more: ({ gift }) => gift },
    overrides: {
      shelf: ({ data }) => ({ options: data.shelves.map((shelf) => option(`Shelf ${shelf}`, shelf)) }),
      name: ({ form }) => ({ hint: form.size === 'large' ? 'In large letters.' : 'In small letters.' }),
    },
    notes: {
      name: ({ form }) => mrkdwn`${form.name.length} of 20`,
      size: ({ form }): KnownBlock[] => (form.size === 'large' ? [section(mrkdwn`*Heavy*`)] : []),
    },
    above: ({ meta }) => [section(mrkdwn`About ${meta.about}`)],
    below: ({ form }) => [section(mrkdwn`${form.extras.join(' and ')} below`)],
    async submitted({ form, meta }) {
      if (form.name.trim() === '') {
        return { faults: { name: 'Write a name.', where: form.where.inChannel ? 'Not there.' : undefined } };
      }
      if (form.name === 'taken') {
        return { faults: { name: inPlain(mrkdwn`${caller} has it.`) } };
      }
      shop().submitted.push({ ...form, about: meta.about });
      return { view: notice('Sent', section(mrkdwn`*Sent to ${form.name}*`)) };
    },
    async closed({ user, meta }) {
      shop().submitted.push(`closed by ${user.userId} about ${meta.about}`);
    },
  });
}

const caller = provenNumberSchema.parse('+2348031234567');
const cups = [
  option('Cup blue', 'blue'),
  option('Cup red', 'red'),
  { text: plain(mrkdwn`Cup of ${caller}`), value: 'caller' },
];

function createSlowNote(shop: () => ShopState) {
  return defineForm({
    id: 'shop_slow',
    title: 'Slow note',
    submit: 'Keep',
    needs: 'send',
    fields: {
      note: textField('Note', { max: 50 }),
      code: textField('Code', { max: 20, secret: true }),
      isLong: tickField('Long', 'A long note', { live: true }),
      isLater: tickField('Later', 'Remind me', { live: true }),
    },
    when: { code: ({ isLong }) => !isLong },
    slow: { loading: loadingView('Slow note', 'Keeping it…'), nothingDone: mrkdwn`*Nothing was kept.*` },
    async submitted({ form }) {
      await shop().held;
      shop().submitted.push(form);
      return form.note === 'bad' ? { faults: { note: 'Write another.' } } : { feedback: mrkdwn`Kept.` };
    },
  });
}

function createShopSettings(context: AppContext, shop: () => ShopState) {
  return defineSettings(context, {
    id: 'shop_settings_form',
    opens: 'shop_settings',
    title: 'Shop settings',
    change: { action: 'settings.change', subject: 'shop' },
    fields: { limit: textField('Limit', { max: 9 }), tell: channelField('alert') },
    load: async () => ({ limit: shop().limit }),
    first: ({ limit }) => ({ limit, tell: 'C0SUPPORT' }),
    async save({ workspaceId }, { limit, tell }) {
      if (!/^\d+$/.test(limit)) {
        return { limit: 'Type a number.' };
      }
      if (tell === 'C0CAMPAIGNS') {
        return { tell: 'Not this one.' };
      }
      shop().limit = limit;
      const entry = { workspaceId, action: 'settings.change', subject: 'shop', outcome: 'done' } as const;
      await context.services.audit.record(entry);
      return undefined;
    },
  });
}

/** It stands for a kind of operation that the history knows. */
const kind = 'sender_id.request';

const outcome = defineOutcome({
  title: ({ state }) => `Order ${state.replace('_', ' ')}`,
  subject: () => mrkdwn`The order`,
  accepted: ({ providerId }) => mrkdwn`*Ordered*, number ${providerId ?? 'unknown'}.`,
  done: 'placed',
  check: 'Look at your orders before you place it again.',
  line: () => mrkdwn`An order`,
});

function createOrder(context: AppContext, shop: () => ShopState) {
  const { services } = context;
  return defineSpend(context, {
    id: 'shop_order_form',
    title: 'Order',
    submit: 'Order',
    needs: 'send',
    about: z.object({ item: z.string() }),
    fields: { count: textField('Count', { max: 3 }) },
    above: ({ meta }) => [section(mrkdwn`Order ${meta.about.item}`)],
    doing: 'Placing the order…',
    done: 'ordered',
    nothingDone: 'Nothing was ordered.',
    async submitted({ user, key, form, meta }) {
      if (form.count === '0') {
        return { faults: { count: 'Order at least one.' } };
      }
      const summary = { senderId: meta.about.item, company: 'Shop' };
      const intent = { ...user, key, kind, summary, usage: { kind: 'free' } } as const;
      return {
        perform: () =>
          form.count === '99'
            ? Promise.resolve({ about: { item: `the last ${meta.about.item}` } })
            : services.operations.spend(intent, async () => {
                shop().performed += 1;
                await shop().held;
                return shop().ending;
              }),
      };
    },
    outcome: outcome.view,
  });
}

const unreachable = providerError('not_sent', { operation: 'senderIds.list', reason: 'unreachable' });
const perPage = 3;

function createItems(shop: () => ShopState) {
  return defineList({
    id: 'shop_items',
    title: 'Items',
    needs: 'look_up',
    fields: { part: textField('Part of a name', { max: 40, live: 'enter', optional: true }) },
    submit: 'Look',
    filters: {
      kind: byChoice('All kinds', { tea: 'Tea', cup: 'Cups' }),
      from: byDay('From'),
      by: byPerson,
    },
    meta: z.object({ shelf: z.string() }),
    paging: byCursor,
    loading: 'Looking…',
    async read(_user, { form, filter, position, meta }) {
      shop().searches.push({ ...form, ...filter, ...meta, after: position.after });
      const { list, items } = shop();
      if (list === 'failed') {
        throw new Refusal({ kind: 'failed', error: { ...unreachable, message: 'The shop is closed.' } });
      }
      if (list === 'not_connected') {
        throw new Refusal({ kind: 'not_connected' });
      }
      const found = items.filter((item) => item.includes(form.part) && item.includes(filter.kind ?? ''));
      const from = Number(position.after || '0');
      const next = from + perPage < found.length ? String(from + perPage) : undefined;
      return {
        rows: lines(found.slice(from, from + perPage).map((item) => mrkdwn`• ${item}`)),
        empty: mrkdwn`Nothing like that.`,
        above: [section(mrkdwn`Shelf ${meta.shelf}`)],
        about: mrkdwn`${found.length} total`,
        neighbours: cursorPages(position, next),
      };
    },
    buttons: ({ permissions }) =>
      permissions.has('send') ? [button('shop_order', 'Order tea', { value: 'tea' })] : [],
    below: () => [section(mrkdwn`Open until nine.`)],
  });
}
