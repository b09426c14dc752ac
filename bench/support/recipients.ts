const pieceSize = 500;
/** Coprime to ten million, so each number comes once, in no order. */
const stride = 7_654_321;

/** Returns the digits of a mobile number, different for each row below ten million. */
export function digitsOf(row: number): string {
  return `234803${String((row * stride) % 10_000_000).padStart(7, '0')}`;
}

/** A CSV file of `rows` recipients, made while it is read. */
export async function* csvOf(rows: number): AsyncGenerator<Uint8Array> {
  yield Buffer.from('Phone number,First name,City\n');
  for (let start = 0; start < rows; start += pieceSize) {
    const size = Math.min(pieceSize, rows - start);
    const lines = Array.from({ length: size }, (_, index) => `+${digitsOf(start + index)},Ada,Lagos\n`);
    yield Buffer.from(lines.join(''));
  }
}
