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
