import { isAscii } from 'node:buffer';

/** The bytes of a file, however they are divided. */
export type FileBytes = Iterable<Uint8Array> | AsyncIterable<Uint8Array>;

/** In bytes: parsed without a pause, which takes at most a millisecond. */
export const maxPiece = 2048;

/** Divides a source into small pieces. Of bytes, not of text: decoding puts characters together again. */
async function* piecesOf(source: FileBytes): AsyncGenerator<Uint8Array> {
  for await (const bytes of source) {
    for (let at = 0; at < bytes.length; at += maxPiece) {
      yield bytes.subarray(at, at + maxPiece);
    }
  }
}

/** Decodes a file, with uniform line ends. */
export async function* decodedText(source: FileBytes): AsyncGenerator<string> {
  let pending = '';
  for await (const decoded of decodeText(piecesOf(source))) {
    const text = pending + decoded;
    // Held back, as the next piece may begin with the other half of this line end.
    pending = text.endsWith('\r') ? '\r' : '';
    yield withPlainLines(text.slice(0, text.length - pending.length));
  }
  yield withPlainLines(pending);
}

function withPlainLines(text: string): string {
  return text.replace(/\r\n?/g, '\n');
}

/** This many bytes are enough to recognise a letter of UTF-8. */
const enoughBytes = 4;
/** This many bytes of the beginning are enough to recognise UTF-16. */
const enoughAtStart = 1_000;
/** A list in UTF-16 has at least this many empty bytes. */
export const minEmpty = 3;

/**
 * Decodes a file, however its bytes are divided: as UTF-8 or UTF-16 by a byte order mark. Without one, as UTF-16 if one half
 * of many characters is empty, as UTF-8 if its first letter beyond ASCII is valid UTF-8, otherwise as Windows-1252, which
 * old spreadsheets write.
 */
async function* decodeText(source: FileBytes): AsyncGenerator<string> {
  let decoder: InstanceType<typeof TextDecoder> | undefined;
  let isPastStart = false;
  // The first letter beyond ASCII may come late; only bytes that could be part of it are held back.
  let pending: Buffer<ArrayBufferLike> = Buffer.alloc(0);
  for await (const bytes of source) {
    if (decoder) {
      yield decoder.decode(bytes, { stream: true });
      continue;
    }
    pending =
      pending.length > 0
        ? Buffer.concat([pending, bytes])
        : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
    if (pending.length < (isPastStart ? enoughBytes : enoughAtStart)) {
      continue;
    }
    const encoding = (isPastStart ? undefined : encodingAtStart(pending)) ?? encodingByLetter(pending);
    isPastStart = true;
    if (encoding === undefined) {
      const ascii = lengthOfAscii(pending);
      yield pending.toString('latin1', 0, ascii);
      pending = pending.subarray(ascii);
    } else {
      decoder = new TextDecoder(encoding);
      yield decoder.decode(pending, { stream: true });
    }
  }
  if (decoder) {
    yield decoder.decode();
  } else {
    const ended = Buffer.concat([pending, Buffer.alloc(enoughBytes, '\n')]);
    const encoding = (isPastStart ? undefined : encodingAtStart(pending)) ?? encodingByLetter(ended);
    yield new TextDecoder(encoding).decode(pending);
  }
}

function encodingAtStart(beginning: Uint8Array): string | undefined {
  const [first = 0, second = 0] = beginning;
  const mark = (first << 8) | second;
  if (mark === 0xfffe || mark === 0xfeff) {
    return mark === 0xfffe ? 'utf-16le' : 'utf-16be';
  }
  return encodingByEmptyBytes(beginning.subarray(0, enoughAtStart));
}

/** In UTF-16, digits, commas and most letters have an empty half, nearly always the same one. */
function encodingByEmptyBytes(beginning: Uint8Array): string | undefined {
  let [even, odd] = [0, 0];
  for (const [at, byte] of beginning.entries()) {
    even += byte === 0 && at % 2 === 0 ? 1 : 0;
    odd += byte === 0 && at % 2 === 1 ? 1 : 0;
  }
  const [fewer, more] = [Math.min(even, odd), Math.max(even, odd)];
  const isClear = more >= minEmpty && more * 8 >= beginning.length && fewer * 10 <= more;
  return isClear ? (odd > even ? 'utf-16le' : 'utf-16be') : undefined;
}

/** Decides by the first letter that is not ASCII; undefined until enough bytes of one are there. */
function encodingByLetter(bytes: Uint8Array): string | undefined {
  const letter = lengthOfAscii(bytes);
  if (bytes.length - letter < enoughBytes) {
    return undefined;
  }
  try {
    // As a stream, so that a letter that is cut off at the end is no error.
    new TextDecoder('utf-8', { fatal: true }).decode(bytes.subarray(letter, letter + enoughBytes), {
      stream: true,
    });
    return 'utf-8';
  } catch {
    return 'windows-1252';
  }
}

function lengthOfAscii(bytes: Uint8Array): number {
  return isAscii(bytes) ? bytes.length : bytes.findIndex((byte) => byte >= 0x80);
}
