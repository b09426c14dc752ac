import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import fc from 'fast-check';
import type { Campaign, ChunkEnding, ChunkState } from '../../src/store/campaigns.ts';
import { openStore, type Store } from '../../src/store/store.ts';
import { manyNumbers } from '../support/numbers.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { newEncryptionKey } from '../support/temporary-store.ts';

/** What must be so, by the guarantee alone. */
interface Model {
  state: 'running' | 'paused' | 'cancelled' | 'done';
  chunks: { state: ChunkState; recipients: number }[];
}

/** A campaign in a program that crashes: then another one opens the same folder. */
interface Real {
  store: Store;
  id: string;
}

type Command = fc.AsyncCommand<Model, Real>;

const workspaceId = 'T0SWITCH';
const states = ['waiting', 'claimed', 'accepted', 'rejected', 'unconfirmed'] as const;
const folder = temporaryFolder({ after });
const encryptionKeys = [newEncryptionKey()];
const open = () => openStore({ dataDir: folder, encryptionKeys });
let store = await open();
after(() => store.close());

test('a campaign keeps its guarantee in every order of claim, answer, crash, pause and cancel', async () => {
  let made = 0;
  await fc.assert(
    fc.asyncProperty(fc.boolean(), fc.commands(commands, { maxCommands: 30 }), async (personal, steps) => {
      made += 1;
      const id = `campaign-${made}`;
      const recipients = personal ? 3 : 201;
      await start(id, { recipients, personal });
      const chunks = (personal ? [1, 1, 1] : [100, 100, 1]).map((size) => ({
        state: 'waiting' as const,
        recipients: size,
      }));
      const model: Model = { state: 'running', chunks };
      await fc.asyncModelRun(() => ({ model, real: { store, id } }), steps);
    }),
    { numRuns: 150 },
  );
});

const ending = fc.record({
  /** Of which chunk: any, whether it is in flight or not. */
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
          if (chunk?.state === 'claimed') chunk.state = state;
        }
        const waiting = model.chunks.flatMap((chunk, number) => (chunk.state === 'waiting' ? [number] : []));
        const expected = model.state === 'running' ? waiting.slice(0, count) : [];
        for (const number of expected) {
          const chunk = model.chunks[number];
          if (chunk) chunk.state = 'claimed';
        }
        const turned = await real.store.campaigns.turn({ workspaceId, id: real.id }, once, count);
        assert.deepEqual(
          turned?.claimed.map(({ number, digits }) => [number, digits.length]),
          expected.map((number) => [number, model.chunks[number]?.recipients]),
        );
      }),
    ),
  fc.constant(
    command('crash', async (model, real) => {
      await real.store.close();
      store = await open();
      real.store = store;
      await store.campaigns.recover(new Date());
      for (const chunk of model.chunks) if (chunk.state === 'claimed') chunk.state = 'unconfirmed';
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
      const moved = await real.store.campaigns.move(workspaceId, real.id, from, to);
      assert.equal(moved?.state, from.includes(model.state) ? to : undefined);
      if (moved !== undefined) model.state = to;
    }),
  );
}

function command(name: string, act: (model: Model, real: Real) => Promise<void>): Command {
  return {
    check: () => true,
    toString: () => name,
    async run(model, real) {
      await act(model, real);
      const isSettled = model.chunks.every(({ state }) => state !== 'waiting' && state !== 'claimed');
      if (isSettled && model.state !== 'cancelled') model.state = 'done';
      await compare(model, real);
    },
  };
}

function pick({ chunks }: Model, place: number, inFlight: boolean): number {
  const claimed = chunks.flatMap(({ state }, number) => (state === 'claimed' ? [number] : []));
  return (inFlight ? claimed[place % claimed.length] : undefined) ?? place % chunks.length;
}

async function compare({ state, chunks }: Model, real: Real): Promise<void> {
  const campaign = await real.store.campaigns.find(workspaceId, real.id);
  assert.ok(campaign);
  assert.equal(campaign.state, state);
  const recipientsIn = (wanted: ChunkState) =>
    chunks.reduce((sum, chunk) => sum + (chunk.state === wanted ? chunk.recipients : 0), 0);
  const { accepted, rejected, unconfirmed } = campaign.counts;
  assert.deepEqual(
    { accepted, rejected, unconfirmed, claimed: campaign.inFlight },
    {
      accepted: recipientsIn('accepted'),
      rejected: recipientsIn('rejected'),
      unconfirmed: recipientsIn('unconfirmed'),
      claimed: recipientsIn('claimed'),
    },
  );
  assert.equal(hasEnded(campaign), state === 'done' || (state === 'cancelled' && campaign.inFlight === 0));
  const found: (ChunkState | undefined)[] = [];
  for await (const chunk of real.store.campaigns.chunks(workspaceId, real.id, states)) {
    assert.equal(found[chunk.number], undefined);
    found[chunk.number] = chunk.state;
  }
  assert.deepEqual(
    found,
    chunks.map((chunk) => chunk.state),
  );
}

const hasEnded = ({ endedAt }: Campaign) => endedAt !== undefined;

async function start(id: string, { recipients, personal }: { recipients: number; personal: boolean }) {
  const text = personal ? 'Hello {{name}}' : 'Hello';
  const writer = await store.campaigns.begin({
    workspaceId,
    id,
    author: 'U0AGENT',
    name: 'List',
    route: 'dnd',
    senderId: 'PalmMarket',
    personal,
    text,
  });
  assert.ok(writer);
  await writer.add(
    manyNumbers(recipients).map((number, line) => ({
      kind: 'recipient',
      line,
      number,
      pages: 1,
      quiet: false,
      ...(personal ? { text: 'Hello' } : {}),
    })),
  );
  await writer.finish();
  await store.campaigns.move(workspaceId, id, ['ready'], 'running');
}
