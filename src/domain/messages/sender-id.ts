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
  if (senderId.length < 3) {
    return refuse('A sender ID has at least 3 characters.');
  }
  return senderId.length <= 11 ? { ok: true, senderId } : refuse('A sender ID has at most 11 characters.');
}

function refuse(reason: string): ReadSenderId {
  return { ok: false, reason };
}
