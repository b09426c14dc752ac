const minSenderIdLength = 3;
/** Of letters and digits; a number may be longer. */
export const maxSenderIdLength = 11;

export type ReadSenderId = { ok: true; senderId: string } | { ok: false; reason: string };

/**
 * Reads a sender ID as typed: 3 to 11 letters and digits, or a number of at least 3 (API §2.4, §4.1, §4.11). Whether the account may
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
  if (senderId.length < minSenderIdLength) {
    return refuse(`A sender ID has at least ${minSenderIdLength} characters.`);
  }
  return senderId.length <= maxSenderIdLength || /^\d+$/.test(senderId)
    ? { ok: true, senderId }
    : refuse(`A sender ID has at most ${maxSenderIdLength} characters.`);
}

function refuse(reason: string): ReadSenderId {
  return { ok: false, reason };
}
