import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { parseSync, Visitor } from 'oxc-parser';
import { renderFor } from '../../../src/slack/block-kit/text.ts';
import { examples } from '../../slack/features/examples/examples.ts';
import { plainWords } from '../slack/example-words.ts';
import { wordsOf } from '../slack/slack-user.ts';

const root = join(import.meta.dirname, '../../..');

/**
 * Every text of the product, a line each. First the screens and messages, as drawn from their examples so many times; then the
 * sentences in the source, file by file: errors, help, tool descriptions, pages of the web server, notices and log messages,
 * with `…` for what is filled in.
 */
export function textLines(draws: number): string[] {
  return ['# The texts of Switchboard', ...screenTexts(draws), '## The source', ...sourceTexts()];
}

function screenTexts(draws: number): string[] {
  return Object.entries(examples).flatMap(([feature, screensOf]) => [
    `## Screens: ${feature}`,
    ...Object.entries(screensOf(plainWords)).flatMap(([name, screens]) => {
      const lines = fc
        .sample(screens, { numRuns: draws, seed: 1 })
        .flatMap((screen) => wordsOf(renderFor('person', screen)).split('\n'))
        .filter((line) => /\p{L}/u.test(line));
      return [`### ${name}`, ...new Map(lines.toReversed().map((line) => [shapeOf(line), line])).values()];
    }),
  ]);
}

/** The same for lines that differ only in figures, dates, names and ids. */
function shapeOf(line: string): string {
  return line
    .replace(/<[@#!][^>]*>|\b[CDSUW][A-Z0-9]+\b/g, '@')
    .replace(/\p{Nd}[\p{Nd}.,:/-]*/gu, '0')
    .replace(
      /\b(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)\w*|\b(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)\w*/g,
      '0',
    )
    .replace(/0[0 •]*/g, '0');
}

function sourceTexts(): string[] {
  return globSync('src/**/*.ts', { cwd: root })
    .sort()
    .flatMap((file) => {
      const texts = sentencesIn(file, readFileSync(join(root, file), 'utf8'));
      return texts.length === 0 ? [] : [`### ${file}`, ...new Set(texts)];
    });
}

/** Of code in another language, no text is read. */
const otherLanguages = new Set(['sql', 'css']);
const isHtml = /<\/|<(?:!doctype|meta|svg|rect|circle|path|g) /;
/** Two words, the first with a letter. */
const isSentence = /\p{L}[^\s]* +[^\s]*\p{L}/u;

function sentencesIn(file: string, source: string): string[] {
  const found: { start: number; text: string }[] = [];
  const other: { start: number; end: number }[] = [];
  const add = (start: number, text: string) => {
    const words = isHtml.test(text) ? text.replaceAll(/<[^<>]*>/g, ' ') : text;
    if (isSentence.test(words)) {
      found.push({
        start,
        text: words
          .replaceAll(/\s*\n\s*/g, ' ⏎ ')
          .replaceAll(/\p{Cc}/gu, '·')
          .trim(),
      });
    }
  };
  new Visitor({
    TaggedTemplateExpression({ tag, start, end }) {
      if (otherLanguages.has(source.slice(tag.start, tag.end).split(/\W/, 1)[0] ?? '')) {
        other.push({ start, end });
      }
    },
    TemplateLiteral: ({ start, quasis }) =>
      add(start, quasis.map(({ value }) => value.cooked ?? value.raw).join('…')),
    Literal: ({ start, value }) => (typeof value === 'string' ? add(start, value) : undefined),
  }).visit(parseSync(file, source).program);
  return found
    .filter(({ start }) => !other.some((each) => each.start <= start && start < each.end))
    .map(({ text }) => text);
}
