import type { Sim } from '../state/state.ts';

export const smdp = 'rsp.sandbox.example';

interface Wishes {
  /** Of at most seven digits, which no other eSIM has. */
  serial: number;
  /** The digit that chooses the shape of the QR code; 0 unless the eSIM is there from the first day. */
  shape?: number;
  /** The code of its activation, where it is not to be the bare one. */
  activationCode?: string;
  productId: string;
  at: Date;
}

/** A fresh eSIM with its first plan. What it is known by follows from its serial number. */
export function newSim({ serial, shape = 0, activationCode, productId, at }: Wishes): Sim {
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

/** With the digit that an ICCID ends with (ITU-T E.118: Luhn's). */
function withCheckDigit(digits: string): string {
  const sum = [...digits].reverse().reduce((total, digit, index) => {
    const weighted = index % 2 === 0 ? Number(digit) * 2 : Number(digit);
    return total + (weighted > 9 ? weighted - 9 : weighted);
  }, 0);
  return `${digits}${(10 - (sum % 10)) % 10}`;
}
