/** How many of each are tested: in continuous integration, which sets CI, and otherwise. */
const sizes = {
  'deaths of instances': [30, 5],
  'kills of a move': [20, 3],
  'kills of the bundle': [50, 10],
  'kills of a key rotation': [50, 5],
  'kills of the sources': [3, 1],
  'restored backups': [3, 2],
  'malformed requests': [5_000, 1_500],
  'responses on the wire': [1_000, 200],
  'orders of a campaign': [150, 40],
  'changes of an audit': [60, 15],
  'sends that are reported': [5_000, 300],
} as const satisfies Record<string, readonly [full: number, small: number]>;

const isFull = process.env.CI !== undefined && process.env.CI !== 'false';

/** Returns how many are tested. What was found with one size is found with its seed again. */
export function sizeOf(what: keyof typeof sizes): number {
  const [full, small] = sizes[what];
  return isFull ? full : small;
}

/** Names what is tested smaller than in continuous integration. Undefined where nothing is. */
export function smallerSizes(): string | undefined {
  return isFull
    ? undefined
    : Object.entries(sizes)
        .map(([what, [full, small]]) => `${small} of ${full} ${what}`)
        .join(', ');
}
