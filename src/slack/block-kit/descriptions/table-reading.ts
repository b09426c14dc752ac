import type { ContextBlock, KnownBlock, PlainTextOption } from '@slack/types';
import { z } from 'zod';
import type { ReadingReview } from '../../../domain/csv/number-table.ts';
import {
  type ChosenReading,
  type ReadingDoubt,
  readingDoubts,
  type TableReading,
} from '../../../domain/csv/table-reading.ts';
import { namesOtherNumbers } from '../../../domain/csv/title-words.ts';
import { actions, button, context, option, present, section } from '../build.ts';
import { select } from '../inputs/fields.ts';
import { beginningOf, clampText, limits } from '../limits.ts';
import { stateIcons } from '../state-icons.ts';
import { joinInline, type Markup, mrkdwn } from '../text.ts';

/** The value of a choice: the id of the table, and how to read it. */
function writeReading(id: string, { titleLine, column, unsettled = [] }: ChosenReading): string {
  return `${id} ${titleLine ?? ''} ${column ?? ''} ${unsettled.join()}`;
}

const position = z
  .string()
  .default('')
  .transform((text) => (text === '' ? undefined : Number(text)))
  .pipe(z.int().min(0).optional());
const chosenReading = z
  .tuple([z.string(), position, position, z.string().default('')])
  .transform(([id, titleLine, column, unsettled]) => ({
    id,
    reading: { titleLine, column, unsettled: readingDoubts.filter((each) => unsettled.includes(each)) },
  }));

/** Reads the value of a choice. */
export function readReading(value: string): z.infer<typeof chosenReading> {
  return chosenReading.parse(value.split(' '));
}

const noTitles = 'No header row';
const everyColumn = 'Every column has numbers';
const maxExample = 60;

/**
 * How a table was read: its titles and its column of numbers, each in a menu to correct it, and its first rows. Where that
 * is in doubt, the person is asked first.
 *
 * @param actionId of the menus and of the answer, whose values `readReading` reads
 */
export function readingBlocks(review: ReadingReview, actionId: string, id: string): KnownBlock[] {
  const { reading, doubts, unsettled, isPlain, rows, columns, examples, titleNumbers } = review;
  const without = (settled: ReadingDoubt) => unsettled.filter((each) => each !== settled);
  const valueOfTitles = (titleLine: number | undefined) =>
    writeReading(id, { ...reading, titleLine, unsettled: without('titles') });
  const valueOfColumn = (column: number | undefined) =>
    writeReading(id, { ...reading, column, unsettled: without('column') });
  const titles = [
    option(noTitles, valueOfTitles(undefined)),
    ...rows.map(({ line, cells }, index) => {
      const where = index === 0 ? 'First row is the header' : `Row ${line} is the header`;
      return option(`${where}: ${cells.join(', ')}`, valueOfTitles(line));
    }),
  ];
  const numbers = columns.map(({ index, title }) => option(title, valueOfColumn(index)));
  const menu = (name: string, options: PlainTextOption[], now: string) => {
    const chosen = options.findIndex((each) => each.value === now);
    // The chosen one is offered, however many there are.
    const offered = options.filter((_, index) => index < limits.options - 1 || index === chosen);
    const element = select(actionId, offered, now);
    // Another block for each reading: Slack keeps the choice in a block of the same id.
    const blockId = `${name} ${now.slice(id.length)}`;
    return [
      section(mrkdwn`*${name}*`),
      actions(blockId, { ...element, placeholder: { type: 'plain_text', text: name } }),
    ];
  };
  const answer = button(actionId, 'Confirm', { value: writeReading(id, reading) });
  return [
    ...(titleNumbers.length === 0
      ? []
      : [
          section(
            mrkdwn`${stateIcons.unconfirmed} *Numbers in or above the header row get no message:* ${joinInline(
              titleNumbers.map(({ line, text }) => mrkdwn`“${text}” in row ${line}`),
            )}`,
          ),
        ]),
    ...doubts.map((doubt) => section(question(doubt, review))),
    ...(doubts.length > 0 ? [actions('reading', answer)] : []),
    ...menu('Header row', titles, valueOfTitles(reading.titleLine)),
    ...menu(
      'Phone number column',
      [...(isPlain ? [option(everyColumn, valueOfColumn(undefined))] : []), ...numbers],
      valueOfColumn(reading.column),
    ),
    ...exampleRows(examples, reading, rows[0]?.line),
  ];
}

function exampleRows(
  examples: ReadingReview['examples'],
  { titleLine }: TableReading,
  firstLine: number | undefined,
): ContextBlock[] {
  const shown = examples.map(({ line, number, others }) => {
    const rest = others.length === 0 ? '' : ` · ${clampText(others.join(' · '), maxExample)}`;
    return mrkdwn`Row ${line}: *${number || 'no number'}*${rest}`;
  });
  const isHeaded = titleLine !== undefined && firstLine !== undefined && firstLine < titleLine;
  return present(
    shown.length > 0 && context(mrkdwn`${shown}`),
    isHeaded && context(mrkdwn`Rows above row ${titleLine} aren’t read.`),
  );
}

function question(doubt: ReadingDoubt, { reading, columns, rows, examples }: ReadingReview): Markup {
  if (doubt === 'titles') {
    const row = rows.find(({ line }) => line === reading.titleLine);
    const cells = beginningOf((row?.cells ?? []).join(', '), limits.listText);
    return mrkdwn`${stateIcons.unknown} *Is row ${reading.titleLine ?? ''} the header row?* ${cells}`;
  }
  if (reading.column === undefined) {
    return mrkdwn`${stateIcons.unknown} *Use the numbers in every column?* Some rows have more than one number.`;
  }
  const title = columns.find(({ index }) => index === reading.column)?.title ?? '';
  const example = examples.find(({ number }) => number !== '')?.number;
  const why = namesOtherNumbers(title)
    ? mrkdwn`Its header suggests a different kind of number.`
    : mrkdwn`Another column has mobile numbers too.`;
  return mrkdwn`${stateIcons.unknown} *Use the numbers in ${title}${example === undefined ? '' : `, such as ${example}`}?* ${why}`;
}
