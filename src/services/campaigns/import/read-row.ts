import type { RecipientRow } from '../../../domain/csv/recipient-rows.ts';
import type { RowProblem } from '../../../domain/csv/rejected-row.ts';
import { exampleOptOutLink, optOutColumn } from '../../../domain/messages/opt-out-link.ts';
import { countPages } from '../../../domain/messages/pages.ts';
import { toPlainText } from '../../../domain/messages/plain-text.ts';
import { isQuietOperator } from '../../../domain/messages/quiet-hours.ts';
import type { Route } from '../../../domain/messages/routes.ts';
import { isPersonal, render, type Template } from '../../../domain/messages/template.ts';
import { spaceCode } from '../../../domain/otp/one-time-code.ts';
import type { ReadRow } from '../../../store/campaigns/campaigns.ts';

/** In characters, once the columns are filled in: about thirty pages. */
const maxTextLength = 5000;

interface RowReaderOptions {
  template: Template;
  route: Route;
  unicode: boolean;
  /** Whether the cells of the text's columns are replaced by their plain text. */
  plainCells: boolean;
  /** What `{{opt_out}}` becomes begins with it. Undefined where it is a column like any other. */
  optOutAddress?: string | undefined;
}

/** Returns a function that makes each row of the table a recipient with its text, or a rejected row with the reason. */
export function createRowReader(options: RowReaderOptions): (row: RecipientRow) => ReadRow {
  const { template } = options;
  const personal = isPersonal(template);
  const rendered = render(template, () => '');
  const shared = { pages: rendered.ok ? countPages(rendered.text).pages : 0 };

  return (row) => {
    if (row.kind === 'invalid') {
      return row;
    }
    const { line, number, cells } = row;
    const message = personal ? personalMessage(row.value, options) : shared;
    return 'reason' in message
      ? { kind: 'invalid', line, text: number, ...message, cells }
      : { kind: 'recipient', line, number, quiet: isQuietOperator(number), ...message, cells };
  };
}

function personalMessage(
  cellOf: (column: string) => string,
  { template, route, unicode, plainCells, optOutAddress }: RowReaderOptions,
): { text: string; pages: number } | { reason: string; problem: RowProblem } {
  const cellFor = (column: string) => {
    if (column === optOutColumn && optOutAddress !== undefined) {
      return exampleOptOutLink(optOutAddress);
    }
    return plainCells ? toPlainText(cellOf(column)) : cellOf(column);
  };
  const rendered = render(template, cellFor);
  if (!rendered.ok) {
    return { problem: 'missing_value', reason: `has no ${rendered.missing.join(' and no ')}` };
  }
  if (rendered.text.length > maxTextLength) {
    const most = maxTextLength.toLocaleString('en');
    return { problem: 'text_too_long', reason: `would get more than ${most} characters` };
  }
  const text = route === 'voice' ? spaceCode(rendered.text) : rendered.text;
  if (text.trim() === '') {
    return { problem: 'text_empty', reason: 'would get an empty message' };
  }
  const { pages, needsUnicode, unicode: unsendable } = countPages(text);
  return needsUnicode && !unicode
    ? {
        problem: countPages(toPlainText(text)).needsUnicode
          ? 'unsendable_characters'
          : 'replaceable_characters',
        reason: `has characters that can’t be sent: ${unsendable.join(' ')}`,
      }
    : { text, pages };
}
