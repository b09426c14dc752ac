/** Figures with the units that plans' names are written with. */
const figures = {
  data: /(?<![\d.,])(\d+(?:\.\d+)?) ?-?(?:[kmgt]i?b|(?:kilo|mega|giga|tera)bytes?)(?![a-z])/gi,
  time: /(?<![\d.,])(\d+(?:\.\d+)?) ?-?(?:d|days?|weeks?|months?|hours?|h|hrs?)(?![a-z])/gi,
} as const;

/**
 * Whether a plan's name states a figure with its unit: *Kenya 1 GB, 7 days* states the data 1 and the time 7. The provider
 * has the figures without units (API §2.9), so beside such a name they say nothing.
 */
export function nameStates(name: string, figure: number, of: keyof typeof figures): boolean {
  return [...name.matchAll(figures[of])].some(([, number]) => Number(number) === figure);
}
