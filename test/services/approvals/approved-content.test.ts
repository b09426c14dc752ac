import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import fc from 'fast-check';
import { phoneNumberSchema } from '../../../src/domain/phone/phone-number.ts';
import type { Approval } from '../../../src/store/approvals/approvals.ts';
import { chunkAdditionalData } from '../../../src/store/campaigns/chunk-content.ts';
import {
  type ChunkContent,
  readRecipients,
  writeRecipients,
} from '../../../src/store/campaigns/row-mapping.ts';
import { additionalDataOf } from '../../../src/store/engine/encryption/encrypted-column.ts';
import { encryptedColumn } from '../../../src/store/schema/schema.ts';
import { approver, askToStart, decide, standing, switchOn } from '../../support/approvals.ts';
import {
  type CampaignHarness,
  campaignHarness,
  createdBy,
  workspaceId,
} from '../../support/campaign-harness.ts';
import { manyNumbers } from '../../support/slack/number-files.ts';

const tomorrow = new Date(Date.now() + 24 * 60 * 60_000);
const soon = { at: { time: new Date(Date.now() + 60 * 60_000), zone: 'Africa/Lagos' }, maxDelayMs: 60_000 };

/** One change of what is stored of a campaign, as nothing in the program makes it. */
type Change = (harness: CampaignHarness, id: string, approval: Approval) => Promise<unknown>;

const setColumns =
  (values: Record<string, string | number | null>): Change =>
  ({ store: { db } }, id) =>
    db.updateTable('campaign').set(values).where('id', '=', id).execute();

/** Changes the recipients of one chunk as they are stored. */
const rewrite =
  (change: (content: ChunkContent) => ChunkContent): Change =>
  async ({ store: { db }, encryption }, id) => {
    const { sequence } = await db
      .selectFrom('campaign')
      .select('sequence')
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    const stored = db.selectFrom('campaignChunkContent').selectAll().where('campaign', '=', sequence);
    const { number, value } = await stored.orderBy('number', 'desc').executeTakeFirstOrThrow();
    const data = chunkAdditionalData(workspaceId, sequence, number);
    const content = encryption.encrypt(
      writeRecipients(change(readRecipients(encryption.decrypt(value, data)))),
      data,
    );
    await db
      .updateTable('campaignChunkContent')
      .set({ value: content })
      .where('campaign', '=', sequence)
      .where('number', '=', number)
      .execute();
  };

const changes: Readonly<Record<string, Change>> = {
  'another text': (harness, id, approval) => {
    const text = harness.encryption.encrypt(
      'Hello {{name}}!',
      additionalDataOf(encryptedColumn('campaign', 'text'), { workspaceId, id }),
    );
    return setColumns({ text })(harness, id, approval);
  },
  'another title of a column': (harness, id, approval) => {
    const columns = harness.encryption.encrypt(
      '["Name","Mobile"]',
      additionalDataOf(encryptedColumn('campaign', 'columns'), { workspaceId, id }),
    );
    return setColumns({ columns })(harness, id, approval);
  },
  'another route': setColumns({ route: 'generic' }),
  'another sender': setColumns({ senderId: 'PalmMarkets' }),
  'another name': setColumns({ name: 'Other' }),
  'another price by more pages': setColumns({ pages: 1_000 }),
  'another time to start': setColumns({ startAt: tomorrow.getTime() }),
  'another latest time to start': setColumns({ latestStart: tomorrow.getTime() }),
  'another place of its progress': setColumns({ channelId: 'C0OTHER' }),
  'another creator': setColumns({ createdBy: 'U0OTHER' }),
  'more recipients counted': setColumns({ recipients: 9 }),
  'a recipient added': rewrite(({ to, cells = [], ...rest }) => ({
    ...rest,
    to: [...to, '+2348059999999'],
    cells: [...cells, ['Eve', '+2348059999999']],
  })),
  'a recipient removed': rewrite(({ to, cells, ...rest }) => ({
    ...rest,
    to: to.slice(1),
    ...(cells && { cells: cells.slice(1) }),
  })),
  'a recipient replaced': rewrite(({ to, ...rest }) => ({ ...rest, to: ['+2348059999999', ...to.slice(1)] })),
  'recipients in another order': rewrite(({ to, cells, ...rest }) => ({
    ...rest,
    to: to.length === 1 ? [...to, ...to] : to.toReversed(),
    ...(cells && { cells }),
  })),
  'another value of a recipient': rewrite(({ cells = [], ...rest }) => ({
    ...rest,
    cells: cells.map(([, ...others]) => ['Mallory', ...others]),
  })),
  'another text of a recipient': rewrite((content) => ({ ...content, text: 'Hello Mallory' })),
  'a recipient on the do-not-contact list': async ({ services, store }, id) => {
    const [chunk] = await Array.fromAsync(store.campaigns.chunks(workspaceId, id, ['waiting']));
    const number = phoneNumberSchema.parse(chunk?.to[0]);
    await services.suppressionList.add({ workspaceId, userId: createdBy, numbers: [number] });
  },
  'another start in the request itself': ({ store: { db }, encryption }, _, { id, content }) => {
    const changed = content.replace('"verb":"start"', '"verb":"start_now"');
    assert.notEqual(changed, content);
    const value = encryption.encrypt(changed, ['approval_content', workspaceId, id]);
    return db.updateTable('approval').set({ content: value }).where('id', '=', id).execute();
  },
};

/** Imports a list with names, or for the same text for everybody. */
async function read(
  { services }: CampaignHarness,
  id: string,
  numbers: readonly string[],
  personal: boolean,
) {
  const rows = numbers.map((number, index) => `Name ${index},${number}`);
  const imported = await services.campaigns.importRecipients({
    workspaceId,
    userId: createdBy,
    id,
    source: { kind: 'pasted', text: ['Name,Phone', ...rows].join('\n') },
    form: { text: personal ? 'Hello {{name}}' : 'Hello', route: 'dnd', senderId: 'PalmMarket' },
  });
  assert.equal(imported.kind, 'ready');
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
          // Numbers of its own: one that is put on the do-not-contact list is in no later campaign.
          await read(harness, id, manyNumbers(made * 10 + size).slice(made * 10), personal);
          const approval = await askToStart(harness, id, scheduled ? soon : {});
          await changes[name ?? '']?.(harness, id, approval);
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
        numRuns: 40,
        examples: Object.keys(changes).map((name): [string, number, boolean, boolean] => [
          name,
          3,
          true,
          false,
        ]),
      },
    );
  });

  it('is void where the cost that was seen is another one', async () => {
    const harness = await campaignHarness({ after });
    await switchOn(harness);
    const { services } = harness;
    await read(harness, 'sale', manyNumbers(3), false);
    const unknown = await askToStart(harness, 'sale');
    await services.prices.add({ workspaceId, userId: approver }, { scope: {}, amount: '4' });
    await services.approvals.approve(decide(unknown));
    assert.deepEqual(
      [(await standing(harness, unknown)).state, (await standing(harness, unknown)).cause],
      ['void', 'changed'],
    );
    const known = await askToStart(harness, 'sale');
    assert.match(known.content, /"cost":\{"total":"12","perPage":"4"\}/);
    assert.equal((await services.approvals.approve(decide(known))).kind, 'done');
  });
});
