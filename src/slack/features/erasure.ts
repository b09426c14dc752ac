import type { KnownBlock, ModalView } from '@slack/types';
import { z } from 'zod';
import { formatNumber, type PhoneNumber, phoneNumberSchema } from '../../domain/phone/phone-number.ts';
import { readNumber } from '../../domain/phone/read-number.ts';
import type { ErasurePreview } from '../../store/erasure/erasure.ts';
import type { ErasureCounts } from '../../store/erasure/erasure-context.ts';
import { context, loadingView, modal, notice, present, section } from '../block-kit/build.ts';
import { textInput } from '../block-kit/inputs/fields.ts';
import { pluralize } from '../block-kit/plural.ts';
import { stateIcons } from '../block-kit/state-icons.ts';
import { type Markup, mrkdwn, nonBreaking } from '../block-kit/text.ts';
import type { AppContext } from '../middleware/app-context.ts';
import type { Router } from '../middleware/router/router.ts';
import { openActions } from '../navigation/open-actions.ts';

const metadataSchema = z.object({ number: phoneNumberSchema });

/** *Erase a person*, for admins: everything that is stored of a phone number. */
export function registerErasure(router: Router, { services: { erasure, workspaces } }: AppContext): void {
  router.action(openActions.erasure, 'administer', async ({ push }) => {
    await push(eraseFormView());
  });

  router.submission(eraseFormCallback, 'administer', async ({ user: { workspaceId }, values }) => {
    const typed = values.number?.text?.trim() ?? '';
    const { country } = await workspaces.defaults(workspaceId);
    const read = readNumber(typed, country);
    if (!read.ok) {
      return { errors: { number: `“${typed}” ${read.reason}.` } };
    }
    return { view: eraseConfirmView(read.number, await erasure.find(workspaceId, read.number)) };
  });

  router.submission(
    eraseConfirmCallback,
    'administer',
    async ({ user: { workspaceId, userId }, metadata }) => {
      const { number } = metadataSchema.parse(metadata);
      return {
        view: erasingView(),
        background: async () => {
          const result = await erasure.erase({ workspaceIds: [workspaceId], number, userId });
          return result.isComplete ? erasedView(result.counts) : unfinishedView();
        },
      };
    },
  );
}

const eraseFormCallback = 'erase_person';
const eraseConfirmCallback = 'erase_person_confirm';

const title = 'Erase a person';

/** The form for the number, for an admin. */
export function eraseFormView(): ModalView {
  return modal({
    callbackId: eraseFormCallback,
    title,
    submit: 'Continue',
    close: 'Cancel',
    blocks: [
      textInput('number', 'Phone number', '', {
        maxLength: 40,
        focus: true,
        hint: 'Nothing is erased before you confirm.',
      }),
    ],
  });
}

/** What an erasure removes and what it leaves, for an admin to confirm. */
export function eraseConfirmView(number: PhoneNumber, known: ErasurePreview): ModalView {
  return modal({
    callbackId: eraseConfirmCallback,
    title,
    submit: 'Erase',
    close: 'Cancel',
    metadata: { number },
    blocks: [
      section(
        mrkdwn`*${nonBreaking(formatNumber(number))}* is removed from everything that Switchboard stores for this workspace:`,
      ),
      section(
        bulletList(
          present(
            known.operations > 0 &&
              mrkdwn`${pluralize(known.operations, 'message or other entry', 'messages and other entries')} in the history: the number and the text`,
            known.campaigns > 0 &&
              mrkdwn`${pluralize(known.campaigns, 'campaign')}: the recipient, and rows of the file that name the number`,
            mrkdwn`Drafts, codes, uploads and preferences that name it`,
          ),
        ),
      ),
      ...present(
        known.campaigns > 0 && context(mrkdwn`Campaigns that haven’t sent to the number yet skip it.`),
      ),
      ...whatStays(known.isListed),
      section(mrkdwn`${stateIcons.unconfirmed} This can’t be undone.`),
    ],
  });
}

export function erasingView(): ModalView {
  return loadingView(title, 'Searching everything for the number. You can close this window.');
}

/** What was erased, and what stays where. */
export function erasedView(counts: ErasureCounts): ModalView {
  const { operations, texts, recipients, skipped, rows, values, listed, keptTexts } = counts;
  const removed = present(
    operations > 0 && mrkdwn`${pluralize(operations, 'entry', 'entries')} of the history`,
    texts > 0 && mrkdwn`${pluralize(texts, 'message text')}`,
    recipients > 0 && mrkdwn`A recipient in ${pluralize(recipients, 'campaign')}`,
    rows > 0 && mrkdwn`${pluralize(rows, 'row')} of files`,
    values > 0 && mrkdwn`${pluralize(values, 'draft, code or preference', 'drafts, codes and preferences')}`,
  );
  return notice(
    title,
    section(
      removed.length === 0
        ? mrkdwn`${stateIcons.done} *Switchboard has nothing of this number.*`
        : mrkdwn`${stateIcons.done} *The number is erased.*`,
    ),
    ...present<KnownBlock>(
      removed.length > 0 && section(bulletList(removed)),
      skipped > 0 && context(mrkdwn`${pluralize(skipped, 'campaign')} will skip the number.`),
      keptTexts > 0 &&
        section(
          mrkdwn`${stateIcons.unconfirmed} The number is in ${pluralize(keptTexts, 'text')} that campaigns still have to send. Erase it again when they have ended.`,
        ),
    ),
    ...whatStays(listed > 0),
  );
}

/** The program stops. */
export function unfinishedView(): ModalView {
  return notice(
    title,
    section(
      mrkdwn`${stateIcons.unconfirmed} *Not finished.* Switchboard is being restarted. The erasure continues automatically.`,
    ),
  );
}

function bulletList(items: readonly Markup[]): Markup {
  return mrkdwn`${items.map((item) => mrkdwn`• ${item}`)}`;
}

function whatStays(isListed: boolean): KnownBlock[] {
  const lines = present(
    isListed && mrkdwn`The number stays on the do-not-contact list, as a code that can’t be read.`,
    mrkdwn`Messages and files in Slack stay, and the provider’s records and phonebooks.`,
    mrkdwn`The audit keeps masked numbers.`,
  );
  return [context(...lines)];
}
