import { describe, it } from 'node:test';
import fc from 'fast-check';
import { z } from 'zod';
import { lines, section } from '../../../src/slack/block-kit/build.ts';
import { mrkdwn } from '../../../src/slack/block-kit/text.ts';
import { choiceField, textField, tickField } from '../../../src/slack/kit/fields.ts';
import { byChoice, byPerson } from '../../../src/slack/kit/filters.ts';
import { defineForm } from '../../../src/slack/kit/form.ts';
import { byPage, defineList } from '../../../src/slack/kit/list.ts';
import { defineOutcome } from '../../../src/slack/kit/outcome.ts';
import { rounds } from '../../support/sizes.ts';
import { assertSlackAccepts } from '../../support/slack/assert-slack-accepts.ts';
import { operationsOf, wildWords } from '../../support/slack/example-words.ts';

const user = {
  workspaceId: 'T0',
  userId: 'U0',
  zone: 'Africa/Lagos',
  roles: new Set<never>(),
  permissions: new Set(['use', 'look_up'] as const),
  isPartial: false,
};

const runs = { numRuns: rounds(60) };

/** Texts of people and of the provider, of any length and with any marks in them. */
describe('Slack takes a screen of the kit, whatever is written on it', () => {
  it('of a form: its fields, notes and hints', async () => {
    const { label } = wildWords;
    const property = fc.asyncProperty(label, label, fc.boolean(), async (typed, name, isLong) => {
      const form = defineForm({
        id: 'form',
        title: () => name,
        submit: 'Send',
        needs: 'use',
        meta: z.object({ about: z.string() }),
        fields: {
          one: textField(name, { hint: typed, max: 200, live: 'character', optional: true }),
          two: choiceField('Two', { first: name, second: name }, { first: 'first' }),
          three: tickField('Three', name),
        },
        notes: {
          one: ({ form: { one } }) => mrkdwn`“${one}”`,
          three: () => (isLong ? [section(mrkdwn`${typed}`)] : []),
        },
        submitted: async () => ({ feedback: mrkdwn`${typed}` }),
      });
      const about = typed.slice(0, 100).toWellFormed();
      assertSlackAccepts(
        await form.view(
          user,
          { about },
          { initial: { one: typed.toWellFormed() }, feedback: mrkdwn`${typed}` },
        ),
      );
    });
    await fc.assert(property, runs);
  });

  it('of a list: its rows, however many, and what it was searched by', async () => {
    const { label } = wildWords;
    const property = fc.asyncProperty(fc.array(label, { maxLength: 150 }), label, async (rows, text) => {
      const list = defineList({
        id: 'list',
        title: 'List',
        needs: 'use',
        fields: { name: textField('Name', { max: 100, optional: true }) },
        filters: { kind: byChoice('All', { one: 'One' }), by: byPerson },
        paging: byPage,
        read: async () => ({
          rows: [
            ...lines(rows.map((row) => mrkdwn`• ${row}`)),
            ...rows.map((row) => section(mrkdwn`• ${row}`)),
          ],
          empty: mrkdwn`${text}`,
          about: mrkdwn`${text}`,
          neighbours: { previous: { page: 0, from: 0 }, next: { page: 2, from: 0 } },
        }),
      });
      const name = text.slice(0, 100).toWellFormed();
      assertSlackAccepts(await list.view(user, list.start({ name }, undefined)));
    });
    await fc.assert(property, runs);
  });

  it('of an outcome, in each of its states', () => {
    const outcome = defineOutcome({
      title: ({ state }) => `Order ${state}`,
      subject: ({ providerId }) => mrkdwn`The order ${providerId}`,
      accepted: ({ providerId }) => mrkdwn`Ordered: ${providerId}`,
      done: 'placed',
      check: 'Look first.',
      line: () => mrkdwn`An order`,
    });
    const property = fc.property(operationsOf(wildWords, 'sender_id.request'), (operation) =>
      assertSlackAccepts(outcome.view(operation)),
    );
    fc.assert(property, runs);
  });
});

/** Each of these is a mistake in a definition. */
export function mistakes() {
  const fields = { name: textField('Name'), size: choiceField('Size', { s: 'Small' }, { first: 's' }) };
  const form = { id: 'x', title: 'X', submit: 'Go', needs: 'use', fields } as const;
  const submitted = async () => ({ feedback: mrkdwn`Sent.` });
  return [
    // @ts-expect-error no such option
    choiceField('Size', { s: 'Small' }, { first: 'm' }),
    // @ts-expect-error no such field
    defineForm({ ...form, notes: { nothing: () => mrkdwn`` }, submitted }),
    // @ts-expect-error no such field
    defineForm({ ...form, submitted: async () => ({ faults: { nobody: 'Is here.' } }) }),
    // @ts-expect-error no such value
    defineForm({ ...form, when: { name: ({ size }) => size === 'm' }, submitted }),
    // @ts-expect-error no such permission
    defineForm({ ...form, needs: 'everything', submitted }),
  ];
}
