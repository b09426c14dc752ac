/** Spaces, dashes and invisible characters, which people write between the digits of a code. */
const separators = /[\s\p{Pd}\p{Cf}\u2212]/gu;

/** Reads a code as a customer reads it back: `482 913` and `482-913` are `482913`. */
export function readTypedCode(text: string): string {
  return text.normalize('NFKC').replace(separators, '');
}
