import type { KnownBlock, ModalView } from '@slack/types';
import { readNumbersFile } from '../../../services/numbers/numbers-file.ts';
import { mrkdwn } from '../../block-kit/text.ts';
import type { InputFile } from '../../block-kit/view-state.ts';
import type { AppContext } from '../../middleware/app-context.ts';
import { requireListAdmin } from '../../middleware/authorization/require-list-admin.ts';
import { UserError } from '../../middleware/errors.ts';
import type { Router, User } from '../../middleware/requests.ts';
import { createRejectedRowsSender } from '../../notifier/rejected-rows-sender.ts';
import { importCallback, importedNews, importingView, importView } from './form-views.ts';
import { listActions } from './list-view.ts';

const mostBytes = 10_000_000;

type Imported = { ok: true; news: KnownBlock[] } | { ok: false; fault: string };

/** A whole file of numbers onto the list: read to its end before the first of them is added. */
export function registerSuppressionImport(
  router: Router,
  { services, files, log }: AppContext,
  list: (user: User, shown: { news: KnownBlock[] }) => Promise<ModalView>,
): void {
  const { suppressionList: doNotContact, workspaces } = services;
  const sendBadRows = createRejectedRowsSender({ files, log });

  router.action(listActions.import, async ({ user, view }) => {
    requireListAdmin(user);
    await view?.replace(importView());
  });

  async function read(dropped: InputFile, workspaceId: string) {
    if ((dropped.size ?? 0) > mostBytes) {
      return { ok: false, reason: 'This file is too large: up to 10 MB. Leave out other columns.' } as const;
    }
    const { country } = await workspaces.defaults(workspaceId);
    return readNumbersFile(files.stream(dropped, mostBytes), country).catch((error: unknown) => {
      log.warn({ err: error }, 'a dropped file could not be fetched');
      return { ok: false, reason: 'Slack did not hand over this file. Drop it in again.' } as const;
    });
  }

  async function bringIn(user: User, dropped: InputFile | undefined, requestId: string): Promise<Imported> {
    if (dropped === undefined) {
      return { ok: false, fault: 'Drop in a file.' };
    }
    const result = await read(dropped, user.workspaceId);
    if (!result.ok) {
      return { ok: false, fault: result.reason };
    }
    const { numbers, bad } = result.file;
    if (numbers.length === 0) {
      return { ok: false, fault: 'No row of this file holds a phone number that can be used.' };
    }
    const added = await doNotContact.add({ ...user, numbers });
    const areBadRowsSent = await sendBadRows({
      userId: user.userId,
      key: JSON.stringify([requestId, dropped.id]),
      fileName: dropped.name,
      bad,
    });
    return { ok: true, news: importedNews(dropped.name, result.file, { added, areBadRowsSent }) };
  }

  router.submission(importCallback, async ({ user, requestId, values, beforeAckDeadline }) => {
    requireListAdmin(user);
    const [dropped] = values.file?.files ?? [];
    const importing = bringIn(user, dropped, requestId);
    const early = await beforeAckDeadline(importing);
    if (early !== undefined) {
      return early.ok ? { view: await list(user, early) } : { errors: { file: early.fault } };
    }
    return {
      view: importingView(),
      background: async () => {
        const late = await importing;
        if (!late.ok) {
          throw new UserError(mrkdwn`*Nothing was imported.* ${late.fault}`);
        }
        return list(user, late);
      },
    };
  });
}
