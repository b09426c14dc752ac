import type { Person } from '../protocol.ts';
import type { Place } from './installations.ts';

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
export function authorizePage(page: AuthorizePage): string {
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
export function authorizeErrorPage(problem: string): string {
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
