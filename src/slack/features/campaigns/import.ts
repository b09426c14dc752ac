import type { KnownBlock, ModalView } from '@slack/types';
import type { Stopwatch } from '../../../lib/time/clock.ts';
import type { CampaignService } from '../../../services/campaigns/campaign-service.ts';
import type { CampaignImport } from '../../../services/campaigns/import/campaign-imports.ts';
import type { ImportFaults } from '../../../services/campaigns/import/import-recipients.ts';
import type { RecipientSource } from '../../../services/campaigns/import/recipient-sources.ts';
import type { PhonebookService } from '../../../services/contacts/phonebooks.ts';
import { ownId } from '../../../services/operations/ownership.ts';
import type { Notice } from '../../../store/outbox/outbox.ts';
import { actions, button, notice, section } from '../../block-kit/build.ts';
import { message, type SlackMessage } from '../../block-kit/message.ts';
import { mrkdwn } from '../../block-kit/text.ts';
import type { Files } from '../../client/files.ts';
import type { AppContext } from '../../middleware/app-context.ts';
import { FileDownloadError, refuseLargeFile, streamDroppedFile } from '../../middleware/dropped-file.ts';
import { findPhonebook } from '../../middleware/find-phonebook.ts';
import { notConnectedError } from '../../middleware/not-connected.ts';
import type { ReplaceView, User } from '../../middleware/requests.ts';
import { openActions } from '../../navigation/open-actions.ts';
import { showProgress } from '../../notifier/progress.ts';
import { campaignUser } from './actions.ts';
import { type CampaignFormInput, type FormerChoice, importingRecipientsView } from './form/form-view.ts';
import type { KeptCampaignForms } from './form/kept-campaign-forms.ts';
import type { Previews } from './preview/preview.ts';
import { importedMessage, previewActions } from './preview/preview-view.ts';
import { campaignStatusView } from './status/status-view.ts';

/** An import of recipients, which begins at once. */
interface RecipientImport {
  result: Promise<CampaignImport>;
  /** Shows the row count, then the result. A user who has closed the view gets the result as a message. */
  follow(show: ReplaceView, origin: string | undefined): Promise<void>;
}

export type RecipientImports = ReturnType<typeof createRecipientImports>;

/** Imports the recipients of a form, which may take long, and shows the result. */
export function createRecipientImports(
  context: AppContext,
  { forms, previews }: { forms: KeptCampaignForms; previews: Previews },
) {
  const { services, notifier, files, time, stopping, log } = context;
  const { campaigns, costs, phonebooks } = services;
  const sourceOf = createSourceReader({ files, phonebooks, campaigns, stopping });

  async function importRecipients(
    user: User,
    id: string,
    form: CampaignFormInput,
    { numberColumn, onProgress }: { numberColumn: number | undefined; onProgress: (rows: number) => void },
  ): Promise<CampaignImport> {
    const recipients = await sourceOf(user, form);
    if (!recipients.ok) {
      return { kind: 'faults', faults: { recipients: recipients.reason } };
    }
    const { workspaceId, userId } = user;
    const { name, text, route, senderId, device, plainCells } = form;
    try {
      const result = await campaigns.importRecipients({
        workspaceId,
        userId,
        id: ownId(userId, id),
        source: recipients.source,
        form: { name, text, route, senderId, device, plainCells },
        numberColumn,
        onProgress,
      });
      // Nothing is kept of a draft that is gone, as its workspace may be.
      if (result.kind !== 'faults' || result.isGone !== true) {
        const columns = result.kind === 'ready' ? result.preview.columns : undefined;
        await forms.keep(user, id, { form, columns, numberColumn });
      }
      return result;
    } catch (error) {
      if (!(error instanceof FileDownloadError)) {
        throw error;
      }
      log.warn({ err: error }, 'a dropped file could not be fetched');
      const reason = stopping.aborted
        ? 'Switchboard was restarted. Upload the file again.'
        : 'Slack did not deliver all of this file. Upload it again.';
      return { kind: 'faults', faults: { recipients: reason } };
    }
  }

  function begin(user: User, id: string, form: CampaignFormInput, numberColumn?: number): RecipientImport {
    const rowCount = createRowCount(time.elapsed);
    const result = importRecipients(user, id, form, { numberColumn, onProgress: rowCount.report });
    return {
      result,
      async follow(show, origin) {
        const imported = await result.finally(rowCount.showIn(show));
        const isShown = await show(await viewOf(user, id, imported, origin));
        const text = isShown ? undefined : messageOf(id, imported);
        if (text !== undefined) {
          await notifier.sendMessage(user.workspaceId, user.userId, text);
        }
      },
    };
  }

  async function viewOf(
    user: User,
    id: string,
    result: CampaignImport,
    origin: string | undefined,
  ): Promise<ModalView> {
    switch (result.kind) {
      case 'ready':
        return previews.show(user, result.preview, origin);
      case 'started':
        return campaignStatusView(result.campaign, campaigns.throughput(result.campaign), {
          charges: await costs.ofCampaign(result.campaign),
        });
      case 'not_connected':
        throw notConnectedError('Nothing was read.');
      case 'faults':
        return notice('Import failed', ...faultBlocks(id, result));
    }
  }

  return { begin, viewOf };
}

