/**
 * Takes out of a text that others wrote (an error's message) what must not be in a log: runs of seven and more digits,
 * which may be a phone number, an ICCID or a code, whatever looks like a Slack token, and what stands in quotes, which
 * is where error messages repeat what they were given.
 */
export function scrub(text: string): string {
  return text
    .slice(0, 500)
    .replace(/\bx(?:ox[a-z]|app)-[\w-]+/g, '[token]')
    .replace(/"[^"]*"|'[^']*'|`[^`]*`/g, '[quoted]')
    .replace(longNumbers, '[digits]');
}

const longNumbers = /\+?\d(?:[\s().-]?\d){6,}/g;

/** Hides whatever may be a phone number in the provider's own words, before they are kept or posted. */
export function maskLongNumbers(text: string): string {
  return text.replace(longNumbers, '•••');
}
