import type { RecipientRow } from '../../../domain/csv/recipient-rows.ts';
import { countPages } from '../../../domain/messages/pages.ts';
import { isQuietOperator } from '../../../domain/messages/quiet-hours.ts';
import type { Route } from '../../../domain/messages/routes.ts';
import { isPersonal, render, type Template } from '../../../domain/messages/template.ts';
import { spaceCode } from '../../../domain/otp/one-time-code.ts';
import type { ReadRow } from '../../../store/campaigns/campaigns.ts';

/** In characters, once the columns are filled in: about thirty pages. */
const maxTextLength = 5000;

/** Returns a function that makes each row of the table a recipient with its text, or a rejected row with the reason. */
export function createRowReader(options: {
  template: Template;
  route: Route;
  unicode: boolean;
}): (row: RecipientRow) => ReadRow {
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
      ? { kind: 'invalid', line, text: number, reason: message.reason, cells }
      : { kind: 'recipient', line, number, quiet: isQuietOperator(number), cells, ...message };
  };
}

function personalMessage(
  cellOf: (column: string) => string,
  { template, route, unicode }: { template: Template; route: Route; unicode: boolean },
): { text: string; pages: number } | { reason: string } {
  const rendered = render(template, cellOf);
  if (!rendered.ok) {
    return { reason: `has no ${rendered.missing.join(' and no ')}` };
  }
  if (rendered.text.length > maxTextLength) {
    return { reason: `would get more than ${maxTextLength.toLocaleString('en')} characters` };
  }
  const text = route === 'voice' ? spaceCode(rendered.text) : rendered.text;
  if (text.trim() === '') {
    return { reason: 'would get an empty message' };
  }
  const { pages, needsUnicode } = countPages(text);
  return needsUnicode && !unicode
    ? {
        reason: 'has letters or emoji that need the provider’s Unicode type, which is not set up here',
      }
    : { text, pages };
}