/** The result for a user who closed the form before the import ended. */
function messageOf(id: string, result: CampaignImport): SlackMessage | undefined {
  switch (result.kind) {
    case 'ready':
      return importedMessage(result.preview);
    case 'faults':
      return message(mrkdwn`Import failed.`, faultBlocks(id, result));
    default:
      return undefined;
  }
}

function faultBlocks(id: string, { faults, isReplaceable }: ImportFaults): KnownBlock[] {
  return [
    section(mrkdwn`*Import failed.* ${Object.values(faults)}`),
    actions(
      'edit',
      ...(isReplaceable ? [button(previewActions.replace, 'Replace with plain text', { value: id })] : []),
      button(previewActions.edit, 'Edit', { value: id }),
    ),
  ];
}

const maxBytes = 200_000_000;

/** Finds the source of the recipients that a form names, or the reason why there is none. */
function createSourceReader(context: {
  files: Files;
  phonebooks: PhonebookService;
  campaigns: CampaignService;
  stopping: AbortSignal;
}) {
  const { files, phonebooks, campaigns, stopping } = context;

  async function formerSource(
    user: User,
    { id, which }: FormerChoice,
  ): Promise<{ ok: true; source: RecipientSource } | { ok: false; reason: string }> {
    const request = { ...campaignUser(user), id };
    const found =
      which === 'all'
        ? await campaigns.findOfDraft(request)
        : await campaigns.findRest({ ...request, which });
    return found.kind === 'found'
      ? { ok: true, source: found.source }
      : {
          ok: false,
          reason: 'These recipients are gone: the campaign was started, discarded or deleted meanwhile.',
        };
  }

  return async (
    user: User,
    form: CampaignFormInput,
  ): Promise<{ ok: true; source: RecipientSource } | { ok: false; reason: string }> => {
    if (form.former !== undefined) {
      return formerSource(user, form.former);
    }
    switch (form.source) {
      case 'pasted':
        return { ok: true, source: { kind: 'pasted', text: form.pasted } };
      case 'phonebook': {
        const { id, name } = await findPhonebook(phonebooks, user, form.phonebookId);
        return { ok: true, source: { kind: 'phonebook', id, name } };
      }
      case 'file': {
        const { file } = form;
        if (file === undefined) {
          return { ok: false, reason: 'Upload a file.' };
        }
        const reason = refuseLargeFile(file, { maxBytes, remedy: 'Split the file.' });
        if (reason !== undefined) {
          return { ok: false, reason };
        }
        const { id, name, size } = file;
        const { workspaceId } = user;
        const open = () => streamDroppedFile(files, { workspaceId, file }, { maxBytes, signal: stopping });
        return { ok: true, source: { kind: 'file', id, name, size, open } };
      }
    }
  };
}

/** The number of rows that an import has read. */
interface RowCount {
  report(rows: number): void;
  /** Shows the count and its changes. Returns a function that ends that and waits for the update in flight. */
  showIn(show: ReplaceView): () => Promise<void>;
}

/** Minimum time between two row counts that are shown, in milliseconds. */
const minShowInterval = 1_000;

function createRowCount(elapsed: Stopwatch): RowCount {
  let rows = 0;
  let onRows: (rows: number) => void = () => {};
  return {
    report(count) {
      rows = count;
      onRows(count);
    },

    showIn(show) {
      let shownAt = elapsed();
      const progress = showProgress(
        (count) => show(importingRecipientsView(count)),
        1,
        Number.POSITIVE_INFINITY,
      );
      onRows = (count) => {
        if (elapsed() - shownAt > minShowInterval) {
          shownAt = elapsed();
          progress.report(count);
        }
      };
      onRows(rows);
      return () => {
        onRows = () => {};
        return progress.settled();
      };
    },
  };
}

/** Tells a user that the import of their recipients was interrupted by a stop of the program. */
export function interruptedImportMessage({ title = '' }: Notice): SlackMessage {
  const text = mrkdwn`:warning: *Import of ${title} interrupted.* Switchboard restarted. Nothing was sent. Import the list again.`;
  return message(text, [section(text), actions('import', button(openActions.campaignForm, 'New campaign'))]);
}
