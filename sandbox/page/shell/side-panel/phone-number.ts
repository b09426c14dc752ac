/** Formats digits as `+234 803 123 4567`, and those of other countries without spaces. */
export function spacedNumber(digits: string): string {
  return `+${digits.replace(/^(234)(\d{3})(\d{3})(\d{4})$/, '$1 $2 $3 $4')}`;
}
