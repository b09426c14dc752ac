import type { KnownBlock, ModalView } from '@slack/types';
import type { CampaignImport } from '../../../../services/campaigns/import/campaign-imports.ts';
import type { ImportFaults } from '../../../../services/campaigns/import/import-recipients.ts';
import { ownId } from '../../../../services/operations/ownership.ts';
import { actions, button, notice, section } from '../../../block-kit/build.ts';
import { message, type SlackMessage } from '../../../block-kit/message.ts';
import { mrkdwn } from '../../../block-kit/text.ts';
import type { AppContext } from '../../../middleware/app-context.ts';
import { FileDownloadError } from '../../../middleware/dropped-file.ts';
import { notConnectedError } from '../../../middleware/not-connected.ts';
import type { ReplaceView, User } from '../../../middleware/requests.ts';
import type { CampaignFormInput } from '../form/form-view.ts';
import type { KeptCampaignForms } from '../form/kept-campaign-forms.ts';
import type { Previews } from '../preview/preview.ts';
import { importedMessage, previewActions } from '../preview/preview-view.ts';
import { campaignStatusView } from '../status/status-view.ts';
import { createSourceReader } from './recipient-source.ts';
import { createRowCount } from './row-count.ts';

/** An import of recipients, which begins at once. */
export interface RecipientImport {
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
  const {
    services,
    notifier,
    files,
    time: { elapsed },
    stopping,
    log,
  } = context;
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
    const rowCount = createRowCount(elapsed);
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
