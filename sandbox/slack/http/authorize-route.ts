import type { IncomingMessage, ServerResponse } from 'node:http';
import { authorizeErrorPage, authorizePage } from '../installations/authorize-page.ts';
import {
  AuthorizeError,
  type AuthorizeRequest,
  installPlaces,
  readAuthorizeRequest,
} from '../installations/authorize-request.ts';
import type { Slack } from '../slack.ts';
import { readRequestBody } from './messages.ts';
import { signedIn } from './signed-in.ts';

/** Handles `/oauth/v2/authorize`: shows the page, and sends the person back to the app with a code or an error. */
export async function handleAuthorize(
  slack: Slack,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  try {
    if (request.method === 'POST') {
      const body = (await readRequestBody(request)).toString('utf8');
      response.writeHead(302, { location: decide(slack, new URLSearchParams(body)) }).end();
      return;
    }
    const { searchParams } = new URL(request.url ?? '/', 'http://localhost');
    sendPage(response, 200, show(slack, searchParams, signedIn(request)));
  } catch (error) {
    if (!(error instanceof AuthorizeError)) {
      throw error;
    }
    sendPage(response, 400, authorizeErrorPage(error.message));
  }
}

/** `place` chooses what is installed in, `team` what the app suggests; else it is where the person is signed in. */
function show(
  slack: Slack,
  params: URLSearchParams,
  visitor: { team: string; person: string } | undefined,
): string {
  const { scopes, optional } = readAuthorizeRequest(slack, params);
  const { place, ...fields } = Object.fromEntries(params);
  const all = installPlaces(slack);
  const onPage = all.map(({ kind, id, name }) => ({
    kind,
    id,
    name,
    href: `?${new URLSearchParams({ ...fields, place: `${kind}:${id}` })}`,
  }));
  const wanted = place?.split(':')[1] ?? params.get('team') ?? visitor?.team;
  const index = Math.max(
    all.findIndex(({ id }) => id === wanted),
    0,
  );
  const [chosen, shown] = [all[index], onPage[index]];
  if (!chosen || !shown) {
    throw new AuthorizeError('There is no workspace.');
  }
  return authorizePage({
    appName: slack.manifest.name,
    places: onPage,
    chosen: shown,
    people: chosen.people,
    signedIn: visitor?.person,
    scopes,
    optional,
    fields,
  });
}

/** Returns the address that the person is sent to. Throws AuthorizeError for someone who may not install apps there. */
function decide(slack: Slack, params: URLSearchParams): string {
  const asked = readAuthorizeRequest(slack, params);
  if (params.get('decision') !== 'allow') {
    return returnAddress(asked, { error: 'access_denied' });
  }
  const [kind, id] = (params.get('place') ?? '').split(':');
  const place = installPlaces(slack).find((each) => each.kind === kind && each.id === id);
  const person = place?.people.find((each) => each.id === params.get('person'));
  if (!place || !person) {
    throw new AuthorizeError('You are not allowed to install apps here.');
  }
  const granted = params.getAll('optional');
  const code = slack.installations.consent({
    place: { kind: place.kind, id: place.id },
    installedBy: person.id,
    scopes: asked.scopes.filter((scope) => !asked.optional.includes(scope) || granted.includes(scope)),
    bot: place.bot,
    redirectUri: asked.redirectUri,
  });
  return returnAddress(asked, { code });
}

function returnAddress({ returnTo, state }: AuthorizeRequest, outcome: Record<string, string>): string {
  const address = new URL(returnTo);
  for (const [name, value] of Object.entries({ ...outcome, ...(state !== undefined && { state }) })) {
    address.searchParams.set(name, value);
  }
  return address.href;
}

function sendPage(response: ServerResponse, status: number, page: string): void {
  response.writeHead(status, {
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-store',
    'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
  });
  response.end(page);
}
