import assert from 'node:assert/strict';
import { isJsonObject, type Json, stringAt } from '../../../sandbox/lib/json.ts';
import type { LoggedRequest } from '../../../sandbox/lib/logged-request.ts';
import type { ProviderSandbox } from '../../../sandbox/provider/server.ts';
import type { SlackSandbox } from '../../../sandbox/slack/server.ts';
import { scan } from '../qr-scanner.ts';
import type { Item } from './marks.ts';
import type { Row } from './rows.ts';
import type { Tenant } from './tenants.ts';

/** Returns what the app said in its exchanges with Slack, and whose it is. */
export function saidToSlack(exchanges: readonly LoggedRequest[], tenants: readonly Tenant[]): Item[] {
  return exchanges.flatMap((exchange): Item[] => {
    const { from, what, request, answer, place } = exchange;
    if (from === 'slack') {
      const workspaceId = placeOf(request);
      return [
        {
          what: `the answer to ${what}`,
          owners: known([workspaceId], tenants),
          text: JSON.stringify(answer),
        },
      ];
    }
    // Of the installation itself: no workspace has a token yet, or it is exchanged.
    if (place === undefined) {
      return [{ what, owners: [], text: JSON.stringify(request) }];
    }
    return [{ what, owners: known([calledFor(exchange)], tenants), text: JSON.stringify(request) }];
  });
}

/** The workspace of a call: that of its token, or the one that a call with the enterprise's token names. */
function calledFor({ place, request }: LoggedRequest): string {
  return (isJsonObject(request) && stringAt(request, 'team_id')) || place || '';
}

/** The workspace of a request of Slack, by where it comes from. */
export function placeOf(request: Json): string {
  if (!isJsonObject(request)) {
    return '';
  }
  const { view, event, team } = request;
  const inView = [view, isJsonObject(event) ? event.view : undefined]
    .filter(isJsonObject)
    .map((each) => stringAt(each, 'team_id'))
    .find((id) => id !== undefined);
  return (
    inView ?? stringAt(request, 'team_id') ?? (isJsonObject(team) ? stringAt(team, 'id') : undefined) ?? ''
  );
}

const known = (ids: readonly string[], tenants: readonly Tenant[]) =>
  ids.filter((id) => tenants.some(({ workspaceId }) => workspaceId === id));

/** Returns calls with a channel or a view of another workspace than the one that they are for. */
export function misplacedCalls(
  exchanges: readonly LoggedRequest[],
  { slack, tenants }: { slack: SlackSandbox; tenants: readonly Tenant[] },
): string[] {
  const ofPlace = new Map(
    tenants.flatMap((tenant) => channelsOf(slack, tenant).map((id) => [id, tenant.workspaceId])),
  );
  const owners = new Map(tenants.map(({ workspaceId, ownerId }) => [workspaceId, ownerId]));
  const wrong: string[] = [];
  for (const exchange of exchanges) {
    const { from, what, place, request, answer } = exchange;
    if (from !== 'app' || place === undefined || !isJsonObject(request) || what === 'response_url') {
      continue;
    }
    const workspaceId = calledFor(exchange);
    if (what !== 'auth.test' && owners.get(workspaceId) !== place) {
      wrong.push(`${what} for ${workspaceId} carries the token of ${place}`);
    }
    const view = isJsonObject(answer) && isJsonObject(answer.view) ? stringAt(answer.view, 'id') : undefined;
    if (view !== undefined && !ofPlace.has(view)) {
      ofPlace.set(view, workspaceId);
    }
    for (const id of ['channel', 'channel_id', 'view_id'].flatMap((name) => stringAt(request, name) ?? [])) {
      if (ofPlace.has(id) && ofPlace.get(id) !== workspaceId) {
        wrong.push(`${what} for ${workspaceId} names ${id} of ${ofPlace.get(id)}`);
      }
    }
  }
  return wrong;
}

function channelsOf(slack: SlackSandbox, tenant: Tenant): string[] {
  return peopleOf(slack, tenant).flatMap(({ id }) =>
    slack.snapshot(id, tenant.workspaceId).channels.map((channel) => channel.id),
  );
}

export function peopleOf(
  slack: SlackSandbox,
  { admin, workspaceId }: Tenant,
): { id: string; realName: string }[] {
  return slack.snapshot(admin, workspaceId).people.filter(({ isBot }) => !isBot);
}

/** Returns what everybody in a workspace sees of the app now: messages, windows, Home, and the content of their files. */
export async function seenIn(slack: SlackSandbox, tenant: Tenant): Promise<Item[]> {
  const owners = [tenant.workspaceId];
  const items: Item[] = [];
  const files = new Map<string, string>();
  for (const { id } of peopleOf(slack, tenant)) {
    const { messages, modals, home } = slack.snapshot(id, tenant.workspaceId);
    const own = messages.filter(({ from }) => from === 'app');
    items.push({ what: `what ${id} sees`, owners, text: JSON.stringify([own, modals, home]) });
    for (const file of own.flatMap((message) => message.files ?? [])) {
      files.set(file.url, file.name);
    }
  }
  for (const [url, name] of files) {
    const content = new Uint8Array(await (await fetch(new URL(url, slack.url))).arrayBuffer());
    const text = name.endsWith('.png') ? scan(content) : Buffer.from(content).toString();
    items.push({ what: `the file ${name}`, owners, text: text ?? assert.fail(`no code in ${name}`) });
  }
  return items;
}

/** Returns what was asked of the provider with the key of an account, or with none. */
export function askedOfProvider({ arrivals }: ProviderSandbox, tenants: readonly Tenant[]): Item[] {
  return arrivals.map(({ account, operation, method, path, query, text, headers }) => ({
    what: operation ?? `${method} ${path}`,
    owners: tenants.filter(({ key }) => key === account).map(({ workspaceId }) => workspaceId),
    text: JSON.stringify([path, query, text, headers]),
  }));
}

/** Returns rows, each with the workspaces that it belongs to. */
export function storedIn(rows: readonly Row[], tenants: readonly Tenant[]): Item[] {
  return rows.map(({ table, workspaceId, columns }) => ({
    what: `a row of ${table}`,
    owners: tenants
      // The register of the audit names every workspace that has one.
      .filter(
        (tenant) =>
          table === 'audit_register' || [tenant.workspaceId, tenant.ownerId].includes(workspaceId ?? ''),
      )
      .map((tenant) => tenant.workspaceId),
    text: JSON.stringify(columns, (_, value: unknown) =>
      value instanceof Uint8Array ? Buffer.from(value).toString('latin1') : value,
    ),
  }));
}
