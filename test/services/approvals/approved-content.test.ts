import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import fc from 'fast-check';
import { type PhoneNumber, phoneNumberSchema, toE164 } from '../../../src/domain/phone/phone-number.ts';
import {
  type ImportRequest,
  importRecipients,
} from '../../../src/services/campaigns/import/import-recipients.ts';
import { approver, askToStart, decide, standing, switchOn } from '../../support/approvals.ts';
import {
  asSeen,
  by,
  type CampaignHarness,
  campaignHarness,
  createdBy,
  workspaceId,
} from '../../support/campaign-harness.ts';
import { rounds } from '../../support/sizes.ts';
import { manyNumbers } from '../../support/slack/number-files.ts';
import { testContext } from '../../support/test-context.ts';

const tomorrow = new Date(Date.now() + 24 * 60 * 60_000);
const soon = { at: { time: new Date(Date.now() + 60 * 60_000), zone: 'Africa/Lagos' }, maxDelayMs: 60_000 };

/** A campaign as a person enters it. */
interface Filled {
  columns: string;
  /** The rows of the list, without its columns. */
  rows: readonly string[];
  form: ImportRequest['form'];
}

/** Each replaces the requested campaign with another one, like an edit in another window. */
const changes: Readonly<Record<string, (filled: Filled) => Filled>> = {
  'another text': (filled) => ({ ...filled, form: { ...filled.form, text: `${filled.form.text}!` } }),
  'another title of a column': (filled) => ({ ...filled, columns: 'Name,Mobile' }),
  'another route': (filled) => ({ ...filled, form: { ...filled.form, route: 'generic' } }),
  'another sender': (filled) => ({ ...filled, form: { ...filled.form, senderId: 'PalmMarkets' } }),
  'another name': (filled) => ({ ...filled, form: { ...filled.form, name: 'Other' } }),
  'plain text in its columns': (filled) => ({ ...filled, form: { ...filled.form, plainCells: true } }),
  'no accents in its columns': (filled) => ({ ...filled, form: { ...filled.form, withoutAccents: true } }),
  'a recipient added': (filled) => ({ ...filled, rows: [...filled.rows, 'Eve,+2348059999999'] }),
  'a recipient removed': (filled) => ({ ...filled, rows: filled.rows.slice(1) }),
  'a recipient replaced': (filled) => ({
    ...filled,
    rows: ['Name 0,+2348059999999', ...filled.rows.slice(1)],
  }),
  'recipients in another order': (filled) => ({ ...filled, rows: filled.rows.toReversed() }),
  'another value of a recipient': (filled) => ({
    ...filled,
    rows: filled.rows.map((row, index) => (index === 0 ? row.replace('Name', 'Mallory') : row)),
  }),
};

/** A list with names, or the same text for everybody. */
const fillIn = (numbers: readonly string[], personal: boolean): Filled => ({
  columns: 'Name,Phone',
  rows: numbers.map((number, index) => `Name ${index},${number}`),
  form: { text: personal ? 'Hello {{name}}' : 'Hello', route: 'dnd', senderId: 'PalmMarket' },
});

/** Imports it over the campaign with the same id. Only the approval itself can notice that. */
async function read({ services, store }: CampaignHarness, id: string, { columns, rows, form }: Filled) {
  await store.campaigns.discard(workspaceId, id, ['ready']);
  const source = { kind: 'pasted' as const, text: [columns, ...rows].join('\n') };
  const request = { workspaceId, userId: createdBy, id, source, form };
  const imported = await importRecipients(request, testContext(store), services.workspaces);
  assert.equal(imported.kind, 'written');
}

