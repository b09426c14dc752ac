/** `ICCID: ` before the number, as where it is copied from a phone or a shop. */
const label = /^(?=\P{Nd}{0,40}\p{L})(?:.{0,40}?[:#=]|\P{Nd}{0,40}[\s.-])\s*(?=8)/u;

export type ReadIccid = { ok: true; iccid: string; luhn: boolean } | { ok: false; reason: string };

/**
 * Reads an ICCID, the number of a SIM, as typed or pasted: 18 to 22 digits beginning with 89 (ITU-T E.118), with spaces
 * or hyphens anywhere, and perhaps a label before it. `luhn`: whether its check digit is right. If not, only warn: SIMs in
 * use have wrong ones. `reason` is a sentence to show beside the field.
 */
export function readIccid(text: string): ReadIccid {
  const iccid = withoutFiller(text.replace(label, '').replace(/[\s\p{Cf}\p{Pd}]/gu, ''));
  if (iccid === '') {
    return refuse('Enter an ICCID.');
  }
  if (!/^\d+$/.test(iccid)) {
    return refuse('An ICCID has digits only.');
  }
  if (!iccid.startsWith('89')) {
    return refuse('An ICCID begins with 89.');
  }
  if (iccid.length < 18 || iccid.length > 22) {
    return refuse(`An ICCID has 18 to 22 digits; this has ${iccid.length}.`);
  }
  return { ok: true, iccid, luhn: isLuhn(iccid) };
}

/** Leaves out what fills the last byte of an ICCID where it is read from a SIM (TS 102 221 §13.2). */
export function withoutFiller(iccid: string): string {
  return iccid.replace(/(?<=\d)F{1,2}$/i, '');
}

/** Whether the last digit is the check digit of those before it (ISO/IEC 7812-1). */
function isLuhn(digits: string): boolean {
  const sum = [...digits].reverse().reduce((total, character, position) => {
    const digit = Number(character);
    const weighed = position % 2 === 0 ? digit : digit * 2;
    return total + (weighed > 9 ? weighed - 9 : weighed);
  }, 0);
  return sum % 10 === 0;
}

function refuse(reason: string): ReadIccid {
  return { ok: false, reason };
}
