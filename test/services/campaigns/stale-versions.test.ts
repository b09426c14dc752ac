import assert from 'node:assert/strict';
import { test } from 'node:test';
import { changedParts } from '../../../src/domain/campaigns/campaign-version.ts';
import type { Seen } from '../../../src/domain/limits/seen.ts';
import type { CampaignService } from '../../../src/services/campaigns/campaign-service.ts';
import { type CampaignVerb, campaignMoves } from '../../../src/store/campaigns/campaign-moves.ts';
import type { CampaignRepository } from '../../../src/store/campaigns/campaign-repository.ts';
import type { CampaignState } from '../../../src/store/campaigns/campaigns.ts';
import {
  asSeen,
  by,
  type CampaignHarness,
  campaignHarness,
  createdBy,
  notAsked,
  startOf,
  workspaceId,
} from '../../support/campaign-harness.ts';
import { after, liveUntil, repeatDaily } from '../../support/killed-repeats.ts';
import { orReason } from '../../support/refusals.ts';
import { splitRequest } from '../../support/splits.ts';
import { forEachDatabase } from '../../support/store/databases.ts';
import { moveSeen, newCampaign } from '../../support/store/stored-campaigns.ts';

const hour = 60 * 60_000;
const at = { time: new Date(Date.now() + 24 * hour), zone: 'Africa/Lagos' };
const later = { time: new Date(Date.now() + 48 * hour), zone: 'Africa/Lagos' };
const day = (time: Date) => time.toISOString().slice(0, 10);
const repeat = {
  every: 'day' as const,
  from: day(at.time),
  until: day(new Date(Date.now() + 96 * hour)),
  time: '10:00',
  plainCells: false,
};
const numbers = ['+2348031234561', '+2348050000001'];
/** Its sender can be changed, and recipients in a country can be skipped. */
const pausedByProvider = {
  by: 'provider',
  error: { reason: 'country_inactive' },
  isEdited: true,
  countries: { GH: 1 },
} as const;

interface Start {
  /** The service's function. */
  by: keyof CampaignService;
  from: CampaignState;
  run(harness: CampaignHarness, version: string, seen: Seen): Promise<{ kind: string }>;
  /** It sends nothing itself, so it doesn't check the other facts. */
  isEdit?: boolean;
}

const own = by('creator', 'sale');

/** Every way to make a campaign in some state send, with the version and facts that the person saw. */
const starts: Record<string, Start> = {
  send: {
    by: 'start',
    from: 'ready',
    run: ({ services }, version, seen) => services.campaigns.start({ ...startOf('sale'), version, seen }),
  },
  schedule: {
    by: 'start',
    from: 'ready',
    run: ({ services }, version, seen) => services.campaigns.start({ ...startOf('sale'), version, seen, at }),
  },
  repeat: {
    by: 'start',
    from: 'ready',
    run: ({ services }, version, seen) =>
      services.campaigns.start({ ...startOf('sale'), version, seen, at, repeat }),
  },
  split: {
    by: 'split',
    from: 'ready',
    run: async (harness, version) =>
      harness.services.campaigns.split(await splitRequest(harness, 'sale', { version })),
    isEdit: true,
  },
  test: {
    by: 'sendTest',
    from: 'ready',
    run({ services }, version, seen) {
      const test = { key: 'test', number: '+2348050000002' };
      return services.campaigns.sendTest({ ...startOf('sale'), version, seen, ...test });
    },
  },
  'start now': {
    by: 'startNow',
    from: 'scheduled',
    run: ({ services }, version, seen) => services.campaigns.startNow({ ...own, version, seen }),
  },
  'change the time': {
    by: 'changeTime',
    from: 'scheduled',
    run: ({ services }, version, seen) => services.campaigns.changeTime({ ...own, version, seen, at: later }),
  },
  'start one that missed its time': {
    by: 'startNow',
    from: 'missed',
    run: ({ services }, version, seen) => services.campaigns.startNow({ ...own, version, seen }),
  },
  'schedule one that missed its time': {
    by: 'changeTime',
    from: 'missed',
    run: ({ services }, version, seen) => services.campaigns.changeTime({ ...own, version, seen, at: later }),
  },
  resume: {
    by: 'resume',
    from: 'paused',
    run: ({ services }, version, seen) => services.campaigns.resume({ ...own, version, seen }),
  },
  'change the sender': {
    by: 'changeSender',
    from: 'paused',
    run: ({ services }, version) => services.campaigns.changeSender({ ...own, version, sender: 'PalmCare' }),
    isEdit: true,
  },
};

