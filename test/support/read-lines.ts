/** The lines of a file that is streamed. */
export async function linesOf(file: Promise<AsyncIterable<string> | undefined>): Promise<string[]> {
  const pieces: string[] = [];
  for await (const piece of (await file) ?? []) {
    pieces.push(piece);
  }
  return pieces.join('').trimEnd().split('\r\n');
}
