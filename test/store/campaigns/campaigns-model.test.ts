import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import fc from 'fast-check';
import type { Campaign, ChunkEnding, ChunkState } from '../../../src/store/campaigns/campaigns.ts';
import { openStore, type Store } from '../../../src/store/store.ts';
import { rounds } from '../../support/sizes.ts';
import { manyNumbers } from '../../support/slack/number-files.ts';
import { forEachDatabase } from '../../support/store/databases.ts';
import { moveSeen, settleAndClaim } from '../../support/store/stored-campaigns.ts';
import { newEncryptionKey, postgresOf } from '../../support/store/temporary-store.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

/** The expected state, by the guarantees alone. */
interface Model {
  state: 'running' | 'paused' | 'cancelled' | 'done';
  /** A chunk is removed when it has no recipients left. */
  chunks: { state: ChunkState; to: string[] }[];
  /** The workspace's do-not-contact list. */
  unwanted: Set<string>;
  /** The recipients at its start. */
  begun: number;
}

/** A campaign in a program that crashes; another one then opens the same folder. */
interface Real {
  store: Store;
  workspaceId: string;
}

type Command = fc.AsyncCommand<Model, Real>;

const id = 'campaign';

const pagesEach = 2;

const pause = { by: 'person', userId: 'U0AGENT' } as const;

const states = ['waiting', 'claimed', 'accepted', 'rejected', 'unconfirmed'] as const;

const encryptionKeys = [newEncryptionKey()];

const folder = temporaryFolder({ after });

const postgres = await postgresOf({ after }, folder);

const open = () => openStore({ dataDir: folder, encryptionKeys, postgres });

let store = await open();

const ending = fc.record({
  /** Selects any chunk, in flight or not. */
  place: fc.nat(),
  inFlight: fc.boolean(),
  state: fc.constantFrom<ChunkEnding['state']>('accepted', 'rejected', 'unconfirmed', 'waiting'),
});

const commands: fc.Arbitrary<Command>[] = [
  fc
    .record({ endings: fc.array(ending, { maxLength: 3 }), count: fc.nat({ max: 3 }) })
    .map(({ endings, count }) =>
      command(`turn(${JSON.stringify(endings)}, ${count})`, async (model, real) => {
        const answered = endings.map(({ place, inFlight, state }) => ({
          number: pick(model, place, inFlight),
          state,
        }));
        const once = answered.filter(
          ({ number }, index) => answered.findIndex((other) => other.number === number) === index,
        );
        for (const { number, state } of once) {
          const chunk = model.chunks[number];
          if (chunk?.state !== 'claimed') {
            continue;
          }
          chunk.state = state;
          if (state === 'waiting') {
            takeOut(model, chunk);
          }
        }
        const waiting = model.chunks.flatMap(({ state, to }, number) =>
          state === 'waiting' && to.length > 0 ? [number] : [],
        );
        const expected = model.state === 'running' ? waiting.slice(0, count) : [];
        for (const number of expected) {
          const chunk = model.chunks[number];
          if (chunk) {
            chunk.state = 'claimed';
          }
        }
        const { workspaceId } = real;
        const turned = await settleAndClaim(real.store, { workspaceId, id }, once, count);
        assert.deepEqual(
          turned?.claimed.map(({ number, digits }) => [number, digits.map((one) => `+${one}`)]),
          expected.map((number) => [number, model.chunks[number]?.to]),
        );
      }),
    ),
  fc.constant(
    command('crash', async (model, real) => {
      await real.store.close();
      store = await open();
      real.store = store;
      await store.campaigns.recover(new Date());
      for (const chunk of model.chunks) {
        if (chunk.state === 'claimed') {
          chunk.state = 'unconfirmed';
        }
      }
    }),
  ),
  fc.array(fc.nat({ max: 200 }), { minLength: 1, maxLength: 3 }).map((places) =>
    command(`do not contact ${places}`, async (model, real) => {
      const everyone = model.chunks.flatMap(({ to }) => to);
      const numbers = places.flatMap((place) => everyone[place % everyone.length] ?? []);
      if (numbers.length === 0) {
        return;
      }
      for (const number of numbers) {
        model.unwanted.add(number);
      }
      if (model.state !== 'cancelled') {
        for (const chunk of model.chunks) {
          if (chunk.state === 'waiting') {
            takeOut(model, chunk);
          }
        }
      }
      await real.store.suppressionList.add(real.workspaceId, numbers, 'U0AGENT');
    }),
  ),
  steer('pause', ['running'], 'paused'),
  steer('resume', ['paused'], 'running'),
  steer('cancel', ['running', 'paused'], 'cancelled'),
];

