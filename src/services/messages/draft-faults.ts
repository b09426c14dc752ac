import { z } from 'zod';
import { maxRecipientsPerRequest } from '../../domain/messages/chunk-size.ts';
import { checkSenderFields, checkText, definedFaults } from '../../domain/messages/message-checks.ts';
import type { Route } from '../../domain/messages/routes.ts';
import { describeInvalid } from '../../domain/phone/read-numbers.ts';
import { mediaFormats } from '../../provider/messages/media.ts';
import type { DraftContent } from './drafts.ts';

export type MessageField = 'recipients' | 'senderId' | 'device' | 'route' | 'text' | 'address';

export type MessageFaults = Partial<Record<MessageField, string>>;

/** A draft without faults. */
export type CompleteContent = DraftContent & { senderId: string };

/**
 * Returns what is wrong with a message, a sentence for each field at fault. What is no number among the recipients is no
 * fault, unless nobody is left. `unicode`: whether text outside the SMS alphabet can be sent.
 */
export function findFaults(
  content: Omit<DraftContent, 'route'> & { route?: Route | undefined },
  unicode: boolean,
): MessageFaults {
  const { recipients, leftOut = [], senderId = '', route, text, media } = content;
  return definedFaults({
    recipients: faultOfRecipients(recipients.length, leftOut),
    ...checkSenderFields(senderId.trim(), route),
    text: media === undefined ? checkText(text, unicode) : undefined,
    address: media && faultOfAddress(media.url),
  });
}

/** Whether a draft can be sent. One with a fault is kept too, to be corrected. */
export function isComplete(content: DraftContent, unicode: boolean): content is CompleteContent {
  return content.senderId !== undefined && Object.keys(findFaults(content, unicode)).length === 0;
}

function faultOfRecipients(
  count: number,
  leftOut: readonly { text: string; reason: string }[],
): string | undefined {
  if (count === 0) {
    return leftOut.length > 0 ? describeInvalid(leftOut) : 'Enter at least one phone number.';
  }
  return count > maxRecipientsPerRequest
    ? `${count.toLocaleString('en')} numbers are too many: one message goes to up to ${maxRecipientsPerRequest}. For more, start a campaign.`
    : undefined;
}

/** An address without an extension is left to the provider. */
function faultOfAddress(address: string): string | undefined {
  const url = z.url({ protocol: /^https?$/ }).safeParse(address);
  if (!url.success) {
    return 'Enter the URL of the file. It begins with https://';
  }
  const ending = /\.(\w{2,5})$/.exec(new URL(url.data).pathname)?.[1]?.toLowerCase();
  return ending === undefined || mediaFormats.includes(ending)
    ? undefined
    : `The chat app doesn’t take .${ending} files. Use ${mediaFormats.join(', ')}.`;
}