/** Every way to stop or pause a campaign by its id, and its state after that. */
const stops: [
  by: keyof CampaignService,
  from: CampaignState,
  stop: (harness: CampaignHarness) => Promise<unknown>,
  CampaignState | undefined,
][] = [
  ['discard', 'ready', ({ services }) => services.campaigns.discard(own), undefined],
  ['discard', 'missed', ({ services }) => services.campaigns.discard(own), undefined],
  ['cancel', 'scheduled', ({ services }) => services.campaigns.cancel(own), 'cancelled'],
  ['unschedule', 'scheduled', ({ services }) => services.campaigns.unschedule(own), 'ready'],
  ['cancel', 'repeating', ({ services }) => services.campaigns.cancel(own), 'cancelled'],
  ['pause', 'running', ({ services }) => services.campaigns.pause(own), 'paused'],
  ['cancel', 'running', ({ services }) => services.campaigns.cancel(own), 'cancelled'],
  ['cancel', 'paused', ({ services }) => services.campaigns.cancel(own), 'cancelled'],
  ['holdWorkspace', 'running', ({ services }) => services.campaigns.holdWorkspace(workspaceId), 'paused'],
  [
    'skip',
    'repeating',
    async ({ services, store }) => {
      assert.equal((await services.campaigns.skip({ ...own, at: at.time })).kind, 'done');
      const campaign = await store.campaigns.find(workspaceId, 'sale');
      assert.notDeepEqual(campaign?.startAt, at.time);
    },
    'repeating',
  ],
  [
    'leaveOutCountries',
    'paused',
    async ({ services }) => assert.equal((await services.campaigns.leaveOutCountries(own)).kind, 'done'),
    'paused',
  ],
];

/**
 * Functions that neither start nor stop a campaign for a person: they prepare, read, or are called by the
 * program.
 */
const others: readonly (keyof CampaignService)[] = [
  ...([
    'importRecipients',
    'findRest',
    'findOfDraft',
    'usable',
    'findAudience',
    'countAudience',
    'followUps',
    'findFollowUp',
  ] as const),
  ...([
    'review',
    'checkDnd',
    'factsOfTest',
    'find',
    'findAny',
    'listRecent',
    'scheduledRuns',
    'listActive',
  ] as const),
  ...(['listHeld', 'listUnshown', 'nextRun', 'heldRuns', 'heldRepeatingOf', 'lastMissed'] as const),
  ...([
    'resolvedOf',
    'failuresOf',
    'recipientsOfMessage',
    'resultTable',
    'throughput',
    'watch',
    'setShown',
    'setProgressMessage',
  ] as const),
  ...(['lostRecipients', 'startSending', 'stopSending', 'stopWorkspace'] as const),
  // See the tests of approvals.
  'approvals',
];

/** What each move leads to, whoever makes it. */
const effects: Readonly<Record<CampaignVerb, 'starts' | 'stops' | 'ends'>> = {
  finishImport: 'ends',
  discard: 'stops',
  schedule: 'starts',
  changeTime: 'starts',
  unschedule: 'stops',
  repeat: 'starts',
  advance: 'starts',
  start: 'starts',
  miss: 'stops',
  pause: 'stops',
  hold: 'stops',
  resume: 'starts',
  reschedule: 'starts',
  complete: 'ends',
  finishRepeating: 'ends',
  cancel: 'stops',
  forget: 'stops',
};

