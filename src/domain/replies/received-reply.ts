/** What a reply goes out from. */
export interface ReplySender {
  senderId: string;
  /** Whether it is a device of the chat app, rather than a number. */
  isDevice: boolean;
}

/** What a message came in at, as the provider says it. */
export interface ReceivedAt {
  receiver?: string | undefined;
  channel?: string | undefined;
}

/** In characters. */
const maxDeviceName = 100;

/**
 * Returns the sender that a message can be answered from: the number or the device that it came to. Undefined for a name,
 * which can’t receive anything, and where the provider doesn’t say.
 *
 * @param chatChannel what the provider calls the chat app
 */
export function readReplySender(
  { receiver = '', channel }: ReceivedAt,
  chatChannel: string | undefined,
): ReplySender | undefined {
  const name = receiver.trim();
  if (name === '' || name.length > maxDeviceName) {
    return undefined;
  }
  if (channel !== undefined && channel.toLowerCase() === chatChannel?.toLowerCase()) {
    return { senderId: name, isDevice: true };
  }
  const digits = name.replace(/^\+/, '');
  return /^\d{3,15}$/.test(digits) ? { senderId: digits, isDevice: false } : undefined;
}

/** What tells a message that came in from others, as the provider reports it. */
export interface ReportedIdentity {
  /** The provider’s id of it, and its time as written. */
  id: string | undefined;
  writtenAt: string | undefined;
  from: string;
  text: string;
}

/** In milliseconds: of messages without id and time, equal ones that come within this are one. */
const sameWithin = 10 * 60_000;

/** Returns what names a message: it is the same where it is reported again. It contains the message. */
export function replyIdentity({ id, writtenAt, from, text }: ReportedIdentity, now: Date): string {
  const time = writtenAt ?? (id === undefined ? Math.floor(now.getTime() / sameWithin) : '');
  return JSON.stringify([id ?? '', from, text, time]);
}
