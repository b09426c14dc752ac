import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import fc from 'fast-check';
import { phoneNumberSchema } from '../../../src/domain/phone/phone-number.ts';
import type { ImportRequest } from '../../../src/services/campaigns/import/import-recipients.ts';
import type { EarlierRecipients } from '../../../src/services/campaigns/import/recipient-sources.ts';
import type { Campaign } from '../../../src/store/campaigns/campaigns.ts';
import {
  asSeen,
  by,
  type CampaignHarness,
  campaignHarness,
  createdBy,
  startOf,
  workspaceId,
} from '../../support/campaign-harness.ts';
import { reasonOf } from '../../support/refusals.ts';
import { rounds } from '../../support/sizes.ts';
import { manyNumbers } from '../../support/slack/number-files.ts';
import { moveSeen, settleAndClaim } from '../../support/store/stored-campaigns.ts';

const form = { text: 'Hello {{name}}', route: 'dnd', senderId: 'PalmMarket' };
const restStates = { not_sent: 'waiting', rejected: 'rejected', unconfirmed: 'unconfirmed' } as const;
const hasEnded = ({ endedAt }: Campaign) => endedAt !== undefined;

/** Imports a table with a name for each number, or whatever rows are given. */
function importTable(
  { services }: CampaignHarness,
  id: string,
  rows: readonly string[],
  change: Partial<ImportRequest> = {},
) {
  const source = { kind: 'pasted' as const, text: ['Name,Phone', ...rows].join('\n') };
  return services.campaigns.importRecipients({ workspaceId, userId: createdBy, id, source, form, ...change });
}

async function recipientsOf({ store }: CampaignHarness, id: string) {
  const chunks = await Array.fromAsync(store.campaigns.chunks(workspaceId, id, ['waiting']));
  return chunks.flatMap(({ to, text, cells }) =>
    to.map((number, index) => ({ number, text, cells: cells?.[index] })),
  );
}

describe('the rest of a campaign that has ended', () => {
  it('is exactly those in that state, with every column, and none of them is in two rests', async () => {
    const harness = await campaignHarness({ after });
    const { campaigns } = harness.services;
    const numbers = manyNumbers(8);
    let made = 0;
    const state = fc.constantFrom('accepted', 'rejected', 'unconfirmed', 'waiting', 'not claimed');
    await fc.assert(
      fc.asyncProperty(fc.array(state, { minLength: 8, maxLength: 8 }), async (states) => {
        made += 1;
        const id = `one-${made}`;
        await importTable(
          harness,
          id,
          numbers.map((number, index) => `Name ${index},${number}`),
        );
        await moveSeen(harness.store.campaigns, workspaceId, id, ['ready'], 'running');
        const claimed = states.filter((each) => each !== 'not claimed').length;
        await settleAndClaim(harness.store, { workspaceId, id }, [], claimed);
        // Claimed in their order, so the states are those of the first ones.
        const endings = states
          .filter((each) => each !== 'not claimed')
          .map((each, number) => ({ number, state: each as 'accepted' }));
        const inFlight = await campaigns.cancel(by('creator', id));
        assert.ok(inFlight.kind === 'done' || claimed === 0);
        if (claimed > 0) {
          const early = await campaigns.findRest({ ...by('creator', id), which: 'not_sent' });
          assert.equal(early.kind, 'too_late', 'while something is in flight');
        }
        await settleAndClaim(harness.store, { workspaceId, id }, endings, 0);
        const sent: string[] = [];
        for (const [which, chunkState] of Object.entries(restStates)) {
          const kind = which as keyof typeof restStates;
          const expected = numbers.flatMap((number, index) => {
            const ending = endings[index]?.state ?? 'waiting';
            return ending === chunkState ? [{ number, index }] : [];
          });
          const read = await harness.readRest(id, kind, { text: 'Dear {{name}}' });
          const known = expected.length === 0 ? 'faults' : 'ready';
          assert.equal(read.kind, known);
          const rest = read.kind === 'ready' ? await recipientsOf(harness, read.review.campaign.id) : [];
          assert.deepEqual(
            rest,
            expected.map(({ number, index }) => ({
              number,
              text: `Dear Name ${index}`,
              cells: [`Name ${index}`, number],
            })),
          );
          sent.push(...rest.map(({ number }) => number));
        }
        assert.equal(new Set(sent).size, sent.length);
      }),
      { numRuns: rounds(25) },
    );
  });

  it('is sent to once, by whomever of those who may', async (test) => {
    const harness = await campaignHarness(test);
    const { campaigns } = harness.services;
    await importTable(
      harness,
      'one',
      manyNumbers(3).map((number) => `Ada,${number}`),
    );
    await campaigns.start(await asSeen(campaigns, startOf('one')));
    await campaigns.cancel(by('creator', 'one'));
    const make = async (who: 'creator' | 'admin') => {
      const found = await campaigns.findRest({ ...by(who, 'one'), which: 'not_sent' });
      assert.ok(found.kind === 'found', found.kind);
      const { source, draft: shownVersion } = found;
      return importTable(harness, who, [], { userId: by(who, '').userId, source, shownVersion });
    };
    const mine = await make('creator');
    const theirs = await make('admin');
    assert.ok(mine.kind === 'ready' && theirs.kind === 'ready');
    const { id } = theirs.review.campaign;
    assert.equal(mine.review.campaign.id, id);
    assert.equal(
      (await reasonOf(campaigns.start(await asSeen(campaigns, startOf(id))))).kind,
      'gone',
      'the admin has prepared it since',
    );
    assert.equal(
      (await campaigns.start(await asSeen(campaigns, { ...startOf(id), userId: 'U0ADMIN' }))).kind,
      'started',
    );
    assert.equal(await make('creator').catch((error: Error) => error.message), 'continued');
    const { promise: ended, resolve } = Promise.withResolvers<void>();
    campaigns.watch((campaign) => hasEnded(campaign) && resolve());
    harness.begin();
    await ended;
    assert.equal(harness.provider.record.length, 3);
  });
});

