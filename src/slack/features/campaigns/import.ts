import type { KnownBlock, ModalView } from '@slack/types';
import { ownId } from '../../../domain/access/ownership.ts';
import type { CampaignImport } from '../../../services/campaigns/import/campaign-imports.ts';
import type { ImportFaults } from '../../../services/campaigns/import/import-recipients.ts';
import type { RecipientSource } from '../../../services/campaigns/import/recipient-sources.ts';
import type { Notice } from '../../../store/outbox/notices.ts';
import { actions, button, notice, section } from '../../block-kit/build.ts';
import { message, type SlackMessage } from '../../block-kit/message.ts';
import { mrkdwn } from '../../block-kit/text.ts';
import type { AppContext } from '../../middleware/app-context.ts';
import { FileDownloadError, refuseLargeFile, streamDroppedFile } from '../../middleware/dropped-file.ts';
import { findPhonebook } from '../../middleware/find-phonebook.ts';
import { notConnectedError } from '../../middleware/not-performed.ts';
import type { ReplaceView } from '../../middleware/requests.ts';
import type { Viewer } from '../../navigation/navigation.ts';
import { openActions } from '../../navigation/open-actions.ts';
import { showProgress } from '../../notifier/progress.ts';
import { campaignUser } from './actions.ts';
import { chosenAudience } from './form/audience-fields.ts';
import {
  type CampaignFormInput,
  type CampaignRecipients,
  importingRecipientsView,
} from './form/form-view.ts';
import { type SavedForm, savedForms } from './form/saved-forms.ts';
import { showPreview } from './preview/preview.ts';
import { importedMessage, previewActions } from './preview/preview-view.ts';
import { statusView } from './status/campaign-status.ts';

type ImportedForm = Pick<SavedForm, 'form' | 'numberColumn'>;

/** Minimum time between two row counts that are shown, in milliseconds. */
const minShowInterval = 1_000;

/** Begins the import of a form's recipients, which may take long. */
export function beginImport(context: AppContext, user: Viewer, id: string, imported: ImportedForm) {
  const { elapsed } = context.time;
  let onRows: (rows: number) => void = () => {};
  const result = importRecipients(context, user, id, imported, (rows) => onRows(rows));
  return {
    result,
    /** Shows the row count, then the result. A user who has closed the view gets the result as a message. */
    async follow(show: ReplaceView, origin: string | undefined): Promise<void> {
      let shownAt = elapsed();
      const progress = showProgress(
        (rows) => show(importingRecipientsView(rows)),
        1,
        Number.POSITIVE_INFINITY,
      );
      onRows = (rows) => {
        if (elapsed() - shownAt > minShowInterval) {
          shownAt = elapsed();
          progress.report(rows);
        }
      };
      const ended = await result.finally(progress.settled);
      const isShown = await show(await importedView(context, user, id, ended, origin));
      const text = isShown ? undefined : messageOf(id, ended);
      if (text !== undefined) {
        await context.notifier.sendMessage(user.workspaceId, user.userId, text);
      }
    },
  };
}

async function importRecipients(
  context: AppContext,
  user: Viewer,
  id: string,
  { form, numberColumn }: ImportedForm,
  onProgress: (rows: number) => void,
): Promise<CampaignImport> {
  const recipients = await sourceOf(context, user, form);
  if ('reason' in recipients) {
    return { kind: 'faults', faults: { recipients: recipients.reason } };
  }
  const { workspaceId, userId } = user;
  const { name, text, route, senderId, device, plainCells } = form;
  try {
    const result = await context.services.campaigns.importRecipients({
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
      await savedForms.save(context, user, id, { form, columns, numberColumn });
    }
    return result;
  } catch (error) {
    if (!(error instanceof FileDownloadError)) {
      throw error;
    }
    context.log.warn({ err: error }, 'a dropped file could not be fetched');
    const reason = context.stopping.aborted
      ? 'Switchboard was restarted. Upload the file again.'
      : 'Slack did not deliver all of this file. Upload it again.';
    return { kind: 'faults', faults: { recipients: reason } };
  }
}

/** Returns the view of how an import ended: the preview, unless something went wrong or the campaign was started meanwhile. */
export async function importedView(
  context: AppContext,
  user: Viewer,
  id: string,
  result: CampaignImport,
  origin: string | undefined,
): Promise<ModalView> {
  switch (result.kind) {
    case 'ready':
      return showPreview(context, user, result.preview, origin);
    case 'started':
      return statusView(context, result.campaign);
    case 'not_connected':
      throw notConnectedError('Nothing was read.');
    case 'faults':
      return notice('Import failed', ...faultBlocks(id, result));
  }
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

type FoundSource = { source: RecipientSource } | { reason: string };

/** Finds the source of the recipients that a form names, or the reason why there is none. */
async function sourceOf(context: AppContext, user: Viewer, form: CampaignFormInput): Promise<FoundSource> {
  if (form.recipientsOf !== undefined) {
    return sourceOfCampaign(context, user, form.recipientsOf);
  }
  switch (form.source) {
    case 'pasted':
      return { source: { kind: 'pasted', text: form.pasted } };
    case 'phonebook': {
      const { id, name } = await findPhonebook(context.services.phonebooks, user, form.phonebookId);
      return { source: { kind: 'phonebook', id, name } };
    }
    case 'campaign': {
      const chosen = chosenAudience(form.audience);
      const found = chosen && (await context.services.campaigns.findAudience(campaignUser(user), chosen));
      return found?.ok === true ? found : { reason: found?.reason ?? 'Choose a campaign.' };
    }
    case 'file':
      return sourceOfFile(context, user, form);
  }
}

async function sourceOfCampaign(
  { services: { campaigns } }: AppContext,
  user: Viewer,
  { id, which }: CampaignRecipients,
): Promise<FoundSource> {
  const request = { ...campaignUser(user), id };
  const found =
    which === 'all' ? await campaigns.findOfDraft(request) : await campaigns.findRest({ ...request, which });
  return found.kind === 'found'
    ? { source: found.source }
    : { reason: 'These recipients are gone: the campaign was started, discarded or deleted meanwhile.' };
}

function sourceOfFile(
  { files, stopping }: AppContext,
  { workspaceId }: Viewer,
  { file }: CampaignFormInput,
): FoundSource {
  if (file === undefined) {
    return { reason: 'Upload a file.' };
  }
  const reason = refuseLargeFile(file, { maxBytes, remedy: 'Split the file.' });
  if (reason !== undefined) {
    return { reason };
  }
  const { id, name, size } = file;
  const open = () => streamDroppedFile(files, { workspaceId, file }, { maxBytes, signal: stopping });
  return { source: { kind: 'file', id, name, size, open } };
}

/** Tells a user that the import of their recipients was interrupted by a stop of the program. */
export function interruptedImportMessage({ title = '' }: Notice): SlackMessage {
  const text = mrkdwn`:warning: *Import of ${title} interrupted.* Switchboard restarted. Nothing was sent. Import the list again.`;
  return message(text, [section(text), actions('import', button(openActions.campaignForm, 'New campaign'))]);
}
