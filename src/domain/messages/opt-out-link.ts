/**
 * The link in a campaign’s message with which its recipient stops further ones. Its token names the recipient by the
 * campaign and the chunk, which has no other recipient, and proves itself by a tag of 96 bits, so that none can be guessed
 * and nothing is stored for it. It has letters and digits alone: phones leave other characters out of the end of a link.
 */

/** The name of the column in a campaign's text that becomes the link. */
export const optOutColumn = 'opt_out';
/** What stands before the token in the path. */
export const optOutPath = '/o/';
export const tagBytes = 12;

const alphabet = '0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ';
const base = BigInt(alphabet.length);
const shape = /^[0-9a-zA-Z]+$/;
const tagBits = BigInt(tagBytes * 8);
/** More than a campaign has rows. */
const chunkBits = 20n;
const campaignBits = 32n;
const tokenBits = campaignBits + chunkBits + tagBits;
/** Of every token: the length of a message does not depend on who gets it. */
export const tokenLength = 25;

/** Replaced by a token when the message leaves. As a number it is greater than any token, so it leads to nobody. */
export const exampleToken = 'ExampleExampleExampleExam';

export interface OptOutToken {
  /** The sequence of the campaign. */
  campaign: number;
  /** The number of the chunk. */
  chunk: number;
  tag: Uint8Array;
}

/** @throws RangeError if one of its numbers has no room */
export function writeOptOutToken({ campaign, chunk, tag }: OptOutToken): string {
  const [campaignPart, chunkPart] = [BigInt(campaign), BigInt(chunk)];
  if (campaignPart >> campaignBits !== 0n || chunkPart >> chunkBits !== 0n || tag.length !== tagBytes) {
    throw new RangeError('An opt-out token has no room for this recipient');
  }
  const tagPart = BigInt(`0x${Buffer.from(tag).toString('hex')}`);
  let rest = (((campaignPart << chunkBits) | chunkPart) << tagBits) | tagPart;
  let text = '';
  for (let index = 0; index < tokenLength; index += 1) {
    text = `${alphabet[Number(rest % base)] ?? ''}${text}`;
    rest /= base;
  }
  return text;
}

/** Returns what a token says; undefined for any other text. Only the tag shows whether it is one of ours. */
export function readOptOutToken(text: string): OptOutToken | undefined {
  if (text.length !== tokenLength || !shape.test(text)) {
    return undefined;
  }
  let value = 0n;
  for (const character of text) {
    value = value * base + BigInt(alphabet.indexOf(character));
  }
  if (value >> tokenBits !== 0n) {
    return undefined;
  }
  const tag = BigInt.asUintN(Number(tagBits), value);
  const chunk = BigInt.asUintN(Number(chunkBits), value >> tagBits);
  return {
    campaign: Number(value >> (tagBits + chunkBits)),
    chunk: Number(chunk),
    tag: Buffer.from(tag.toString(16).padStart(tagBytes * 2, '0'), 'hex'),
  };
}

/** Returns the link that stands in a text until it leaves: as long as each recipient's own. */
export function exampleOptOutLink(address: string): string {
  return `${address}${optOutPath}${exampleToken}`;
}

/** Whether a text has a link in which a recipient's own token belongs. */
export function hasOptOutLink(text: string): boolean {
  return text.includes(`${optOutPath}${exampleToken}`);
}

/** Returns the text with the token of its recipient. */
export function withOptOutToken(text: string, token: string): string {
  return text.replaceAll(`${optOutPath}${exampleToken}`, `${optOutPath}${token}`);
}
