import { section } from '../block-kit/build.ts';
import { clampText } from '../block-kit/limits.ts';
import { message, type SlackMessage } from '../block-kit/message.ts';
import { mrkdwn } from '../block-kit/text.ts';

/** In characters: a longer word is no subcommand, and is not compared. */
const maxLength = 40;
/** Of what was typed, in the answer. */
const maxShown = 60;

/** A subcommand that a text may have been meant as. */
interface MeantSubcommand {
  /** The words that differ. */
  typed: string;
  /** The subcommand, with whatever was typed after it. */
  meant: string;
}

/**
 * Returns the subcommand that a text is a misspelling of, if any. A character in four may be wrong, or the end missing;
 * with more words after it, one character, so that the beginning of a sentence is not taken for one.
 *
 * @param subcommands in lower case, of one or more words, with ` …` at the end where more may follow: `history …`
 */
export function findMeantSubcommand(
  text: string,
  subcommands: readonly string[],
): MeantSubcommand | undefined {
  const words = text.trim().split(/\s+/);
  const [closest] = subcommands
    .map((subcommand) => subcommand.replace(/ …$/, ''))
    .filter((name, index) => words.length <= lengthOf(name) || subcommands[index] !== name)
    .map((name) => ({ name, distance: distanceOf(words, name) }))
    .filter(({ distance }) => distance > 0 && distance < Number.POSITIVE_INFINITY)
    .sort((a, b) => a.distance - b.distance);
  if (closest === undefined) {
    return undefined;
  }
  const meant = closest.name.split(' ');
  const typed = words.slice(0, meant.length).filter((word, index) => word.toLowerCase() !== meant[index]);
  return { typed: typed.join(' '), meant: [...meant, ...words.slice(meant.length)].join(' ') };
}

/** Returns how far the beginning of what was typed is from a subcommand; infinity where it cannot be meant. */
function distanceOf(words: readonly string[], name: string): number {
  const hasMore = words.length > lengthOf(name);
  const begin = words.slice(0, lengthOf(name)).join(' ').toLowerCase();
  if (begin.length > maxLength) {
    return Number.POSITIVE_INFINITY;
  }
  if (!hasMore && begin.length >= 3 && begin.length < name.length && name.startsWith(begin)) {
    return 1;
  }
  const distance = editDistance(begin, name);
  return distance <= (hasMore ? 1 : Math.ceil(name.length / 4)) ? distance : Number.POSITIVE_INFINITY;
}

function lengthOf(name: string): number {
  return name.split(' ').length;
}

/** What may be typed after a command. */
export interface CommandSyntax {
  subcommands: readonly string[];
  /** Whether a text that is no subcommand has a meaning too. */
  accepts(text: string): boolean;
}

/** Returns the answer to a text that is neither a subcommand nor accepted; undefined for any other. */
export function refuseUnknown(
  name: string,
  text: string,
  { subcommands, accepts }: CommandSyntax,
): SlackMessage | undefined {
  const typed = text.trim();
  const isKnown = subcommands.includes(typed.toLowerCase().replace(/\s+/g, ' '));
  return typed === '' || isKnown || accepts(typed) ? undefined : unknownSubcommand(name, typed, subcommands);
}

/** The answer to a command that does not know what was typed after it. `name`: the command with its slash. */
export function unknownSubcommand(name: string, text: string, subcommands: readonly string[]): SlackMessage {
  const found = findMeantSubcommand(text, subcommands);
  const shown = (words: string) => clampText(words, maxShown);
  const answer =
    found === undefined
      ? mrkdwn`I don’t know “${shown(text.trim())}”. Type \`${name} help\` to see what ${name} can do.`
      : mrkdwn`I don’t know “${shown(found.typed)}”. Did you mean \`${name} ${shown(found.meant)}\`?`;
  return message(answer, [section(answer)]);
}

/**
 * Returns how many characters have to be inserted, deleted, replaced or swapped with their neighbour to make one text of
 * the other (optimal string alignment). Takes time in proportion to the product of the lengths.
 */
export function editDistance(a: string, b: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let row = 1; row <= a.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= b.length; column += 1) {
      const differs = a[row - 1] === b[column - 1] ? 0 : 1;
      const isSwap = a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1];
      current.push(
        Math.min(
          at(last, column) + 1,
          at(current, column - 1) + 1,
          at(last, column - 1) + differs,
          row > 1 && column > 1 && isSwap ? at(beforeLast, column - 2) + 1 : Number.POSITIVE_INFINITY,
        ),
      );
    }
    [beforeLast, last] = [last, current];
  }
  return at(last, b.length);
}

function at(row: readonly number[], column: number): number {
  return row[column] ?? Number.POSITIVE_INFINITY;
}
