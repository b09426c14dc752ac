import type { Sim } from '../state/state.ts';

export const smdp = 'rsp.sandbox.example';

interface NewSimOptions {
  /** Unique, of at most seven digits. */
  serial: number;
  /** The digit that selects the shape of the QR code. 0 by default. */
  shape?: number;
  /** The activation code. A bare one by default. */
  activationCode?: string;
  productId: string;
  at: Date;
}

/** Creates an eSIM with its first plan. Its identifiers are derived from the serial number. */
export function newSim({ serial, shape = 0, activationCode, productId, at }: NewSimOptions): Sim {
  const digits = String(serial).padStart(7, '0');
  const time = at.toISOString();
  return {
    id: serial,
    iccid: withCheckDigit(`8923490000${digits}${shape}`),
    imsi: `62190000${digits}`,
    productId,
    state: 'RELEASED',
    createdAt: time,
    lastOperationAt: time,
    activationCode: activationCode ?? `SB-${digits.slice(0, 3)}-${digits.slice(3)}`,
    smdp,
    plan: { boughtAt: time, carriedOver: 0 },
  };
}

/** Appends the check digit of an ICCID (ITU-T E.118, Luhn). */
function withCheckDigit(digits: string): string {
  const sum = [...digits].reverse().reduce((total, digit, index) => {
    const weighted = index % 2 === 0 ? Number(digit) * 2 : Number(digit);
    return total + (weighted > 9 ? weighted - 9 : weighted);
  }, 0);
  return `${digits}${(10 - (sum % 10)) % 10}`;
}
