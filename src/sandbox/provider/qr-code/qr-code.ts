import { errorCorrection } from './reed-solomon.ts';

/** One kind of code is enough here: version 4 with the least correction, which keeps all of it in one block. */
const size = 33;
const dataCodewords = 80;
const correctionCodewords = 20;
/** What is left of the data after the mode, the length and the end are said. */
const longest = dataCodewords - 2;
/** Of level L with mask 0, from the most significant bit on. */
const formatBits = 0b111011111000100;

type Modules = (boolean | undefined)[][];

/**
 * A QR code (ISO/IEC 18004) as rows of modules, true where it is dark, without the quiet zone.
 * Throws a `RangeError` where the text is longer than 78 bytes.
 */
export function qrCode(text: string): boolean[][] {
  const modules: Modules = Array.from({ length: size }, () =>
    Array<boolean | undefined>(size).fill(undefined),
  );
  drawPatterns(modules);
  drawFormat(modules);
  const data = codewords(Buffer.from(text));
  drawData(modules, [...data, ...errorCorrection(data, correctionCodewords)]);
  return modules.map((row) => row.map((dark) => dark === true));
}

/** Mode and length, the bytes, and what fills the code up. */
function codewords(bytes: Buffer): number[] {
  if (bytes.length > longest) throw new RangeError(`${bytes.length} bytes are too many for a QR code here`);
  // The mode takes half a codeword, so that every byte lies across two.
  const halves = [
    0b0100,
    bytes.length >> 4,
    bytes.length & 15,
    ...[...bytes].flatMap((byte) => [byte >> 4, byte & 15]),
    0,
  ];
  const written = halves.flatMap((half, index) =>
    index % 2 === 0 ? [(half << 4) | (halves[index + 1] ?? 0)] : [],
  );
  const filling = Array.from({ length: dataCodewords - written.length }, (_, index) =>
    index % 2 === 0 ? 0xec : 0x11,
  );
  return [...written, ...filling];
}

/** Everything that looks the same in every code of this size. */
function drawPatterns(modules: Modules): void {
  for (let index = 8; index < size - 8; index += 1) {
    set(modules, 6, index, index % 2 === 0);
    set(modules, index, 6, index % 2 === 0);
  }
  // With their light border, as far as it lies within the code.
  for (const [row, column] of [
    [3, 3],
    [3, size - 4],
    [size - 4, 3],
  ] as const) {
    drawSquares(modules, row, column, 4, [0, 1, 3]);
  }
  drawSquares(modules, 26, 26, 2, [0, 2]);
  set(modules, size - 8, 8, true);
}

/** Squares around a middle, each dark where its distance from the middle is among those given. */
function drawSquares(
  modules: Modules,
  row: number,
  column: number,
  reach: number,
  dark: readonly number[],
): void {
  for (let down = -reach; down <= reach; down += 1) {
    for (let right = -reach; right <= reach; right += 1) {
      const distance = Math.max(Math.abs(down), Math.abs(right));
      set(modules, row + down, column + right, dark.includes(distance));
    }
  }
}

/** The format twice: around the corner at the upper left, and along the other two. */
function drawFormat(modules: Modules): void {
  for (let index = 0; index < 15; index += 1) {
    const dark = ((formatBits >> (14 - index)) & 1) === 1;
    // The timing pattern in row and column 6 is stepped over.
    if (index < 7) set(modules, 8, index < 6 ? index : 7, dark);
    else set(modules, index < 9 ? 15 - index : 14 - index, 8, dark);
    if (index < 7) set(modules, size - 1 - index, 8, dark);
    else set(modules, 8, size - 15 + index, dark);
  }
}

/** Bit by bit in columns of two, from the lower right upwards, downwards, and so on, through mask 0. */
function drawData(modules: Modules, data: readonly number[]): void {
  let bit = 0;
  for (let right = size - 1; right > 0; right -= 2) {
    if (right === 6) right = 5;
    const upwards = ((right + 1) & 2) === 0;
    for (let step = 0; step < size; step += 1) {
      const row = upwards ? size - 1 - step : step;
      for (const column of [right, right - 1]) {
        if (modules[row]?.[column] !== undefined) continue;
        const dark = (((data[bit >> 3] ?? 0) >> (7 - (bit & 7))) & 1) === 1;
        set(modules, row, column, dark !== ((row + column) % 2 === 0));
        bit += 1;
      }
    }
  }
}

function set(modules: Modules, row: number, column: number, dark: boolean): void {
  const cells = modules[row];
  if (cells && column >= 0 && column < size) cells[column] = dark;
}
