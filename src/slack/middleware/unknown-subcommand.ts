import { editDistance } from '../../lib/edit-distance.ts';
import { button, section } from '../block-kit/build.ts';
import { clampText } from '../block-kit/limits.ts';
import { message, type SlackMessage } from '../block-kit/message.ts';
import { type Markup, mrkdwn } from '../block-kit/text.ts';

/** In characters: a longer word is no subcommand, and is not compared. */
const maxLength = 40;
/** In characters, of the typed text. */
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

/** Returns how far the beginning of the typed text is from a subcommand; infinity if it can't be meant. */
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
  /** The command without its slash and the prefix of the installation. */
  command: string;
  subcommands: readonly string[];
  /** Whether a text that is no subcommand has a meaning too. */
  accepts(text: string): boolean;
}

/** Returns the answer to a text that is neither a subcommand nor accepted; undefined for any other. */
export function refuseUnknown(name: string, text: string, syntax: CommandSyntax): SlackMessage | undefined {
  const { subcommands, accepts } = syntax;
  const typed = text.trim();
  const isKnown = subcommands.includes(typed.toLowerCase().replace(/\s+/g, ' '));
  return typed === '' || isKnown || accepts(typed) ? undefined : unknownSubcommand(name, typed, syntax);
}

/** The answer to a command that does not know the text after it. `name`: the command with its slash. */
export function unknownSubcommand(
  name: string,
  text: string,
  { command, subcommands }: Pick<CommandSyntax, 'command' | 'subcommands'>,
): SlackMessage {
  const found = findMeantSubcommand(text, subcommands);
  const shown = (words: string) => clampText(words, maxShown);
  if (found !== undefined) {
    const meant = { label: mrkdwn`\`${name} ${shown(found.meant)}\``, text: found.meant };
    return didYouMean(command, mrkdwn`I don’t know “${shown(found.typed)}”.`, [meant]);
  }
  const answer = mrkdwn`I don’t know “${shown(text.trim())}”. Type \`${name} help\` to see what ${name} can do.`;
  return message(answer);
}

/** The action of buttons that run a command with the text that is their value. `command`: see `CommandSyntax`. */
export const runAction = (command: string) => `run_${command}`;

/** In characters, of the value of a button. */
const maxValue = 2_000;

/** A button that runs a command; undefined where the text after it is too long for its value. */
export const runButton = (command: string, label: string, text: string) =>
  text.length > maxValue ? undefined : button(runAction(command), label, { value: text });

/**
 * Explains the problem with a typed text, and offers to run the command with a similar one.
 *
 * @param does what the command then does, where the label names something else than the command
 */
export function didYouMean(
  command: string,
  problem: Markup,
  meant: readonly { label: Markup; text: string }[],
  does = 'Run command',
): SlackMessage {
  const [only, ...others] = meant;
  if (only === undefined) {
    return message(problem);
  }
  const run = (text: string) => runButton(command, does, text);
  if (others.length === 0) {
    const question = mrkdwn`${problem} Did you mean ${only.label}?`;
    return message(question, [section(question, run(only.text))]);
  }
  const question = mrkdwn`${problem} Did you mean one of these?`;
  const choices = meant.map(({ label, text }) => section(label, run(text)));
  return message(question, [section(question), ...choices]);
}
