import type { IncomingMessage, ServerResponse } from 'node:http';
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

/** Something that the app can be installed in, on the authorize page. */
interface PlaceOnPage extends Place {
  name: string;
  /** The address of the page for this place. */
  href: string;
}

interface AuthorizePage {
  appName: string;
  places: PlaceOnPage[];
  chosen: PlaceOnPage;
  /** Those who may install the app in the chosen place. */
  people: Person[];
  /** The id of the person who is signed in. */
  signedIn: string | undefined;
  scopes: string[];
  /** Those of the scopes that the person may leave out. */
  optional: string[];
  /** The request of the app, sent on as it is. */
  fields: Record<string, string>;
}

/** Draws the page on which a person allows the app. It works without a script. */
function authorizePage(page: AuthorizePage): string {
  const { appName, chosen, people, scopes, optional, fields } = page;
  const app = escapeHtml(appName);
  const what = chosen.kind === 'enterprise' ? 'organisation' : 'workspace';
  const required = scopes.filter((scope) => !optional.includes(scope));
  const hidden = { ...fields, place: `${chosen.kind}:${chosen.id}` };
  return document(
    `${appName} is requesting permission`,
    `<nav aria-label="Workspaces"><ul>${page.places.map((place) => placeItem(place, chosen)).join('')}</ul></nav>
<main>
<h1>${app} is requesting permission to access the <strong>${escapeHtml(chosen.name)}</strong> ${what}</h1>
${people.length === 0 ? '<p role="alert">Nobody here can install apps.</p>' : ''}
<form method="post" action="/oauth/v2/authorize">
${Object.entries(hidden)
  .map(([name, value]) => `<input type="hidden" name="${name}" value="${escapeHtml(value)}">`)
  .join('\n')}
<p><label>Signed in as
<select name="person">${people.map((person) => personOption(person, page.signedIn)).join('')}</select></label></p>
<h2>What will ${app} be able to do?</h2>
<ul class="scopes">${required.map((scope) => `<li>${escapeHtml(scopeText(scope))}</li>`).join('')}</ul>
${optional.length === 0 ? '' : `<fieldset><legend>Optional</legend>${optional.map(optionalScope).join('')}</fieldset>`}
<p class="buttons"><button name="decision" value="cancel">Cancel</button>
<button name="decision" value="allow" class="primary"${people.length === 0 ? ' disabled' : ''}>Allow</button></p>
</form>
</main>`,
  );
}

/** Draws the page about a request that Slack refuses before a person sees it. */
function authorizeErrorPage(problem: string): string {
  return document(
    'Something went wrong',
    `<main><h1>Something went wrong</h1><p>${escapeHtml(problem)}</p></main>`,
  );
}

function placeItem(place: PlaceOnPage, chosen: PlaceOnPage): string {
  const current = place.id === chosen.id ? ' aria-current="page"' : '';
  const kind = place.kind === 'enterprise' ? 'all workspaces' : 'workspace';
  return `<li><a href="${escapeHtml(place.href)}"${current}>${escapeHtml(place.name)} <small>${kind}</small></a></li>`;
}

function personOption({ id, realName, role }: Person, signedIn: string | undefined): string {
  return `<option value="${escapeHtml(id)}"${id === signedIn ? ' selected' : ''}>${escapeHtml(realName)} (${role})</option>`;
}

function optionalScope(scope: string): string {
  const value = escapeHtml(scope);
  return `<label><input type="checkbox" name="optional" value="${value}" checked> ${escapeHtml(scopeText(scope))}</label>`;
}

function document(title: string, body: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title>
<style>${styles}</style>
</head>
<body>
${body}
</body>
</html>
`;
}

const styles = `
body { margin: 0; font: 16px/1.5 system-ui, sans-serif; color: #1d1c1d; background: #fff; }
nav { border-bottom: 1px solid #ddd; padding: 12px 24px; }
nav ul { display: flex; flex-wrap: wrap; gap: 8px; justify-content: flex-end; margin: 0; padding: 0; list-style: none; }
nav a { display: block; padding: 4px 12px; border: 1px solid #bbb; border-radius: 6px; color: inherit; text-decoration: none; }
nav a[aria-current] { border-color: #611f69; box-shadow: inset 0 0 0 1px #611f69; font-weight: 600; }
nav small { color: #616061; font-weight: 400; }
main { max-width: 560px; margin: 32px auto; padding: 0 24px; }
h1 { font-size: 26px; line-height: 1.25; font-weight: 400; }
h2 { font-size: 16px; }
select { font: inherit; padding: 6px 8px; margin-left: 8px; }
.scopes { border: 1px solid #ddd; border-radius: 8px; padding: 12px 12px 12px 32px; }
fieldset { border: 1px solid #ddd; border-radius: 8px; }
fieldset label { display: block; padding: 4px 0; }
.buttons { display: flex; gap: 12px; justify-content: flex-end; }
button { font: inherit; font-weight: 600; padding: 8px 20px; border: 1px solid #bbb; border-radius: 6px; background: #fff; cursor: pointer; }
button.primary { background: #007a5a; border-color: #007a5a; color: #fff; }
button:disabled { opacity: .5; cursor: default; }
:focus-visible { outline: 3px solid #1d9bd1; outline-offset: 2px; }
`;

function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}

/** What the authorize page says of a scope, in Slack's manner. */
const texts: Record<string, string> = {
  'channels:history': 'Read messages in public channels that it is in',
  'channels:join': 'Join public channels',
  'channels:read': 'View basic information about public channels',
  'chat:write': 'Send messages as itself',
  'chat:write.public': 'Send messages to public channels that it is not in',
  commands: 'Add shortcuts and slash commands that people can use',
  'files:read': 'View files that are shared where it is',
  'files:write': 'Upload, edit and delete files as itself',
  'groups:read': 'View basic information about private channels that it is in',
  'im:read': 'View basic information about its direct messages',
  'im:write': 'Start direct messages with people',
  'usergroups:read': 'View user groups',
  'users:read': 'View people in the workspace',
};

function scopeText(scope: string): string {
  return texts[scope] ?? scope;
}
