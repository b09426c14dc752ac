import { z } from 'zod';
import { checkText, definedFaults } from '../../domain/messages/message-checks.ts';
import { countPages } from '../../domain/messages/pages.ts';
import type { StopAnswer } from '../../domain/replies/answer-words.ts';
import { type ExtraWords, explainUnusable } from '../../domain/replies/stop-words.ts';
import { jobTopics } from '../../store/engine/jobs/jobs.ts';
import type { Context } from '../context.ts';
import { createSetting } from '../workspaces/workspace-settings.ts';

/** Where a workspace’s messages that come in are posted, and whether a stop is confirmed. */
const replySettingsSchema = z.object({
  /** A Slack channel id. */
  channelId: z.string(),
  /** The admin who set it. */
  setBy: z.string(),
  /** What confirms a stop. Undefined: nothing does. */
  confirmation: z.string().optional(),
});
export type ReplySettings = z.infer<typeof replySettingsSchema>;

const wordsSchema = z.array(z.string());
const replyWordsSchema = z.object({ stop: wordsSchema, start: wordsSchema });

/** A reply that is longer than such a word is written to a person. */
const maxWords = 50;
const maxWordLength = 40;
/** In characters, of a field with such words. */
export const maxWordsLength = maxWords * (maxWordLength + 2);

/** The settings as typed. */
export interface ReplySettingsForm {
  channelId: string | undefined;
  confirms: boolean;
  confirmation: string;
}

/** The words as typed, with commas between them. */
export type ReplyWordsForm = Record<StopAnswer, string>;

export type ReplySettingsFaults = Partial<Record<'channelId' | 'confirmation' | StopAnswer, string>>;

/** What the form begins with. */
export const usualConfirmation =
  'You will get no more messages from us. To get them again, reply START to this number.';

/** Reads the form of replies that are on. Each fault is a sentence to show beside its field. */
export function readReplySettings(
  { channelId, confirms, confirmation }: ReplySettingsForm,
  unicode: boolean,
): { ok: true; settings: Omit<ReplySettings, 'setBy'> } | { ok: false; faults: ReplySettingsFaults } {
  const tooLong =
    countPages(confirmation).pages > 1 ? 'Make it shorter: it must fit on one page.' : undefined;
  const problem = confirms ? (checkText(confirmation, unicode) ?? tooLong) : undefined;
  if (channelId === undefined || problem !== undefined) {
    const fault = channelId === undefined ? 'Choose a channel.' : undefined;
    const faults = definedFaults({ channelId: fault, confirmation: problem });
    return { ok: false, faults };
  }
  return { ok: true, settings: { channelId, ...(confirms ? { confirmation } : {}) } };
}

/** Reads the words of a workspace's own. Each fault is a sentence to show beside its field. */
export function readReplyWords(
  form: ReplyWordsForm,
): { ok: true; words: ExtraWords } | { ok: false; faults: ReplySettingsFaults } {
  const words = { stop: splitWords(form.stop), start: splitWords(form.start) };
  const faults = definedFaults({ stop: faultOfWords('stop', words), start: faultOfWords('start', words) });
  return Object.keys(faults).length === 0 ? { ok: true, words } : { ok: false, faults };
}

const splitWords = (text: string) =>
  text
    .split(',')
    .map((each) => each.trim())
    .filter((each) => each !== '');

function faultOfWords(answer: StopAnswer, words: ExtraWords): string | undefined {
  const typedWords = words[answer];
  if (typedWords.length > maxWords || typedWords.some((word) => word.length > maxWordLength)) {
    return `Up to ${maxWords} words of up to ${maxWordLength} characters, separated by commas.`;
  }
  const [unusable] = typedWords.flatMap((word) => {
    const reason = explainUnusable(word, answer, words);
    return reason === undefined ? [] : [`“${word}” ${reason}.`];
  });
  return unusable;
}

export type ReplySettingsStore = ReturnType<typeof createReplySettings>;

export function createReplySettings(context: Context) {
  const { replies, jobs } = context.store;
  const { read, save } = createSetting<ReplySettings | undefined>(context, {
    key: 'replies',
    subject: 'replies',
    schema: replySettingsSchema,
    initial: undefined,
    shown: (set) => ({ channelId: set?.channelId, confirmsStops: set?.confirmation !== undefined }),
  });
  const words = createSetting<ExtraWords>(context, {
    key: 'reply-words',
    subject: 'replies',
    schema: replyWordsSchema,
    initial: { stop: [], start: [] },
    shown: ({ stop, start }) => ({ stopWords: stop, startWords: start }),
  });

  return {
    read,
    /** Returns what means a stop or a start besides the usual words. */
    words: words.read,
    saveWords: (workspaceId: string, userId: string, changed: ExtraWords) =>
      words.save(workspaceId, changed, userId),

    /** Also has posted in the channel what Slack took nowhere, and what waits for another channel. */
    async save(workspaceId: string, settings: ReplySettings): Promise<void> {
      const { channelId, setBy } = settings;
      await save(workspaceId, settings, setBy);
      await replies.repost(workspaceId, { channelId, userId: setBy });
      await jobs.enqueue(jobTopics.notices, '').catch(context.report);
    },

    remove: (workspaceId: string, userId: string) => save(workspaceId, undefined, userId),
  };
}
