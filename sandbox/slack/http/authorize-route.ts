import type { IncomingMessage, ServerResponse } from 'node:http';
import { authorizeErrorPage, authorizePage } from '../installations/authorize-page.ts';
import type { Place } from '../installations/installations.ts';
import type { Person } from '../protocol.ts';
import type { Slack } from '../slack.ts';
import { type BotUser, type Enterprise, enterpriseBot } from '../workspace/fixtures.ts';
import { readRequestBody } from './messages.ts';
import { signedIn } from './page-api.ts';

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

/** What the app asks of a person on the authorize page. */
interface AuthorizeRequest {
  scopes: string[];
  /** Those of the scopes that the person may leave out. */
  optional: string[];
  state: string | undefined;
  /** As the app sent it. */
  redirectUri: string | undefined;
  /** Where the person is sent afterwards. */
  returnTo: string;
}

/** Thrown for a request that Slack refuses, with what its page says. */
class AuthorizeError extends Error {
  override readonly name = 'AuthorizeError';
}

/** Reads a request from its address or from the form of the page. Throws AuthorizeError. */
function readAuthorizeRequest({ oauth, manifest }: Slack, params: URLSearchParams): AuthorizeRequest {
  if (oauth === undefined || params.get('client_id') !== oauth.clientId) {
    throw new AuthorizeError('Invalid client_id parameter');
  }
  const redirectUri = params.get('redirect_uri') ?? undefined;
  const returnTo = redirectUri ?? oauth.redirectUrl();
  if (!returnTo.startsWith(oauth.redirectUrl())) {
    throw new AuthorizeError(`redirect_uri did not match any configured URIs. Passed URI: ${returnTo}`);
  }
  const scopes = (params.get('scope') ?? '').split(/[\s,]+/).filter((scope) => scope !== '');
  const unknown = scopes.filter((scope) => !manifest.scopes.includes(scope));
  if (scopes.length === 0 || unknown.length > 0) {
    throw new AuthorizeError(`Invalid permissions requested: ${unknown.join(', ') || 'none'}`);
  }
  const optional = scopes.filter((scope) => manifest.optionalScopes.includes(scope));
  return { scopes, optional, state: params.get('state') ?? undefined, redirectUri, returnTo };
}

/** Somewhere that the app can be installed. */
interface InstallPlace extends Place {
  name: string;
  bot: BotUser;
  /** Those who may install apps there: full members of a workspace, administrators of an enterprise. */
  people: Person[];
}

/** Returns the workspaces, and after them the enterprises. */
function installPlaces({ workspaces }: Slack): InstallPlace[] {
  const enterprises = new Map<string, Enterprise>();
  const places = workspaces.map(({ workspace: { team, ownBot, people } }): InstallPlace => {
    if (team.enterprise) {
      enterprises.set(team.enterprise.id, team.enterprise);
    }
    return {
      kind: 'workspace',
      id: team.id,
      name: team.name,
      bot: ownBot,
      people: people.filter(
        (person) => ['owner', 'admin', 'member'].includes(person.role) && !person.deactivated,
      ),
    };
  });
  const wide = [...enterprises.values()].map(({ id, name }): InstallPlace => {
    const administrators = workspaces
      .filter(({ workspace }) => workspace.team.enterprise?.id === id)
      .flatMap(({ workspace }) => workspace.people.filter((person) => person.isEnterpriseAdmin));
    const people = [...new Map(administrators.map((person) => [person.id, person])).values()];
    return { kind: 'enterprise', id, name, bot: enterpriseBot, people };
  });
  return [...places, ...wide];
}
