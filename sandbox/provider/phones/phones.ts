import { networkOf } from '../insight/insight.ts';
import { newMessageId } from '../messages/messages.ts';
import type { AcceptedMessage, AccountState, InboundText, State } from '../state/state.ts';
import type { ReportOutcome } from '../webhook/provider-webhook.ts';

/** A text that a phone sends. */
export interface PhoneText {
  /** The phone's number: digits without a plus. */
  from: string;
  /** A number or device of the account. */
  to: string;
  text: string;
}

/** Whether a sender ID can receive texts: a number can, a name cannot (facts). */
const isNumericSender = (senderId: string): boolean => /^\d+$/.test(senderId);

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

/** What a phone has received and sent, for the page: `GET /sandbox/phones`. */
export interface Phone {
  /** Digits without a plus. */
  number: string;
  /** The network of a Nigerian number. */
  network?: string | undefined;
  /** The one with the newest text first. */
  conversations: Conversation[];
}

/** The texts between a phone and one sender of an account. */
interface Conversation {
  id: string;
  sender: string;
  /** The account's key, and the name of its holder. */
  account: string;
  holder: string;
  /** Whether the sender can receive texts: a number or a device, not a name. */
  canReply: boolean;
  /** The oldest first. */
  texts: PhoneEntry[];
}

/** A text on a phone. */
export type PhoneEntry = {
  id: string;
  /** ISO 8601. */
  at: string;
  text: string;
  channel: AcceptedMessage['channel'];
} & (
  | { direction: 'sent' }
  | {
      direction: 'received';
      /** `Delivered`, or why it is not on the phone. */
      delivery: string;
      /** The address of a file, instead of a text. */
      media?: string | undefined;
      /** What the provider has reported of it. */
      reports: readonly ReportOutcome[];
    }
);

/** The newest messages that are looked at, and the most phones that are shown. */
const maxMessages = 500;
const maxPhones = 100;

/** Returns the phones, that with the newest text first. */
export function phonesOf(
  { record, inbox, accounts }: State,
  outcomesOf: (messageId: string, number: string) => readonly ReportOutcome[],
): Phone[] {
  const holders = new Map(accounts.map(({ key, name }) => [key, name]));
  const phones = new Map<string, Map<string, Conversation>>();
  const add = (number: string, account: string, sender: string, entry: PhoneEntry) => {
    const conversations = phones.get(number) ?? new Map<string, Conversation>();
    phones.set(number, conversations);
    const id = `${account} ${sender}`;
    const holder = holders.get(account) ?? '';
    const known = conversations.get(id) ?? { id, sender, account, holder, canReply: false, texts: [] };
    conversations.set(id, known);
    known.texts.push(entry);
    // A voice call has no sender of its own.
    known.canReply ||= entry.channel === 'chatapp' || (isNumericSender(sender) && entry.channel !== 'voice');
  };
  for (const message of record.slice(-maxMessages).filter(({ channel }) => channel !== 'email')) {
    for (const { to, delivery } of message.deliveries) {
      const entry = receivedEntry(message, delivery, outcomesOf(message.id, to));
      add(to, message.account, message.from, entry);
    }
  }
  for (const text of inbox.slice(-maxMessages)) {
    add(text.from, text.account, text.to, sentEntry(text));
  }
  return [...phones]
    .map(([number, conversations]) => ({
      number,
      network: networkOf(number)?.name,
      conversations: [...conversations.values()].map(inOrder).sort(newestFirst),
    }))
    .sort((one, other) => newestOf(other) - newestOf(one))
    .slice(0, maxPhones);
}

function receivedEntry(
  { id, at, text, channel, media }: AcceptedMessage,
  delivery: string,
  reports: readonly ReportOutcome[],
): PhoneEntry {
  const shown = text || (media?.caption ?? '');
  return { direction: 'received', id, at, text: shown, channel, delivery, media: media?.url, reports };
}

function sentEntry({ id, at, text, channel }: InboundText): PhoneEntry {
  return { direction: 'sent', id, at, text, channel };
}

function inOrder(conversation: Conversation): Conversation {
  // Stable, so that texts of the same moment stay in the order of their arrival.
  const texts = conversation.texts.toSorted((one, other) => Date.parse(one.at) - Date.parse(other.at));
  return { ...conversation, texts };
}

const lastOf = ({ texts }: Conversation): number => Date.parse(texts.at(-1)?.at ?? '');

const newestFirst = (one: Conversation, other: Conversation): number => lastOf(other) - lastOf(one);

const newestOf = ({ conversations: [newest] }: Phone): number => (newest ? lastOf(newest) : 0);
