import type { SectionBlock } from '@slack/types';
import type { RejectedEntry } from '../../../domain/csv/rejected-row.ts';
import { writeCsv } from '../../../domain/csv/write-csv.ts';
import { nameInvalid } from '../../../domain/phone/read-numbers.ts';
import { lines } from '../build.ts';
import { clampText } from '../limits.ts';
import { formatCount, pluralize } from '../plural.ts';
import { type Markup, mrkdwn } from '../text.ts';

export const rejectedRowsFileName = 'skipped-rows.csv';

const maxShown = 50;
const maxCellLength = 60;
/** Of typed entries. */
const maxInLine = 10;

/**
 * The rejected rows of a file, or rejected entries of typed text, with the reasons: of many the first ones. `isFileSent`:
 * whether the user has a file with all of them; undefined if no file was made.
 */
export function rejectedRowsBlocks(
  rejected: readonly RejectedEntry[],
  isFileSent?: boolean | undefined,
): SectionBlock[] {
  if (rejected.length === 0) {
    return [];
  }
  const rest = rejected.length - maxShown;
  return lines([
    mrkdwn`:warning: *${countRejected(rejected)} skipped:*`,
    ...describeRejected(rejected.slice(0, maxShown)),
    ...(rest > 0 ? [mrkdwn`• and ${formatCount(rest)} more${whereTheRest(isFileSent)}`] : []),
  ]);
}

function whereTheRest(isFileSent: boolean | undefined): Markup {
  switch (isFileSent) {
    case true:
      return mrkdwn`, in *${rejectedRowsFileName}* in your messages with Switchboard`;
    case false:
      return mrkdwn`. Slack didn’t accept the file with all of them.`;
    case undefined:
      return mrkdwn``;
  }
}

/** Returns all rejected rows as a CSV file; undefined if they fit into a view. */
export function rejectedRowsFile(rejected: readonly RejectedEntry[]): Buffer | undefined {
  if (rejected.length <= maxShown) {
    return undefined;
  }
  const columns = [
    { title: 'Line', cell: ({ line }: RejectedEntry) => String(line ?? '') },
    { title: 'Value', cell: ({ text }: RejectedEntry) => text, phoneNumbers: true },
    { title: 'Reason', cell: ({ reason }: RejectedEntry) => reason },
  ];
  return Buffer.from([...writeCsv(columns, rejected)].join(''));
}

/** `2 rows`; `2 entries` where some were typed. */
export function countRejected(rejected: readonly RejectedEntry[]): string {
  return rejected.every(({ line }) => line !== undefined)
    ? pluralize(rejected.length, 'row')
    : pluralize(rejected.length, 'entry', 'entries');
}

/** A line for each row of a file, and for the typed entries that share a reason. */
export function describeRejected(rejected: readonly RejectedEntry[]): Markup[] {
  const typed = Map.groupBy(
    rejected.filter(({ line }) => line === undefined),
    ({ reason }) => reason,
  );
  const named = [...typed].flatMap(([reason, entries]) =>
    Array.from({ length: Math.ceil(entries.length / maxInLine) }, (_, index) =>
      nameInvalid(
        entries
          .slice(index * maxInLine, (index + 1) * maxInLine)
          .map(({ text }) => clampText(text, maxCellLength)),
        reason,
      ),
    ),
  );
  const rows = rejected.filter(({ line }) => line !== undefined).map(describeRow);
  return [...named, ...rows].map((text) => mrkdwn`• ${text}`);
}

/** `Line 7: “0803” is too short for Nigeria` */
function describeRow({ line, text, reason }: RejectedEntry): string {
  return text === ''
    ? `Line ${line} ${reason}`
    : `Line ${line}: “${clampText(text, maxCellLength)}” ${reason}`;
}
