import type { KnownBlock, ModalView } from '@slack/types';
import { readNumbersFile } from '../../../services/numbers/number-list.ts';
import { mrkdwn } from '../../block-kit/text.ts';
import type { InputFile } from '../../block-kit/view-state.ts';
import type { AppContext } from '../../middleware/app-context.ts';
import { readDroppedFile } from '../../middleware/dropped-file.ts';
import { answerWhenReady, type FormResult } from '../../middleware/forms/answer-when-ready.ts';
import type { User } from '../../middleware/requests.ts';
import type { Router } from '../../middleware/router/router.ts';
import { createRejectedRowsSender } from '../../notifier/rejected-rows-sender.ts';
import { importCallback, importedBanner, importingView, importView } from './form-views.ts';
import { suppressionListActions } from './list-view.ts';

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
