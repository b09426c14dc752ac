/** An exact amount of money, in billionths of its unit, so that no sum or difference has the dust of floating point. */
export interface Money {
  nanos: bigint;
  /** ISO 4217, where it is known. */
  currency?: string | undefined;
}

export const nanosPerUnit = 1_000_000_000n;
const decimals = 9;

/** Reads `24989.8` or `24989.8 NGN`; undefined if it isn't a plain decimal. */
export function readMoney(text: string): Money | undefined {
  const [, sign, whole, fraction = '', currency] =
    /^(-?)(\d{1,15})(?:\.(\d{1,9}))?(?: ([A-Z]{3}))?$/.exec(text) ?? [];
  if (whole === undefined) {
    return undefined;
  }
  const nanos = BigInt(whole) * nanosPerUnit + BigInt(fraction.padEnd(decimals, '0'));
  return { nanos: sign === '-' ? -nanos : nanos, ...(currency === undefined ? {} : { currency }) };
}

/** In characters: more than any cost has, also one with the dust of floating point. */
const maxCostLength = 40;
/** Of one message: a sum of millions of costs is still one that `readMoney` reads. */
const maxCost = 1_000_000_000n * nanosPerUnit;

/**
 * Reads the cost of a message, with any number of decimals or in scientific notation (`5.0E-4`). Returns a decimal that
 * `readMoney` accepts, rounded half up if it has too many decimals; undefined if the text isn't a cost.
 */
export function readCost(text: string): string | undefined {
  if (text.length > maxCostLength) {
    return undefined;
  }
  const written = text.trim();
  const [, whole, fraction = '', exponent] =
    /^(\d{1,9})(?:\.(\d+))?(?:e([+-]?\d{1,2}))?$/i.exec(written) ?? [];
  if (whole === undefined) {
    return undefined;
  }
  if (exponent === undefined && fraction.length <= decimals) {
    return written;
  }
  const shift = decimals - fraction.length + Number(exponent ?? 0);
  const digits = BigInt(whole + fraction);
  const divisor = 10n ** BigInt(Math.max(0, -shift));
  const nanos = (digits * 10n ** BigInt(Math.max(0, shift)) + divisor / 2n) / divisor;
  return nanos > maxCost ? undefined : writeMoney({ nanos });
}

/** Decimals of the price of a page. */
export const priceDecimals = 6;

/** Writes what `readMoney` reads, without zeros at the end: `24989.8 NGN`. */
export function writeMoney({ nanos, currency }: Money): string {
  const size = nanos < 0n ? -nanos : nanos;
  const fraction = (size % nanosPerUnit).toString().padStart(decimals, '0').replace(/0+$/, '');
  const amount = `${nanos < 0n ? '-' : ''}${size / nanosPerUnit}${fraction === '' ? '' : `.${fraction}`}`;
  return currency === undefined ? amount : `${amount} ${currency}`;
}

/** Rounds an amount that is not negative to the given number of decimals, half up. */
export function roundNanos(nanos: bigint, toDecimals: number): bigint {
  const step = 10n ** BigInt(decimals - toDecimals);
  return ((nanos + step / 2n) / step) * step;
}
