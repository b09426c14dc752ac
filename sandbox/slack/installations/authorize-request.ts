import type { Person } from '../protocol.ts';
import type { Slack } from '../slack.ts';
import type { BotUser, Enterprise } from '../workspace/fixtures.ts';
import { enterpriseBot } from '../workspace/fixtures.ts';
import type { Place } from './installations.ts';

/** What the app asks of a person on the authorize page. */
export interface AuthorizeRequest {
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
export class AuthorizeError extends Error {
  override readonly name = 'AuthorizeError';
}

/** Reads a request from its address or from the form of the page. Throws AuthorizeError. */
export function readAuthorizeRequest({ oauth, manifest }: Slack, params: URLSearchParams): AuthorizeRequest {
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
export interface InstallPlace extends Place {
  name: string;
  bot: BotUser;
  /** Those who may install apps there: full members of a workspace, administrators of an enterprise. */
  people: Person[];
}

/** Returns the workspaces, and after them the enterprises. */
export function installPlaces({ workspaces }: Slack): InstallPlace[] {
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
