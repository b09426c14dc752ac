/** The units that plans' names are written with. */
const units = {
  data: /^ ?-?(?:[kmgt]i?b|(?:kilo|mega|giga|tera)bytes?)(?![a-z])/i,
  time: /^ ?-?(?:d|days?|weeks?|months?|hours?|h|hrs?)(?![a-z])/i,
} as const;

/**
 * Whether a plan's name states a figure with its unit: *Kenya 1 GB, 7 days* states the data 1 and the time 7. The provider
 * has the figures without units (API §2.9), so beside such a name they say nothing.
 */
export function nameStates(name: string, figure: number, of: keyof typeof units): boolean {
  return [...name.matchAll(/(?<![\d.,])\d+(?:\.\d+)?/g)].some(
    ({ 0: number, index }) => Number(number) === figure && units[of].test(name.slice(index + number.length)),
  );
}
