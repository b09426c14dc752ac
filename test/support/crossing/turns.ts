import { AsyncLocalStorage } from 'node:async_hooks';
import type { SlackUser } from '../slack/slack-user.ts';

/** Runs stories interleaved, in an order that follows from a seed. */
export interface Turns {
  /** The same person, each of whose actions waits for its turn. */
  of(person: SlackUser): SlackUser;
  /** Resolves once all stories have ended. Rejects with the first error of one. */
  run(stories: readonly (() => Promise<void>)[]): Promise<void>;
  /** How many actions had their turn. */
  readonly taken: number;
}

/** The most stories that act at the same time. */
const maxAtOnce = 4;

/**
 * Once every story waits for a turn or has ended, a few of them, drawn by the seed, act at the same time. A story must not wait
 * for what another one does.
 */
export function createTurns(seed: number): Turns {
  const random = generatorOf(seed);
  const storyNumber = new AsyncLocalStorage<number>();
  let waiting: { story: number; go: () => void }[] = [];
  let acting = 0;
  let taken = 0;

  function draw(): void {
    if (acting > 0) {
      return;
    }
    // Not in the order in which they came to wait, which is a matter of time.
    waiting.sort((one, other) => one.story - other.story);
    const count = Math.min(waiting.length, 1 + Math.floor(random() * maxAtOnce));
    acting = count;
    taken += count;
    for (let drawn = 0; drawn < count; drawn += 1) {
      const [drawnOne] = waiting.splice(Math.floor(random() * waiting.length), 1);
      drawnOne?.go();
    }
  }

  function turn(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    waiting.push({ story: storyNumber.getStore() ?? 0, go: resolve });
    acting -= 1;
    setImmediate(draw);
    return promise;
  }

  return {
    get taken() {
      return taken;
    },

    of: (person) => ({
      ...person,
      types: async (...given) => turn().then(() => person.types(...given)),
      fills: async (...given) => turn().then(() => person.fills(...given)),
      says: async (...given) => turn().then(() => person.says(...given)),
      uses: async (...given) => turn().then(() => person.uses(...given)),
      drops: async (...given) => turn().then(() => person.drops(...given)),
      searches: async (...given) => turn().then(() => person.searches(...given)),
      chooses: async (...given) => turn().then(() => person.chooses(...given)),
      presses: async (...given) => turn().then(() => person.presses(...given)),
      submits: async () => turn().then(person.submits),
      closes: async () => turn().then(person.closes),
      seesHome: async (...given) => turn().then(() => person.seesHome(...given)),
    }),

    async run(stories) {
      waiting = [];
      acting = stories.length;
      await Promise.all(
        stories.map(async (story, index) => {
          await storyNumber.run(index, story);
          acting -= 1;
          draw();
        }),
      );
    },
  };
}

/** Numbers from 0 to 1 that follow from a seed (mulberry32). */
function generatorOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
