import { countSteps } from './steps.ts';

/** A text that makes a careless pattern slow: a repeated part, with something before and after it. */
export interface Evil {
  prefix: string;
  pump: string;
  suffix: string;
}

/** Characters at first, then doubled. */
const longLength = 200;
/** Far above what a parser takes, and counted within a second. */
const mostStepsPerCharacter = 20_000;

/**
 * Returns which text takes a parser more than linear work, and how much. Undefined if none of them does.
 *
 * @param length in characters: that of the shortest text of three that are compared
 */
export async function findSteepText(
  parse: (text: string) => unknown,
  evils: readonly Evil[],
  length: number,
): Promise<string | undefined> {
  for (const evil of evils) {
    const [one = 0, two = 0, three = 0] = await stepsFor(parse, evil, length, [1, 2, 3]);
    // Of linear work, the second third takes as much as the third one.
    if (three - two <= (two - one) * 1.1) {
      continue;
    }
    // What a parser does once, or up to a limit, looks steep too, but doesn't go on.
    const [a = 0, b = 0, c = 0, d = 0] = await stepsFor(parse, evil, longLength, [1, 2, 4, 8]);
    // Linear work doubles, and quadratic work grows by four.
    const isSteep = d === Number.POSITIVE_INFINITY || (d - c > 3 * (c - b) && c - b > 2.3 * (b - a));
    if (isSteep) {
      return `${[a, b, c, d].join(', ')} steps for ${longLength} characters, doubled each time: ${JSON.stringify(evil)}`;
    }
  }
  return undefined;
}

async function stepsFor(
  parse: (text: string) => unknown,
  { prefix, pump, suffix }: Evil,
  length: number,
  times: readonly number[],
): Promise<number[]> {
  const repeats = Math.ceil(length / pump.length);
  const counted: number[] = [];
  for (const each of times) {
    const text = prefix + pump.repeat(repeats * each) + suffix;
    counted.push(await countSteps(() => parse(text), text.length * mostStepsPerCharacter));
  }
  return counted;
}
