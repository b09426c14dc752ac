const minLength = 3;
/** Of letters and digits; a number may be longer. */
export const maxSenderIdLength = 11;

export type ReadSenderId = { ok: true; senderId: string } | { ok: false; reason: string };

/**
 * Reads a sender ID as typed: 3 to 11 letters and digits, or a number (API §2.4, §4.1, §4.11). Whether the account may
 * use it, only the provider knows. The reason for a refusal is a sentence to show beside the field.
 */
export function readSenderId(text: string): ReadSenderId {
  const senderId = text.trim();
  if (senderId === '') {
    return refuse('Enter a sender ID.');
  }
  if (/\s/.test(senderId)) {
    return refuse('A sender ID has no spaces.');
  }
  if (!/^[a-z0-9]+$/i.test(senderId)) {
    return refuse('A sender ID has letters and digits only.');
  }
  if (/^\d+$/.test(senderId)) {
    return { ok: true, senderId };
  }
  if (senderId.length < minLength) {
    return tooShort;
  }
  return senderId.length <= maxSenderIdLength
    ? { ok: true, senderId }
    : refuse(`A sender ID has at most ${maxSenderIdLength} characters.`);
}

/** Whether a sender is a name, which cannot receive anything, and which the provider has to approve. */
export function isName(senderId: string): boolean {
  return /\p{L}/u.test(senderId);
}

/** Returns the sender if an SMS can come from it: the one of the chat route is the name of a device. */
export function smsSender(sender: string | undefined): string | undefined {
  return sender !== undefined && readSenderId(sender).ok ? sender : undefined;
}

/** As `readSenderId`, for a new one: the API names no least length of a number, but nobody is given one of two digits. */
export function readNewSenderId(text: string): ReadSenderId {
  const read = readSenderId(text);
  return read.ok && read.senderId.length < minLength ? tooShort : read;
}

const tooShort: ReadSenderId = refuse(`A sender ID has at least ${minLength} characters.`);

function refuse(reason: string): ReadSenderId {
  return { ok: false, reason };
}