/** Puts a campaign into a state, as if it was edited or moved since somebody looked. */
async function putInto({ store, read }: CampaignHarness, state: CampaignState): Promise<void> {
  if (state === 'reading') {
    assert.ok(await store.campaigns.begin(newCampaign({ workspaceId, createdBy, personal: false })));
    return;
  }
  await read('sale', numbers, { route: 'generic' });
  const to = (from: CampaignState, into: CampaignState, patch = {}) =>
    moveSeen(store.campaigns, workspaceId, 'sale', [from], into, patch);
  switch (state) {
    case 'scheduled':
      await to('ready', 'scheduled', { startAt: at.time });
      break;
    case 'missed':
      await to('ready', 'scheduled', { startAt: at.time });
      await to('scheduled', 'missed');
      break;
    case 'repeating':
      await to('ready', 'repeating', { startAt: at.time, zone: at.zone, repeat });
      break;
    case 'running':
    case 'paused':
      await to('ready', 'running');
      await (state === 'paused' && to('running', 'paused', { pause: pausedByProvider }));
      break;
    case 'cancelled':
    case 'done':
      await to('ready', 'running');
      await to('running', state);
      break;
    default:
      break;
  }
}

forEachDatabase(() => {
  test('every move is known to start a campaign or to stop it, and what starts it demands the version that was seen', async (t) => {
    const harness = await campaignHarness(t);
    const { campaigns } = harness.store;
    const find = () => campaigns.find(workspaceId, 'sale');
    for (const [verb, effect] of Object.entries(effects)) {
      const { from: froms, to } = campaignMoves[verb as CampaignVerb];
      assert.equal(effect === 'starts', to === 'running' || to === 'scheduled' || to === 'repeating', verb);
      for (const from of effect === 'ends' ? [] : froms) {
        const where = `${verb} from ${from}`;
        if (from === 'discarded') {
          continue;
        }
        await harness.read('sale', [numbers[0] ?? '', '+2348050000009'], { route: 'generic' });
        const { version: stale } = (await find()) ?? assert.fail(where);
        await campaigns.forget(workspaceId);
        await putInto(harness, from);
        const now = (await find()) ?? assert.fail(where);
        if (to === 'running' || to === 'scheduled' || to === 'repeating') {
          const move = (version: string) =>
            campaigns.move(workspaceId, 'sale', [from], to, {}, { checked: { ...now, version } });
          assert.equal(await move(stale), undefined, where);
          assert.deepEqual(await find(), now, where);
          assert.equal((await move(now.version))?.state, to, where);
        } else if (verb === 'forget') {
          await campaigns.forget(workspaceId);
          assert.equal(await find(), undefined, where);
        } else if (from === 'reading' || to === 'discarded') {
          const isDraft = from === 'reading' || from === 'ready' || from === 'missed';
          assert.ok(isDraft && (await campaigns.discard(workspaceId, 'sale', [from])), where);
        } else {
          assert.equal((await campaigns.move(workspaceId, 'sale', [from], to))?.state, to, where);
        }
        await campaigns.forget(workspaceId);
      }
    }
    assert.deepEqual(Object.keys(effects).sort(), Object.keys(campaignMoves).sort());
  });

  test('every function of campaigns is known to start one, to stop one, or to do neither', async (t) => {
    const { services } = await campaignHarness(t);
    const known = new Set([
      ...Object.values(starts).map((start) => start.by),
      ...stops.map(([stop]) => stop),
      ...others,
    ]);
    assert.deepEqual([...known].sort(), Object.keys(services.campaigns).sort());
  });

  test('whatever starts a campaign refuses another version than the one that is there', async (t) => {
    const harness = await campaignHarness(t);
    const find = () => harness.store.campaigns.find(workspaceId, 'sale');
    for (const [name, { from, run }] of Object.entries(starts)) {
      await harness.read('sale', [numbers[0] ?? '', '+2348050000009'], { route: 'generic' });
      const before = (await find()) ?? assert.fail(name);
      await putInto(harness, from);
      const now = await find();
      assert.equal((await orReason(run(harness, before.version, notAsked))).kind, 'changed', name);
      assert.deepEqual(await find(), now, name);
      assert.notEqual((await orReason(run(harness, now?.version ?? '', notAsked))).kind, 'changed', name);
      await harness.store.campaigns.forget(workspaceId);
    }
    assert.equal(harness.asked(), 0);
  });

  test('whatever sends a campaign of the version that is there refuses other facts than were shown', async (t) => {
    const harness = await campaignHarness(t);
    const find = () => harness.store.campaigns.find(workspaceId, 'sale');
    const otherOffer: Seen = { ...notAsked, offer: 'another' };
    for (const [name, { from, run, isEdit = false }] of Object.entries(starts)) {
      if (!isEdit) {
        await putInto(harness, from);
        const now = (await find()) ?? assert.fail(name);
        assert.equal((await orReason(run(harness, 'another', otherOffer))).kind, 'changed', name);
        assert.equal((await run(harness, now.version, otherOffer)).kind, 'not_as_shown', name);
        assert.deepEqual(await find(), now, name);
        await harness.store.campaigns.forget(workspaceId);
      }
    }
    assert.equal(harness.asked(), 0);
  });

  test('an answer for runs of restored data is one to what was shown', async (t) => {
    const daily = await repeatDaily(t);
    const { first, harness } = daily;
    harness.begin();
    await liveUntil(daily, after(first, -11 * hour));
    await harness.stopSending();
    daily.pass(48 * hour);
    await harness.restart({ isRestored: true });
    const { campaigns } = harness.services;
    const runs = { answer: 'latest', latest: after(first, 48 * hour) } as const;
    const request = { ...(await asSeen(campaigns, by('creator', 'daily'))), runs };
    assert.equal((await campaigns.resume({ ...request, version: 'another' })).kind, 'changed');
    assert.equal((await campaigns.resume(request)).kind, 'done');
  });

  test('a campaign is resumed to repeat only by the rule that was shown', async (t) => {
    const { store, services, read } = await campaignHarness(t);
    const { campaigns } = services;
    const find = async () => (await store.campaigns.find(workspaceId, 'sale')) ?? assert.fail();
    const pausedWith = async (rule: typeof repeat) => {
      const patch = { startAt: at.time, zone: at.zone, repeat: rule };
      await moveSeen(store.campaigns, workspaceId, 'sale', ['ready'], 'repeating', patch);
      await moveSeen(store.campaigns, workspaceId, 'sale', ['repeating'], 'paused');
      return find();
    };
    await read('sale', numbers);
    const shown = await pausedWith(repeat);
    // It was resumed, edited, and now repeats until another day, from the same time on.
    const resume = (version: string) => campaigns.resume({ ...by('creator', 'sale'), version, seen: {} });
    assert.equal((await resume(shown.version)).kind, 'done');
    await campaigns.unschedule(by('creator', 'sale'));
    const { plainCells, ...others } = repeat;
    const now = await pausedWith({ plainCells, ...others, until: day(new Date(Date.now() + 240 * hour)) });
    assert.deepEqual(changedParts(shown.version, now.version), ['repeat']);
    assert.equal((await resume(shown.version)).kind, 'changed');
    assert.equal((await find()).state, 'paused');
    assert.equal((await resume(now.version)).kind, 'done');
  });

  test('whatever stops a campaign does so from any view of it', async (t) => {
    const harness = await campaignHarness(t);
    for (const [, from, stop, to] of stops) {
      await putInto(harness, from);
      await stop(harness);
      const campaign = await harness.store.campaigns.find(workspaceId, 'sale');
      assert.equal(campaign?.state, to, `${from} to ${to}`);
      await harness.store.campaigns.forget(workspaceId);
    }
  });
});

test('a campaign cannot be started by its id and state alone', () => {
  const bySight = (campaigns: CampaignRepository) => {
    // @ts-expect-error The version that was seen is missing.
    void campaigns.move(workspaceId, 'sale', ['ready'], 'running', {});
    // @ts-expect-error The version that was seen is missing.
    void campaigns.move(workspaceId, 'sale', ['ready'], 'scheduled', {}, {});
    // @ts-expect-error The version that was seen is missing.
    void campaigns.move(workspaceId, 'sale', ['ready'], 'repeating', {}, { checked: { sequence: 1 } });
  };
  assert.ok(bySight);
});
