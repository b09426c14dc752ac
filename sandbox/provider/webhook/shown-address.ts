import type { LoggedRequest } from '../../lib/logged-request.ts';

/**
 * Returns the path of an address of reports that the app shows in a modal, as an admin would copy it into the provider’s
 * dashboard.
 */
export function shownAddress({ from, what, request }: LoggedRequest): string | undefined {
  return from === 'app' && what.startsWith('views.')
    ? /\/provider\/reports\/[\w-]{43}/.exec(JSON.stringify(request))?.[0]
    : undefined;
}
