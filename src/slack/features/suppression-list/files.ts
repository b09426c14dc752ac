import type { KnownBlock, ModalView } from '@slack/types';
import { type CsvColumn, csvFiles } from '../../../domain/csv/write-csv.ts';
import { readNumbersFile } from '../../../services/numbers/number-list.ts';
import type { SuppressedNumber } from '../../../services/suppression-list/suppression-list.ts';
import { describeSource } from '../../block-kit/descriptions/suppressed-number.ts';
import { pluralize } from '../../block-kit/plural.ts';
import { mrkdwn } from '../../block-kit/text.ts';
import type { InputFile } from '../../block-kit/view-state.ts';
import type { AppContext } from '../../middleware/app-context.ts';
import { readDroppedFile } from '../../middleware/dropped-file.ts';
import { answerWhenReady, type FormResult } from '../../middleware/forms/answer-when-ready.ts';
import { onExport } from '../../middleware/list-buttons.ts';
import type { User } from '../../middleware/requests.ts';
import type { Router } from '../../middleware/router/router.ts';
import { createRejectedRowsSender } from '../../notifier/rejected-rows-sender.ts';
import {
  importCallback,
  importedBanner,
  importingView,
  importView,
  suppressionListActions,
  suppressionListTitle,
} from './form-views.ts';

const maxBytes = 10_000_000;

/** The import of a file of numbers: it is read to its end before any of them is added. */
export function registerSuppressionImport(
  router: Router,
  context: AppContext,
  list: (user: User, state: { banner: KnownBlock[] }) => Promise<ModalView>,
): void {
  const { suppressionList, workspaces } = context.services;
  const sendRejectedRows = createRejectedRowsSender(context);

  router.action(suppressionListActions.import, 'administer', async ({ view }) => {
    await view?.replace(importView());
  });

  async function importFile(
    user: User,
    dropped: InputFile | undefined,
    requestId: string,
  ): Promise<FormResult> {
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
    const added = await suppressionList.add({
      ...user,
      numbers,
      source: { kind: 'file', name: dropped.name },
    });
    const isRejectedFileSent = await sendRejectedRows({
      needed: 'administer',
      ...user,
      key: JSON.stringify([requestId, dropped.id]),
      fileName: dropped.name,
      rejected,
    });
    const banner = importedBanner(dropped.name, read.read, { added, isRejectedFileSent });
    return { view: await list(user, { banner }) };
  }

  router.submission(importCallback, 'administer', async ({ user, requestId, values, beforeAckDeadline }) => {
    const [dropped] = values.file?.files ?? [];
    return answerWhenReady(importFile(user, dropped, requestId), {
      beforeAckDeadline,
      loading: importingView(),
      nothingDone: mrkdwn`*Nothing was imported.*`,
    });
  });
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