function steer(
  name: string,
  from: readonly Model['state'][],
  to: Exclude<Model['state'], 'done'>,
): fc.Arbitrary<Command> {
  return fc.constant(
    command(name, async (model, real) => {
      const patch = to === 'paused' ? { pause } : {};
      const moved = await moveSeen(real.store.campaigns, real.workspaceId, id, from, to, patch);
      assert.equal(moved?.state, from.includes(model.state) ? to : undefined);
      if (moved !== undefined) {
        model.state = to;
      }
    }),
  );
}

function command(name: string, act: (model: Model, real: Real) => Promise<void>): Command {
  return {
    check: () => true,
    toString: () => name,
    async run(model, real) {
      await act(model, real);
      const isSettled = model.chunks.every(
        ({ state, to }) => to.length === 0 || (state !== 'waiting' && state !== 'claimed'),
      );
      if (isSettled && model.state !== 'cancelled') {
        model.state = 'done';
      }
      await compare(model, real);
    },
  };
}

function takeOut({ unwanted }: Model, chunk: Model['chunks'][number]): void {
  chunk.to = chunk.to.filter((number) => !unwanted.has(number));
}

function pick({ chunks }: Model, place: number, inFlight: boolean): number {
  const claimed = chunks.flatMap(({ state }, number) => (state === 'claimed' ? [number] : []));
  return (inFlight ? claimed[place % claimed.length] : undefined) ?? place % chunks.length;
}

async function compare({ state, chunks, begun }: Model, { store, workspaceId }: Real): Promise<void> {
  const campaign = await store.campaigns.find(workspaceId, id);
  assert.ok(campaign);
  assert.equal(campaign.state, state);
  assert.equal(campaign.pause?.userId, state === 'paused' ? pause.userId : undefined);
  const recipientsIn = (wanted: ChunkState) =>
    chunks.reduce((sum, chunk) => sum + (chunk.state === wanted ? chunk.to.length : 0), 0);
  const { recipients, accepted, rejected, unconfirmed, suppressed, pages } = campaign.counts;
  const left = chunks.flatMap(({ to }) => to).length;
  assert.deepEqual(
    { recipients, accepted, rejected, unconfirmed, suppressed, pages, claimed: campaign.inFlight },
    {
      recipients: left,
      accepted: recipientsIn('accepted'),
      rejected: recipientsIn('rejected'),
      unconfirmed: recipientsIn('unconfirmed'),
      suppressed: begun - left,
      pages: pagesEach * left,
      claimed: recipientsIn('claimed'),
    },
  );
  assert.equal(hasEnded(campaign), state === 'done' || (state === 'cancelled' && campaign.inFlight === 0));
  const found = new Map<number, [ChunkState, string[]]>();
  for await (const chunk of store.campaigns.chunks(workspaceId, id, states)) {
    assert.ok(!found.has(chunk.number));
    found.set(chunk.number, [chunk.state, chunk.to]);
  }
  assert.deepEqual(
    [...found].toSorted(([one], [other]) => one - other),
    chunks.flatMap(({ state, to }, number) => (to.length === 0 ? [] : [[number, [state, to]]])),
  );
}

const hasEnded = ({ endedAt }: Campaign) => endedAt !== undefined;

async function start(
  workspaceId: string,
  { numbers, personal }: { numbers: readonly string[]; personal: boolean },
): Promise<void> {
  const text = personal ? 'Hello {{name}}' : 'Hello';
  const writer = await store.campaigns.begin({
    workspaceId,
    id,
    createdBy: 'U0AGENT',
    name: 'List',
    route: 'dnd',
    senderId: 'PalmMarket',
    personal,
    text,
  });
  assert.ok(writer);
  await writer.add(
    numbers.map((number, line) => ({
      kind: 'recipient',
      line,
      number,
      pages: pagesEach,
      quiet: false,
      ...(personal ? { text: 'Hello' } : {}),
    })),
  );
  await writer.finish();
  await moveSeen(store.campaigns, workspaceId, id, ['ready'], 'running');
}

forEachDatabase(() => {
  // Before its folder and database go.
  after(() => store.close());

  test('keeps its guarantees in every order of claim, response, crash, pause, cancel and suppression', async () => {
    let made = 0;
    await fc.assert(
      fc.asyncProperty(fc.boolean(), fc.commands(commands, { maxCommands: 30 }), async (personal, steps) => {
        made += 1;
        const workspaceId = `T${made}`;
        const numbers = manyNumbers(personal ? 3 : 201);
        await start(workspaceId, { numbers, personal });
        const chunks = (personal ? [0, 1, 2, 3] : [0, 100, 200, 201]).map((from, number, starts) => ({
          state: 'waiting' as const,
          to: numbers.slice(from, starts[number + 1]),
        }));
        const model: Model = {
          state: 'running',
          chunks: chunks.slice(0, -1),
          unwanted: new Set(),
          begun: numbers.length,
        };
        await fc.asyncModelRun(() => ({ model, real: { store, workspaceId } }), steps);
      }),
      { numRuns: rounds(150) },
    );
  });
});
