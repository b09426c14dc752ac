import { newMessageId } from '../messages/accept.ts';
import type { AccountState, InboundText, State } from '../state/state.ts';

/** A text that a phone sends. */
export interface PhoneText {
  /** The phone's number: digits without a plus. */
  from: string;
  /** A number or device of the account. */
  to: string;
  text: string;
}

/** Whether a sender ID can receive texts: a number can, a name cannot (facts). */
export const isNumericSender = (senderId: string): boolean => /^\d+$/.test(senderId);

/** Records a text from a phone. Throws when it is empty, or when what it is sent to cannot receive texts. */
export function receiveText(
  { from, to, text }: PhoneText,
  state: State,
  { key, senderIds }: AccountState,
  now: Date,
): InboundText {
  if (!/^\d{7,15}$/.test(from)) {
    throw new Error(`${from} is no phone's number`);
  }
  if (text.trim() === '') {
    throw new Error('The text is empty');
  }
  const isNumber =
    isNumericSender(to) && senderIds.some((each) => each.sender_id === to && each.status === 'active');
  // No operation lists the devices: one is known by what it has sent.
  const isDevice = state.record.some(
    (message) => message.account === key && message.channel === 'chatapp' && message.from === to,
  );
  if (!isNumber && !isDevice) {
    throw new Error(`${to} cannot receive texts: only a number or a device of the account can`);
  }
  const received: InboundText = {
    id: newMessageId(now),
    at: now.toISOString(),
    account: key,
    from,
    to,
    channel: isNumber ? 'generic' : 'chatapp',
    text,
  };
  state.inbox.push(received);
  return received;
}
