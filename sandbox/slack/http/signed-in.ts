import type { IncomingMessage } from 'node:http';

const NAME = 'sandbox-signed-in';

/** Returns who used the page last in this browser, and in which workspace. */
export function signedIn({ headers }: IncomingMessage): { team: string; person: string } | undefined {
  const cookies = (headers.cookie ?? '').split(';').map((cookie) => cookie.trim());
  const value = cookies.find((cookie) => cookie.startsWith(`${NAME}=`))?.slice(NAME.length + 1);
  const [team, person] = (value ?? '').split('.');
  return team && person ? { team, person } : undefined;
}

/** Returns the header that remembers who uses the page. */
export function signedInCookie(team: string, person: string): string {
  return `${NAME}=${team}.${person}; Path=/; SameSite=Lax; HttpOnly`;
}