describe('a scheduled campaign that is edited', () => {
  const zone = 'Africa/Lagos';

  async function scheduled(test: Parameters<typeof campaignHarness>[0]) {
    const harness = await campaignHarness(test);
    await importTable(harness, 'one', ['Ada,08031234567', ',08031234568', 'Chidi,0803']);
    const at = { time: new Date(Date.now() + 60 * 60_000), zone };
    await harness.services.campaigns.start(
      await asSeen(harness.services.campaigns, { ...startOf('one'), at, maxDelayMs: 60_000 }),
    );
    return harness;
  }

  async function draftOf({ services }: CampaignHarness): Promise<EarlierRecipients> {
    const found = await services.campaigns.findOfDraft(by('creator', 'one'));
    return found.kind === 'found' ? found.source : assert.fail(found.kind);
  }

  it('is either edited or started, whatever two people do at once', async (test) => {
    const harness = await scheduled(test);
    const { campaigns } = harness.services;
    const steps = await Promise.all([
      campaigns.startNow(await asSeen(campaigns, by('admin', 'one'))),
      campaigns.unschedule(by('creator', 'one')),
      campaigns.startNow(await asSeen(campaigns, by('creator', 'one'))),
    ]);
    assert.deepEqual(steps.map(({ kind }) => kind).sort(), ['done', 'too_late', 'too_late']);
  });

  it('is not replaced once its draft was started', async (test) => {
    const harness = await scheduled(test);
    const { campaigns } = harness.services;
    await campaigns.unschedule(by('creator', 'one'));
    const source = await draftOf(harness);
    await campaigns.start(await asSeen(campaigns, startOf('one')));
    const edited = await importTable(harness, 'two', [], { source });
    assert.ok(edited.kind === 'started');
    assert.equal(edited.campaign.id, 'one');
    assert.equal(await campaigns.find(by('creator', 'two'), 'two'), undefined);
  });

  it('is moved to another time, started now, or discarded after it missed its time', async (test) => {
    const harness = await scheduled(test);
    const { campaigns } = harness.services;
    const at = { time: new Date(Date.now() + 2 * 60 * 60_000), zone };
    const moved = await campaigns.changeTime(await asSeen(campaigns, { ...by('admin', 'one'), at }));
    assert.ok(moved.kind === 'done');
    assert.deepEqual([moved.campaign.startAt, moved.campaign.latestStart], [at.time, undefined]);
    assert.equal(
      (await reasonOf(campaigns.changeTime(await asSeen(campaigns, { ...by('another', 'one'), at })))).kind,
      'gone',
    );
    assert.equal(await campaigns.discard(by('creator', 'one')), false, 'a scheduled one is cancelled');
    await harness.store.campaigns.move(workspaceId, 'one', ['scheduled'], 'missed');
    assert.equal(
      (await campaigns.changeTime(await asSeen(campaigns, { ...by('creator', 'one'), at }))).kind,
      'done',
    );
    await harness.store.campaigns.move(workspaceId, 'one', ['scheduled'], 'missed');
    assert.equal(await campaigns.discard(by('another', 'one')), false);
    assert.equal(await campaigns.discard(by('creator', 'one')), true);
    assert.equal(await campaigns.find(by('creator', 'one'), 'one'), undefined);
  });

  it('is not started for nobody', async (test) => {
    const harness = await scheduled(test);
    const { campaigns, suppressionList } = harness.services;
    await harness.store.campaigns.move(workspaceId, 'one', ['scheduled'], 'missed');
    const told: Campaign[] = [];
    campaigns.watch((campaign) => void told.push(campaign));
    const [only] = await recipientsOf(harness, 'one');
    await suppressionList.add({
      workspaceId,
      userId: createdBy,
      numbers: [phoneNumberSchema.parse(only?.number)],
    });
    assert.deepEqual(
      told.map(({ counts }) => counts.recipients),
      [0],
    );
    assert.equal(
      (await reasonOf(campaigns.startNow(await asSeen(campaigns, by('creator', 'one'))))).kind,
      'nobody_left',
    );
    await campaigns.unschedule(by('creator', 'one'));
    assert.equal(
      (await reasonOf(campaigns.start(await asSeen(campaigns, startOf('one'))))).kind,
      'nobody_left',
    );
  });
});
