import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseSync, Visitor } from 'oxc-parser';

const root = join(import.meta.dirname, '../../..');

/** The sentences in the program, the scripts that start it, and the sandbox, file by file, with `…` for what is filled in. */
export function sourceTexts(): string[] {
  return globSync(['src/**/*.ts', 'bin/*.mjs', 'sandbox/**/*.ts'], {
    cwd: root,
    exclude: ['sandbox/test', 'sandbox/page/art', '**/node_modules'],
  })
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
