/**
 * How many of each are tested by default. Scripts such as `npm run crash` run more, and `TEST_TIMES=10` runs
 * ten times as many.
 */
const sizes = {
  'deaths of instances': 8,
  'kills of a move': 3,
  'kills of the bundle': 12,
  'kills of a key rotation': 5,
  'kills of the sources': 2,
  'restored backups': 3,
  'restarts of watchers': 90,
  'malformed requests': 1_500,
  'calls of tools': 2_000,
  'payloads of forms': 2_000,
  'sends that are reported': 600,
} as const;

const times = Number(process.env.TEST_TIMES ?? 1);

/** Returns how many are tested. What was found with one size is found with its seed again. */
export function sizeOf(what: keyof typeof sizes): number {
  return sizes[what] * times;
}

/**
 * The seed for all random values. Fixed in `npm test`. `npm run test:long` draws one and prints it, and
 * `TEST_SEED` sets it.
 */
export const everySeed = Number(process.env.TEST_SEED ?? 20_260);

/** Returns how many random cases of a property to test: all in `npm run test:long`, a fifth in `npm test`. */
export function rounds(many: number): number {
  return process.env.TEST_ROUNDS === 'many' ? many * times : Math.max(5, Math.ceil(many / 5));
}

/** Returns every fifth item in `npm test`, and all in `npm run test:long`. */
export function sampled<Item>(all: readonly Item[]): Item[] {
  return all.filter((_, index) => process.env.TEST_ROUNDS === 'many' || index % 5 === 0);
}
