const minLength = 3;
/** Of letters and digits; a number may be longer. */
export const maxSenderIdLength = 11;

export type ReadSenderId = { ok: true; senderId: string } | { ok: false; reason: string };

/**
 * Reads a sender ID as typed: 3 to 11 letters and digits, or a number (API §2.4, §4.1, §4.11). The reason for a refusal is a
 * sentence to show beside the field.
 *
 * @param active the account's active sender IDs, which are used as they are: some have spaces and hyphens
 */
export function readSenderId(text: string, active?: readonly string[]): ReadSenderId {
  const senderId = text.trim();
  if (active?.includes(senderId)) {
    return { ok: true, senderId };
  }
  const read = readByRule(senderId);
  return read.ok || senderId === '' || active === undefined
    ? read
    : refuse(`${read.reason.slice(0, -1)}, unless your account lists it as active.`);
}

function readByRule(senderId: string): ReadSenderId {
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

/** As `readSenderId`, for a new one. The API names no minimum length, but numbers of two digits are never assigned. */
export function readNewSenderId(text: string): ReadSenderId {
  const read = readSenderId(text);
  return read.ok && read.senderId.length < minLength ? tooShort : read;
}

const tooShort: ReadSenderId = refuse(`A sender ID has at least ${minLength} characters.`);

function refuse(reason: string): ReadSenderId {
  return { ok: false, reason };
}
