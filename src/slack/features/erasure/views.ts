import type { KnownBlock, ModalView } from '@slack/types';
import { formatNumber, type PhoneNumber } from '../../../domain/phone/phone-number.ts';
import type { ErasureCounts } from '../../../store/erasure/erased-person.ts';
import type { ErasurePreview } from '../../../store/erasure/erasure.ts';
import { context, input, modal, notice, section } from '../../block-kit/build.ts';
import { loadingView } from '../../block-kit/loading-view.ts';
import { pluralize } from '../../block-kit/plural.ts';
import { stateIcons } from '../../block-kit/state-icons.ts';
import { type Markup, mrkdwn, nonBreaking } from '../../block-kit/text.ts';

export const eraseFormCallback = 'erase_person';
export const eraseConfirmCallback = 'erase_person_confirm';

const title = 'Erase a person';

/** The form for the number, for an admin. */
export function eraseFormView(): ModalView {
  return modal({
    callbackId: eraseFormCallback,
    title,
    submit: 'Continue',
    close: 'Cancel',
    blocks: [
      input(
        'number',
        'Phone number',
        { type: 'plain_text_input', action_id: 'number', max_length: 40, focus_on_load: true },
        { hint: 'Nothing is erased before you confirm.' },
      ),
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
        bulletList([
          ...(known.operations === 0
            ? []
            : [
                mrkdwn`${pluralize(known.operations, 'message or other entry', 'messages and other entries')} in the history: the number and the text`,
              ]),
          ...(known.campaigns === 0
            ? []
            : [
                mrkdwn`${pluralize(known.campaigns, 'campaign')}: the recipient, and rows of the file that name the number`,
              ]),
          mrkdwn`Drafts, codes, uploads and preferences that name it`,
        ]),
      ),
      ...(known.campaigns === 0
        ? []
        : [context(mrkdwn`Campaigns that haven’t sent to the number yet skip it.`)]),
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
  const removed = [
    operations > 0 && mrkdwn`${pluralize(operations, 'entry', 'entries')} of the history`,
    texts > 0 && mrkdwn`${pluralize(texts, 'message text')}`,
    recipients > 0 && mrkdwn`A recipient in ${pluralize(recipients, 'campaign')}`,
    rows > 0 && mrkdwn`${pluralize(rows, 'row')} of files`,
    values > 0 && mrkdwn`${pluralize(values, 'draft, code or preference', 'drafts, codes and preferences')}`,
  ].filter((line) => line !== false);
  return notice(
    title,
    section(
      removed.length === 0
        ? mrkdwn`${stateIcons.done} *Switchboard has nothing of this number.*`
        : mrkdwn`${stateIcons.done} *The number is erased.*`,
    ),
    ...(removed.length === 0 ? [] : [section(bulletList(removed))]),
    ...(skipped === 0 ? [] : [context(mrkdwn`${pluralize(skipped, 'campaign')} will skip the number.`)]),
    ...(keptTexts === 0
      ? []
      : [
          section(
            mrkdwn`${stateIcons.unconfirmed} The number is in ${pluralize(keptTexts, 'text')} that campaigns still have to send. Erase it again when they have ended.`,
          ),
        ]),
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
  const lines: Markup[] = [
    ...(isListed ? [mrkdwn`The number stays on the do-not-contact list, as a code that can’t be read.`] : []),
    mrkdwn`Messages and files in Slack stay, and the provider’s records and phonebooks.`,
    mrkdwn`The audit keeps masked numbers.`,
  ];
  return [context(...lines)];
}
