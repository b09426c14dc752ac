/** Powers of 2 in the field of 256 elements that QR codes compute in, and their logarithms. */
const powers: number[] = [];
const logarithms: number[] = [];
for (let exponent = 0, value = 1; exponent < 255; exponent += 1) {
  powers[exponent] = value;
  logarithms[value] = exponent;
  value = value < 128 ? value * 2 : (value * 2) ^ 0x11d;
}

function multiply(a: number, b: number): number {
  if (a === 0 || b === 0) return 0;
  return powers[((logarithms[a] ?? 0) + (logarithms[b] ?? 0)) % 255] ?? 0;
}

/** The product of (x - 2^0) to (x - 2^(count - 1)), without its leading 1. */
function generator(count: number): number[] {
  let product = [1];
  for (let exponent = 0; exponent < count; exponent += 1) {
    const root = powers[exponent] ?? 0;
    product = [...product, 0].map((value, index) => value ^ multiply(product[index - 1] ?? 0, root));
  }
  return product.slice(1);
}

/** So many codewords that let a reader correct errors in the data: what the data leaves, divided by the generator. */
export function errorCorrection(data: readonly number[], count: number): number[] {
  const divisor = generator(count);
  let remainder: number[] = Array(count).fill(0);
  for (const codeword of data) {
    const factor = codeword ^ (remainder[0] ?? 0);
    remainder = divisor.map((value, index) => (remainder[index + 1] ?? 0) ^ multiply(value, factor));
  }
  return remainder;
}
