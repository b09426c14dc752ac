const pieceSize = 500;
/** Has no divisor in common with ten million: each number comes once, and in no order. */
const stride = 7_654_321;

/** The digits of a mobile number, another one for each row below ten million. */
export function digitsOf(row: number): string {
  return `234803${String((row * stride) % 10_000_000).padStart(7, '0')}`;
}

/** A CSV file of so many recipients, made piece by piece while it is read. */
export async function* csvOf(rows: number): AsyncGenerator<Uint8Array> {
  yield Buffer.from('Phone number,First name,City\n');
  for (let start = 0; start < rows; start += pieceSize) {
    const size = Math.min(pieceSize, rows - start);
    const lines = Array.from({ length: size }, (_, index) => `+${digitsOf(start + index)},Ada,Lagos\n`);
    yield Buffer.from(lines.join(''));
  }
}
