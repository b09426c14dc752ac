import type { KnownBlock, ModalView } from '@slack/types';
import type { CampaignFaults } from '../../../services/campaigns/import/campaign-form.ts';
import type { CampaignImport } from '../../../services/campaigns/import/campaign-imports.ts';
import { ownId } from '../../../services/operations/ownership.ts';
import { actions, button, notice, section } from '../../block-kit/build.ts';
import { message, type SlackMessage } from '../../block-kit/message.ts';
import { mrkdwn } from '../../block-kit/text.ts';
import type { AppContext } from '../../middleware/app-context.ts';
import { UserError } from '../../middleware/errors.ts';
import type { Replace, User } from '../../middleware/requests.ts';
import { showProgress } from '../../notifier/progress.ts';
import type { FormCache } from './form-cache.ts';
import { type BulkForm, campaignReadingView } from './form-view.ts';
import type { Previews } from './preview.ts';
import { previewActions, readMessage } from './preview-view.ts';
import { createRecipientReader, FileNotRead } from './recipients.ts';
import { campaignStatusView } from './status-view.ts';

/** How often a count that grows is shown, in milliseconds. */
const shownEvery = 1_000;

/** Reads the recipients of a form, which may take long, and shows what comes of it. */
export function createImport(
  context: AppContext,
  { forms, previews }: { forms: FormCache; previews: Previews },
) {
  const { services, notifier, files, stopping, log } = context;
  const { campaigns, phonebooks } = services;
  const sourceOf = createRecipientReader({ files, phonebooks, stopping, log });

  async function read(
    user: User,
    id: string,
    form: BulkForm,
    options: { numberColumn?: number; onProgress: (rows: number) => void },
  ): Promise<CampaignImport> {
    const recipients = await sourceOf(user, form);
    if (!recipients.ok) {
      return { kind: 'faults', faults: { recipients: recipients.reason } };
    }
    const { workspaceId, userId } = user;
    const { source } = recipients;
    const { name, text, route, senderId, device } = form;
    try {
      const reading = await campaigns.importRecipients({
        workspaceId,
        userId,
        id: ownId(userId, id),
        source,
        form: { name, text, route, senderId, device },
        ...options,
      });
      forms.keep(user, id, {
        form,
        columns: reading.kind === 'ready' ? reading.preview.columns : undefined,
      });
      return reading;
    } catch (error) {
      if (error instanceof FileNotRead) {
        return { kind: 'faults', faults: { recipients: error.reason } };
      }
      throw error;
    }
  }

  /** Begins to read at once, and shows how far it is from when there is a place for it. */
  function begin(user: User, id: string, form: BulkForm, numberColumn?: number) {
    let rows = 0;
    let handle: (rows: number) => void = () => {};
    const reading = read(user, id, form, {
      ...(numberColumn === undefined ? {} : { numberColumn }),
      onProgress(count) {
        rows = count;
        handle(count);
      },
    });
    return {
      reading,
      /** Shows the count, and in the end the preview; who has closed the view gets a message. */
      async follow(show: Replace, origin: string | undefined): Promise<void> {
        let shownAt = performance.now();
        const progress = showProgress(
          (count) => show(campaignReadingView(count)),
          1,
          Number.POSITIVE_INFINITY,
        );
        handle = (count) => {
          if (performance.now() - shownAt > shownEvery) {
            shownAt = performance.now();
            progress.at(count);
          }
        };
        handle(rows);
        const read = await reading.finally(() => {
          handle = () => {};
          return progress.settled();
        });
        const isShown = await show(viewOf(user, id, read, origin));
        const said = isShown ? undefined : messageOf(id, read);
        if (said !== undefined) {
          await notifier.sendMessage(user.userId, said);
        }
      },
    };
  }

  function viewOf(user: User, id: string, reading: CampaignImport, origin: string | undefined): ModalView {
    switch (reading.kind) {
      case 'ready':
        return previews.show(user, reading.preview, origin);
      case 'started':
        return campaignStatusView(reading.campaign, campaigns.throughput(reading.campaign));
      case 'not_connected':
        throw new UserError(mrkdwn`No provider key is connected any more. Nothing was read.`);
      case 'faults':
        return notice('Not read', ...notRead(id, reading.faults));
    }
  }

  return { begin, viewOf };
}

/** For who closed the form before the recipients were read. */
function messageOf(id: string, reading: CampaignImport): SlackMessage | undefined {
  switch (reading.kind) {
    case 'ready':
      return readMessage(reading.preview);
    case 'faults':
      return message(mrkdwn`The recipients could not be read.`, notRead(id, reading.faults));
    default:
      return undefined;
  }
}

function notRead(id: string, faults: CampaignFaults): KnownBlock[] {
  return [
    section(mrkdwn`*The recipients were not read, and nothing was sent.* ${Object.values(faults)}`),
    actions('edit', button(previewActions.edit, 'Edit', { value: id, style: 'primary' })),
  ];
}
