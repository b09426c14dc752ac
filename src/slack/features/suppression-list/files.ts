import type { KnownBlock, ModalView } from '@slack/types';
import { csvFiles } from '../../../domain/csv/csv-files.ts';
import type { CsvColumn } from '../../../domain/csv/write-csv.ts';
import { createAsyncCache } from '../../../lib/async-cache.ts';
import { readNumbersFile } from '../../../services/numbers/number-list.ts';
import type { SuppressedNumber } from '../../../services/suppression-list/suppression-list.ts';
import { notice, section } from '../../block-kit/build.ts';
import { describeSource } from '../../block-kit/descriptions/suppressed-number.ts';
import { loadingView } from '../../block-kit/loading-view.ts';
import { pluralize } from '../../block-kit/plural.ts';
import { mrkdwn } from '../../block-kit/text.ts';
import type { InputFile } from '../../block-kit/view-state.ts';
import type { AppContext } from '../../middleware/app-context.ts';
import { createOncePerDoubleClick } from '../../middleware/double-clicks.ts';
import { readDroppedFile } from '../../middleware/dropped-file.ts';
import { answerWhenReady, type FormResult } from '../../middleware/forms/answer-when-ready.ts';
import { idempotencyKey } from '../../middleware/idempotency-key.ts';
import type { ActionRequest, User } from '../../middleware/requests.ts';
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

const maxMemoizedExports = 100;

type Row = SuppressedNumber & { userName: string | undefined };

const columns: readonly CsvColumn<Row>[] = [
  { title: 'Phone number', cell: ({ number }) => number ?? 'erased', phoneNumbers: true },
  { title: 'Added (UTC)', cell: ({ createdAt }) => createdAt.toISOString() },
  { title: 'Added by', cell: ({ userName }) => userName ?? '' },
  { title: 'Slack user ID', cell: ({ createdBy }) => createdBy ?? '' },
  { title: 'How', cell: ({ source }) => describeSource(source) },
];

/** *Export as CSV*: the whole list as a direct message, for admins. */
export function registerSuppressionExport(
  router: Router,
  { services: { suppressionList, audit, claims }, files, userName }: AppContext,
): void {
  const { get: once } = createAsyncCache<number>({ max: maxMemoizedExports });

  async function share({ workspaceId, userId }: User): Promise<number> {
    const table = {
      name: 'do-not-contact',
      columns,
      rows: withNames(suppressionList.all(workspaceId), (id) => userName(workspaceId, id)),
    };
    let total = 0;
    for await (const { rows, ...file } of csvFiles(table)) {
      await files.share(
        workspaceId,
        { userId, needed: 'administer' },
        { ...file, comment: mrkdwn`The do-not-contact list`.source },
      );
      total += rows;
    }
    return total;
  }

  async function write({ user, requestId, push }: ActionRequest): Promise<void> {
    const replace = await push(loadingView(suppressionListTitle, 'Writing the file…'));
    const rows = await once(idempotencyKey(user.workspaceId, requestId), () =>
      audit.recordExport({ workspaceId: user.workspaceId, action: 'suppression.export' }, () => share(user)),
    );
    await replace(
      notice(
        suppressionListTitle,
        section(
          mrkdwn`:incoming_envelope: *The file is in your messages with Switchboard*: ${pluralize(rows, 'number')}.`,
        ),
      ),
    );
  }

  const oncePerDoubleClick = createOncePerDoubleClick(claims);
  const { export: actionId } = suppressionListActions;
  router.action(actionId, 'administer', (call) => oncePerDoubleClick(call, actionId, () => write(call)));
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
