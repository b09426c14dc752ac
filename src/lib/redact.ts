const longest = 500;
const longestRead = 10_000;

/**
 * Takes out of a text that others wrote (an error's message) what must not be in a log: runs of seven and more digits,
 * which may be a phone number, an ICCID or a code, e-mail addresses, whatever looks like a Slack token, and what stands in
 * quotes, which is where error messages repeat what they were given. Of a long text it leaves the beginning.
 */
export function redact(text: string): string {
  return text
    .slice(0, longestRead)
    .replace(/\bx(?:ox[a-z]|app)-[\w-]+/g, '[token]')
    .replace(quotations, '[quoted]')
    .replace(addresses, '[address]')
    .replace(longNumbers, '[digits]')
    .slice(0, longest);
}

/** One that was cut off goes on to the end; an apostrophe within a word neither begins nor ends one. */
const quotations = /"(?:\\.?|[^"\\])*(?:"|$)|(?<!\w)'.*?(?:'(?!\w)|$)|`[^`]*(?:`|$)/gs;

/** With up to three signs between two digits, as in `+234 (0) 803 - 123 - 4567`. */
const longNumbers = /\+?\d(?:[\s().-]{0,3}\d){6,}/g;

/** No longer than an address may be (RFC 5321), so that a long text without one takes no long time. */
const addresses = /[^\s@<>()"'“”‘’,;:]{1,64}@[^\s@<>()"'“”‘’,;:]{1,255}/g;

/** Hides whatever may be a phone number or an e-mail address in the provider's own words, before they are kept or posted. */
export function maskPersonal(text: string): string {
  return text.replace(addresses, '•••@•••').replace(longNumbers, '•••');
}
