/** In characters. */
const maxOutput = 500;
const maxInput = 10_000;

/**
 * Removes from foreign text, such as an error's message, what must not be in a log: runs of seven or more digits (a phone
 * number, an ICCID, a code), e-mail addresses, Slack tokens, and quotations, in which error messages repeat their input.
 * A long text is cut off.
 */
export function redact(text: string): string {
  return text
    .slice(0, maxInput)
    .replace(/\bx(?:ox[a-z]|app)-[\w-]+/g, '[token]')
    .replace(quotations, '[quoted]')
    .replace(addresses, '[address]')
    .replace(longNumbers, (digits) => (isTimeOrHost.test(digits) ? digits : '[digits]'))
    .slice(0, maxOutput);
}

/** A quotation that is not closed reaches to the end. An apostrophe within a word neither opens nor closes one. */
const quotations = /"(?:\\.?|[^"\\])*(?:"|$)|(?<!\w)'.*?(?:'(?!\w)|$)|`[^`]*(?:`|$)/gs;

/**
 * Signs between two digits of one number, as in `+234 (0) 803 - 123 - 4567` or `0803/123/4567`. A comma or a line break
 * separates numbers.
 */
export const betweenDigits = '[^\\p{L}\\p{N},;|\\n\\r\\t"]{0,3}';

/** In the digits of any script. */
const longNumbers = new RegExp(`\\+?\\p{Nd}(?:${betweenDigits}\\p{Nd}){6,}`, 'gu');

/** A date, which may have a time, or an address with its port. */
const isTimeOrHost =
  /^(?:(?:(?:19|20)\d\d([-/.])\d{1,2}\1\d{1,2}|\d{1,2}([-/.])\d{1,2}\2(?:19|20)\d\d)(?: +\d{1,2}(?::\d\d){1,2}(?:\.\d{1,6})?)?|(?:(?:25[0-5]|2[0-4]\d|1?\d?\d)\.){3}(?:25[0-5]|2[0-4]\d|1?\d?\d):\d{1,5})$/;

/** Limited to the length of an address (RFC 5321), so that matching stays linear in a long text without one. */
const addresses = /[^\s@<>()"'“”‘’,;:]{1,64}@[^\s@<>()"'“”‘’,;:]{1,255}/g;

/** Masks phone numbers and e-mail addresses in the provider's own words, before they are stored or posted. */
export function maskPersonal(text: string): string {
  return text
    .replace(addresses, '•••@•••')
    .replace(longNumbers, (digits) => (isTimeOrHost.test(digits) ? digits : '•••'));
}
