import { isAscii } from 'node:buffer';

/** So many bytes tell a letter of UTF-8 from others, and a byte order mark from text. */
const enough = 4;

/**
 * The text of a file, wherever its bytes are cut: in UTF-8 or UTF-16 where it begins with a byte order mark; else in
 * UTF-8 if its first letter beyond ASCII is one of UTF-8, and otherwise in Windows-1252, which spreadsheets of old write.
 */
export async function* decodeText(
  source: Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
): AsyncGenerator<string> {
  let decoder: InstanceType<typeof TextDecoder> | undefined;
  let begun = false;
  // A file may go on for long before the first letter that tells; only what could be part of it is held.
  let held = Buffer.alloc(0);
  for await (const bytes of source) {
    if (decoder) {
      yield decoder.decode(bytes, { stream: true });
      continue;
    }
    held = Buffer.concat([held, bytes]);
    if (held.length < enough) {
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
    const ended = Buffer.concat([held, Buffer.alloc(enough, '\n')]);
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

/** By the first letter that is not ASCII; undefined until there is one with enough after it. */
function encodingByLetter(bytes: Uint8Array): string | undefined {
  const letter = lengthOfAscii(bytes);
  if (bytes.length - letter < enough) {
    return undefined;
  }
  try {
    // As a stream, so that another letter cut at the end is no fault.
    new TextDecoder('utf-8', { fatal: true }).decode(bytes.subarray(letter, letter + enough), {
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
