import type { KnownBlock, ModalView } from '@slack/types';
import type { NumberRows } from '../../../domain/csv/recipient-rows.ts';
import type { CsvColumn } from '../../../domain/csv/write-csv.ts';
import { csvFiles } from '../../../domain/csv/write-csv.ts';
import { maxFileRows, readNumbersFile } from '../../../services/numbers/number-list.ts';
import type {
  AddSuppressedResult,
  SuppressedNumber,
} from '../../../services/suppression-list/suppression-list.ts';
import { context, loadingView, modal, section } from '../../block-kit/build.ts';
import { describeSource } from '../../block-kit/descriptions/number.ts';
import { rejectedRowsBlocks } from '../../block-kit/descriptions/rejected-rows.ts';
import { tableFileInput } from '../../block-kit/inputs/fields.ts';
import { clampText } from '../../block-kit/limits.ts';
import { formatCount, pluralize } from '../../block-kit/plural.ts';
import { mrkdwn } from '../../block-kit/text.ts';
import type { AppContext } from '../../middleware/app-context.ts';
import { readDroppedFile } from '../../middleware/dropped-file.ts';
import { answerWhenReady, type FormResult } from '../../middleware/forms/answer-when-ready.ts';
import { onExport } from '../../middleware/list-buttons.ts';
import type { SubmissionRequest } from '../../middleware/requests.ts';
import type { Router } from '../../middleware/router/router.ts';
import { createRejectedRowsSender } from '../../notifier/rejected-rows-sender.ts';
import { addedBanner, type ListView, suppressionListActions, suppressionListTitle } from './changes.ts';

const maxBytes = 10_000_000;

/** The import of a file of numbers: it is read to its end before any of them is added. */
export function registerSuppressionImport(router: Router, context: AppContext, list: ListView): void {
  router.action(suppressionListActions.import, 'administer', async ({ view }) => {
    await view?.replace(importView());
  });

  router.submission(importCallback, 'administer', (call) =>
    answerWhenReady(importFile(context, call, list), {
      beforeAckDeadline: call.beforeAckDeadline,
      loading: importingView(),
      nothingDone: mrkdwn`*Nothing was imported.*`,
    }),
  );
}

async function importFile(
  context: AppContext,
  { user, requestId, values }: SubmissionRequest,
  list: ListView,
): Promise<FormResult> {
  const { suppressionList, workspaces } = context.services;
  const [dropped] = values.file?.files ?? [];
  if (dropped === undefined) {
    return { errors: { file: 'Upload a file.' } };
  }
  const { country } = await workspaces.defaults(user.workspaceId);
  const limits = { maxBytes, remedy: 'Leave out other columns.' };
  const read = await readDroppedFile({ ...user, dropped }, limits, context, (content) =>
    readNumbersFile(content, country),
  );
  if (!read.ok) {
    return { errors: { file: read.reason } };
  }
  const { numbers, rejected } = read.read;
  if (numbers.length === 0) {
    return { errors: { file: 'No row of this file has a valid phone number.' } };
  }
  const source = { kind: 'file', name: dropped.name } as const;
  const added = await suppressionList.add({ ...user, numbers, source });
  const isRejectedFileSent = await createRejectedRowsSender(context)({
    needed: 'administer',
    ...user,
    key: JSON.stringify([requestId, dropped.id]),
    fileName: dropped.name,
    rejected,
  });
  const banner = importedBanner(dropped.name, read.read, { added, isRejectedFileSent });
  return { view: await list(user, { banner }) };
}

const importCallback = 'do_not_contact_file';
const importTitle = 'CSV import';
const maxNameLength = 60;

/** The form that imports a file. */
export function importView(): ModalView {
  return modal({
    callbackId: importCallback,
    title: importTitle,
    submit: 'Import',
    close: 'Cancel',
    blocks: [
      tableFileInput({
        hint: `A CSV file with a column of phone numbers, up to ${formatCount(maxFileRows)} rows.`,
      }),
      context(mrkdwn`Every number in the file is added to the list.`),
    ],
  });
}

export function importingView(): ModalView {
  return loadingView(importTitle, 'Reading the file…');
}

/** How many numbers were imported, from which column, and the rejected rows. */
export function importedBanner(
  fileName: string,
  file: NumberRows,
  { added, isRejectedFileSent }: { added: AddSuppressedResult; isRejectedFileSent: boolean },
): KnownBlock[] {
  const name = clampText(fileName, maxNameLength);
  const from =
    file.column === undefined
      ? mrkdwn`From ${name}.`
      : mrkdwn`From the column *${clampText(file.column, maxNameLength)}* of ${name}.`;
  return [
    section(addedBanner(added)),
    context(
      from,
      ...(file.duplicates === 0 ? [] : [mrkdwn`${pluralize(file.duplicates, 'duplicate')} skipped.`]),
    ),
    ...rejectedRowsBlocks(file.rejected, isRejectedFileSent),
  ];
}

type Row = SuppressedNumber & { userName: string | undefined };

const columns: readonly CsvColumn<Row>[] = [
  { title: 'Phone number', cell: ({ number }) => number ?? 'erased', phoneNumbers: true },
  { title: 'Added (UTC)', cell: ({ createdAt }) => createdAt.toISOString() },
  { title: 'Added by', cell: ({ userName }) => userName ?? '' },
  { title: 'Slack user ID', cell: ({ createdBy }) => createdBy ?? '' },
  { title: 'How', cell: ({ source }) => describeSource(source) },
];

/** *Export as CSV*: the whole list as a direct message, for admins. */
export function registerSuppressionExport(router: Router, context: AppContext): void {
  const { services, userName } = context;
  onExport(router, context, suppressionListActions.export, {
    title: suppressionListTitle,
    exportOf({ user: { workspaceId } }) {
      const numbers = services.suppressionList.all(workspaceId);
      const rows = withNames(numbers, (id) => userName(workspaceId, id));
      return {
        entry: { action: 'suppression.export' },
        files: csvFiles({ name: 'do-not-contact', columns, rows }),
        comment: 'The do-not-contact list',
      };
    },
    count: (rows) => pluralize(rows, 'number'),
  });
}

async function* withNames(
  numbers: AsyncIterable<SuppressedNumber>,
  userName: (userId: string) => Promise<string | undefined>,
): AsyncGenerator<Row> {
  for await (const number of numbers) {
    const { createdBy } = number;
    yield { ...number, userName: createdBy === undefined ? undefined : await userName(createdBy) };
  }
}
