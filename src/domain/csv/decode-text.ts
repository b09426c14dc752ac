import { isAscii } from 'node:buffer';

/** This many bytes are enough to recognise a letter of UTF-8, or a byte order mark. */
const enoughBytes = 4;

/**
 * Decodes a file, however its bytes are divided: as UTF-8 or UTF-16 by a byte order mark; without one, as UTF-8 if its
 * first letter beyond ASCII is valid UTF-8, otherwise as Windows-1252, which old spreadsheets write.
 */
export async function* decodeText(
  source: Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
): AsyncGenerator<string> {
  let decoder: InstanceType<typeof TextDecoder> | undefined;
  let begun = false;
  // The first letter beyond ASCII may come late; only bytes that could be part of it are held back.
  let held = Buffer.alloc(0);
  for await (const bytes of source) {
    if (decoder) {
      yield decoder.decode(bytes, { stream: true });
      continue;
    }
    held = Buffer.concat([held, bytes]);
    if (held.length < enoughBytes) {
      continue;
    }
    const encoding = (begun ? undefined : encodingByMark(held)) ?? encodingByLetter(held);
    begun = true;
    if (encoding === undefined) {
      const ascii = lengthOfAscii(held);
      yield held.toString('latin1', 0, ascii);
      held = held.subarray(ascii);
    } else {
      decoder = new TextDecoder(encoding);
      yield decoder.decode(held, { stream: true });
    }
  }
  if (decoder) {
    yield decoder.decode();
  } else {
    const ended = Buffer.concat([held, Buffer.alloc(enoughBytes, '\n')]);
    const encoding = (begun ? undefined : encodingByMark(ended)) ?? encodingByLetter(ended);
    yield new TextDecoder(encoding).decode(held);
  }
}

function encodingByMark(beginning: Uint8Array): string | undefined {
  if (beginning[0] === 0xff && beginning[1] === 0xfe) {
    return 'utf-16le';
  }
  if (beginning[0] === 0xfe && beginning[1] === 0xff) {
    return 'utf-16be';
  }
  return undefined;
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
