/** An exact amount of money, in billionths of its unit, so that no sum or fall has the dust of floating point. */
export interface Money {
  nanos: bigint;
  /** ISO 4217, where it is known. */
  currency?: string | undefined;
}

const nanosPerUnit = 1_000_000_000n;
const decimals = 9;

/** Reads `24989.8` or `24989.8 NGN`; undefined for what is no plain decimal. */
export function readMoney(text: string): Money | undefined {
  const [, sign, whole, fraction = '', currency] =
    /^(-?)(\d{1,15})(?:\.(\d{1,9}))?(?: ([A-Z]{3}))?$/.exec(text) ?? [];
  if (whole === undefined) {
    return undefined;
  }
  const nanos = BigInt(whole) * nanosPerUnit + BigInt(fraction.padEnd(decimals, '0'));
  return { nanos: sign === '-' ? -nanos : nanos, ...(currency === undefined ? {} : { currency }) };
}

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
