import type { ModalView } from '@slack/types';
import type { SpendResult } from '../../../src/services/operations/operations.ts';
import { lines } from '../../../src/slack/block-kit/build.ts';
import { outcomeTitle } from '../../../src/slack/block-kit/descriptions/outcome.ts';
import { viewPageOf } from '../../../src/slack/block-kit/paging.ts';
import { type Markup, mrkdwn } from '../../../src/slack/block-kit/text.ts';
import { defineCommand } from '../../../src/slack/kit/command.ts';
import { choiceField, textField, tickField } from '../../../src/slack/kit/fields.ts';
import { defineForm } from '../../../src/slack/kit/form.ts';
import { byPage, defineList } from '../../../src/slack/kit/list.ts';
import { defineOutcome, defineSpend } from '../../../src/slack/kit/outcome.ts';
import { defineSettings } from '../../../src/slack/kit/settings.ts';
import type { AppContext } from '../../../src/slack/middleware/app-context.ts';
import type { User } from '../../../src/slack/middleware/requests.ts';
import type { Router } from '../../../src/slack/middleware/router/router.ts';

const notCalled = () => Promise.reject(new Error('nobody opens the examples'));

/** What the examples use besides the kit. */
const keep: (user: User, words: string) => Promise<ModalView> = notCalled;
const find: (
  workspaceId: string,
  name: string,
  page: number,
) => Promise<{ records: string[]; last: boolean }> = notCalled;
const line = (record: string): Markup => mrkdwn`${record}`;
const shop: { place(order: User & { key: string; plan: string }): Promise<SpendResult> } = {
  place: notCalled,
};
const alerts: {
  read(workspaceId: string): Promise<{ below: number }>;
  save(workspaceId: string, userId: string, below: number): Promise<void>;
} = { read: notCalled, save: notCalled };

/** The examples in the headers of the kit, each as it stands there: what compiles here compiles for a reader. */
export function defineExamples(router: Router, context: AppContext) {
  const fields = {
    to: textField('To', { max: 20 }),
    route: choiceField('Route', { road: 'By road', air: 'By air' }, { first: 'road', live: true }),
    urgent: tickField('Urgent', 'Send it now'),
  };
  // FormOf<typeof fields> is { to: string; route: 'road' | 'air'; urgent: boolean }

  const note = defineForm({
    id: 'note',
    title: 'Note',
    submit: 'Save',
    needs: 'send',
    fields: { words: textField('Words', { live: 'character', max: 100 }) },
    notes: { words: ({ form }) => mrkdwn`${form.words.length} of 100` },
    async submitted({ form, user }) {
      return form.words === ''
        ? { faults: { words: 'Write something.' } }
        : { view: await keep(user, form.words) };
    },
  });
  note.register(router);
  router.action('note_open', 'send', async ({ user, push }) => {
    await push(await note.view(user, undefined, { initial: { words: 'Hello' } }));
  });

  const orders = defineList({
    id: 'orders',
    title: 'Orders',
    needs: 'look_up',
    fields: { name: textField('Name', { live: 'enter', optional: true }) },
    paging: byPage,
    loading: 'Asking the provider…',
    async read({ workspaceId }, { form, position }) {
      const { records, last } = await find(workspaceId, form.name, position.page);
      const neighbours = viewPageOf(records, position, { last });
      return { rows: lines(records.map(line)), empty: mrkdwn`No results.`, neighbours };
    },
  });
  orders.register(router);
  router.action('orders_open', 'look_up', (call) =>
    orders.show(call.push, call.user, { name: 'Palm' }, undefined),
  );

  const outcome = defineOutcome({
    title: ({ state }) => outcomeTitle('Order', state),
    subject: () => mrkdwn`The order`,
    accepted: ({ providerId }) => mrkdwn`*Ordered:* ${providerId}.`,
    done: 'placed',
    check: 'Look at the orders before you place it again.',
    line: () => mrkdwn`An order`,
  });

  const order = defineSpend(context, {
    id: 'order',
    title: 'Order',
    submit: 'Order',
    needs: 'buy',
    fields: { plan: choiceField('Plan', { small: 'Small', large: 'Large' }, { first: 'small' }) },
    doing: 'Placing the order…',
    done: 'ordered',
    nothingDone: 'Nothing was ordered.',
    submitted: async ({ user, key, form }) => ({
      perform: () => shop.place({ ...user, key, plan: form.plan }),
    }),
    outcome: outcome.view,
  });
  order.register(router);
  router.action(
    'order_open',
    'buy',
    async (call) => void (await call.push(await order.begin(call, undefined))),
  );

  const alert = defineSettings(context, {
    id: 'alert',
    opens: 'alert_open',
    title: 'Alert',
    change: { action: 'settings.change', subject: 'alert' },
    fields: { below: textField('Below', { max: 12 }) },
    load: (workspaceId) => alerts.read(workspaceId),
    first: ({ below }) => ({ below: String(below) }),
    async save({ workspaceId, userId }, { below }) {
      if (!/^\d{1,9}$/.test(below)) {
        return { below: 'Type a number.' };
      }
      await alerts.save(workspaceId, userId, Number(below));
      return undefined;
    },
  });
  alert.register(router);

  defineCommand(context, {
    name: 'orders',
    title: 'How to see orders',
    purpose: mrkdwn`*See your orders.*`,
    words: {
      'find …': {
        needs: 'look_up',
        help: (name) => mrkdwn`\`${name} find palm\` finds the orders with *palm* in their name.`,
        run: (call, name) => orders.show(call.open, call.user, { name }, undefined),
      },
    },
    otherwise: {
      needs: 'look_up',
      help: (name) => mrkdwn`\`${name}\` lists your orders.`,
      accepts: (text) => text === '',
      run: (call) => orders.show(call.open, call.user, {}, undefined),
    },
  }).register(router);

  return fields;
}
