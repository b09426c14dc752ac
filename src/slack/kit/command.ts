import { leastRoleWith, type Permission } from '../../domain/access/roles.ts';
import { present } from '../block-kit/build.ts';
import { roleNames } from '../block-kit/descriptions/workspace.ts';
import { helpMessage, type SlackMessage } from '../block-kit/message.ts';
import { type Markup, mrkdwn } from '../block-kit/text.ts';
import type { AppContext } from '../middleware/app-context.ts';
import { requirePermission } from '../middleware/authorize.ts';
import { connectedMessage, notConnectedBlock, whenConnected } from '../middleware/not-performed.ts';
import type { CommandRequest } from '../middleware/requests.ts';
import type { Router } from '../middleware/router/router.ts';
import { findMeantSubcommand, runAction, unknownSubcommand } from '../middleware/unknown-subcommand.ts';

/** A word, or words, after a command. */
interface CommandWord {
  needs: Permission;
  /** The lines of the help, for who may do it. `name`: the command as it is typed in this installation. */
  help?(name: string): Markup | readonly Markup[];
  /** Whether a workspace without a provider key is told so instead; defaults to the command's setting. */
  connected?: boolean;
  /** `rest` is the text after the words, as typed. */
  run(call: CommandRequest, rest: string): Promise<unknown>;
}

export interface CommandSpec {
  /** Without its slash and the prefix of the installation. */
  name: string;
  /** The help: *How to see orders*, what the command is for, and what to know. */
  title: string;
  purpose: Markup;
  note?: Markup;
  /** Whether it needs the provider: a workspace without its key is told so instead. */
  connected?: boolean;
  /** What is typed after the command, in lower case; with ` …` at the end where more may follow: `history …`. */
  words: Readonly<Record<string, CommandWord>>;
  /** Any other text, the empty one included. */
  otherwise: Omit<CommandWord, 'needs' | 'run'> & {
    needs: Permission | ((text: string) => Permission);
    /** Whether a text has a meaning here. Otherwise the user gets suggestions. */
    accepts(text: string): boolean;
    /** May resolve with `unknown` where the text turns out to mean nothing. */
    run(call: CommandRequest, text: string): Promise<unknown>;
  };
}

/** Resolved with by a command that does not know the text after it. */
export const unknown = Symbol('unknown');

/**
 * Defines a command: the words after it, what each opens and needs, its help, and suggestions after a typo.
 *
 * @example
 * defineCommand(context, {
 *   name: 'orders',
 *   title: 'How to see orders',
 *   purpose: mrkdwn`*See your orders.*`,
 *   words: {
 *     'find …': {
 *       needs: 'look_up',
 *       help: (name) => mrkdwn`\`${name} find palm\` finds the orders with *palm* in their name.`,
 *       run: (call, name) => orders.show(call.open, call.user, { name }, undefined),
 *     },
 *   },
 *   otherwise: {
 *     needs: 'look_up',
 *     help: (name) => mrkdwn`\`${name}\` lists your orders.`,
 *     accepts: (text) => text === '',
 *     run: (call) => orders.show(call.open, call.user, {}, undefined),
 *   },
 * }).register(router);
 */
export function defineCommand(context: AppContext, spec: CommandSpec) {
  const { words, otherwise } = spec;
  const subcommands = [...Object.keys(words), 'help'];
  const name = `/${context.settings.commandPrefix}${spec.name}`;
  const isUnknown = (text: string) =>
    text !== '' && !otherwise.accepts(text) && findWord(words, text) === undefined;

  function help(permissions: ReadonlySet<Permission>): SlackMessage {
    const uses = [otherwise, ...Object.values(words)].map(({ needs, help: lines }) => ({
      needs: typeof needs === 'function' ? needs('') : needs,
      lines: [lines?.(name) ?? []].flat(),
    }));
    const others = uses.filter(({ needs, lines }) => lines.length > 0 && !permissions.has(needs));
    const roles = [...new Set(others.map(({ needs }) => roleNames[leastRoleWith(needs)]))];
    return helpMessage(
      mrkdwn`${spec.title} with ${name}`,
      spec.purpose,
      uses.flatMap(({ needs, lines }) => (permissions.has(needs) ? lines : [])),
      present(
        spec.note,
        roles.length > 0 &&
          mrkdwn`For more, you need another role (${roles.join(', ')}). Ask an admin of this workspace.`,
      ),
    );
  }

  function needed(text: string): Permission {
    const { needs } = findWord(words, text.trim())?.word ?? otherwise;
    return typeof needs === 'function' ? needs(text.trim()) : needs;
  }

  async function answer(call: CommandRequest): Promise<void> {
    const text = call.text.trim();
    const found = findWord(words, text);
    const { connected = spec.connected } = found?.word ?? otherwise;
    const run = async () => {
      const result = await (found === undefined
        ? otherwise.run(call, text)
        : found.word.run(call, found.rest));
      if (result === unknown) {
        await call.reply(unknownSubcommand(name, text, { command: spec.name, subcommands }));
      }
    };
    await (connected ? whenConnected(context, run, spec.name)(call) : run());
  }

  return {
    register(router: Router): void {
      router.command(spec.name, needed, answer, help, {
        command: spec.name,
        subcommands,
        accepts: (text) => !isUnknown(text),
      });
      router.action(runAction(spec.name), 'use', async ({ user, value: text, channelId, ...call }) => {
        const { requestId, blockId, open, replaceMessage } = call;
        let isReplaced = false;
        const reply = async (message: SlackMessage) => {
          isReplaced = true;
          await replaceMessage(message);
        };
        requirePermission(user, needed(text));
        await (text === 'help'
          ? reply(help(user.permissions))
          : answer({ user, text, channelId: channelId ?? '', requestId, reply, open }));
        // It opened a modal, and the message still says that the provider isn’t connected.
        if (blockId === notConnectedBlock && !isReplaced) {
          await replaceMessage(connectedMessage(context.settings, `${spec.name} ${text}`));
        }
      });
    },

    /** Whether a text is more likely a misspelt word of this command than free text. */
    isMisspelt: (text: string) => findMeantSubcommand(text, subcommands) !== undefined,
  };
}

/** Returns the word that a text begins with, or is; the longest where there are several. */
export function findWord<Word>(
  words: Readonly<Record<string, Word>>,
  text: string,
): { word: Word; rest: string } | undefined {
  const typed = text.split(/\s+/);
  const found = Object.entries(words).flatMap(([key, word]) => {
    const takesMore = key.endsWith(' …');
    const wordParts = key.replace(/ …$/, '').split(' ');
    const isTyped = wordParts.every((each, index) => typed[index]?.toLowerCase() === each);
    return isTyped && (takesMore || typed.length === wordParts.length)
      ? [{ word, length: wordParts.length }]
      : [];
  });
  const longest = found.toSorted((one, other) => other.length - one.length)[0];
  if (longest === undefined) {
    return undefined;
  }
  // The text after its first words, as typed.
  const rest = text.replace(new RegExp(`^(?:\\S+(?:\\s+|$)){${longest.length}}`), '');
  return { word: longest.word, rest };
}
