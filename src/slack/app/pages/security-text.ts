const dayMs = 24 * 60 * 60 * 1000;
const validDays = 180;

/**
 * Returns a `security.txt` (RFC 9116). It expires half a year from now: a program that has stopped no longer vouches for
 * the contact. There is no `Canonical`: the program does not know the address that the public reaches it by.
 */
export function securityText({ contact, now }: { contact: string; now: Date }): string {
  const expires = new Date(now.getTime() + validDays * dayMs);
  return [`Contact: ${contact}`, `Expires: ${expires.toISOString()}`, 'Preferred-Languages: en', ''].join(
    '\n',
  );
}
