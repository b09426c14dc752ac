import type { KnownBlock, ModalView } from '@slack/types';
import { maskNumber, phoneNumberSchema } from '../../../domain/phone/phone-number.ts';
import type { MessageRecord } from '../../../provider/messages/message-history.ts';
import { context, notice, section } from '../../block-kit/build.ts';
import { clampText } from '../../block-kit/limits.ts';
import { loadingView } from '../../block-kit/loading-view.ts';
import { pluralize } from '../../block-kit/plural.ts';
import { joinInline, type Markup, mrkdwn, nonBreaking, timeFor } from '../../block-kit/text.ts';

const title = 'Provider’s answer';
const maxShown = 20;
/** In characters. */
const maxStatus = 200;

export function askingView(): ModalView {
  return loadingView(title, 'Asking the provider…');
}

/** What the provider says of a message, in its own words, and when it was asked. */
export function providerAnswerView(records: readonly MessageRecord[], at: Date): ModalView {
  const more = records.length - maxShown;
  return notice(
    title,
    ...(records.length === 0
      ? [
          section(
            mrkdwn`*The provider doesn’t know this message.* That doesn’t mean that nothing was sent: its history may be late, or may not go back that far.`,
          ),
        ]
      : records.slice(0, maxShown).flatMap(recordBlocks)),
    ...(more > 0 ? [context(mrkdwn`And ${pluralize(more, 'more number')}.`)] : []),
    context(mrkdwn`Asked ${timeFor(at)}`),
  );
}

function recordBlocks({ status, receiver, createdAt }: MessageRecord): KnownBlock[] {
  const to = readReceiver(receiver);
  const details = [
    ...(to === undefined ? [] : [mrkdwn`to ${to}`]),
    ...(createdAt === undefined ? [] : [mrkdwn`from ${timeFor(createdAt)}`]),
  ];
  return [
    section(mrkdwn`The provider says: *${clampText(status, maxStatus)}*`),
    ...(details.length === 0 ? [] : [context(joinInline(details))]),
  ];
}

/** Masked, as in every list. */
function readReceiver(receiver: string | undefined): Markup | undefined {
  const { data } = phoneNumberSchema.safeParse(`+${receiver?.replace(/^\+/, '') ?? ''}`);
  return data && mrkdwn`${nonBreaking(maskNumber(data))}`;
}