describe('an approval', () => {
  it('is void after any change of its campaign, and starts exactly what was asked for without one', async () => {
    const harness = await campaignHarness({ after });
    await switchOn(harness);
    const { services, store } = harness;
    let made = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(undefined, ...Object.keys(changes)),
        fc.integer({ min: 2, max: 6 }),
        fc.boolean(),
        fc.boolean(),
        async (name, size, personal, scheduled) => {
          made += 1;
          const id = `one-${made}`;
          const filled = fillIn(manyNumbers(size), personal);
          await read(harness, id, filled);
          const approval = await askToStart(harness, id, scheduled ? soon : {});
          await read(harness, id, changes[name ?? '']?.(filled) ?? filled);
          const { kind } = await services.approvals.approve(decide(approval));
          const { state } = (await store.campaigns.find(workspaceId, id)) ?? assert.fail();
          const { state: standingState, endedBy } = await standing(harness, approval);
          assert.deepEqual(
            [kind, standingState, endedBy, state],
            name === undefined
              ? ['done', 'approved', approver, scheduled ? 'scheduled' : 'running']
              : ['ended', 'void', undefined, 'ready'],
            name,
          );
        },
      ),
      {
        numRuns: rounds(40),
        examples: Object.keys(changes).map((name): [string, number, boolean, boolean] => [
          name,
          3,
          true,
          false,
        ]),
      },
    );
  });

  it('is void where its campaign has another time by then', async () => {
    const harness = await campaignHarness({ after });
    await switchOn(harness);
    const { services, store } = harness;
    for (const column of ['startAt', 'latestStart']) {
      await read(harness, column, fillIn(manyNumbers(3), false));
      await services.approvals.approve(decide(await askToStart(harness, column, soon)));
      const asked = await services.campaigns.startNow(
        await asSeen(services.campaigns, by('creator', column)),
      );
      assert.ok(asked.kind === 'approval');
      const later = { [column]: tomorrow.getTime() };
      await store.db.updateTable('campaign').set(later).where('id', '=', column).execute();
      assert.equal((await services.approvals.approve(decide(asked.approval))).kind, 'ended');
      assert.equal((await store.campaigns.find(workspaceId, column))?.state, 'scheduled');
    }
  });

  it('is void where the cost that was seen is another one', async () => {
    const harness = await campaignHarness({ after });
    await switchOn(harness);
    const { services } = harness;
    await read(harness, 'sale', fillIn(manyNumbers(3), false));
    const unknown = await askToStart(harness, 'sale');
    await services.prices.add({ workspaceId, userId: approver }, { scope: {}, amount: '4' });
    await services.approvals.approve(decide(unknown));
    assert.deepEqual(
      [(await standing(harness, unknown)).state, (await standing(harness, unknown)).cause],
      ['void', 'changed'],
    );
    const known = await askToStart(harness, 'sale');
    assert.match(known.content, /"cost":\{"total":"12","pages":3,"unknownPages":0\}/);
    assert.equal((await services.approvals.approve(decide(known))).kind, 'done');
  });

  it('outlasts an opt-out of the only recipient in a country, whether its price is known or not', async () => {
    const harness = await campaignHarness({ after });
    await switchOn(harness);
    const { services, store } = harness;
    const user = { workspaceId, userId: approver };
    const price = { scope: { route: 'dnd', country: 'NG' }, amount: '4' } as const;
    await services.prices.add(user, price);
    const [nigerian, kenyan] = ['+2348031234561', '+254712345678'].map((each) =>
      phoneNumberSchema.parse(each),
    );
    assert.ok(nigerian && kenyan);
    const askWithout = async (id: string, number: PhoneNumber) => {
      await read(harness, id, fillIn([nigerian, kenyan].map(toE164), false));
      const asked = await askToStart(harness, id);
      await services.suppressionList.add({ workspaceId, userId: createdBy, numbers: [number] });
      await services.suppressionList.remove(workspaceId, [number]);
      return asked;
    };
    for (const number of [kenyan, nigerian]) {
      const asked = await askWithout(toE164(number), number);
      assert.equal((await services.approvals.approve(decide(asked))).kind, 'done');
      assert.equal((await store.campaigns.find(workspaceId, toE164(number)))?.state, 'running');
    }
    const dearer = await askWithout('dearer', kenyan);
    await services.prices.change(user, { ...price, amount: '5' });
    await services.approvals.approve(decide(dearer));
    assert.equal((await standing(harness, dearer)).cause, 'changed', 'what is left has another price');
    const unknown = await askWithout('unknown', nigerian);
    await services.prices.add(user, { scope: { route: 'dnd', country: 'KE' }, amount: '9' });
    await services.approvals.approve(decide(unknown));
    assert.equal((await standing(harness, unknown)).cause, 'changed', 'what is left has a price now');
  });
});
