import type { KnownBlock, ModalView } from '@slack/types';
import type { CampaignFaults, Reading } from '../../../services/campaigns/campaigns.ts';
import { ownId } from '../../../services/operations/ownership.ts';
import { actions, button, notice, section } from '../../block-kit/build.ts';
import { type Message, message } from '../../block-kit/message.ts';
import { mrkdwn } from '../../block-kit/text.ts';
import type { Asker, Replace } from '../../middleware/calls.ts';
import type { Tools } from '../../middleware/context.ts';
import { Refusal } from '../../middleware/errors.ts';
import { showProgress } from '../../notifier/progress.ts';
import { type BulkForm, readingView } from './form-view.ts';
import type { KeptForms } from './kept-forms.ts';
import type { Previews } from './preview.ts';
import { previewActions, readMessage } from './preview-view.ts';
import { createRecipients, FileNotRead } from './recipients.ts';
import { statusView } from './status-view.ts';

/** How often a count that grows is shown, in milliseconds. */
const shownEvery = 1_000;

/** Reads the recipients of a form, which may take long, and shows what comes of it. */
export function createReading(tools: Tools, { forms, previews }: { forms: KeptForms; previews: Previews }) {
  const { services, telling, files, stopping, log } = tools;
  const { campaigns, phonebooks } = services;
  const sourceOf = createRecipients({ files, phonebooks, stopping, log });

  async function read(
    asker: Asker,
    id: string,
    form: BulkForm,
    options: { numberColumn?: number; progress: (rows: number) => void },
  ): Promise<Reading> {
    const recipients = await sourceOf(asker, form);
    if (!recipients.ok) {
      return { kind: 'faults', faults: { recipients: recipients.reason } };
    }
    const { workspaceId, personId } = asker;
    const { source } = recipients;
    const { name, text, route, senderId, device } = form;
    try {
      const reading = await campaigns.read({
        workspaceId,
        personId,
        id: ownId(personId, id),
        source,
        form: { name, text, route, senderId, device },
        ...options,
      });
      forms.keep(asker, id, {
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
  function begin(asker: Asker, id: string, form: BulkForm, numberColumn?: number) {
    let rows = 0;
    let hear: (rows: number) => void = () => {};
    const reading = read(asker, id, form, {
      ...(numberColumn === undefined ? {} : { numberColumn }),
      progress(count) {
        rows = count;
        hear(count);
      },
    });
    return {
      reading,
      /** Shows the count, and in the end the preview; who has closed the view gets a message. */
      async follow(show: Replace, origin: string | undefined): Promise<void> {
        let shownAt = performance.now();
        const progress = showProgress((count) => show(readingView(count)), 1, Number.POSITIVE_INFINITY);
        hear = (count) => {
          if (performance.now() - shownAt > shownEvery) {
            shownAt = performance.now();
            progress.at(count);
          }
        };
        hear(rows);
        const read = await reading.finally(() => {
          hear = () => {};
          return progress.settled();
        });
        const isShown = await show(viewOf(asker, id, read, origin));
        const said = isShown ? undefined : messageOf(id, read);
        if (said !== undefined) {
          await telling.message(asker.personId, said);
        }
      },
    };
  }

  function viewOf(asker: Asker, id: string, reading: Reading, origin: string | undefined): ModalView {
    switch (reading.kind) {
      case 'ready':
        return previews.show(asker, reading.preview, origin);
      case 'started':
        return statusView(reading.campaign, campaigns.pace(reading.campaign));
      case 'not_connected':
        throw new Refusal(mrkdwn`No provider key is connected any more. Nothing was read.`);
      case 'faults':
        return notice('Not read', ...notRead(id, reading.faults));
    }
  }

  return { begin, viewOf };
}

/** For who closed the form before the recipients were read. */
function messageOf(id: string, reading: Reading): Message | undefined {
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
