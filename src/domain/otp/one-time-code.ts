/** 4 to 8 digits: together, as `482-913` or one by one; not part of an amount, a date, a time, a number or a word. */
const code = String.raw`(?<![\p{L}\d₦$€£*#+]|[\d₦$€£*#+][.,:/-]|\d )(?:\d{4,8}|\d{3}[ -]\d{3}|\d(?: \d){3,7})(?![\d%]|[.,:/-]\d| \d|\p{L}| ?(?:naira|ngn|usd)\b)`;

/** Words that mean nothing but a one-time code. */
const sureName = String.raw`\b(?:otp|2fa|one[- ]?time[- ](?:code|password|passcode|pin)|pass ?code|(?:verification|security|confirmation|authentication|activation|access|login|log-in|sign-in) (?:code|number|pin))\b`;

/** Words that may mean a one-time code, unless the word before them names another thing. */
const otherThings =
  'promo|promotional|discount|coupon|voucher|referral|gift|zip|post|postal|area|country|dial|dialling|ussd|short|product|order|tracking|booking|invite|sort|dress|store';
const possibleName = String.raw`(?<!\b(?:${otherThings})[ -])\b(?:code|pin|password|token)\b`;

const purpose = '(?:verify|confirm|log ?in|sign ?in|sign ?up|reset|authenticate)';

/** Words of advertisements, in which only a sure name marks a one-time code. */
const advertises = /\b(?:promo|discount|coupon|voucher|off|sale|offer|deal|checkout)\b/i;

const nearby = '[^.;!?]{0,40}?';

const surely = [sureName + nearby + code, code + nearby + sureName].map(pattern);
const possibly = [
  `${possibleName}(?: number)?(?: is| =|:| -)?:?\\s*${code}`,
  `${code} (?:is|as) (?:your|the|an?) (?:[\\p{L}\\d]+ ){0,3}?${possibleName}`,
  `${code} to ${purpose}\\b`,
].map(pattern);

/**
 * Whether a text seems to have a one-time code, which the generic route is not for (API §1): digits beside words such as
 * *code*, *OTP*, *PIN*, *verify*. Cautious: users stop reading a warning that is often wrong.
 */
export function looksLikeOneTimeCode(text: string): boolean {
  return (
    surely.some((sign) => sign.test(text)) ||
    (!advertises.test(text) && possibly.some((sign) => sign.test(text)))
  );
}

/** Digits written together, or in two groups of three. */
const together = /(?<!\d[ -]?)(?:\d{4,8}|\d{3}[ -]\d{3})(?![ -]?\d)/g;

/**
 * Separates the digits of a one-time code by spaces, so that a voice call speaks them one by one (API §1). Returns other
 * texts unchanged.
 */
export function spaceCode(text: string): string {
  return looksLikeOneTimeCode(text)
    ? text.replace(together, (code) => [...code.replace(/\D/g, '')].join(' '))
    : text;
}

/** Words that name a code. Here a false alarm costs four dots, so no other word speaks against it. */
const anyName = /\b(?:codes?|otp|2fa|pin|password|pass ?code|token)\b/i;

/** At least four digits, also one by one or in groups, and words of letters and digits. */
const maybeCode = /\d(?:[ .\u2010-\u2015-]?\d){3,}|\b(?=[A-Za-z]*\d)(?=\d*[A-Za-z])[A-Za-z0-9]{4,32}\b/g;

/** What installs an eSIM. */
const activationCode = /\bLPA(?::|%3A)\S+/gi;

/** Hides the activation codes of a text, and all that may be a one-time code in one that names a code. */
export function hideCode(text: string): string {
  const shown = text.replace(activationCode, '••••');
  return anyName.test(text) || looksLikeOneTimeCode(text) ? shown.replace(maybeCode, '••••') : shown;
}

function pattern(source: string): RegExp {
  return new RegExp(source, 'isu');
}

/** Spaces, dashes and invisible characters, which people write between the digits of a code. */
const separators = /[\s\p{Pd}\p{Cf}\u2212]/gu;

/** Reads a code as a customer reads it back: `482 913` and `482-913` are `482913`. */
export function readTypedCode(text: string): string {
  return text.normalize('NFKC').replace(separators, '');
}
