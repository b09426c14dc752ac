/** One part of a multipart form. */
export interface MultipartPart {
  name: string;
  /** Missing where the part is no file. */
  filename?: string;
  /** The content type without parameters; missing where the part does not say. */
  type?: string;
  content: Buffer;
}

const blankLine = Buffer.from('\r\n\r\n');

/**
 * The parts of a form (RFC 7578), or nothing where the bytes are none. The platform's own reader does not tell the
 * content type of a part without a filename, which here matters.
 */
export function readParts(bytes: Buffer, contentType: string | undefined): MultipartPart[] | undefined {
  const boundary = /^multipart\/form-data;.*\bboundary=(?:"([^"]+)"|([^\s;"]+))/i.exec(contentType ?? '');
  if (!boundary) {
    return undefined;
  }
  const delimiter = Buffer.from(`\r\n--${boundary[1] ?? boundary[2]}`);
  const parts: MultipartPart[] = [];
  // The first delimiter has no line before it.
  let rest = Buffer.concat([Buffer.from('\r\n'), bytes]);
  if (!rest.subarray(0, delimiter.length).equals(delimiter)) {
    return undefined;
  }
  for (;;) {
    rest = rest.subarray(delimiter.length);
    if (/^--(?:\r\n)?$/.test(rest.subarray(0, 5).toString('latin1'))) {
      return parts;
    }
    const end = rest.indexOf(delimiter);
    const part = end < 0 ? undefined : readPart(rest.subarray(0, end));
    if (!part) {
      return undefined;
    }
    parts.push(part);
    rest = rest.subarray(end);
  }
}

/** A part from the end of its delimiter on. */
function readPart(bytes: Buffer): MultipartPart | undefined {
  const blank = bytes.indexOf(blankLine);
  if (blank < 0 || !bytes.subarray(0, 2).equals(blankLine.subarray(0, 2))) {
    return undefined;
  }
  const headers = readHeaders(bytes.subarray(2, blank).toString('utf8'));
  const disposition = headers.get('content-disposition') ?? '';
  const name = /^form-data;.*\bname="([^"]*)"/i.exec(disposition)?.[1];
  if (name === undefined) {
    return undefined;
  }
  const filename = /\bfilename="([^"]*)"/i.exec(disposition)?.[1];
  const type = headers.get('content-type')?.split(';')[0]?.trim().toLowerCase();
  return {
    name,
    ...(filename !== undefined && { filename }),
    ...(type !== undefined && { type }),
    content: bytes.subarray(blank + blankLine.length),
  };
}

function readHeaders(text: string): Map<string, string> {
  return new Map(
    text.split('\r\n').map((line) => {
      const colon = line.indexOf(':');
      return [line.slice(0, colon).trim().toLowerCase(), line.slice(colon + 1).trim()];
    }),
  );
}
