import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Slack } from '../slack.ts';
import { shownSnapshot } from '../workspace/snapshot.ts';
import { signedIn } from './signed-in.ts';

/**
 * Handles `/app_redirect?app=&team=`, which an app links to: opens its direct messages on the page. `team` may be missing, or
 * be an enterprise.
 */
export function openApp(slack: Slack, request: IncomingMessage, response: ServerResponse): void {
  const { searchParams } = new URL(request.url ?? '/', 'http://localhost');
  const visitor = signedIn(request);
  const named = searchParams.get('team') ?? visitor?.team;
  const team = slack.workspaces.find(
    ({ workspace: { team: each } }) => each.id === named || each.enterprise?.id === named,
  )?.workspace.team.id;
  const { team: shown, me } = shownSnapshot(slack, visitor?.person ?? '', team);
  const place = new URLSearchParams({ as: me.id, team: shown.id, in: 'app', tab: 'messages' });
  response.writeHead(302, { location: `/#${place}` }).end();
}
