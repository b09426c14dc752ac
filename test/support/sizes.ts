/** How many of each are tested. `TEST_TIMES=10` makes ten times as many, for a night. */
const sizes = {
  'deaths of instances': 15,
  'kills of a move': 5,
  'kills of the bundle': 25,
  'kills of a key rotation': 10,
  'kills of the sources': 2,
  'restored backups': 3,
  'malformed requests': 3_000,
  'calls of tools': 4_000,
  'histories of an audience': 60,
  'responses on the wire': 200,
  'orders of a campaign': 40,
  'changes of an audit': 15,
  'sends that are reported': 1_000,
} as const;

const times = Number(process.env.TEST_TIMES ?? 1);

/** Returns how many are tested. What was found with one size is found with its seed again. */
export function sizeOf(what: keyof typeof sizes): number {
  return sizes[what] * times;
}
